"""The one neutral input: what every adapter makes of its SDK's stream item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from streamcite.errors import InputError

__all__ = ["Channel", "Chunk"]

Channel = Literal["answer", "reasoning"]

_CHANNELS = get_args(Channel)
_NONE = type(None)
_NO_CITATIONS: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """One item of a generator's stream.

    Raises:
        InputError: A field is of another type than it says.
    """

    text: str = ""
    """New text, never cumulative; empty for role, usage and finish items. None counts as empty."""
    reply: int = 0
    """Which reply the text belongs to, from 0: a choice, or a message of an agent's run."""
    channel: Channel = "answer"
    """Whether the text is for the reader or the model's reasoning."""
    finish_reason: str | None = None
    """Why the reply ended, in OpenAI's words: stop, length, tool_calls, content_filter.

    An empty one counts as none, since some servers send it with each delta.
    """
    usage: Mapping[str, Any] | None = None
    """Token counts as the provider reports them."""
    citations: tuple[Mapping[str, Any], ...] = _NO_CITATIONS
    """Citations that the provider made itself, as it sent them."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Further facts for the answer's meta, such as the model's name."""

    def __post_init__(self) -> None:
        # Every token has a chunk, and nearly every chunk passes here at a sixth of what making it
        # costs, a fiftieth of what it costs an adapter.
        if not (
            self.text.__class__ is str
            and self.reply.__class__ is int
            and self.reply >= 0
            and self.channel in _CHANNELS
            and self.finish_reason is None
            and self.usage is None
            and self.citations is _NO_CITATIONS
            and self.meta.__class__ is dict
        ):
            _check(self)


# What each field must be, and what to do if it is not.
_FIELDS: dict[str, tuple[tuple[type, ...], str]] = {
    "text": ((str,), "a str, or nothing where there is no text"),
    "reply": ((int,), "its number, an int from 0"),
    "channel": ((str,), "'answer' or 'reasoning'"),
    "finish_reason": ((str, _NONE), "a str, or None while the reply goes on"),
    "usage": ((Mapping, _NONE), "a mapping, as by model_dump() of an SDK's object, or None"),
    "citations": ((tuple,), "a tuple of mappings"),
    "meta": ((Mapping,), "a mapping"),
}


def _check(chunk: Chunk) -> None:
    """Refuse what no later stage could read, and put right what SDKs send for nothing."""
    text: object = chunk.text
    if text is None:
        object.__setattr__(chunk, "text", "")
    for name, (kinds, wanted) in _FIELDS.items():
        value = getattr(chunk, name)
        if not isinstance(value, kinds):
            raise InputError(f"a chunk's {name} is of type {type(value).__name__}; give {wanted}")
    if isinstance(chunk.reply, bool) or chunk.reply < 0:
        raise InputError(f"a chunk's reply is {chunk.reply}; give its number, from 0")
    # Any other word would be taken for one of them.
    if chunk.channel not in _CHANNELS:
        raise InputError(
            f"a chunk's channel is {chunk.channel!r:.40}; give {' or '.join(map(repr, _CHANNELS))}"
        )
    if chunk.finish_reason == "":
        object.__setattr__(chunk, "finish_reason", None)
    for each in chunk.citations:
        if not isinstance(each, Mapping):
            raise InputError(
                f"one of a chunk's citations is of type {type(each).__name__}; give mappings, such "
                "as {'url': …}"
            )

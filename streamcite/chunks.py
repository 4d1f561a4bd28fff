"""The one neutral input: what every adapter makes of its SDK's stream item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Channel", "Chunk"]

Channel = Literal["answer", "reasoning"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """One item of a generator's stream."""

    text: str = ""
    """New text, never cumulative; empty for role, usage and finish items."""
    reply: int = 0
    """Which reply the text belongs to, from 0: a choice, or a message of an agent's run."""
    channel: Channel = "answer"
    """Whether the text is for the reader or the model's reasoning."""
    finish_reason: str | None = None
    """Why the reply ended, in OpenAI's words: stop, length, tool_calls, content_filter."""
    usage: Mapping[str, Any] | None = None
    """Token counts as the provider reports them."""
    citations: tuple[Mapping[str, Any], ...] = ()
    """Citations that the provider made itself, as it sent them."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Further facts for the answer's meta, such as the model's name."""

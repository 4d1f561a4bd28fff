"""Items that need no SDK: a Chunk, its fields as a mapping, a str."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, get_args

from streamcite.chunks import Channel, Chunk
from streamcite.errors import InputError

__all__ = ["recognises", "to_chunks"]

_FIELDS = frozenset(field.name for field in fields(Chunk))
_CHANNELS = get_args(Channel)


def recognises(item: object) -> bool:
    """Say whether the item is text, a chunk, or a mapping with nothing but a chunk's fields."""
    if isinstance(item, Mapping):
        return isinstance(item.get("text"), str) and _FIELDS.issuperset(item)
    return isinstance(item, Chunk | str)


def to_chunks(item: object) -> list[Chunk]:
    """Return the item as it is, or the chunk that it spells."""
    if isinstance(item, Mapping):
        item = _spelled(item)
    if isinstance(item, Chunk):
        return [_checked(item)]
    return [Chunk(text=str(item))]


# What each field of a chunk must be; None stands where a field may be left out.
_TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "reply": (int,),
    "channel": (str,),
    "finish_reason": (str, type(None)),
    "usage": (Mapping, type(None)),
    "citations": (tuple,),
    "meta": (Mapping,),
}


def _spelled(item: Mapping[str, object]) -> Chunk:
    citations = item.get("citations") or ()
    if isinstance(citations, list):
        citations = tuple(citations)
    named: dict[str, Any] = {**item, "citations": citations}
    return Chunk(**named)


def _checked(chunk: Chunk) -> Chunk:
    """Refuse a chunk whose fields cannot be read; the text may be None, as in many SDKs."""
    text: object = chunk.text
    if text is None:
        chunk = replace(chunk, text="")
    for name, types in _TYPES.items():
        value = getattr(chunk, name)
        if not isinstance(value, types):
            wanted = " or ".join(each.__name__ for each in types if each is not type(None))
            raise InputError(f"a chunk's {name} is a {type(value).__name__}; it must be a {wanted}")
    # Any other word would be taken for one of them.
    if chunk.channel not in _CHANNELS:
        raise InputError(
            f"a chunk's channel is {chunk.channel!r:.40}; give {' or '.join(map(repr, _CHANNELS))}"
        )
    return chunk

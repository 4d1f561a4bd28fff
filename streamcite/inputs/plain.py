"""Items that need no SDK: a Chunk, its fields as a mapping, a str, None."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from streamcite.chunks import Chunk

__all__ = ["recognises", "to_chunks"]

_FIELDS = frozenset(field.name for field in fields(Chunk))
# A union written where it is used would be made anew for each item.
_TEXT = (str, type(None))
_KNOWN = (Chunk, *_TEXT)


def recognises(item: object) -> bool:
    """Say whether the item is text or none, a chunk, or a mapping with only a chunk's fields."""
    if isinstance(item, Mapping):
        is_text = "text" in item and isinstance(item["text"], _TEXT)
        return is_text and _FIELDS.issuperset(item)
    return isinstance(item, _KNOWN)


def to_chunks(item: Any) -> list[Chunk]:
    """Return the item as it is, or the chunk that it spells; None is a delta without text.

    Raises:
        InputError: A field of what it spells is of another type than a chunk's.
    """
    if isinstance(item, str):
        # Of a subclass too the text itself, not what it is printed as: an enum's value.
        return [Chunk(str.__str__(item))]
    if item is None:
        return []
    return [_spelled(item) if isinstance(item, Mapping) else item]


def _spelled(item: Mapping[str, object]) -> Chunk:
    # JSON knows no tuples, and writes null where nothing stands.
    named: dict[str, Any] = {name: value for name, value in item.items() if value is not None}
    citations = named.get("citations")
    if isinstance(citations, list):
        named["citations"] = tuple(citations)
    return Chunk(**named)

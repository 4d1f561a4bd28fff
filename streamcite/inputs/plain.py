"""Items that need no SDK: a Chunk, its fields as a mapping, a str."""

from collections.abc import Mapping
from dataclasses import fields

from streamcite.chunks import Chunk

__all__ = ["recognises", "to_chunks"]

_FIELDS = frozenset(field.name for field in fields(Chunk))


def recognises(item: object) -> bool:
    """Say whether the item is text, a chunk, or a mapping with nothing but a chunk's fields."""
    if isinstance(item, Mapping):
        return isinstance(item.get("text"), str) and _FIELDS.issuperset(item)
    return isinstance(item, Chunk | str)


def to_chunks(item: object) -> list[Chunk]:
    """Return the item as it is, or the chunk that it spells."""
    if isinstance(item, Chunk):
        return [item]
    if isinstance(item, Mapping):
        return [Chunk(**{**item, "citations": tuple(item.get("citations") or ())})]
    return [Chunk(text=str(item))]

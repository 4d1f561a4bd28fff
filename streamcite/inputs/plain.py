"""Input that needs no SDK: a Chunk, its fields as a mapping, a str; text as bytes in any cuts."""

import codecs
from collections.abc import Mapping
from dataclasses import fields

from streamcite.chunks import Chunk

__all__ = ["PlainDecoder", "recognises", "to_chunks"]

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


class PlainDecoder:
    """Turns text that comes as bytes into chunks; a character cut in two waits for its rest."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, body: bytes | str) -> list[Chunk]:
        """Return the text of this piece; no chunk if it completes no character."""
        text = body if isinstance(body, str) else self._utf8.decode(body)
        return [Chunk(text)] if text else []

    def close(self) -> list[Chunk]:
        """Return the replacement of a character that never came to its end."""
        text = self._utf8.decode(b"", True)
        return [Chunk(text)] if text else []

"""Joining a character that a server cut into two halves, one in each of two chunks."""

import re
from dataclasses import replace

from streamcite.chunks import Channel, Chunk

__all__ = ["SurrogateJoiner"]

_SURROGATE = re.compile("[\ud800-\udfff]")


class SurrogateJoiner:
    """Holds a high surrogate at the end of a text until the low one comes.

    JSON may spell a character above U+FFFF as two escapes, and some servers send one in each
    delta. A half without its other half is passed on as it is, before what goes on without: text of
    the reply's other channel, or the reply's end.
    """

    def __init__(self) -> None:
        self._held: dict[tuple[int, Channel], str] = {}

    @property
    def waits(self) -> bool:
        """Whether half a character is held."""
        return bool(self._held)

    def feed(self, chunk: Chunk) -> list[Chunk]:
        """Return the chunk with whole characters; half a character at its end is held."""
        lone = self._release(chunk) if self._held else []
        place = (chunk.reply, chunk.channel)
        text = self._held.pop(place, "") + chunk.text if self._held else chunk.text
        if _SURROGATE.search(text) is None:
            return [*lone, chunk]
        text = _join(text)
        if "\ud800" <= text[-1] <= "\udbff" and chunk.finish_reason is None:
            self._held[place] = text[-1]
            text = text[:-1]
        return [*lone, replace(chunk, text=text)]

    def _release(self, chunk: Chunk) -> list[Chunk]:
        """Return the half that waits in the other channel, if this chunk goes on behind it."""
        if not chunk.text and chunk.finish_reason is None:
            return []
        other: Channel = "answer" if chunk.channel == "reasoning" else "reasoning"
        half = self._held.pop((chunk.reply, other), "")
        return [Chunk(half, chunk.reply, other)] if half else []

    def close(self) -> list[Chunk]:
        """Return the halves that are still held, as they came."""
        held, self._held = self._held, {}
        return [Chunk(text, reply, channel) for (reply, channel), text in held.items()]


def _join(text: str) -> str:
    """Join pairs of surrogates; lone ones stay."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

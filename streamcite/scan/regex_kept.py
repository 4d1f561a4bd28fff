"""Text that is kept until it is known whether it is wanted."""

import io

__all__ = ["KeptText"]


class KeptText:
    """The latest part of a text, addressed by offsets in the whole.

    Append and release cost time in proportion to the text, however small the chunks, and a chunk
    leaves nothing behind but its characters.
    """

    def __init__(self) -> None:
        self._start = 0
        self._head = ""
        self._tail = io.StringIO()
        self._length = 0

    @property
    def end(self) -> int:
        """Offset behind the last character."""
        return self._start + self._length

    def append(self, text: str) -> None:
        self._tail.write(text)
        self._length += len(text)

    def slice(self, start: int, end: int) -> str:
        return self._joined()[start - self._start : end - self._start]

    def release(self, before: int) -> None:
        """Give up what stands before an offset; at least half goes at a time, or nothing."""
        gone = before - self._start
        if gone * 2 > self._length:
            self._head = self._joined()[gone:]
            self._start = before
            self._length -= gone

    def _joined(self) -> str:
        if self._tail.tell():
            self._head += self._tail.getvalue()
            self._tail = io.StringIO()
        return self._head

"""What stands before the place where a scanner reads."""

import re

from streamcite.scan.lines import Lines

__all__ = ["LookBack"]

# Left context for what a bracket is glued to: a name or an address of this length decides.
MAX_LEFT = 256
# Texts passed since anybody looked back. They are taken in together, which is much cheaper than
# one by one; the bound keeps a text that nobody asks about from being stored twice.
MAX_UNSEEN = 64

_TICKS = re.compile("`+")
_ESCAPE_OR_TICKS = re.compile(r"\\.|`+", re.DOTALL)


def _open_run(text: str) -> int:
    start = 0
    while match := _ESCAPE_OR_TICKS.search(text, start):
        start = match.end()
        if match[0][0] == "`":
            closing = [run for run in _TICKS.finditer(text, start) if run[0] == match[0]]
            if not closing:
                return len(match[0])
            start = closing[0].end()
    return 0


class LookBack:
    """Remembers the end of the text passed, and its current line; works when it is asked."""

    __slots__ = ("_left", "_lines", "_unseen", "after_marker")

    def __init__(self) -> None:
        self._left = ""
        self._lines = Lines()
        self._unseen: list[str] = []
        self.after_marker = False
        """Whether a marker has just been passed."""

    def add(self, text: str) -> None:
        """Pass text, not empty."""
        self.after_marker = False
        unseen = self._unseen
        unseen.append(text)
        if len(unseen) >= MAX_UNSEEN:
            self._look()

    def _look(self) -> None:
        text = "".join(self._unseen)
        self._unseen.clear()
        self._left = text[-MAX_LEFT:] if len(text) >= MAX_LEFT else (self._left + text)[-MAX_LEFT:]
        self._lines.advance(text)

    @property
    def left(self) -> str:
        """The last characters passed."""
        if self._unseen:
            self._look()
        return self._left

    def open_run(self, behind: int) -> int:
        """Return the length of the first run of backticks that nothing here closes; 0 if none is.

        Args:
            behind: Only runs behind the last one of this length count; 0 for all of the paragraph.
        """
        text = self.left
        if behind:
            runs = [match for match in _TICKS.finditer(text) if len(match[0]) == behind]
            text = text[runs[-1].end() :] if runs else ""
        else:
            text = text[text.rfind("\n\n") + 1 :]
        return _open_run(text)

    @property
    def lines(self) -> Lines:
        """The line that the text has come to."""
        if self._unseen:
            self._look()
        return self._lines

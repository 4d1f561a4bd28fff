"""What stands before the place where a scanner reads."""

import re

from streamcite.scan.lines import Lines

__all__ = ["MAX_LEFT", "LookBack", "open_run", "open_runs"]

# Left context for what a bracket is glued to: a name or an address of this length decides.
MAX_LEFT = 256
# Texts passed since anybody looked back. They are taken in together, which is much cheaper than
# one by one; the bound keeps a text that nobody asks about from being stored twice.
MAX_UNSEEN = 64

# Stand among the texts passed where a fence begins or ends. Made at run time, so that no text that
# anybody passes is the same object; and no container, since a waiting stream keeps them.
_BEGINS, _ENDS = "begins,ends".split(",")

_TICKS = re.compile("`+")
_ESCAPE_OR_TICKS = re.compile(r"\\.|`+", re.DOTALL)


def open_run(text: str) -> tuple[int, str]:
    """Return the length of the first run of backticks that nothing closes, and what is behind it.

    Returns:
        0 for a text without one.
    """
    start = 0
    while match := _ESCAPE_OR_TICKS.search(text, start):
        start = match.end()
        if match[0][0] == "`":
            runs = _TICKS.finditer(text, start)
            closing = next((run for run in runs if run[0] == match[0]), None)
            if closing is None:
                return len(match[0]), text[start:]
            start = closing.end()
    return 0, ""


def _is_escaped(text: str, place: int) -> bool:
    """Say whether a backslash stands before a place that is not itself escaped."""
    before = text[:place]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def open_runs(text: str) -> frozenset[int]:
    """Return the lengths of all such runs, should those before each be none."""
    lengths = []
    length, text = open_run(text)
    while length:
        lengths.append(length)
        length, text = open_run(text)
    return frozenset(lengths)


class LookBack:
    """Remembers the end of the text passed, and its current line; works when it is asked."""

    __slots__ = ("_crossed", "_cut_in_run", "_left", "_lines", "_unseen", "after_marker")

    def __init__(self) -> None:
        self._left = ""
        # Whether it was cut behind a backslash or a backtick, so that of a run in front nobody
        # knows how long it is, and if it is escaped.
        self._cut_in_run = False
        self._lines = Lines()
        self._unseen: list[str] = []
        # Whether fences begin or end among them.
        self._crossed = False
        self.after_marker = False
        """Whether a marker has just been passed."""

    def add(self, text: str) -> None:
        """Pass text, not empty."""
        self.after_marker = False
        unseen = self._unseen
        unseen.append(text)
        if len(unseen) >= MAX_UNSEEN:
            self._look()

    def cross(self, *, fenced: bool) -> None:
        """Note that a fence begins or ends behind the text passed."""
        if not self._unseen:
            self._lines.cross(fenced=fenced)
            return
        self._unseen.append(_BEGINS if fenced else _ENDS)
        self._crossed = True

    def _look(self) -> None:
        unseen = self._unseen
        if self._crossed:
            text = self._read_fences(unseen)
        else:
            text = unseen[0] if len(unseen) == 1 else "".join(unseen)
            self._lines.advance(text)
        unseen.clear()
        left = text if len(text) > MAX_LEFT else self._left + text
        cut = len(left) - MAX_LEFT
        if cut > 0:
            self._cut_in_run = left[cut - 1] in "\\`"
            left = left[cut:]
        self._left = left

    def _read_fences(self, unseen: list[str]) -> str:
        """Tell the lines of each text, and of the fences between them; return the texts as one."""
        texts = []
        for each in unseen:
            if each is _BEGINS or each is _ENDS:
                self._lines.cross(fenced=each is _BEGINS)
            else:
                self._lines.advance(each)
                texts.append(each)
        self._crossed = False
        return "".join(texts)

    @property
    def left(self) -> str:
        """The last characters passed."""
        if self._unseen:
            self._look()
        return self._left

    def behind_run(self, length: int) -> str:
        """Return the text behind the last run of so many backticks.

        Of a run behind a backslash the first backtick does not count, where that is no code.
        """
        text = self.left
        known = text.lstrip("\\").lstrip("`") if self._cut_in_run else text
        begin = len(text) - len(known)
        escaped_end = None
        end = text.rfind("`") + 1
        while end > begin:
            start = len(text[:end].rstrip("`"))
            more = end - start - length
            if more in (0, 1) and _is_escaped(text, start) == bool(more):
                if not more:
                    return text[end:]
                escaped_end = escaped_end or end
            end = text.rfind("`", 0, start) + 1
        # An escaped one behind the opener would be in its code, where a backslash means nothing.
        if escaped_end is not None:
            return text[escaped_end:]
        return known if len(text) == MAX_LEFT else ""  # it is further back

    @property
    def lines(self) -> Lines:
        """The line that the text has come to."""
        if self._unseen:
            self._look()
        return self._lines

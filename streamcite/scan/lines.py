"""What markdown says of whole lines: fences, list items, indented code."""

import re

__all__ = [
    "MIN_FENCE",
    "FenceTracker",
    "Lines",
    "closes_fence",
    "fence_at_end",
    "is_flush",
    "opens_fence",
    "takes_marker",
]

# How much of a line's head is kept: fences and list markers stand within it, however deep a
# list is nested, and a longer run of blanks is no markdown.
MAX_HEAD = 96
# How long a run must be to open a fence.
MIN_FENCE = 3

_PREFIX = r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+[ \t>]*)*"
_RUN = rf"(`{{{MIN_FENCE},}}|~{{{MIN_FENCE},}})"
_OPENING = re.compile(_PREFIX + _RUN + r"([^\n]*)")
_CLOSING = re.compile(rf"[ \t>]*{_RUN}[ \t]*\r?")
_LIST_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
# A line that has begun, and is not indented.
_FLUSH = re.compile(r" {0,3}[^ \t]")
_BLANKS = " \t\r\n>"
_INDENTS = " \t"
_INDENTED = re.compile(r"(?: {0,3}\t| {4})")


def is_flush(line: str) -> bool:
    """Say whether a line, as far as it has come, has begun and is not indented."""
    return _FLUSH.match(line) is not None


def takes_marker(line: str) -> bool:
    """Say whether a line, as far as it has come, is no indented code if a marker begins here."""
    # Most lines begin with a letter.
    return line[:1] not in _INDENTS or is_flush(line[:4] + "[")


def _is_item(line: str) -> bool:
    return _LIST_ITEM.match(line) is not None


def opens_fence(line: str) -> str | None:
    """Return the run of characters that opens a fence on this line, or None."""
    if "`" * MIN_FENCE not in line and "~" * MIN_FENCE not in line:
        return None
    match = _OPENING.match(line)
    if match is None or (match[1][0] == "`" and "`" in match[2]):
        return None
    return match[1]


def fence_at_end(line: str) -> str | None:
    """Return the run at the end of a line so far, if it opens a fence."""
    fence = opens_fence(line) if len(line) <= MAX_HEAD else None
    return fence if fence and line.endswith(fence) else None


def closes_fence(fence: str, line: str) -> bool:
    """Say whether a line ends the fence that this run opened."""
    if not line.lstrip(" \t>").startswith(fence):
        return False
    match = _CLOSING.fullmatch(line)
    return match is not None and match[1].startswith(fence)


class Lines:
    """The head of the current line, and whether it stands in indented code.

    Indented code follows a blank line, a fence or other indented code, and no list item: there
    an indented line belongs to the item.
    """

    __slots__ = (
        "_after_blank",
        "_in_code",
        "_in_list",
        "_was_in_list",
        "fenced",
        "head",
        "length",
    )

    def __init__(self) -> None:
        self.head = ""
        self.length = 0
        self.fenced = False
        """Whether the text stands in a fence, whose lines say nothing here."""
        self._after_blank = True
        self._in_code = False
        self._in_list = False
        # `_in_list` before the last fence began, should that turn out to be none.
        self._was_in_list = False

    def advance(self, text: str) -> None:
        """Read on; each character is looked at once."""
        if "\n" not in text:
            if self.length < MAX_HEAD:
                self.head += text[: MAX_HEAD - self.length]
            self.length += len(text)
            return
        if not self.fenced:
            text = self._begin_anew(text)
        first, *rest = text.split("\n")
        self._end_line((self.head + first)[:MAX_HEAD])
        for line in rest[:-1]:
            self._end_line(line[:MAX_HEAD])
        self.head = rest[-1][:MAX_HEAD]
        self.length = len(rest[-1])

    def _begin_anew(self, text: str) -> str:
        """Leave out the lines before the last paragraph, if nothing before it can matter.

        Behind a blank line, one that is not indented is no code, and it alone says whether a
        list goes on; so a long text costs one search.
        """
        place = text.rfind("\n\n") + 2
        if place < 2 or text[place : place + 1] in _BLANKS:
            return text
        self.head = ""
        self._after_blank, self._in_code, self._in_list = True, False, False
        return "\n" + text[place:]

    def _end_line(self, line: str) -> None:
        if self.fenced:
            return
        if not line or line.isspace():
            self._after_blank = True
            return
        self._in_code = self._is_code(line)
        goes_on = line[0] in _INDENTS or not self._after_blank
        self._in_list = _is_item(line) or (self._in_list and goes_on)
        self._after_blank = False

    def _is_code(self, line: str) -> bool:
        if self._in_list or not (self._after_blank or self._in_code):
            return False
        return _INDENTED.match(line) is not None

    def cross(self, *, fenced: bool) -> None:
        """Begin a fence on the current line, or end the one before it."""
        self.fenced = fenced
        if fenced:
            # No paragraph goes on here, so a list does only by its indentation.
            line, self._was_in_list = self.head, self._in_list
            self._in_list = _is_item(line) or (self._in_list and line[:1] in _INDENTS)
        else:
            # Any kind of line may follow.
            self._after_blank = True
            self._in_code = False

    def take_back(self) -> None:
        """Undo `cross`: what began on this line is no fence."""
        self.fenced, self._in_list = False, self._was_in_list

    @property
    def in_indented_code(self) -> bool:
        """Whether the current line is indented code as far as it has come."""
        return self._is_code(self.head)

    @property
    def at_start(self) -> bool:
        """Whether the line has nothing but up to three blanks so far."""
        return self.length <= 3 and not self.head.strip(" ")


class FenceTracker:
    """Says of the current line whether it stands in a fence; for stages that need no more."""

    def __init__(self) -> None:
        self._fence: str | None = None
        self._line = ""

    def advance(self, text: str) -> None:
        """Read on; each character is looked at once."""
        if "\n" not in text:
            if len(self._line) < MAX_HEAD:
                self._line = (self._line + text[:MAX_HEAD])[:MAX_HEAD]
            return
        first, *rest = text.split("\n")
        self._line = (self._line + first[:MAX_HEAD])[:MAX_HEAD]
        for line in rest:
            self._end_line()
            self._line = line[:MAX_HEAD]

    def _end_line(self) -> None:
        if self._fence is None:
            self._fence = opens_fence(self._line)
        elif closes_fence(self._fence, self._line):
            self._fence = None

    @property
    def inside(self) -> bool:
        """Whether text at this place stands in a fence, or on the line that opens one."""
        return self._fence is not None or opens_fence(self._line) is not None

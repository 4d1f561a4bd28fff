"""The blanks around a marker that leaves no text behind."""

from streamcite.grammar import CLOSING, LINE_BREAKS, MARGIN

__all__ = ["BlankKeeper"]

# Most blanks that are held, and that a removed marker takes with it: more are no slip of a
# writer but a layout, and what is held must stay short whatever comes.
MAX_BLANKS = 32


class BlankKeeper:
    """Holds blanks that a removed marker may take with it.

    Only blanks directly before the marker go, and only if a blank, a line break, the end or
    closing punctuation follows; at the start of a line the blanks behind it go instead.
    """

    __slots__ = (
        "_blanks",
        "_line_start",
        "_owed",
        "_swallows",
    )

    def __init__(self) -> None:
        self._blanks = ""
        self._owed: str | None = None
        self._swallows = False
        self._line_start = True

    @property
    def held(self) -> str:
        """Blanks not shown yet."""
        return (self._owed or "") + self._blanks

    @property
    def idle(self) -> bool:
        """Whether text that does not end in a blank can be shown as it is."""
        return not self._blanks and self._owed is None and not self._swallows

    def passed(self, text: str) -> None:
        """Take note of text that was shown as it is."""
        self._line_start = text[-1] in LINE_BREAKS

    def write(self, text: str) -> str:
        """Take text; return what can be shown."""
        if self._swallows:
            text = text.lstrip(MARGIN)
            if not text:
                return ""
            self._swallows = False
        owed = self._settle(text[0])
        text = self._blanks + text
        body = text[: max(len(text.rstrip(MARGIN)), len(text) - MAX_BLANKS)]
        self._blanks = text[len(body) :]
        shown = owed + body
        if shown:
            self._line_start = shown[-1] in LINE_BREAKS
        return shown

    def _settle(self, follower: str) -> str:
        owed, self._owed = self._owed, None
        if not owed or follower in MARGIN + LINE_BREAKS + CLOSING:
            return ""
        return owed

    def remove(self) -> str:
        """Take note of a removed marker; return what can be shown."""
        blanks, self._blanks = self._blanks, ""
        if self._line_start:
            self._swallows = True
            return blanks
        self._owed = (self._owed or "") + blanks
        return ""

    def shows(self) -> str:
        """Take note that a citation's own text follows; return the blanks before it."""
        owed = self._owed or ""
        blanks, self._blanks, self._owed = owed + self._blanks, "", None
        self._swallows = self._line_start = False
        return blanks

    def close(self) -> str:
        """End the text: a removed marker's blanks go, the author's own stay."""
        blanks, self._blanks, self._owed = self._blanks, "", None
        return blanks

"""The text that a scanner has taken and cannot release yet, and what it passed before."""

from streamcite.scan.lookback import LookBack
from streamcite.spans import Span, Text

__all__ = ["Window"]

# Stand for the lists of a scanner that is not reading; nobody adds to them.
_NO_PIECES: list[str] = []
_NO_SPANS: list[Span] = []


class Window:
    """Holds text until it is released as spans, and remembers the end of what was released.

    Args:
        dropped: Signs that no reader may see.
    """

    __slots__ = (
        "_crossings",
        "_dropped",
        "_look_back",
        "_pieces",
        "_released",
        "_spans",
        "_window",
    )

    def __init__(self, dropped: str) -> None:
        self._dropped = dropped
        self._window = ""
        self._released = 0
        # These are made when they are needed: a server has ten thousand answers open.
        self._look_back: LookBack | None = None
        self._crossings: list[tuple[int, bool]] | None = None
        self._pieces: list[str] = _NO_PIECES
        self._spans: list[Span] = _NO_SPANS

    @property
    def look_back(self) -> LookBack:
        """What stands before the place that is read."""
        if self._look_back is None:
            self._look_back = LookBack()
        return self._look_back

    @property
    def held(self) -> str:
        """Text received that is neither released nor found to be a marker."""
        return self._window

    def skip(self, text: str) -> None:
        """Pass text, not empty, in which `search` found nothing."""
        look_back = self.look_back
        if self._crossings is None:
            look_back.add(text)
            return
        passed = 0
        for place, fenced in self._crossings:
            if place > passed:
                look_back.add(text[passed:place])
            look_back.cross(fenced=fenced)
            passed = place
        self._crossings = None
        if passed < len(text):
            look_back.add(text[passed:])

    def cross(self, text: str, skipped: int, *, fenced: bool) -> None:
        """Note that a text which leads into a fence or out of it will come by `skip`.

        Args:
            text: The text.
            skipped: How many code points will come before it.
            fenced: Whether it leads into one.
        """
        if self._crossings is None:
            self._crossings = []
        # A fence begins anywhere in its first line, and ends behind the break of its last.
        place = skipped if fenced else skipped + text.index("\n") + 1
        self._crossings.append((place, fenced))

    def _begin_spans(self) -> None:
        """Collect spans from here on."""
        self._pieces, self._spans = [], []

    def _end_spans(self) -> list[Span]:
        """Return the spans collected."""
        spans = self._spans
        self._pieces, self._spans = _NO_PIECES, _NO_SPANS
        return spans

    def _release(self, upto: int) -> None:
        if upto > self._released:
            text = self._window[self._released : upto]
            self._pieces.append(text)
            self.look_back.add(text)
            self._released = upto

    def _flush(self) -> None:
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        pieces.clear()
        # Only text held for inline code or math can still have such signs in it.
        for sign in self._dropped:
            text = text.replace(sign, "")
        if text:
            self._spans.append(Text(text))

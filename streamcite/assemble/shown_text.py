"""A text as its reader sees it so far, and the claims in it."""

from io import StringIO

from streamcite.answers import Citation, CitationFields
from streamcite.assemble.claims import MAX_CLAIM, claim_span
from streamcite.assemble.texts import GrowingText

__all__ = ["FOLD_LENGTH", "ShownText"]

# Text that the caller writes is to be settled after so many code points: until then each token
# is kept as it came on some Pythons, some 60 bytes beside its text, and each citation copies it.
FOLD_LENGTH = 896

# How far back the beginning of a line is looked for, in code points; no paragraph is longer.
MAX_LINE = 4096

# Stand for lists that are made when they are needed; nobody adds to them.
_NO_TEXTS: list[str] = []
_NO_CITATIONS: list[Citation | CitationFields] = []


class ShownText:
    """Text that was shown, and what became visible of it since the caller last asked."""

    __slots__ = ("_citations", "_claim_from", "_delta", "_last_claim", "_text", "run")

    def __init__(self) -> None:
        self.run = StringIO()
        """Text that the caller wrote without any other call, until it is settled."""
        # What became visible since the caller last took it, and the citations in it.
        self._delta: list[str] = _NO_TEXTS
        self._citations: list[Citation | CitationFields] = _NO_CITATIONS
        self._text = GrowingText()
        self._claim_from = 0
        self._last_claim: tuple[int, int] | None = None

    @property
    def length(self) -> int:
        """Code points shown so far."""
        return self._text.length + self.run.tell()

    @property
    def settled(self) -> int:
        """Code points shown so far, without `run`."""
        return self._text.length

    def last_line(self) -> str | None:
        """Return the last line of the settled text, as far as it has come; None if that is long."""
        text = self._text.tail(MAX_LINE)
        start = text.rfind("\n") + 1
        known = start or len(text) == self._text.length
        return text[start:] if known else None

    def tail(self, length: int) -> str:
        """Return the last code points shown."""
        run = self.run.getvalue()
        missing = length - len(run)
        return self._text.tail(missing) + run if missing > 0 else run[-length:]

    @property
    def text(self) -> str:
        """All text shown so far."""
        return self._text.whole() + self.run.getvalue()

    def settle(self) -> str:
        """Take note of `run`, begin another, and return its text."""
        text = self.run.getvalue()
        if text:
            self.run = StringIO()
            self._text.append(text)
        return text

    def take(self) -> tuple[str, list[Citation | CitationFields]]:
        """Return what became visible since the last call, and the citations in it."""
        delta, citations = self._delta, self._citations
        self._delta, self._citations = _NO_TEXTS, _NO_CITATIONS
        return delta[0] if len(delta) == 1 else "".join(delta), citations

    def _reveal(self, text: str) -> None:
        if self._delta is _NO_TEXTS:
            self._delta = []
        self._delta.append(text)

    def _reveal_citation(self, citation: Citation | CitationFields) -> None:
        if self._citations is _NO_CITATIONS:
            self._citations = []
        self._citations.append(citation)

    def keep(self, text: str) -> int:
        """Take note of text that the caller shows; return where it begins."""
        start = self._text.length
        self._text.append(text)
        return start

    def _claim(self, start: int) -> tuple[int, int]:
        """Return the claim of a marker at the end of the text."""
        return self._claim_of(self._text.tail(min(start - self._claim_from, MAX_CLAIM)), start)

    def _claim_of(self, before: str, start: int) -> tuple[int, int]:
        """Return the last claim of the text before a marker, in code points of the whole."""
        claim = claim_span(before, start - len(before))
        if claim is None:
            return self._last_claim or (start, start)
        self._last_claim = claim
        return claim

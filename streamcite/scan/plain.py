"""The scanner that looks for nothing: `markers=()`."""

from collections.abc import Callable

from streamcite.scan.context_rows import search_for_any
from streamcite.scan.tables import KnownTexts
from streamcite.spans import Span, Text

__all__ = ["PlainScanner"]


class PlainScanner:
    """Passes all text on.

    Args:
        stops: Characters that `search` must find, for another scanner's sake.
    """

    def __init__(self, stops: str = "") -> None:
        self.search: Callable[[str], object] = search_for_any(stops)
        self.place = KnownTexts()
        self.steps = 0

    @property
    def held(self) -> str:
        """Nothing is ever held."""
        return ""

    def skip(self, text: str) -> None:
        """Pass text."""

    def feed(self, text: str) -> list[Span]:
        """Return the text as it is."""
        return [Text(text)] if text else []

    def close(self) -> list[Span]:
        """Return nothing, since nothing was held."""
        return []

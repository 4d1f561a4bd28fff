"""The scanners that look for nothing: no markers at all, or none before the end."""

from collections.abc import Callable

from streamcite.scan.contexts import NOTHING
from streamcite.spans import Span, Text

__all__ = ["PlainScanner"]


class PlainScanner:
    """Passes all text on; for `markers=()`."""

    def __init__(self) -> None:
        self.search: Callable[[str], object] = NOTHING
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

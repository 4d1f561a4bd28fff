"""What scanners find, in a whole text and in single characters."""

from typing import Any, SupportsIndex

from streamcite import CiteOptions
from streamcite.scan.scanners import Scanner, make_scanner
from streamcite.spans import Marker


def found(text: str, **options: Any) -> list[str]:
    """Return the markers of a text, which must be the same in single characters."""
    whole, single = (make_scanner(CiteOptions(**options)) for _ in range(2))
    spans = whole.feed(text) + whole.close()
    slow = [span for character in text for span in single.feed(character)] + single.close()
    markers = [span.text for span in spans if isinstance(span, Marker)]

    assert [span.text for span in slow if isinstance(span, Marker)] == markers
    return markers


class CountedText(str):
    """Counts what is copied of it or searched in it, which no step counter sees."""

    __slots__ = ()
    passed = 0
    """Code points of all such texts."""

    def __add__(self, other: str) -> "CountedText":
        CountedText.passed += len(self)
        return CountedText(str.__add__(self, other))

    def __radd__(self, other: str) -> "CountedText":
        CountedText.passed += len(other)
        return CountedText(str.__add__(other, self))

    def __getitem__(self, place: SupportsIndex | slice) -> "CountedText":
        part = CountedText(str.__getitem__(self, place))
        CountedText.passed += len(part)
        return part

    def find(self, sub: str, start: Any = 0, end: Any = None) -> int:
        """Return where a text stands first."""
        stop = len(self) if end is None else end
        place = str.find(self, sub, start, stop)
        CountedText.passed += (stop if place < 0 else place) - start
        return place

    def rfind(self, sub: str, start: Any = 0, end: Any = None) -> int:
        """Return where a text stands last."""
        stop = len(self) if end is None else end
        place = str.rfind(self, sub, start, stop)
        CountedText.passed += stop - (start if place < 0 else place)
        return place


def passed_at_once(scanner: Scanner, text: str) -> int:
    """Return how much of a whole text a scanner copies and searches, again and again."""
    before = CountedText.passed
    scanner.feed(CountedText(text))
    scanner.close()
    return CountedText.passed - before

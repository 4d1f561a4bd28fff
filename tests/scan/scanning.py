"""What scanners find, in a whole text and in single characters."""

from typing import Any

from streamcite import CiteOptions
from streamcite.scan.scanners import make_scanner
from streamcite.spans import Marker


def found(text: str, **options: Any) -> list[str]:
    """Return the markers of a text, which must be the same in single characters."""
    whole, single = (make_scanner(CiteOptions(**options)) for _ in range(2))
    spans = whole.feed(text) + whole.close()
    slow = [span for character in text for span in single.feed(character)] + single.close()
    markers = [span.text for span in spans if isinstance(span, Marker)]

    assert [span.text for span in slow if isinstance(span, Marker)] == markers
    return markers

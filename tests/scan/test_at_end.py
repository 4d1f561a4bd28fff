"""Patterns that are searched when the reply is complete."""

import re

import pytest

from streamcite.errors import PatternError
from streamcite.scan.at_end import AtEndScanner
from streamcite.scan.timed import Allowance
from streamcite.spans import Located, Marker, Text

TEXT = "a [1](u) b [2] c"


def test_text_streams_on() -> None:
    """Where the text is shown as written it is passed on at once, its markers at the end."""
    scanner = AtEndScanner(r"\[(\d+)\]", False, 4_096, holds=False, allowance=Allowance())

    assert [scanner.feed(piece) for piece in ("a [", "1]")] == [[Text("a [")], [Text("1]")]]
    (located,) = scanner.close()
    assert isinstance(located, Located)
    assert (located.marker.text, located.marker.items) == ("[1]", ((1, 1),))


def test_text_is_held() -> None:
    """Where a marker changes the text, all of it waits for the end."""
    scanner = AtEndScanner(r"\[(\d+)\]", False, 4_096, holds=True, allowance=Allowance())

    assert scanner.feed(TEXT) == []
    assert scanner.held == TEXT
    spans = scanner.close()
    assert [span.text for span in spans if isinstance(span, Text | Marker)] == [
        "a ",
        "[1]",
        "(u) b ",
        "[2]",
        " c",
    ]
    assert scanner.held == ""


@pytest.mark.parametrize("pattern", [r"\[(\d+)\](?=.*c)", r"(?<=b )\[(\d+)\]", r"\[((?:\d)++)\]"])
def test_what_cannot_be_streamed(pattern: str) -> None:
    """A pattern that no stream can match finds what `re` finds."""
    scanner = AtEndScanner(pattern, False, 4_096, holds=True, allowance=Allowance())
    scanner.feed(TEXT)

    found = [span.text for span in scanner.close() if isinstance(span, Marker)]
    assert found == [match[0] for match in re.finditer(pattern, TEXT)]


@pytest.mark.parametrize("pattern", [r"\[(\d+", r"(\d)(\d)", r"(\d*)"])
def test_refused(pattern: str) -> None:
    """What no engine can use is refused when the scanner is made."""
    with pytest.raises(PatternError):
        AtEndScanner(pattern, False, 4_096, holds=True, allowance=Allowance())


def test_each_stretch_is_a_text() -> None:
    """After it was closed, another stretch of text may follow."""
    scanner = AtEndScanner(r"^(\d)", False, 4_096, holds=True, allowance=Allowance())

    markers = []
    for text in ("1 2", "3 4"):
        scanner.feed(text)
        markers += [span.text for span in scanner.close() if isinstance(span, Marker)]
    assert markers == ["1", "3"]

"""A user's own regex, live."""

import re
from typing import Any

import pytest

from streamcite.errors import PatternError
from streamcite.scan.patterns import PatternScanner, read_reference_pattern
from streamcite.spans import Item, Marker, Text
from tests.scan.scanning import passed_at_once


def scan(pattern: str, text: str, *, expands: bool = False, size: int = 1) -> list[Any]:
    """Return the spans of a text that comes in pieces of this size."""
    scanner = PatternScanner(read_reference_pattern(pattern, expands), 4_096)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return [span for piece in pieces for span in scanner.feed(piece)] + scanner.close()


def markers(pattern: str, text: str, *, expands: bool = False) -> list[Marker]:
    """Return the markers of a text, which must be the same in any pieces."""
    found = [
        [span for span in scan(pattern, text, expands=expands, size=size) if type(span) is Marker]
        for size in (1, 3, 1_000)
    ]

    assert found[0] == found[1] == found[2]
    return found[0]


# Pattern, whether ranges are expanded, text, items and unreadable parts of its one marker.
ITEMS: list[tuple[str, bool, str, tuple[Item, ...], tuple[str, ...]]] = [
    (r"\[(\d+)\]", False, "[2]", ((2, 2),), ()),
    (r"\[\d+\]|\d+", False, "7", ((7, 7),), ()),
    (r"\[([^\]]*)\]", False, "[ 2 ]", ((2, 2),), ()),
    (r"\[([^\]]*)\]", False, "[1, 2]", (), ("1, 2",)),
    (r"\[([^\]]*)\]", True, "[1, 2-4]", ((1, 1), (2, 4)), ()),
    (r"\[([^\]]*)\]", True, "[1, x, 3]", ((1, 1), (3, 3)), ("x",)),
    (r"\[([^\]]*)\]", True, "[1-2-3]", (), ("1-2-3",)),
    (r"\[(\d+)\]", True, "[1,3-4]", ((1, 1), (3, 4)), ()),
    (r"\[([^\]]*)\]", False, "[1234567890]", (), ("1234567890",)),
    (r"\[([^\]]*)\]", False, "[" + "0" * 3_000 + "7]", ((7, 7),), ()),
    (r"\[([^\]]*)\]", False, "[²]", (), ("²",)),
    (r"\[([^\]]*)\]", False, "[１２]", ((12, 12),), ()),
    ("acm", False, "[1, 2 3,]", ((1, 1), (2, 2), (3, 3)), ()),
    (r"\[(?:(\d+),?\s*)+\]", False, "[1, 2]", ((2, 2),), ()),
]


@pytest.mark.parametrize(("pattern", "expands", "text", "items", "problems"), ITEMS)
def test_items(
    pattern: str, expands: bool, text: str, items: tuple[Item, ...], problems: tuple[str, ...]
) -> None:
    """The group, or the whole match, is a number, or a list of numbers where ranges expand."""
    (marker,) = markers(pattern, text, expands=expands)

    assert (marker.items, marker.problems) == (items, problems)


@pytest.mark.parametrize(
    "pattern", [r"\[(\d+)\](?!\()", r"\^(\d+)", r"(?<!\w)\[(\d)\]", r"\b(\d)\b"]
)
def test_all_matches(pattern: str) -> None:
    """The scanner finds what `re.finditer` finds in the whole text, code and links included."""
    text = "a[1] [2](u) `[3]` ^12 x^3 [4]5 6"

    assert [each.text for each in markers(pattern, text)] == [
        match[0] for match in re.finditer(pattern, text)
    ]


def test_nothing_is_lost() -> None:
    """Text and markers together are the text that was fed."""
    text = "a [1] b [2"

    assert "".join(span.text for span in scan(r"\[(\d)\]", text)) == text


def test_each_stretch_is_a_text() -> None:
    """After a tag the next stretch starts afresh: `^` stands at its beginning again."""
    scanner = PatternScanner(read_reference_pattern(r"^(\d)", False), 256)
    first = scanner.feed("12") + scanner.close()
    second = scanner.feed("34") + scanner.close()

    assert [type(span) for span in first + second] == [Marker, Text, Marker, Text]


@pytest.mark.parametrize("pattern", [r"\[[a-z]\]", r"\[\d+\]", r"(a)\d", r"(x*)1"])
def test_never_a_number(pattern: str) -> None:
    """A pattern of which no match can be read as a number is refused."""
    with pytest.raises(PatternError, match="never a number"):
        read_reference_pattern(pattern, False)


def test_patterns_are_shared() -> None:
    """The same pattern is compiled once."""
    assert read_reference_pattern("acm", False) is read_reference_pattern("acm", False)


@pytest.mark.parametrize("piece", ["[1]", "word [1] ", "[1", "[[2]", "[1] (x)", "[12"])
@pytest.mark.parametrize("pattern", ["acm", r"(?<!\w)\[(\d+)\](?!\()", r"\[([^\]]*)\]"])
def test_whole_texts_are_copied_once(pattern: str, piece: str) -> None:
    """A text that comes at once is copied in parts, not again for each of its matches."""
    reference = read_reference_pattern(pattern, False)
    text = piece * (20_000 // len(piece))

    passed = passed_at_once(PatternScanner(reference, 256), text)

    assert passed <= 8 * len(text)

"""Where text stands among the contexts, and what each place remembers."""

import pytest

from streamcite.options import CiteOptions
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.places import Place
from streamcite.scan.scanners import make_scanner


def place_behind(text: str) -> Place:
    # A bound of its own parts what is remembered here from what other tests left.
    scanner = make_scanner(CiteOptions(max_marker_length=77))
    assert isinstance(scanner, MarkdownScanner)
    scanner.feed(text)
    assert isinstance(scanner.plain, Place)
    return scanner.plain


ROWS = [
    ("a `b`", " ", True),
    ("a `b`", "`", False),
    ("a ``b`", " ", False),
    ("a `b", " ", False),
    ("see [a]", " ", True),
    ("see [a]", "(", False),
    ("a\n```\nb", " ", False),
]


@pytest.mark.parametrize(("text", "following", "expected"), ROWS)
def test_text_before(text: str, following: str, expected: bool) -> None:
    """A closed context is over before any character that does not go on with it."""
    text_place = place_behind("plain. ")

    assert (place_behind(text).text_before(following) is text_place) is expected


def test_what_leads_back_is_plain() -> None:
    """A text that was fed, and changes nothing, is known as plain; one that does leads on."""
    place = place_behind("plain. ")

    place_behind("zyx ")
    place_behind("`zyx ")
    assert "zyx " in place
    assert "zyx " not in place.passed
    assert isinstance(place.passed["`zyx "], Place)

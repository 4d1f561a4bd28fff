"""Where text stands among the contexts, and what each place remembers."""

from io import StringIO

import pytest

from streamcite.options import CiteOptions
from streamcite.scan.contexts import State
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.places import Place
from streamcite.scan.scanners import make_scanner


def place_behind(text: str) -> Place:
    # A bound of its own parts what is remembered here from what other tests left.
    scanner = make_scanner(CiteOptions(max_marker_length=77))
    assert isinstance(scanner, MarkdownScanner)
    scanner.feed(text)
    assert isinstance(scanner.place, Place)
    return scanner.place


def state_before(text: str, following: str) -> State | None:
    run = StringIO()
    run.write(text)
    found = place_behind(text).before(following, run)
    return found.row.state if isinstance(found, Place) else None


ROWS = [
    ("a `b`", " ", State.TEXT),
    ("a `b`", "`", None),
    ("a ``b`", " ", None),
    ("a `b", " ", None),
    ("see [a]", " ", State.TEXT),
    ("see [a]", "(", None),
    ("a\n```\nb", " ", None),
    ("a\n```", "p", State.INFO),
    ("a\n```", "`", None),
    ("a\n> ~~~~", "\n", State.INFO),
    ("a\nb ```", "p", State.CODE),
    ("a\nb ~~~", "p", State.TEXT),
    # Where its line begins is not known.
    ("```", "p", None),
]


@pytest.mark.parametrize(("text", "following", "expected"), ROWS)
def test_before(text: str, following: str, expected: State | None) -> None:
    """A character may say where the text stands that comes before it."""
    assert state_before(text, following) is expected


def test_what_leads_back_is_plain() -> None:
    """A text that was fed, and changes nothing, is known as plain; one that does leads on."""
    place = place_behind("plain. ")

    place_behind("zyx ")
    place_behind("`zyx ")
    assert "zyx " in place.texts
    assert "zyx " not in place.passed
    assert isinstance(place.passed["`zyx "], Place)

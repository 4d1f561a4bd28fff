"""Text that may still become a marker."""

import pytest

from streamcite.scan.grammars import grammars_for
from streamcite.scan.markers import Candidate

LABELS = ("Source",)


def candidate(text: str, *names: str, limit: int = 100) -> Candidate:
    """Return a candidate that has read a text."""
    begun = Candidate(grammars_for(names, LABELS), 0, text[0])
    begun.read(text, limit)
    return begun


# Text, the length of the marker at its start, and whether nothing can follow.
ROWS = [
    ("[1] x", 3, True),
    ("[1", None, False),
    ("[x", None, True),
    ("[[1]", None, False),
    ("[[1]]", 5, True),
    ("[[1] x", None, True),
]


@pytest.mark.parametrize(("text", "length", "over"), ROWS)
def test_one_grammar(text: str, length: int | None, over: bool) -> None:
    """A candidate knows its length once it is whole, and when it is over."""
    read = candidate(text, "bracket")

    assert (read.length, read.over) == (length, over)


def test_char_by_char() -> None:
    """Reading on gives the same as reading at once, and counts each character once."""
    text = "[1, 2-3]"
    slow = Candidate(grammars_for(["bracket"], LABELS), 0, "[")

    steps = sum(slow.read(text[:end], 100) for end in range(1, len(text) + 1))
    assert (slow.length, slow.over, steps) == (len(text), True, len(text) - 1)


def test_limit() -> None:
    """No more is read than the limit allows."""
    read = candidate("[1, 2, 3]", "bracket", limit=5)

    assert (read.length, read.over) == (None, False)


def test_first_grammar_wins() -> None:
    """Of two grammars that take the same text, the one listed first wins."""
    assert candidate("[@1]", "key", "filename").grammar.name == "key"
    assert candidate("[Source 1]", "filename", "label").grammar.name == "label"


def test_several_grammars_die_one_by_one() -> None:
    """A candidate lives while one of its grammars does."""
    read = candidate("[Sour", "bracket", "label")
    assert not read.over

    assert candidate("[Sorry", "bracket", "label").over


def test_an_opener_that_begins_nothing() -> None:
    """A candidate whose opener no grammar takes is over at once."""
    assert Candidate(grammars_for(["private"], LABELS), 0, "\ue202").over

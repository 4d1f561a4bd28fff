"""Whether a complete candidate is a marker."""

import pytest

from streamcite.options import GUARDS
from streamcite.scan.bracket import BRACKET
from streamcite.scan.judge import Judge, Verdict

ALL = frozenset(GUARDS)
MARKER, TEXT, WAIT = Verdict.MARKER, Verdict.TEXT, Verdict.WAIT


def judge(*guards: str) -> Judge:
    """Return a judge with these guards."""
    return Judge(frozenset(guards) if guards else ALL, [BRACKET])


# What follows `[1]`, the verdict behind a blank, behind a word, and at the start of a line.
RIGHT = [
    ("", WAIT, WAIT, WAIT),
    (" ", MARKER, WAIT, MARKER),
    ("x", MARKER, MARKER, MARKER),
    ("(", TEXT, TEXT, TEXT),
    (":", MARKER, MARKER, TEXT),
    ("[", MARKER, WAIT, MARKER),
    ("[2", MARKER, WAIT, MARKER),
    ("[2] x", MARKER, MARKER, MARKER),
    ("[2](", MARKER, TEXT, MARKER),
    ("[x", MARKER, TEXT, MARKER),
    (".", MARKER, WAIT, MARKER),
    (".a", MARKER, TEXT, MARKER),
    (".A", MARKER, MARKER, MARKER),
    (". ", MARKER, MARKER, MARKER),
    (" =", MARKER, TEXT, MARKER),
    ("= ", MARKER, TEXT, MARKER),
    (" x", MARKER, MARKER, MARKER),
]


@pytest.mark.parametrize(("right", "free", "glued", "at_start"), RIGHT)
def test_right(right: str, free: Verdict, glued: Verdict, at_start: Verdict) -> None:
    """What follows a candidate makes it a link, a definition, an index or a marker."""
    window = "[1]" + right
    verdicts = [
        judge().right(window, 3, len(window), glued=glued, line_start=line_start)
        for glued, line_start in ((False, False), (True, False), (False, True))
    ]

    assert verdicts == [free, glued, at_start]


def test_limit() -> None:
    """No more is looked at than the limit allows."""
    assert judge().right("[1] = 3", 3, 4, glued=True, line_start=False) is WAIT


@pytest.mark.parametrize(
    ("end", "verdict"), [(" x", MARKER), ("(", TEXT), ("[x", TEXT), ("", WAIT)]
)
def test_long_chains(end: str, verdict: Verdict) -> None:
    """However many markers are glued to one another, what follows the last of them decides."""
    window = "[1]" * 10_000 + end

    assert judge().right(window, 3, 1_000_000, glued=True, line_start=False) is verdict


def test_nobody_asks() -> None:
    """Where no guard asks for what follows, a candidate needs no follower."""
    assert judge("code").right("[1]", 3, 9, glued=False, line_start=True) is MARKER
    assert judge("footnote").right("[1]", 3, 9, glued=False, line_start=True) is WAIT
    assert judge("footnote").right("[1]", 3, 9, glued=False, line_start=False) is MARKER
    assert judge("link").right("[1]", 3, 9, glued=False, line_start=False) is WAIT


# What stands before a candidate: True if it is glued to a word, None if that makes it text.
LEFT = [
    ("", False),
    ("word ", False),
    ("word", True),
    ("x", None),
    ("https://e.com/a", None),
    ("word.", False),
]


@pytest.mark.parametrize(("left", "expected"), LEFT)
def test_left(left: str, expected: bool | None) -> None:
    """What stands before a candidate may make it text, or an index if more follows."""
    assert judge().left("[", left, False) is expected


def test_left_needs_its_guard() -> None:
    """Without the guards for code, addresses and indices nothing before makes it text."""
    for left, guard in (("x", "index"), ("https://e.com/a", "url")):
        others = ALL - {guard, "index"}
        assert judge(*others).left("[", left, False) is False

    assert judge().left("[", "", True) is None
    assert judge(*(ALL - {"code"})).left("[", "", True) is False


def test_other_brackets_are_no_index() -> None:
    """Only square brackets are an index in code."""
    assert judge().left("【", "x", False) is False

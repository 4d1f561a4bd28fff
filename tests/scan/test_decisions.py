import pytest

from streamcite import CiteOptions
from streamcite.scan.contexts import DECISIONS
from streamcite.scan.decisions import DECIDE
from streamcite.scan.scanners import make_scanner


def test_every_decision_is_taken() -> None:
    """Each decision of the table has a method, and no other state has one."""
    assert set(DECIDE) == DECISIONS


HELD = [
    ("``a `b [1]", "[1]"),
    ("``a `b [1]`", "[1]`"),
    ("``a `b [1]` ", ""),
    ("``a `b ```c [1]``` ", ""),
    ("$a [1]", "[1]"),
    ("$a [1]`", ""),
]


@pytest.mark.parametrize(("text", "held"), HELD)
def test_held(text: str, held: str) -> None:
    """What is code whether the open span closes or not is held no longer."""
    scanner = make_scanner(CiteOptions())

    for character in text:
        scanner.feed(character)
    assert scanner.held == held

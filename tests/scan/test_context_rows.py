"""The contexts' table as it runs, and its searches."""

import pytest

from streamcite.options import GUARDS
from streamcite.scan.context_rows import (
    ANYTHING,
    CANDIDATE_STATES,
    NOTHING,
    rows_for,
    search_for_any,
)
from streamcite.scan.contexts import DECISIONS, TRANSITIONS, State

ALL = frozenset(GUARDS)


def test_a_row_for_each_state() -> None:
    """The running table has all states, and its decisions lead on as text does."""
    assert set(rows_for(ALL, "[")) == set(TRANSITIONS) | DECISIONS


def test_tables_are_shared() -> None:
    """The same guards and openers share one running table."""
    assert rows_for(ALL, "[【") is rows_for(ALL, "[【")
    assert rows_for(ALL, "[【") is not rows_for(ALL, "[")


@pytest.mark.parametrize("state", State)
def test_search_misses_nothing(state: State) -> None:
    """What a state's search skips changes no state and begins no marker."""
    row = rows_for(ALL, "[【")[state]

    for character in map(chr, range(0x3020)):
        if row.search(character) is None:
            assert row[character] is row
            assert state not in CANDIDATE_STATES or character not in "[【"


# Guard, a character, and whether it means something in text only with that guard.
GUARDED = [
    ("code", "`", State.TICKS),
    ("code", "~", State.TILDES),
    ("math", "$", State.DOLLAR),
    ("html", "<", State.LESS),
    ("link", "]", State.CLOSER),
]


@pytest.mark.parametrize(("guard", "character", "state"), GUARDED)
def test_guards(guard: str, character: str, state: State) -> None:
    """A guard that is not wanted leaves its character without a meaning."""
    assert rows_for(ALL, "[")[State.TEXT][character].state is state
    assert rows_for(ALL - {guard}, "[")[State.TEXT][character].state is State.TEXT


def test_backslashes() -> None:
    """A backslash means something for math and for escapes, and else nothing."""
    expected = {
        (): State.TEXT,
        ("math",): State.SQUARE,
        ("escape",): State.TEXT,
        ("escape", "math"): State.ESCAPED,
    }

    assert expected == {
        guards: rows_for(frozenset(guards), "[")[State.TEXT]["\\"]["["].state for guards in expected
    }


def test_everywhere() -> None:
    """A sign that no reader may see is found in every context."""
    for row in rows_for(ALL, "[\ue200", "\ue200").values():
        assert row.search("\ue200") is not None


def test_search_for_any() -> None:
    """A search finds the characters asked for, those that regexes use for themselves too."""
    assert search_for_any("]^-\\")("a^") is not None
    assert search_for_any("]^-\\")("ab") is None
    assert search_for_any("")("ab") is None
    assert (ANYTHING("\n") is None, NOTHING("a")) == (False, None)

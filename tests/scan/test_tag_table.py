"""The table of tags."""

from itertools import product

import pytest

from streamcite.scan.tag_table import TRANSITIONS, State, Symbol, start_rows


def test_table_is_total() -> None:
    """Every state has an answer to every symbol."""
    answers = {TRANSITIONS[state][symbol] for state, symbol in product(State, Symbol)}

    assert all(isinstance(answer, State) for answer in answers)


def test_every_state_is_reached() -> None:
    """The table has no state that nothing leads to, but its start."""
    reached = {following for row in TRANSITIONS.values() for following in row.values()}

    assert reached == set(State) - {State.START}


NAMES = (("think", "think"), ("reasoning", "think"), ("answer", "answer"))

# The section that is open, what follows `<`, and the state that leads to.
ROWS = [
    (None, "think>", State.OPENED),
    (None, "reasoning >", State.OPENED),
    (None, 'answer x=">">', State.OPENED),
    (None, "answer/>", State.OPENED_EMPTY),
    (None, "thinking>", State.DEAD),
    (None, "/think>", State.DEAD),
    ("think", "/think>", State.CLOSED),
    ("think", "/reasoning\n>", State.CLOSED),
    ("think", "/answer>", State.DEAD),
    ("think", "think>", State.DEAD),
]


@pytest.mark.parametrize(("section", "text", "state"), ROWS)
def test_rows(section: str | None, text: str, state: State) -> None:
    """Outside sections open tags are found by name, in one its close tag by any spelling."""
    row = start_rows(NAMES)[section]
    for character in text:
        row = row[character]

    assert row.state is state
    assert row.accepts is (state is not State.DEAD)
    assert row.over

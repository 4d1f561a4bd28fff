"""The contexts' table."""

from itertools import product

import pytest

from streamcite.scan.contexts import DECISIONS, TRANSITIONS, State, Symbol, classify

REAL = [state for state in State if state not in DECISIONS]


def test_table_is_total() -> None:
    """Every state has an answer to every symbol."""
    answers = {TRANSITIONS[state][symbol] for state, symbol in product(REAL, Symbol)}

    assert all(isinstance(answer, State) for answer in answers)


def test_no_text_stands_in_a_decision() -> None:
    """Decisions have no row of their own: the scanner replaces them by a state."""
    assert set(TRANSITIONS) == set(REAL)


def test_every_state_is_reached() -> None:
    """The table leads to every decision, and to every state that a decision does not open."""
    reached = {following for row in TRANSITIONS.values() for following in row.values()}
    opened_by_decisions = {State.INFO, State.CODE, State.TARGET}

    assert set(State) - reached == opened_by_decisions - reached


@pytest.mark.parametrize("symbol", [symbol for symbol in Symbol if len(symbol.value) == 1])
def test_single_characters(symbol: Symbol) -> None:
    """A symbol that is one character is what that character is."""
    assert classify(symbol.value) is symbol


# Characters and what they are.
CLASSES = [
    ("azAZ", Symbol.LETTER),
    ("09", Symbol.DIGIT),
    (" \t\r", Symbol.BLANK),
    ("\n", Symbol.BREAK),
    (",;.", Symbol.BODY),
    ("é日\u00a0\x00\ud800!{}１", Symbol.OTHER),
]


@pytest.mark.parametrize(("characters", "symbol"), CLASSES)
def test_classes(characters: str, symbol: Symbol) -> None:
    """Every other character belongs to one class."""
    assert {classify(character) for character in characters} == {symbol}


# A text, and the state in which it leaves the table; none of these needs a decision.
WALKS = [
    ("a [1] b", State.TEXT),
    ("\\[x", State.SQUARE),
    ("\\[1", State.ESCAPED),
    ("\\[1\\]", State.TEXT),
    ("\\[1]", State.TEXT),
    ("\\(x\n", State.ROUND_BREAK),
    ("\\(x\\)", State.TEXT),
    ("$$x", State.DISPLAY),
    ("$$x$$", State.TEXT),
    ("$x", State.MATH),
    ("$5", State.TEXT),
    ("$ x", State.TEXT),
    ("$x $", State.MATH),
    ("$x$1", State.MATH),
    ("<a", State.NAME),
    ("<a b='", State.SINGLE_QUOTED),
    ("<a b='>'>", State.TEXT),
    ("<https:", State.ADDRESS),
    ("<https://x>", State.TEXT),
    ("a < b", State.TEXT),
    ("\\\\", State.TEXT),
    ("\\`", State.TEXT),
]


@pytest.mark.parametrize(("text", "expected"), WALKS)
def test_walks(text: str, expected: State) -> None:
    """Following a text through the table leads to the context it stands in."""
    state = State.TEXT
    for character in text:
        following = TRANSITIONS[state][classify(character)]
        if following is State.AGAIN:
            following = TRANSITIONS[State.TEXT][classify(character)]
        state = following

    assert state is expected

"""The default grammar's table."""

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamcite.grammar import BRACKETS, MAX_DIGITS
from streamcite.scan.bracket import BRACKET, TRANSITIONS, State, Symbol, read_items, start_row
from streamcite.scan.tables import MAX_OTHERS

# The grammar as one regex, written down apart from the table: the two must agree on every text.
_BLANK = "[ \\t\\r\u00a0]"
_DASH = "[-\u2010\u2011\u2013\u2014\u2212~～]"
_NUMBER = r"(?:0*[^\D0]\d{0,8}|0+)"
_ITEM = f"{_NUMBER}(?:{_BLANK}*{_DASH}{_BLANK}*{_NUMBER})?"
_SEPARATOR = f"(?:{_BLANK}*[,;、，；]{_BLANK}*(?:\\n{_BLANK}*)?|{_BLANK}+)"
_BODY = f"{_BLANK}*{_ITEM}(?:{_SEPARATOR}{_ITEM})*(?:{_BLANK}*[,;、，；])?{_BLANK}*"
ORACLE = re.compile(rf"\[\[{_BODY}\]\]|\[{_BODY}\]|【{_BODY}】|［{_BODY}］")

ALPHABET = ["[", "]", "1", "0", ",", " ", "-", "\n", "\r", "x", "【", "】", "［", "］"]


def accepts(text: str) -> bool:
    """Say whether the table takes a text for a whole marker."""
    if text[:1] not in BRACKETS:
        return False
    row = start_row(text[0])
    for character in text[1:]:
        if row.over:
            return False
        row = row[character]
    return row.accepts


def test_table_is_total() -> None:
    """Every state has an answer to every symbol."""
    answers = {TRANSITIONS[state][symbol] for state, symbol in product(State, Symbol)}

    assert all(isinstance(answer, State) for answer in answers)


def test_every_state_is_reached() -> None:
    """The table has no state that nothing leads to, but its start."""
    reached = {following for row in TRANSITIONS.values() for following in row.values()}

    assert reached == set(State) - {State.START}


def test_dead_ends() -> None:
    """From a dead candidate and from a whole marker nothing goes on."""
    for state in (State.DEAD, State.DONE):
        assert set(TRANSITIONS[state].values()) == {State.DEAD}


@pytest.mark.parametrize("opener", [*BRACKETS])
def test_all_short_texts(opener: str) -> None:
    """The table and the regex agree on all texts of up to five characters."""
    for length in range(5):
        for rest in product(ALPHABET, repeat=length):
            text = opener + "".join(rest)
            assert accepts(text) == (ORACLE.fullmatch(text) is not None), text


@settings(max_examples=1_000)
@given(
    st.sampled_from(["[", "[[", "【", "［"]),
    st.lists(
        st.sampled_from(
            [
                *("1", "23", "0", "007", "123456789", "1234567890", "٣", "１２", "²", "-", "–"),
                *(" ~ ", ",", ", ", ";", "、", " ", "\t", "\n", ",\n", ", \n ", "\u00a0", "x"),
                *("\r", "\r\n", ",\r\n", ", \r\n "),
                *"[]",
            ]
        ),
        max_size=9,
    ),
    st.sampled_from(["]", "]]", "】", "］", ""]),
)
def test_longer_texts(opener: str, body: list[str], closer: str) -> None:
    """The table and the regex agree on longer texts."""
    text = opener + "".join(body) + closer

    assert accepts(text) == (ORACLE.fullmatch(text) is not None)


@pytest.mark.parametrize("dash", "-‐‑–—−~～")
def test_dashes(dash: str) -> None:
    """Every dash makes a range."""
    assert accepts(f"[1{dash}3]")
    assert read_items(f"[1 {dash} 3]") == ((1, 3),)


def test_digits() -> None:
    """Nine digits are a number, ten are not, and leading zeros are not counted."""
    assert accepts(f"[{'1' * MAX_DIGITS}]")
    assert not accepts(f"[{'1' * (MAX_DIGITS + 1)}]")
    assert accepts(f"[{'0' * 50}{'1' * MAX_DIGITS}]")
    assert not accepts(f"[1, 0{'1' * (MAX_DIGITS + 1)}]")


@pytest.mark.parametrize("opener", [*BRACKETS])
@pytest.mark.parametrize("closer", [*BRACKETS.values()])
def test_closer_must_match(opener: str, closer: str) -> None:
    """A marker ends with the closer of its opener and with no other."""
    assert accepts(f"{opener}1{closer}") is (BRACKETS[opener] == closer)


@pytest.mark.parametrize("text", ["【【1】】", "［［1］］", "[[1]", "[[[1]]]", "[[1] ]", "[1]]"])
def test_doubled_brackets(text: str) -> None:
    """Only square brackets may be doubled, and only on both sides."""
    assert not accepts(text)
    assert accepts("[[1]]")


# Marker, items in the order of writing.
ITEMS = [
    ("[1]", ((1, 1),)),
    ("[1, 3-5]", ((1, 1), (3, 5))),
    ("[[2; 1]]", ((2, 2), (1, 1))),
    ("【1、2】", ((1, 1), (2, 2))),
    ("[5-3]", ((5, 3),)),
    ("[007]", ((7, 7),)),
    ("[１２ ٣]", ((12, 12), (3, 3))),
    ("[1,\n2,]", ((1, 1), (2, 2))),
    ("[1,\r\n2]", ((1, 1), (2, 2))),
    ("[1 ,\r\n 2\r]", ((1, 1), (2, 2))),
    ("【1、\r\n2】", ((1, 1), (2, 2))),
    ("[1\r2]", ((1, 1), (2, 2))),
    ("[0]", ((0, 0),)),
]


@pytest.mark.parametrize(("marker", "items"), ITEMS)
def test_read_items(marker: str, items: tuple[tuple[int, int], ...]) -> None:
    """The numbers of a marker are read as written, in digits of any script."""
    assert accepts(marker)
    assert read_items(marker) == items == BRACKET.read(marker)


def test_rows_do_not_outgrow_the_alphabet() -> None:
    """Of the characters that mean nothing a row of the running table keeps the first few only."""
    row = start_row("[")

    for code in range(0x4E00, 0x5E00):
        assert row[chr(code)].over
    known = len(row)
    for code in range(0x5E00, 0x6E00):
        assert row[chr(code)].over
    assert len(row) == known
    assert known <= MAX_OTHERS + len(Symbol)

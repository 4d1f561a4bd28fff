"""State tables as they run, and the texts that a place knows."""

import re
from enum import Enum

import pytest

from streamcite.scan.tables import MAX_OTHERS, KnownTexts, Row, compile_table


class Letter(Enum):
    """What a character is."""

    VOWEL = "vowel"
    OTHER = "other"


class Count(Enum):
    """How many vowels there were."""

    EVEN = "even"
    ODD = "odd"


TRANSITIONS = {
    Count.EVEN: {Letter.VOWEL: Count.ODD, Letter.OTHER: Count.EVEN},
    Count.ODD: {Letter.VOWEL: Count.EVEN, Letter.OTHER: Count.ODD},
}


def classify(character: str) -> Letter:
    """Return the symbol of a character."""
    return Letter.VOWEL if character in "aeiou" else Letter.OTHER


def rows() -> dict[Count, Row[Count]]:
    """Return the table as it runs."""
    return compile_table(TRANSITIONS, classify, Letter.OTHER)


def test_a_row_for_each_state() -> None:
    """A compiled table has one row for each state."""
    assert {state: row.state for state, row in rows().items()} == {state: state for state in Count}


def test_rows_lead_where_the_table_says() -> None:
    """Following the characters of a word through the rows is following the table."""
    row = rows()[Count.EVEN]

    for character in "banana":
        row = row[character]
    assert row.state is Count.ODD


def test_rows_fill_themselves() -> None:
    """A row keeps characters with a symbol of their own, and the first few without."""
    row = rows()[Count.EVEN]

    for code in range(0x4E00, 0x5E00):
        row[chr(code)]
    row["a"]
    assert len(row) == MAX_OTHERS + 1
    assert "a" in row


def test_rows_are_told_apart() -> None:
    """Two rows with the same content are still two states."""
    table = rows()

    assert table[Count.EVEN] is not table[Count.ODD]
    assert not any(row.accepts or row.over for row in table.values())


def test_long_texts_are_not_remembered() -> None:
    """What outlives a stream is short tokens, never a piece of anybody's answer."""
    known = KnownTexts(re.compile("x").search)

    known.learn(" word")
    known.learn("a sentence of somebody's answer")

    assert known.texts == {" word"}


BLANKS = [("x", True), ("a ", True), ("a\t", True), (" a", False), ("a\n", False), ("", False)]


@pytest.mark.parametrize(("text", "found"), BLANKS)
def test_a_blank_at_the_end(text: str, found: bool) -> None:
    """Where blanks may be held, a text that ends with one is not plain."""
    known = KnownTexts(re.compile("x").search, trims=True)

    assert bool(known.search(text)) is found


def test_what_may_be_held_leads_nowhere() -> None:
    """A text that ends with a blank leads to no place unasked, where that blank may be held."""
    known, other = KnownTexts(trims=True), KnownTexts()
    for text in ("` ", "`"):
        known.teach(text, other)
        other.teach(text, known)

    assert (list(known.passed), list(other.passed)) == (["`"], ["` ", "`"])

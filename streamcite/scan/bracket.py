"""The default grammar, `[1, 3-5]` and its kin, as a state table.

A candidate starts at an opener and lives while some continuation may still make it a marker:

    marker    = opener body closer          the closer matches; `[` may be doubled on both sides
    body      = blanks item (separator item)* [separator] blanks
    item      = number [blanks dash blanks number]
    separator = one of SEPARATORS, blanks and at most one line break around it; or blanks

DEAD is "it was text after all", DONE is a whole marker. `grammar.py` holds the characters.
"""

import re
from collections.abc import Mapping
from enum import Enum
from functools import cache, lru_cache
from types import MappingProxyType

from streamcite.grammar import BLANKS, BRACKETS, DASHES, MAX_DIGITS, SEPARATORS
from streamcite.scan.markers import MAX_REPEATED, Grammar
from streamcite.scan.tables import Fill, KeyedRow, Machine, Row
from streamcite.spans import Item

__all__ = ["BRACKET", "TRANSITIONS", "State", "Symbol", "read_items", "start_row"]


class Symbol(Enum):
    """What a character is to the grammar."""

    # Enum hashes in Python code, ten times slower; members are one of a kind.
    __hash__ = object.__hash__

    DIGIT = "digit 1-9"
    ZERO = "zero"
    BLANK = "blank"
    BREAK = "line break"
    SEPARATOR = "separator"
    DASH = "dash"
    OPENER = "same opener"
    CLOSER = "matching closer"
    OTHER = "anything else"


class State(Enum):
    """Where in a candidate the scanner stands."""

    # Enum hashes in Python code, ten times slower; members are one of a kind.
    __hash__ = object.__hash__

    START = "start"
    OPEN = "open"
    ZEROS = "zeros"
    NUMBER = "number"
    AFTER = "after number"
    DASH = "dash"
    LAST_ZEROS = "last zeros"
    LAST = "last number"
    AFTER_LAST = "after range"
    NEXT = "next"
    NEXT_LINE = "next line"
    DOUBLED = "doubled"
    DONE = "done"
    DEAD = "dead"


def _row(**given: State) -> Mapping[Symbol, State]:
    """Return a total row: every symbol that is not given kills."""
    row = dict.fromkeys(Symbol, State.DEAD)
    row.update((Symbol[name], state) for name, state in given.items())
    return MappingProxyType(row)


_FIRST = {"DIGIT": State.NUMBER, "ZERO": State.ZEROS}
_SECOND = {"DIGIT": State.LAST, "ZERO": State.LAST_ZEROS}
_END = {"SEPARATOR": State.NEXT, "CLOSER": State.DONE}

TRANSITIONS: Mapping[State, Mapping[Symbol, State]] = MappingProxyType(
    {
        State.START: _row(BLANK=State.OPEN, OPENER=State.DOUBLED, **_FIRST),
        State.OPEN: _row(BLANK=State.OPEN, **_FIRST),
        State.ZEROS: _row(BLANK=State.AFTER, DASH=State.DASH, **_FIRST, **_END),
        State.NUMBER: _row(
            BLANK=State.AFTER, DASH=State.DASH, DIGIT=State.NUMBER, ZERO=State.NUMBER, **_END
        ),
        State.AFTER: _row(BLANK=State.AFTER, DASH=State.DASH, **_FIRST, **_END),
        State.DASH: _row(BLANK=State.DASH, **_SECOND),
        State.LAST_ZEROS: _row(BLANK=State.AFTER_LAST, **_SECOND, **_END),
        State.LAST: _row(BLANK=State.AFTER_LAST, DIGIT=State.LAST, ZERO=State.LAST, **_END),
        State.AFTER_LAST: _row(BLANK=State.AFTER_LAST, **_FIRST, **_END),
        State.NEXT: _row(BLANK=State.NEXT, BREAK=State.NEXT_LINE, CLOSER=State.DONE, **_FIRST),
        State.NEXT_LINE: _row(BLANK=State.NEXT_LINE, **_FIRST),
        State.DOUBLED: _row(BLANK=State.OPEN, **_FIRST),
        State.DONE: _row(),
        State.DEAD: _row(),
    }
)
"""Next state by state and symbol. Two registers stand beside it: the digits of the number, of
which the tenth kills, and for a doubled opener the second closer."""

_COUNTED = (State.NUMBER, State.LAST)


def _classify(character: str, opener: str) -> Symbol:
    if character.isdecimal():
        return Symbol.ZERO if int(character) == 0 else Symbol.DIGIT
    if character == BRACKETS[opener]:
        return Symbol.CLOSER
    if character == opener and opener == "[":
        return Symbol.OPENER
    for characters, symbol in (
        (BLANKS, Symbol.BLANK),
        ("\n", Symbol.BREAK),
        (SEPARATORS, Symbol.SEPARATOR),
        (DASHES, Symbol.DASH),
    ):
        if character in characters:
            return symbol
    return Symbol.OTHER


# A state at run time: the table's state, the digits of the number so far, and whether the
# opener was doubled and its first closer seen.
_Key = tuple[State, int, bool, bool]


class _Machine(Machine[State, _Key]):
    """The table with its two registers."""

    def __init__(self, opener: str) -> None:
        super().__init__()
        self._opener = opener

    def _make(self, key: _Key, fill: Fill[State, _Key]) -> KeyedRow[State, _Key]:
        row: KeyedRow[State, _Key] = KeyedRow(key[0], key, fill)
        row.accepts = key[0] is State.DONE
        row.over = key[0] in (State.DONE, State.DEAD)
        return row

    def _step(self, key: _Key, character: str) -> _Key:
        state, digits, doubled, half = key
        symbol = _classify(character, self._opener)
        if half:
            done = symbol is Symbol.CLOSER
            return (State.DONE if done else State.DEAD, 0, False, False)
        following = TRANSITIONS[state][symbol]
        if following is State.DOUBLED:
            return (following, 0, True, False)
        if following is State.DONE and doubled:
            return (state, 0, True, True)
        digits = digits + 1 if following is state and state in _COUNTED else 1
        if following not in _COUNTED:
            return (following, 0, doubled, False)
        return (
            (State.DEAD, 0, False, False)
            if digits > MAX_DIGITS
            else (following, digits, doubled, False)
        )


@cache
def start_row(opener: str) -> Row[State]:
    """Return the row of a candidate of which only the opener has come."""
    return _Machine(opener).row((State.START, 0, False, False))


_ITEM = re.compile(rf"(\d+)(?:[{BLANKS}]*[{re.escape(DASHES)}][{BLANKS}]*(\d+))?")


@lru_cache(maxsize=MAX_REPEATED)
def read_items(marker: str) -> tuple[Item, ...]:
    """Return the numbers and ranges of a whole marker, in the order of writing."""
    return tuple((int(first), int(last or first)) for first, last in _ITEM.findall(marker))


BRACKET = Grammar("bracket", "".join(BRACKETS), start_row, read_items)

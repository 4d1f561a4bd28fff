"""Tags by name, as a state table.

Outside sections a candidate starts at `<` and lives while it may still be the open tag of a
configured name; inside a section only that section's close tag is looked for, and all else is
raw text, as HTML treats script.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from streamcite.scan.context_rows import search_for_any
from streamcite.scan.tables import ANYTHING, MAX_OPTIONS, Fill, KeyedRow, Machine, Row

__all__ = ["TRANSITIONS", "State", "Symbol", "start_rows"]


class Symbol(Enum):
    """What a character is to a tag."""

    # Enum hashes in Python code, ten times slower; members are one of a kind.
    __hash__ = object.__hash__

    LESS = "<"
    GREATER = ">"
    SLASH = "/"
    SPACE = "white space"
    DOUBLE_QUOTE = '"'
    SINGLE_QUOTE = "'"
    OTHER = "anything else"


class State(Enum):
    """Where in a candidate the scanner stands."""

    # Enum hashes in Python code, ten times slower; members are one of a kind.
    __hash__ = object.__hash__

    START = "after <"
    NAME = "in the name"
    SPACE = "between attributes"
    EMPTY = "after /"
    DOUBLE_QUOTED = 'in "…"'
    SINGLE_QUOTED = "in '…'"
    CLOSE_NAME = "in a close tag's name"
    CLOSE_SPACE = "behind a close tag's name"
    OPENED = "an open tag"
    OPENED_EMPTY = "a tag without content"
    CLOSED = "a close tag"
    DEAD = "dead"


def _row(otherwise: State, **given: State) -> Mapping[Symbol, State]:
    """Return a total row."""
    row = dict.fromkeys(Symbol, otherwise)
    row.update((Symbol[name], state) for name, state in given.items())
    return MappingProxyType(row)


_BEHIND_NAME = {"SPACE": State.SPACE, "SLASH": State.EMPTY, "GREATER": State.OPENED}
_QUOTES = {"DOUBLE_QUOTE": State.DOUBLE_QUOTED, "SINGLE_QUOTE": State.SINGLE_QUOTED}

TRANSITIONS: Mapping[State, Mapping[Symbol, State]] = MappingProxyType(
    {
        State.START: _row(
            State.NAME,
            SLASH=State.CLOSE_NAME,
            LESS=State.DEAD,
            GREATER=State.DEAD,
            SPACE=State.DEAD,
        ),
        State.NAME: _row(State.NAME, LESS=State.DEAD, **_BEHIND_NAME),
        State.SPACE: _row(State.SPACE, LESS=State.DEAD, **_BEHIND_NAME, **_QUOTES),
        State.EMPTY: _row(
            State.SPACE,
            LESS=State.DEAD,
            SLASH=State.EMPTY,
            GREATER=State.OPENED_EMPTY,
            **_QUOTES,
        ),
        State.DOUBLE_QUOTED: _row(State.DOUBLE_QUOTED, DOUBLE_QUOTE=State.SPACE),
        State.SINGLE_QUOTED: _row(State.SINGLE_QUOTED, SINGLE_QUOTE=State.SPACE),
        State.CLOSE_NAME: _row(
            State.CLOSE_NAME,
            LESS=State.DEAD,
            SLASH=State.DEAD,
            SPACE=State.CLOSE_SPACE,
            GREATER=State.CLOSED,
        ),
        State.CLOSE_SPACE: _row(State.DEAD, SPACE=State.CLOSE_SPACE, GREATER=State.CLOSED),
        State.OPENED: _row(State.DEAD),
        State.OPENED_EMPTY: _row(State.DEAD),
        State.CLOSED: _row(State.DEAD),
        State.DEAD: _row(State.DEAD),
    }
)
"""Next state by state and symbol. Beside it stands the name, which must be the beginning of a
name that is looked for and, behind it, one of these names: `_Machine` unfolds both."""

_SYMBOLS = {symbol.value: symbol for symbol in Symbol if len(symbol.value) == 1}
_NAMING = frozenset({State.NAME, State.CLOSE_NAME})
_CLOSING = frozenset({State.CLOSE_NAME, State.CLOSE_SPACE, State.CLOSED})
_ENDS = frozenset({State.OPENED, State.OPENED_EMPTY, State.CLOSED})


def _classify(character: str) -> Symbol:
    if character.isspace():
        return Symbol.SPACE
    return _SYMBOLS.get(character, Symbol.OTHER)


def _search_for(state: State) -> Callable[..., re.Match[str] | None]:
    """Return the search for the next character that matters between or in attributes."""
    row = TRANSITIONS[state]
    if row[Symbol.OTHER] is not state or state in _NAMING or state is State.DEAD:
        return ANYTHING
    signs = (sign for sign, symbol in _SYMBOLS.items() if row[symbol] is not state)
    return search_for_any("".join(signs))


# A state at run time: the table's state and, in a name, the name so far.
_Key = tuple[State, str]


class _Machine(Machine[State, _Key]):
    """The table with its name, for open tags or close tags; as many rows as names have characters.

    Args:
        names: The spellings that are looked for.
        closing: Whether their close tags are looked for.
    """

    def __init__(self, names: frozenset[str], *, closing: bool) -> None:
        super().__init__()
        self._names = names
        self._prefixes = {name[:end] for name in names for end in range(len(name) + 1)}
        self._closing = closing

    def _make(self, key: _Key, fill: Fill[State, _Key]) -> KeyedRow[State, _Key]:
        row: KeyedRow[State, _Key] = KeyedRow(key[0], key, fill)
        row.accepts = key[0] in _ENDS
        row.over = row.accepts or key[0] is State.DEAD
        row.search = _search_for(key[0])
        return row

    def _step(self, key: _Key, character: str) -> _Key:
        state, name = key
        following = TRANSITIONS[state][_classify(character)]
        if (following in _CLOSING) is not self._closing:
            return (State.DEAD, "")
        if following in _NAMING:
            name = "" if character == "/" else name + character
            return (following, name) if name in self._prefixes else (State.DEAD, "")
        fits = state not in _NAMING or name in self._names
        return (following if fits else State.DEAD, "")


@lru_cache(maxsize=MAX_OPTIONS)
def start_rows(names: tuple[tuple[str, str], ...]) -> Mapping[str | None, Row[State]]:
    """Return the row behind `<` by the section that is open.

    Args:
        names: Pairs of a spelling and its canonical name.
    """
    spellings: dict[str | None, set[str]] = {None: {spelling for spelling, _ in names}}
    for spelling, name in names:
        spellings.setdefault(name, set()).add(spelling)
    return {
        section: _Machine(frozenset(wanted), closing=section is not None).row((State.START, ""))
        for section, wanted in spellings.items()
    }

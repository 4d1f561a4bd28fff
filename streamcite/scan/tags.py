"""Which section text stands in: tags by name, as a state table.

Outside sections a candidate starts at `<` and lives while it may still be the open tag of a
configured name; inside a section only that section's close tag is looked for, and all else is
raw text, as HTML treats script. A candidate that dies gives up one character, its `<`, and
what follows is read again, at most `max_length` characters.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from streamcite.scan.context_rows import search_for_any
from streamcite.scan.lines import FenceTracker
from streamcite.scan.tables import ANYTHING, MAX_OTHERS, KeyedRow, Row
from streamcite.spans import Span, TagClosed, TagOpened, Text

__all__ = ["TRANSITIONS", "State", "Symbol", "TagScanner"]


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
_NAME = re.compile(r"<([^\s/>]+)")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")


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


class _Machine:
    """The table with its name unfolded into rows, for open tags or close tags.

    Args:
        names: The spellings that are looked for.
        closing: Whether their close tags are looked for.
    """

    def __init__(self, names: frozenset[str], *, closing: bool) -> None:
        self._names = names
        self._prefixes = {name[:end] for name in names for end in range(len(name) + 1)}
        self._closing = closing
        self._rows: dict[_Key, Row[State]] = {}

    def row(self, key: _Key) -> Row[State]:
        """Return the row of a state; there are as many as the names have characters, and a few."""
        row = self._rows.get(key)
        if row is not None:
            return row
        row = KeyedRow(key[0], key, self._fill)
        row.accepts = key[0] in _ENDS
        row.over = row.accepts or key[0] is State.DEAD
        row.search = _search_for(key[0])
        # Only now, since other threads read these rows.
        return self._rows.setdefault(key, row)

    def _fill(self, row: KeyedRow[State, _Key], character: str) -> Row[State]:
        target = self.row(self._step(*row.key, character))
        if target.state is not State.DEAD or len(row) < MAX_OTHERS:
            row[character] = target
        return target

    def _step(self, state: State, name: str, character: str) -> _Key:
        following = TRANSITIONS[state][_classify(character)]
        if (following in _CLOSING) is not self._closing:
            return (State.DEAD, "")
        if following in _NAMING:
            name = "" if character == "/" else name + character
            return (following, name) if name in self._prefixes else (State.DEAD, "")
        fits = state not in _NAMING or name in self._names
        return (following if fits else State.DEAD, "")


# A handful of names is in use in any one process.
@lru_cache(maxsize=64)
def _starts(names: tuple[tuple[str, str], ...]) -> Mapping[str | None, Row[State]]:
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


class TagScanner:
    """Parts a reply into text, open tags and close tags.

    Args:
        names: Canonical name by spelling; aliases stand beside the names themselves.
        start_in: Section that is open before the first character.
        code_aware: Whether a tag in a fence, or right behind a backtick, is text.
        max_length: Longest tag, in code points.
    """

    __slots__ = (
        "_before",
        "_cursor",
        "_fences",
        "_max_length",
        "_names",
        "_noted",
        "_open",
        "_released",
        "_row",
        "_spans",
        "_start",
        "_starts",
        "_window",
        "steps",
    )

    def __init__(
        self,
        names: Mapping[str, str],
        *,
        start_in: str | None = None,
        code_aware: bool = True,
        max_length: int = 256,
    ) -> None:
        self._names = dict(names)
        self._starts = _starts(tuple(names.items()))
        self._max_length = max_length
        self._fences = FenceTracker() if code_aware else None
        self._open = start_in
        self._window = ""
        # Up to here the window is in spans, and `_in_code` knows of it.
        self._released = self._noted = 0
        self._start: int | None = None
        self._cursor = 0
        self._row = self._starts[None]
        self._before = ""
        self._spans: list[Span] = []
        self.steps = 0
        """Characters examined so far, those read again included."""
        if start_in is not None:
            self._spans.append(TagOpened(start_in, ""))

    @property
    def held(self) -> str:
        """Text that may still become a tag."""
        return self._window

    @property
    def idle(self) -> bool:
        """Whether text without `<` can be passed to `skip` instead of `feed`."""
        return not self._window and not self._spans

    def skip(self, text: str) -> None:
        """Pass text, not empty, without `<`."""
        if self._open is None:
            self._note(text)

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""
        if not (self._window or self._spans):
            place = text.find("<")
            if place < 0:
                return self._pass(text)
            self._cursor = place
            self.steps += place
        self._window += text
        self._read()
        return self._drain()

    def _pass(self, text: str) -> list[Span]:
        """Take text in which no tag begins."""
        if not text:
            return []
        self.steps += len(text)
        if self._open is None:
            self._note(text)
        return [Text(text)]

    def close(self) -> list[Span]:
        """End the reply: a candidate is text, an open section is over."""
        while self._start is not None:
            self._reject(self._start)
            self._read()
        spans = self._drain()
        if self._open is not None:
            spans.append(TagClosed(self._open, "", complete=False))
            self._open = None
        return spans

    def _drain(self) -> list[Span]:
        window, keep = self._window, self._start
        if keep is None:
            keep = len(window)
        if keep > self._released:
            self._release(keep)
        if keep:
            self._window = window[keep:]
            self._cursor -= keep
            self._released = self._noted = 0
            if self._start is not None:
                self._start = 0
        spans, self._spans = self._spans, []
        return spans

    def _read(self) -> None:
        length = len(self._window)
        while self._cursor < length:
            if self._start is None:
                self._find_start()
            else:
                self._read_candidate(self._start)

    def _find_start(self) -> None:
        window, cursor = self._window, self._cursor
        place = window.find("<", cursor)
        if place < 0:
            self.steps += len(window) - cursor
            self._cursor = len(window)
            return
        self.steps += place - cursor
        self._cursor = place + 1
        if self._open is None and self._in_code(place):
            return
        self._start = place
        self._row = self._starts[self._open]

    def _read_candidate(self, start: int) -> None:
        window, row, cursor = self._window, self._row, self._cursor
        limit = start + self._max_length
        stop = min(len(window), limit)
        begun = cursor
        while cursor < stop and not row.over:
            if row.search is not ANYTHING:
                match = row.search(window, cursor, stop)
                if match is None:
                    cursor = stop
                    break
                cursor = match.start()
            row = row[window[cursor]]
            cursor += 1
        self.steps += cursor - begun
        self._row, self._cursor = row, cursor
        if row.accepts:
            self._accept(start, row.state)
        elif row.over or cursor >= limit:
            self._reject(start)

    def _reject(self, start: int) -> None:
        self._cursor = start + 1
        self._start = None

    def _accept(self, start: int, state: State) -> None:
        if start > self._released:
            self._release(start)
        self._released = self._noted = self._cursor
        self._start = None
        self._before = ">"
        raw = self._window[start : self._cursor]
        if self._open is not None:
            self._spans.append(TagClosed(self._open, raw, complete=True))
            self._open = None
            return
        name, attributes = self._read_tag(raw)
        self._spans.append(TagOpened(name, raw, attributes))
        if state is State.OPENED_EMPTY:
            self._spans.append(TagClosed(name, "", complete=True))
        else:
            self._open = name

    def _read_tag(self, raw: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the canonical name of an open tag, and its attributes."""
        name = self._names.get(raw[1:-1])
        if name is not None:
            return name, ()
        match = _NAME.match(raw)
        assert match is not None
        return self._names[match[1]], _read_attributes(raw[match.end() :].rstrip("/>"))

    def _in_code(self, place: int) -> bool:
        """Say whether a place outside sections is in a fence, or right behind a backtick."""
        if self._fences is None:
            return False
        if place > self._noted:
            self._note(self._window[self._noted : place])
            self._noted = place
        return self._before == "`" or self._fences.inside

    def _note(self, text: str) -> None:
        """Pass text outside sections, not empty; what stands in one says nothing of it."""
        if self._fences is not None:
            self._before = text[-1]
            self._fences.advance(text)

    def _release(self, upto: int) -> None:
        self._spans.append(Text(self._window[self._released : upto]))
        if self._open is None and upto > self._noted:
            self._note(self._window[self._noted : upto])
        self._released = self._noted = upto


def _read_attributes(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, double or single or bare) for name, double, single, bare in _ATTRIBUTE.findall(text)
    )

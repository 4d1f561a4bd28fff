"""Which section text stands in: tags by name, as a state table.

Outside sections a candidate starts at `<` and lives while it may still be the open tag of a
configured name; inside a section only that section's close tag is looked for, and all else is
raw text, as HTML treats script. A candidate that dies gives up one character, its `<`, and
what follows is read again, at most `max_length` characters.
"""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from streamcite.scan.lines import FenceTracker
from streamcite.scan.tables import compile_table
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
name that is looked for and, behind it, one of these names."""

_SYMBOLS = {symbol.value: symbol for symbol in Symbol if len(symbol.value) == 1}
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")


def _classify(character: str) -> Symbol:
    if character.isspace():
        return Symbol.SPACE
    return _SYMBOLS.get(character, Symbol.OTHER)


_ROWS = compile_table(TRANSITIONS, _classify, Symbol.OTHER)


@lru_cache(maxsize=64)
def _prefixes(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name[:end] for name in names for end in range(len(name) + 1))


class TagScanner:
    """Parts a reply into text, open tags and close tags.

    Args:
        names: Canonical name by spelling; aliases stand beside the names themselves.
        start_in: Section that is open before the first character.
        code_aware: Whether a tag in a fence, or right behind a backtick, is text.
        max_length: Longest tag, in code points.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        *,
        start_in: str | None = None,
        code_aware: bool = True,
        max_length: int = 256,
    ) -> None:
        self._names = dict(names)
        self._max_length = max_length
        self._fences = FenceTracker() if code_aware else None
        self._open: str | None = None
        self._wanted: frozenset[str] = frozenset()
        self._window = ""
        self._released = 0
        self._start: int | None = None
        self._cursor = 0
        self._row = _ROWS[State.START]
        self._name = ""
        self._before = ""
        self._pieces: list[str] = []
        self._spans: list[Span] = []
        self.steps = 0
        """Characters examined so far, those read again included."""
        self._look_for(None)
        if start_in is not None:
            self._look_for(start_in)
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
        """Pass text without `<`."""
        self._remember(text)

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""
        self._window += text
        self._read()
        return self._drain()

    def close(self) -> list[Span]:
        """End the reply: a candidate is text, an open section is over."""
        while self._start is not None:
            self._reject()
            self._read()
        spans = self._drain()
        if self._open is not None:
            spans.append(TagClosed(self._open, "", complete=False))
            self._look_for(None)
        return spans

    def _drain(self) -> list[Span]:
        self._release(self._cursor if self._start is None else self._start)
        self._flush()
        self._window = self._window[self._released :]
        self._cursor -= self._released
        if self._start is not None:
            self._start -= self._released
        self._released = 0
        spans, self._spans = self._spans, []
        return spans

    def _look_for(self, section: str | None) -> None:
        self._open = section
        spellings: Iterable[str] = self._names
        if section is not None:
            spellings = (spelling for spelling, name in self._names.items() if name == section)
        self._wanted = frozenset(spellings)
        self._prefixes = _prefixes(self._wanted)

    def _read(self) -> None:
        while self._cursor < len(self._window):
            if self._start is None:
                self._find_start()
            else:
                self._read_candidate()

    def _find_start(self) -> None:
        place = self._window.find("<", self._cursor)
        stop = len(self._window) if place < 0 else place
        self.steps += stop - self._cursor
        self._cursor = stop
        if place < 0:
            return
        self._release(place)
        if self._open is None and self._in_code():
            self._cursor = place + 1
        else:
            self._start = place
            self._name = ""
            self._row = _ROWS[State.START]
            self._cursor = place + 1

    def _read_candidate(self) -> None:
        assert self._start is not None
        window, begun = self._window, self._cursor
        stop = min(len(window), self._start + self._max_length)
        row, cursor = self._row, begun
        while cursor < stop:
            row = row[window[cursor]]
            cursor += 1
            # Between the attributes a tag cannot come to its end, or lose its name.
            if row.state not in _AMONG_ATTRIBUTES or not self._name:
                break
        self.steps += cursor - begun
        self._row, self._cursor = row, cursor
        state = row.state
        if state is State.DEAD or not self._fits(state):
            self._reject()
        elif state in _ENDS:
            self._accept(state)
        elif cursor - self._start >= self._max_length:
            self._reject()

    def _fits(self, state: State) -> bool:
        """Check the direction and the name of a candidate as far as they have come."""
        assert self._start is not None
        if (state in _CLOSING) is (self._open is None):
            return False
        begin = self._start + (2 if state in _CLOSING else 1)
        if state in (State.NAME, State.CLOSE_NAME):
            return self._window[begin : self._cursor] in self._prefixes
        if not self._name:
            self._name = self._window[begin : self._cursor - 1]
            return self._name in self._wanted
        return True

    def _reject(self) -> None:
        assert self._start is not None
        self._cursor = self._start + 1
        self._start = None

    def _accept(self, state: State) -> None:
        start = self._start
        assert start is not None
        self._release(start)
        raw = self._window[start : self._cursor]
        name = self._names[self._name]
        self._start = None
        self._flush()
        self._released = self._cursor
        self._before = ">"
        if state is State.CLOSED:
            self._spans.append(TagClosed(name, raw, complete=True))
            self._look_for(None)
            return
        attributes = _read_attributes(raw[1 + len(self._name) :].rstrip("/>"))
        self._spans.append(TagOpened(name, raw, attributes))
        if state is State.OPENED_EMPTY:
            self._spans.append(TagClosed(name, "", complete=True))
        else:
            self._look_for(name)

    def _in_code(self) -> bool:
        if self._fences is None:
            return False
        return self._before == "`" or self._fences.inside

    def _release(self, upto: int) -> None:
        if upto > self._released:
            text = self._window[self._released : upto]
            self._pieces.append(text)
            self._remember(text)
            self._released = upto

    def _remember(self, text: str) -> None:
        self._before = text[-1:] or self._before
        if self._open is None and self._fences is not None:
            self._fences.advance(text)

    def _flush(self) -> None:
        if self._pieces:
            self._spans.append(Text("".join(self._pieces)))
            self._pieces.clear()


_AMONG_ATTRIBUTES = frozenset({State.SPACE, State.EMPTY, State.DOUBLE_QUOTED, State.SINGLE_QUOTED})
_CLOSING = frozenset({State.CLOSE_NAME, State.CLOSE_SPACE, State.CLOSED})
_ENDS = frozenset({State.OPENED, State.OPENED_EMPTY, State.CLOSED})


def _read_attributes(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, double or single or bare) for name, double, single, bare in _ATTRIBUTE.findall(text)
    )

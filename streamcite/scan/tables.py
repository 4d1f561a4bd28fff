"""How a state table becomes something that runs at one look-up per character."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import Enum
from io import StringIO
from typing import Any, Generic, TypeVar

from streamcite.grammar import MARGIN

__all__ = [
    "ANYTHING",
    "BEHIND_UNSHOWN",
    "MAX_KNOWN",
    "MAX_KNOWN_LENGTH",
    "MAX_OPTIONS",
    "MAX_OTHERS",
    "NOTHING_KNOWN",
    "KeyedRow",
    "KnownTexts",
    "Machine",
    "Row",
    "compile_table",
    "or_blank_at_end",
]

StateT = TypeVar("StateT", bound=Enum)
SymbolT = TypeVar("SymbolT", bound=Enum)
KeyT = TypeVar("KeyT")

# Characters without a symbol that a row remembers: those of one alphabet.
MAX_OTHERS = 128

# What is made of options is kept for so many: a handful of them is in use in any one process.
MAX_OPTIONS = 32

# Plain texts that a place remembers: the common ones, and more would cost more than they save.
MAX_KNOWN = 2048
# Texts that a place remembers to do something, such as to lead to another: a model's vocabulary
# has a few dozen with a backtick, a bracket or a line break in them. Beyond, all are forgotten,
# since one odd stream could fill it for good.
MAX_PASSED = 512
# Longest text that is remembered, in code points: tokens are shorter, and no longer piece of
# anybody's text may outlive its stream.
MAX_KNOWN_LENGTH = 24


ANYTHING: Callable[..., Any] = len
"""A search that finds something in every text but the empty one, at the least cost."""
_MARGINS = tuple(MARGIN)


def or_blank_at_end(search: Callable[[str], object]) -> Callable[[str], object]:
    """Return a search that finds a blank at the end too, which a removed marker may take."""

    def search_or_blank(text: str) -> object:
        return search(text) or text.endswith(_MARGINS)

    return search_or_blank


class KnownTexts:
    """What is known of texts at one place: those that are plain there, and what others do.

    Args:
        search: Finds nothing in a plain text; who comes to this place by `passed` goes on with it.
        in_text: Whether that is plain text, outside all contexts.
        fenced: Whether it is in a fence, whose lines say nothing of paragraphs and lists.
        trims: Whether a text with a blank at its end is not plain, since that may be held.
    """

    __slots__ = ("fenced", "full", "in_text", "passed", "search", "texts", "trims")

    def __init__(
        self,
        search: Callable[..., object] | None = None,
        *,
        in_text: bool = False,
        fenced: bool = False,
        trims: bool = False,
    ) -> None:
        self.texts: set[str] = set()
        """The texts; no base class, since asking a set's heir takes three times as long."""
        self.full = search is ANYTHING
        """Whether no more are learned."""
        self.trims = trims
        self.search = search or ANYTHING
        if trims and search is not ANYTHING:
            self.search = or_blank_at_end(self.search)
        self.in_text = in_text
        self.fenced = fenced
        self.passed: dict[str, object] = {}
        """Texts in which it finds something, of which it is known what they do: where they lead,
        if they may be passed on all the same, or the step that they make."""

    def teach(self, text: str, step: object) -> None:
        """Remember what a text does that is not plain, if it may be remembered."""
        if self.trims and isinstance(step, KnownTexts) and text.endswith(_MARGINS):
            return  # the blank may be held, so that the text is not passed on unasked
        if len(text) <= MAX_KNOWN_LENGTH:
            if len(self.passed) >= MAX_PASSED:
                self.passed.clear()
            self.passed[text] = step

    def before(self, character: str, buffer: StringIO) -> "KnownTexts | None":
        """Return the place that this one turns out to be when the character comes.

        Behind the last backtick of inline code that is plain text, unless another backtick comes;
        behind a run that begins a line it may be a fence.

        Args:
            character: The character.
            buffer: The text that came last; where its first line begins is not known.

        Returns:
            None if it stays what it is, or that is not known here.
        """
        return None

    def past(self, text: str) -> "KnownTexts | None":
        """Return where a text leads whose only opener begins no marker.

        Returns:
            None if that is not known here.
        """
        return None

    def learn(self, text: str) -> bool:
        """Add a text in which the search finds nothing, if it may be remembered.

        Returns:
            True, so that it can stand in a condition.
        """
        if not self.full and len(text) <= MAX_KNOWN_LENGTH:
            self.texts.add(text)
            self.full = len(self.texts) >= MAX_KNOWN
        return True


NOTHING_KNOWN = KnownTexts(ANYTHING)
"""Stands where every text must be looked at."""
BEHIND_UNSHOWN = KnownTexts(ANYTHING, in_text=True)
"""Stands in plain text behind blanks or a citation that are not shown yet."""


class Row(dict[str, "Row[StateT]"], Generic[StateT]):
    """One state at run time: character to next row.

    Rows fill themselves as characters are met. Of those that have no symbol of their own only
    the first few are kept, or text in many scripts would make each row as large as Unicode.
    """

    __slots__ = (
        "_fill",
        "accepts",
        "counts",
        "decides",
        "opens",
        "over",
        "search",
        "state",
    )
    accepts: bool
    """Whether the text that led here is a whole match; False where the table finds none."""
    over: bool
    """Whether nothing can follow."""
    search: Callable[..., re.Match[str] | None]
    """Finds the next character that matters in this state; set by tables that skip text."""

    def __init__(self, state: StateT, fill: Callable[["Row[StateT]", str], "Row[StateT]"]) -> None:
        self.state = state
        self._fill = fill
        self.accepts = self.over = False
        # What the owner of a table wants to know of its states, faster than by a look-up.
        self.opens = self.decides = self.counts = False

    def __repr__(self) -> str:
        # Rows hold one another, so that a dict's own repr would never end.
        return f"Row({self.state})"

    def __missing__(self, character: str) -> "Row[StateT]":
        return self._fill(self, character)


class KeyedRow(Row[StateT], Generic[StateT, KeyT]):
    """The row of a state that has registers too.

    Args:
        state: The state.
        key: The state with its registers.
        fill: Finds the row that a character leads to.
    """

    __slots__ = ("key",)

    def __init__(
        self,
        state: StateT,
        key: KeyT,
        fill: "Fill[StateT, KeyT]",
    ) -> None:
        super().__init__(state, fill)  # type: ignore[arg-type]  # it is called with this row only
        self.key = key


Fill = Callable[[KeyedRow[StateT, KeyT], str], Row[StateT]]
"""Finds the row that a character leads to from a row with registers."""


class Machine(ABC, Generic[StateT, KeyT]):
    """A table whose registers are unfolded into rows, made as texts reach them."""

    def __init__(self) -> None:
        self._rows: dict[KeyT, KeyedRow[StateT, KeyT]] = {}

    def row(self, key: KeyT) -> KeyedRow[StateT, KeyT]:
        """Return the row of a state with its registers."""
        row = self._rows.get(key)
        if row is None:
            row = self._make(key, self._fill)
            # Only now, since other threads read these rows.
            row = self._rows.setdefault(key, row)
        return row

    def _fill(self, row: KeyedRow[StateT, KeyT], character: str) -> Row[StateT]:
        target = self.row(self._step(row.key, character))
        is_dead = target.over and not target.accepts
        if not is_dead or len(row) < MAX_OTHERS:
            row[character] = target
        return target

    @abstractmethod
    def _make(self, key: KeyT, fill: Fill[StateT, KeyT]) -> KeyedRow[StateT, KeyT]:
        """Make a row, and say of it what its readers ask."""

    @abstractmethod
    def _step(self, key: KeyT, character: str) -> KeyT:
        """Return what a character leads to."""


def compile_table(
    transitions: Mapping[StateT, Mapping[SymbolT, StateT]],
    classify: Callable[[str], SymbolT],
    other: SymbolT,
) -> dict[StateT, Row[StateT]]:
    """Return the rows of a total table, by state.

    Args:
        transitions: For every state, the next state for every symbol.
        classify: The symbol of a character.
        other: The symbol of all characters without one of their own.
    """
    rows: dict[StateT, Row[StateT]] = {}

    def fill(row: Row[StateT], character: str) -> Row[StateT]:
        symbol = classify(character)
        target = rows[transitions[row.state][symbol]]
        if symbol is not other or len(row) < MAX_OTHERS:
            row[character] = target
        return target

    rows.update((state, Row(state, fill)) for state in transitions)
    return rows

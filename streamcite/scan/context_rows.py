"""The contexts' table as it runs: for the guards that are wanted, with a search for each state."""

import re
from collections.abc import Callable, Mapping
from functools import cache

from streamcite.scan.contexts import (
    DECISIONS,
    SYMBOLS,
    TRANSITIONS,
    State,
    Symbol,
    classify,
)
from streamcite.scan.tables import ANYTHING, Row, compile_table

__all__ = ["ANYTHING", "CANDIDATE_STATES", "IN_TEXT", "NOTHING", "rows_for", "search_for_any"]

# To look a member up in its enum takes 100 ns on some Pythons.
IN_TEXT = State.TEXT

NOTHING = re.compile(r"(?!)").search
"""Finds nothing in any text."""

# Where a marker may begin. Inside code and math a candidate is held until the span's close is
# known, in all other contexts an opener is plain text.
CANDIDATE_STATES = frozenset(
    {
        State.TEXT,
        State.CODE,
        State.CODE_BREAK,
        State.DOLLAR,
        State.MATH,
        State.MATH_BLANK,
        State.MATH_BREAK,
    }
)

# Where the length of a run of one character is counted.
COUNTING = frozenset(
    {
        State.TICKS,
        State.TILDES,
        State.CODE_TICKS,
        State.CODE_FENCE,
        State.FENCE_TICKS,
        State.FENCE_TILDES,
    }
)


# Where only words stay, long enough that one search is cheaper than a look at each character.
WORDS = frozenset({State.NAME, State.ATTRIBUTE})


def _guarded(guards: frozenset[str]) -> dict[State, Mapping[Symbol, State]]:
    """Return the table without the contexts that are not wanted."""
    text, escape = dict(TRANSITIONS[State.TEXT]), dict(TRANSITIONS[State.ESCAPE])
    for guard, symbols in (
        ("code", (Symbol.TICK, Symbol.TILDE)),
        ("math", (Symbol.DOLLAR,)),
        ("html", (Symbol.LESS,)),
        ("link", (Symbol.CLOSER,)),
    ):
        if guard not in guards:
            text.update(dict.fromkeys(symbols, State.TEXT))
    if "math" not in guards:
        escape.update(dict.fromkeys(Symbol, State.TEXT))
    elif "escape" not in guards:
        escape[Symbol.OPENER] = State.SQUARE
    if not guards & {"math", "escape"}:
        text[Symbol.BACKSLASH] = State.TEXT
    rows = dict(TRANSITIONS) | {State.TEXT: text, State.ESCAPE: escape}
    if "code" not in guards:
        ticks = [state for state, row in rows.items() if row[Symbol.TICK] is State.MATH_TICK]
        rows |= {state: {**rows[state], Symbol.TICK: State.MATH} for state in ticks}
    return rows | dict.fromkeys(DECISIONS, text)


@cache
def rows_for(
    guards: frozenset[str], starts: str, everywhere: str = ""
) -> Mapping[State, Row[State]]:
    """Return the running table.

    Args:
        guards: The contexts that count.
        starts: Characters that may begin a marker.
        everywhere: Those of them that begin one in any context.
    """
    table = _guarded(guards)
    rows = compile_table(table, classify, Symbol.OTHER)
    for state, row in rows.items():
        wanted = starts if state in CANDIDATE_STATES else everywhere
        row.search = _search_for(state, table[state], wanted)
        row.opens = state in CANDIDATE_STATES
        row.decides = state in DECISIONS
        row.counts = state in COUNTING
    return rows


def _search_for(
    state: State, row: Mapping[Symbol, State], starts: str
) -> Callable[..., re.Match[str] | None]:
    """Return the search for the next character that matters in a state.

    One character class and nothing else: the regex engine then skips plain text at 3 to 5 ns a
    character, ten times faster than an alternation.
    """
    if state in WORDS:
        staying = {character for character, symbol in SYMBOLS.items() if row[symbol] is state}
        return re.compile(f"[^{re.escape(''.join(sorted(staying - set(starts))))}]").search
    if row[Symbol.OTHER] is not state:
        return ANYTHING
    characters = {character for character, symbol in SYMBOLS.items() if row[symbol] is not state}
    characters.update(starts)
    return search_for_any("".join(sorted(characters)))


def search_for_any(characters: str) -> Callable[..., re.Match[str] | None]:
    """Return the search for the next of these characters."""
    return re.compile(f"[{re.escape(characters)}]").search if characters else NOTHING

"""The threads of a program without assertions as a table that fills itself while it is used.

A state is the list of instructions that wait for a character, in order of priority and grouped by
the start of their match; the starts themselves travel beside it. What a character does to a state
is worked out once.
"""

import functools

from streamcite.scan.program import Op, Program
from streamcite.scan.regex_conditions import Edge, Neighbour
from streamcite.scan.regex_threads import Recorded, Threads

__all__ = ["Table", "TableSearch", "table_of"]

# A pattern for markers needs some hundred moves; text in many scripts could fill any number.
MAX_MOVES = 5_000

# Tables kept between replies, so that the second one starts warm.
MAX_TABLES = 64

# Markers repeat (`[1]`); a long match does not, and is worked out anew.
MAX_SPANS = 1_000
MAX_SPAN_LENGTH = 64

# Instructions waiting for a character, one inner tuple per start of a match.
Groups = tuple[tuple[int, ...], ...]

NO_MATCH = -1


class _State:
    """One row of the table."""

    __slots__ = ("groups", "moves", "recorded")

    def __init__(self, groups: Groups, recorded: bool) -> None:
        self.groups = groups
        self.recorded = recorded
        self.moves: dict[str, Move] = {}


# The new state; which starts it keeps, None if all and no other; whose match is recorded. Starts
# are counted from the oldest, the position itself comes last.
Move = tuple[_State, tuple[int, ...] | None, int]


class Table:
    """States and moves of one program, shared by all its searches."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._states: dict[tuple[bool, Groups], _State] = {}
        self._moves = 0
        self._entry = tuple(program.leaves(program.entry, set()))
        self._spans: dict[str, tuple[int, int]] = {}
        self.idle = self._state((), recorded=False)

    def move(self, state: _State, character: str) -> Move:
        """Work out what a character does to a state, and remember it."""
        if self._moves >= MAX_MOVES:
            self._forget()
        self._moves += 1
        move = state.moves[character] = self._worked_out(state, character)
        return move

    def group_of(self, text: str) -> tuple[int, int]:
        """Start and end of the group in a text that is a match, -1 if it took no part."""
        if len(text) > MAX_SPAN_LENGTH:
            return _group_of(self._program, text)
        if text not in self._spans:
            if len(self._spans) >= MAX_SPANS:
                self._spans.clear()
            self._spans[text] = _group_of(self._program, text)
        return self._spans[text]

    def _forget(self) -> None:
        for state in self._states.values():
            state.moves.clear()
        self._states = {(False, ()): self.idle}
        self._moves = 0

    def _state(self, groups: Groups, *, recorded: bool) -> _State:
        return self._states.setdefault((recorded, groups), _State(groups, recorded))

    def _worked_out(self, state: _State, character: str) -> Move:
        sources = state.groups if state.recorded else (*state.groups, self._entry)
        groups, kept = list[tuple[int, ...]](), list[int]()
        seen, matched = set[int](), NO_MATCH
        for start, places in enumerate(sources):
            group, matches = self._reached(places, character, seen)
            if group:
                groups.append(group)
                kept.append(start)
            if matches:
                matched = start
                break
        recorded = state.recorded or matched != NO_MATCH
        unchanged = kept == list(range(len(state.groups)))
        following = self._state(tuple(groups), recorded=recorded)
        return following, None if unchanged else tuple(kept), matched

    def _reached(
        self, places: tuple[int, ...], character: str, seen: set[int]
    ) -> tuple[tuple[int, ...], bool]:
        """The instructions that wait after a character, up to the first match."""
        reached = list[int]()
        for place in places:
            instruction = self._program.instructions[place]
            if not instruction.character[character]:
                continue
            for leaf in self._program.leaves(instruction.next, seen):
                if self._program.instructions[leaf].op is Op.MATCH:
                    return tuple(reached), True
                reached.append(leaf)
        return tuple(reached), False


class TableSearch:
    """What `Threads` does, by way of a table; the group is left to `Table.group_of`."""

    undecided = False

    def __init__(self, table: Table, max_length: int) -> None:
        self.recorded: Recorded | None = None
        self.oldest: int | None = None
        self.steps = 0
        self._table = table
        self._max_length = max_length
        self._state = table.idle
        self._starts: tuple[int, ...] = ()

    def reset(self) -> None:
        """Forget all threads and the recorded match."""
        self.recorded = self.oldest = None
        self._state = self._table.idle
        self._starts = ()

    def advance(self, text: str, index: int, base: int, previous: Neighbour, *, ended: bool) -> int:
        """Consume `text[index:]`: see `Threads.advance`."""
        state, starts, size, begun = self._state, self._starts, len(text), index
        while index < size:
            character = text[index]
            move = state.moves.get(character) or self._table.move(state, character)
            state, kept, matched = move
            if kept is not None or matched != NO_MATCH:
                known = (*starts, base + index)
                if matched != NO_MATCH:
                    self.recorded = known[matched], base + index + 1, -1, -1
                if kept is not None:
                    starts = tuple([known[start] for start in kept])
            index += 1
            if not starts or base + index - starts[0] >= self._max_length:
                break
        self._state, self._starts = state, starts
        self.oldest = starts[0] if starts else None
        self.steps += index - begun
        return index


@functools.lru_cache(maxsize=MAX_TABLES)
def table_of(program: Program) -> Table:
    """The table of a program."""
    return Table(program)


def _group_of(program: Program, text: str) -> tuple[int, int]:
    threads = Threads(program)
    threads.advance(text, 0, 0, Edge.START, ended=True)
    assert threads.recorded is not None, "asked for the group of a text that is no match"
    return threads.recorded[2:]

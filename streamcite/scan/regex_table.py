"""The threads of a program without conditions, as a table that fills itself while it is used.

A state is the list of instructions that wait for a character, in order of priority. What a
character does to it is worked out once: the new list, and for each of its threads the one that it
continues, so that a thread's offsets are carried along without looking at the program. Threads
that go on from the same one share its offsets, so that inside a repeat there is nothing to carry.
"""

import functools
from typing import Self

from streamcite.scan.program import MAX_COMPILED, Op, Program
from streamcite.scan.regex_conditions import Neighbour
from streamcite.scan.regex_threads import NO_LIMIT, Progress, Recorded

__all__ = ["Table", "TableSearch", "table_of"]

# Threads that all remembered moves may have together, one more for each move, at some 100 bytes
# each. A pattern for markers needs some hundred; text in many scripts could fill any number.
MAX_SIZE = 50_000

NEW = -1

# The thread continued, `NEW` for one that starts here, and the ends of the group that it passed
# (1: start, 2: end) before the character and after it.
Heir = tuple[int, int, int]


# The instruction that waits, and which of the search's offsets are those of its thread.
Place = tuple[int, int]


class _State:
    """One row of the table."""

    __slots__ = ("moves", "places", "recorded", "width")

    def __init__(self, places: tuple[Place, ...], recorded: bool) -> None:
        self.places = places
        self.recorded = recorded
        self.width = len({offsets for _, offsets in places})
        """How many threads have offsets of their own."""
        self.moves: dict[str, Move] = {}


# The new state, its offsets, None if they are the old ones unchanged, and the thread that matches.
Move = tuple[_State, tuple[Heir, ...] | None, Heir | None]


class Table:
    """States and moves of one program, shared by all its searches."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._entry = list(program.leaves(program.entry, set()))
        self._states: dict[tuple[bool, tuple[Place, ...]], _State] = {}
        self._size = 0
        self.idle = self._state((), recorded=False)

    def move(self, state: _State, character: str) -> Move:
        """Work out what a character does to a state, and remember it."""
        if self._size >= MAX_SIZE:
            self._forget()
        move = state.moves[character] = self._worked_out(state, character)
        self._size += 1 + len(move[0].places)
        return move

    def _forget(self) -> None:
        # A copy: a search in another thread may be adding to it.
        for state in list(self._states.values()):
            state.moves.clear()
        self._states = {(False, ()): self.idle}
        self._size = 0

    def _state(self, places: tuple[Place, ...], *, recorded: bool) -> _State:
        return self._states.setdefault((recorded, places), _State(places, recorded))

    def _worked_out(self, state: _State, character: str) -> Move:
        instructions = self._program.instructions
        seen: set[int] = set()
        places: list[Place] = []
        heirs: dict[Heir, int] = {}
        match: Heir | None = None
        for waiting, source, before in self._sources(state):
            instruction = instructions[waiting]
            if match is not None or not instruction.character[character]:
                continue
            for leaf, after in self._program.leaves(instruction.next, seen):
                if instructions[leaf].op is Op.MATCH:
                    match = source, before, after
                    break
                heir = (source, before, after)
                places.append((leaf, heirs.setdefault(heir, len(heirs))))
        unchanged = list(heirs) == [(source, 0, 0) for source in range(state.width)]
        following = self._state(tuple(places), recorded=state.recorded or match is not None)
        return following, None if unchanged else tuple(heirs), match

    def _sources(self, state: _State) -> list[Heir]:
        """Instruction, thread and passed ends of the group of all that may take a character."""
        sources = [(waiting, source, 0) for waiting, source in state.places]
        if not state.recorded:
            sources += [(waiting, NEW, passed) for waiting, passed in self._entry]
        return sources


class TableSearch:
    """What `Threads` does, by way of a table."""

    def __init__(self, table: Table, max_length: int = NO_LIMIT) -> None:
        self.recorded: Recorded | None = None
        self.oldest: int | None = None
        self.undecided = False
        self.steps = 0
        self._table = table
        self._max_length = max_length
        self._state = table.idle
        self._threads: list[Progress] = []

    def progress(self) -> list[Progress]:
        """See `Threads.progress`."""
        return self._threads

    def reset(self) -> None:
        """Forget all threads and the recorded match."""
        self.recorded = self.oldest = None
        self._state = self._table.idle
        self._threads = []

    def standing(self, position: int) -> tuple[object, list[Progress]]:
        """See `Search.standing`."""
        return self._state, self._threads

    def resume(self, other: Self, threads: list[Progress], recorded: Recorded | None) -> None:
        """See `Search.resume`."""
        self._state, self._threads, self.recorded = other._state, threads, recorded
        self.oldest = threads[0][0] if threads else None

    def step(self, text: str, index: int, base: int, previous: Neighbour, *, ended: bool) -> int:
        """Consume one character: see `Threads.advance`."""
        # What stands around it does not matter to a table.
        return index + self.advance(text[index], 0, base + index, previous, ended=ended)

    def advance(self, text: str, index: int, base: int, previous: Neighbour, *, ended: bool) -> int:
        """Consume `text[index:]`: see `Threads.advance`."""
        state, threads, begun = self._state, self._threads, index
        stop = size = len(text)
        if not threads:
            # Unless a thread begins; a match that is final may stand at the end of the text.
            stop = index + 1 if index < size else size
        elif threads[0][0] - base + self._max_length < size:
            stop = threads[0][0] - base + self._max_length
        while index < stop:
            character = text[index]
            move = state.moves.get(character) or self._table.move(state, character)
            state, heirs, match = move
            if match is not None:
                position = base + index
                start, opened, closed = _continued(threads, match, position)
                self.recorded = start, position + 1, opened, closed
            if heirs is not None:
                threads = [_continued(threads, heir, base + index) for heir in heirs]
                stop = min(size, threads[0][0] - base + self._max_length) if threads else 0
            index += 1
        self._state, self._threads = state, threads
        self.oldest = threads[0][0] if threads else None
        self.steps += index - begun
        return index


def _continued(threads: list[Progress], heir: Heir, position: int) -> Progress:
    """A thread after the character at a position."""
    source, before, after = heir
    if not before and not after and source != NEW:
        return threads[source]
    start, opened, closed = (position, -1, -1) if source == NEW else threads[source]
    for passed, place in ((before, position), (after, position + 1)):
        opened = place if passed & 1 else opened
        closed = place if passed & 2 else closed
    return start, opened, closed


@functools.lru_cache(maxsize=MAX_COMPILED)
def table_of(program: Program) -> Table:
    """The table of a program."""
    return Table(program)

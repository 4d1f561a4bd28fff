"""Runs a program over text as it arrives: all ways to match at once, the preferred one first.

A thread is one way to match that is still open. The order of the list is the priority that `re`
gives by trying: earlier starts first, then the alternative written first. An instruction is
entered once per position, by the thread of higher priority; without back-references the other
one could only repeat its future, so the work per character is bounded by the program.
"""

import functools
import sys
from typing import Self

from streamcite.scan.program import MAX_COMPILED, Op, Program
from streamcite.scan.regex_conditions import Edge, Neighbour

__all__ = ["NO_LIMIT", "Progress", "Recorded", "Threads"]

# Instruction, start of the match, start and end of the group (-1: not yet).
Thread = tuple[int, int, int, int]

# The same without the instruction: what a thread knows of its match.
Progress = tuple[int, int, int]

# Start and end of a match, start and end of its group (-1: took no part).
Recorded = tuple[int, int, int, int]

NO_LIMIT = sys.maxsize

CHAR, SPLIT, SAVE, ASSERT, _ = Op


class _Code:
    """A program by columns: the innermost loop reads one or two of them per instruction."""

    def __init__(self, program: Program) -> None:
        self.operations = [step.op for step in program.instructions]
        self.nexts = [step.next for step in program.instructions]
        self.others = [step.other for step in program.instructions]
        self.slots = [step.slot for step in program.instructions]
        self.classes = [step.character for step in program.instructions]
        self.conditions = [step.condition for step in program.instructions]


@functools.lru_cache(maxsize=MAX_COMPILED)
def _code_of(program: Program) -> _Code:
    return _Code(program)


class Threads:
    """The open ways to match, and the best match so far of lower priority than all of them.

    Offsets are absolute. `recorded` is final once no thread is left.
    """

    def __init__(self, program: Program, max_length: int = NO_LIMIT) -> None:
        self.recorded: Recorded | None = None
        self.undecided = False
        """A condition waits for text that has not arrived."""
        self.oldest: int | None = None
        """Start of the oldest thread."""
        self.steps = 0
        self._entry = program.entry
        self._begins = program.begins
        self._skips = program.first is not None
        self._code = _code_of(program)
        self._max_length = max_length
        self._threads: list[Thread] = []
        self._settled = False

    def progress(self) -> list[Progress]:
        """What each thread knows of its match, the preferred one first."""
        return [thread[1:] for thread in self._threads]

    def reset(self) -> None:
        """Forget all threads and the recorded match."""
        self._threads = []
        self.recorded = self.oldest = None
        self.undecided = self._settled = False

    def standing(self, position: int) -> tuple[object, list[Progress]]:
        """See `Search.standing`."""
        # What begins here depends on the next character, and that may be unknown.
        threads = [thread for thread in self._threads if thread[1] < position]
        places = tuple([thread[0] for thread in threads])
        return (self.recorded is None, places), [thread[1:] for thread in threads]

    def resume(self, other: Self, threads: list[Progress], recorded: Recorded | None) -> None:
        """See `Search.resume`."""
        self._threads = [
            (place, *progress)
            for (place, *_), progress in zip(other._threads, threads, strict=True)
        ]
        self.recorded = recorded
        self.oldest = threads[0][0] if threads else None
        self.undecided, self._settled = other.undecided, other._settled

    def step(self, text: str, index: int, base: int, previous: Neighbour, *, ended: bool) -> int:
        """Consume one character: see `advance`."""
        return self.advance(text, index, base, previous, ended=ended, upto=index + 1)

    def advance(
        self,
        text: str,
        index: int,
        base: int,
        previous: Neighbour,
        *,
        ended: bool,
        upto: int = NO_LIMIT,
    ) -> int:
        """Consume `text[index:upto]`, where character 0 of the text has the offset `base`.

        Stops where the match is final, no thread is left, one is too old, a condition waits, or
        the text ends.

        Returns:
            The index of the first character not consumed.
        """
        edge = Edge.END if ended else Edge.UNKNOWN
        size = len(text)
        limit = upto if upto < size else size
        while True:
            following = text[index] if index < size else edge
            spawns = self.recorded is None and self._may_begin(following)
            if spawns or self.undecided or not self._settled:
                if spawns:
                    self._threads = [*self._threads, (self._entry, base + index, -1, -1)]
                before = text[index - 1] if index else previous
                beyond = text[index + 1] if index + 1 < size else edge
                self._settle(base + index, before, following, beyond)
            if index == limit or self._stands(base + index):
                break
            self._consume(text[index])
            index += 1
            if not self._threads and self.recorded is None and self._skips:
                break
        self.oldest = self._threads[0][1] if self._threads else None
        return index

    def _stands(self, position: int) -> bool:
        """Whether nothing can be consumed here."""
        if self.undecided:
            return True
        if self._threads:
            return position - self._threads[0][1] >= self._max_length
        return self.recorded is not None

    def _may_begin(self, following: Neighbour) -> bool:
        if self._begins is None:
            return following is not Edge.UNKNOWN
        return isinstance(following, str) and self._begins[following]

    def _settle(
        self, position: int, before: Neighbour, following: Neighbour, beyond: Neighbour
    ) -> None:
        """Go through everything that takes no character, and record a match."""
        self._settled, self.undecided = True, False
        operations, nexts, slots = self._code.operations, self._code.nexts, self._code.slots
        stack = self._threads[::-1]
        threads: list[Thread] = []
        seen: set[int] = set()
        stops = False
        while stack and not stops:
            place, start, opened, closed = stack.pop()
            while place not in seen:
                seen.add(place)
                op = operations[place]
                if op is CHAR:
                    threads.append((place, start, opened, closed))
                    break
                if op is SPLIT:
                    stack.append((self._code.others[place], start, opened, closed))
                elif op is SAVE:
                    opened, closed = (opened, position) if slots[place] else (position, closed)
                elif op is ASSERT:
                    answer = self._code.conditions[place](before, following, beyond)
                    if answer is None:
                        self.undecided = True
                        threads.append((place, start, opened, closed))
                    if not answer:
                        break
                else:
                    self.recorded = start, position, opened, closed
                    stops = True
                    break
                place = nexts[place]
        self._threads = threads
        self.steps += len(seen)

    def _consume(self, character: str) -> None:
        nexts, classes = self._code.nexts, self._code.classes
        self._threads = [
            (nexts[place], start, opened, closed)
            for place, start, opened, closed in self._threads
            if classes[place][character]
        ]
        self._settled = False

"""Runs a program over text as it arrives: all ways to match at once, the preferred one first.

A thread is one way to match that is still open. The order of the list is the priority that `re`
gives by trying: earlier starts first, then the alternative written first. An instruction is
entered once per position, by the thread of higher priority; without back-references the other
one could only repeat its future, so the work per character is bounded by the program.
"""

import sys

from streamcite.scan.program import Instruction, Op, Program
from streamcite.scan.regex_conditions import Edge, Neighbour

__all__ = ["NO_LIMIT", "Recorded", "Thread", "Threads"]

# Instruction, start of the match, start and end of the group (-1: not yet).
Thread = tuple[int, int, int, int]

# Start and end of a match, start and end of its group (-1: took no part).
Recorded = tuple[int, int, int, int]

NO_LIMIT = sys.maxsize

CHAR, SPLIT, SAVE, ASSERT, MATCH = Op


class Threads:
    """The open ways to match, and the best match so far of lower priority than all of them.

    Offsets are absolute. `recorded` is final once no thread is left.
    """

    def __init__(self, program: Program, max_length: int = NO_LIMIT) -> None:
        self.threads: list[Thread] = []
        self.recorded: Recorded | None = None
        self.undecided = False
        """A condition waits for text that has not arrived."""
        self.oldest: int | None = None
        """Start of the oldest thread."""
        self.steps = 0
        self._entry = program.entry
        self._begins = program.begins
        self._skips = program.first is not None
        self._instructions: tuple[Instruction, ...] = program.instructions
        self._max_length = max_length
        self._settled = False

    def reset(self) -> None:
        """Forget all threads and the recorded match."""
        self.threads = []
        self.recorded = self.oldest = None
        self.undecided = self._settled = False

    def advance(self, text: str, index: int, base: int, previous: Neighbour, *, ended: bool) -> int:
        """Consume `text[index:]`, of which character 0 has the offset `base`.

        Stops where the match is final, no thread is left, one is too old, a condition waits, or
        the text ends.

        Returns:
            The index of the first character not consumed.
        """
        edge = Edge.END if ended else Edge.UNKNOWN
        size = len(text)
        while True:
            following = text[index] if index < size else edge
            spawns = self.recorded is None and self._may_begin(following)
            if spawns or self.undecided or not self._settled:
                if spawns:
                    self.threads.append((self._entry, base + index, -1, -1))
                before = text[index - 1] if index else previous
                beyond = text[index + 1] if index + 1 < size else edge
                self._settle(base + index, before, following, beyond)
            if index == size or self._stands(base + index):
                break
            self._consume(text[index])
            index += 1
            if not self.threads and self.recorded is None and self._skips:
                break
        self.oldest = self.threads[0][1] if self.threads else None
        return index

    def _stands(self, position: int) -> bool:
        """Whether nothing can be consumed here."""
        if self.undecided:
            return True
        if self.threads:
            return position - self.threads[0][1] >= self._max_length
        return self.recorded is not None

    def _may_begin(self, following: Neighbour) -> bool:
        if self._begins is None:
            return following is not Edge.UNKNOWN
        return following.__class__ is str and self._begins[following]

    def _settle(
        self, position: int, before: Neighbour, following: Neighbour, beyond: Neighbour
    ) -> None:
        """Go through everything that takes no character, and record a match."""
        self._settled, self.undecided = True, False
        stack, threads, seen = self.threads[::-1], list[Thread](), set[int]()
        while stack:
            thread = stack.pop()
            place, start, opened, closed = thread
            if place in seen:
                continue
            seen.add(place)
            instruction = self._instructions[place]
            op = instruction.op
            if op is CHAR:
                threads.append(thread)
            elif op is SPLIT:
                stack.append((instruction.other, start, opened, closed))
                stack.append((instruction.next, start, opened, closed))
            elif op is SAVE:
                opened, closed = (opened, position) if instruction.slot else (position, closed)
                stack.append((instruction.next, start, opened, closed))
            elif op is ASSERT:
                answer = instruction.condition(before, following, beyond)
                if answer is None:
                    self.undecided = True
                    threads.append(thread)
                elif answer:
                    stack.append((instruction.next, start, opened, closed))
            elif self.undecided:
                threads.append(thread)
            else:
                self.recorded = start, position, opened, closed
                break
        self.threads = threads
        self.steps += len(seen)

    def _consume(self, character: str) -> None:
        instructions = self._instructions
        taken = list[Thread]()
        for place, start, opened, closed in self.threads:
            instruction = instructions[place]
            if instruction.character[character]:
                taken.append((instruction.next, start, opened, closed))
        self.threads = taken
        self._settled = False

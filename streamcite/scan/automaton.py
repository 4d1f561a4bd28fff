"""Says of a text, character by character, whether a pattern matches all of it or still may."""

from collections.abc import Iterable, Iterator

from streamcite.scan.program import Op, Program

__all__ = ["DEAD", "Automaton"]

DEAD = -1

# A row is a state seen before, a cell a character seen in it. Built-in grammars need some hundred
# cells; text in many scripts could fill any number, so past this many all are dropped.
MAX_CELLS = 5_000


class Automaton:
    """Recognise one pattern from the start of a text, without captures.

    A state is the set of instructions that wait for a character, as the bits of an integer; it
    stays valid for ever, whatever the cache drops, and may be shared.

    Args:
        program: A pattern without assertions.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._rows: dict[int, dict[str, int]] = {}
        self._cells = 0
        self._match = sum(
            1 << place
            for place, instruction in enumerate(program.instructions)
            if instruction.op is Op.MATCH
        )
        self.start = _state(program.leaves(program.entry, set()))

    def step(self, state: int, character: str) -> int:
        """The state after one more character; `DEAD` if no continuation can match."""
        row = self._rows.get(state)
        if row is None or character not in row:
            return self._build(state, character)
        return row[character]

    def accepts(self, state: int) -> bool:
        """Whether the text so far is a complete match."""
        return state != DEAD and state & self._match != 0

    def live(self, state: int) -> bool:
        """Whether a longer text may still be a match."""
        return state != DEAD and state & ~self._match != 0

    def _build(self, state: int, character: str) -> int:
        if self._cells >= MAX_CELLS:
            self._rows.clear()
            self._cells = 0
        self._cells += 1
        seen: set[int] = set()
        reached: list[tuple[int, int]] = []
        for place in self._waiting(state):
            instruction = self._program.instructions[place]
            if instruction.character[character]:
                reached.extend(self._program.leaves(instruction.next, seen))
        following = _state(reached)
        self._rows.setdefault(state, {})[character] = following
        return following

    def _waiting(self, state: int) -> Iterator[int]:
        """The instructions of a state, as their places in the program."""
        rest = 0 if state == DEAD else state
        while rest:
            place = rest.bit_length() - 1
            rest ^= 1 << place
            yield place


def _state(leaves: Iterable[tuple[int, int]]) -> int:
    return sum(1 << place for place, _ in leaves) or DEAD

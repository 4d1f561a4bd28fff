"""A pattern as instructions: what the matcher, the automaton and the extractor run.

Compiled from the back: each instruction knows the next one, so there are no jumps, and what cannot
reach a match is never written, so no hopeless thread ever holds text.
"""

import enum
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from streamcite.errors import PatternError
from streamcite.scan.regex_classes import (
    NOTHING,
    Answers,
    CharacterClass,
    ClassTable,
    first_class,
    is_empty_class,
)
from streamcite.scan.regex_conditions import Condition, condition_of, text_start
from streamcite.scan.regex_tree import (
    CHARACTERS,
    LOOKS,
    REPEATS,
    Node,
    SubPattern,
    combined_flags,
    ops,
    parse,
)

__all__ = ["ACM_PATTERN", "MAX_COMPILED", "Instruction", "Op", "Program", "compile_pattern"]

# Haystack's documented `\[(?:(\d+),?\s*)+\]` in a form that reads each text in one way only; the
# numbers are the digit runs of the match.
ACM_PATTERN = r"\[\d+(?:(?:,\s*|\s+)\d+)*,?\s*\]"

# Counted repeats are written out; each instruction costs some hundred bytes, and a position costs
# at worst a visit to each.
MAX_INSTRUCTIONS = 5_000

# An application has a handful of patterns; compiling one takes about a millisecond. What else is
# made of a pattern is kept for as many, so that the second reply starts warm.
MAX_COMPILED = 64


class Op(enum.IntEnum):
    """What an instruction does."""

    CHAR = 0
    SPLIT = 1
    SAVE = 2
    ASSERT = 3
    MATCH = 4


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step of a program; which fields mean something depends on `op`."""

    op: Op
    next: int = 0
    """The instruction after this one; for SPLIT, the alternative tried first."""
    other: int = 0
    """SPLIT: the alternative tried second."""
    slot: int = 0
    """SAVE: 0 where the group starts, 1 where it ends."""
    character: CharacterClass = field(default_factory=lambda: NOTHING)
    """CHAR: the characters it takes."""
    condition: Condition = text_start
    """ASSERT: what must hold here."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A compiled pattern, shared by everything that runs it."""

    pattern: str
    instructions: tuple[Instruction, ...]
    entry: int
    groups: int
    """0 or 1."""
    has_assertions: bool
    repeats_group: bool
    """The group stands inside a repeat: only its last round is read."""
    first: re.Pattern[str] | None
    """Finds the first character at which a match could start; None: anywhere, it may be empty."""
    begins: Answers | None
    """Whether a match could start at a character; None with `first`."""

    def leaves(self, start: int, seen: set[int]) -> Iterator[tuple[int, int]]:
        """CHAR and MATCH instructions reached without a character, in order of priority.

        Conditions are taken to hold; what is in `seen` is passed over, and added to.

        Yields:
            The instruction, and the ends of the group passed on the way (1: start, 2: end).
        """
        stack = [(start, 0)]
        while stack:
            place, passed = stack.pop()
            if place in seen:
                continue
            seen.add(place)
            instruction = self.instructions[place]
            if instruction.op is Op.CHAR or instruction.op is Op.MATCH:
                yield place, passed
                continue
            if instruction.op is Op.SPLIT:
                stack.append((instruction.other, passed))
            elif instruction.op is Op.SAVE:
                passed |= 1 << instruction.slot
            stack.append((instruction.next, passed))


@functools.lru_cache(maxsize=MAX_COMPILED)
def compile_pattern(pattern: str, *, allow_empty: bool = False) -> Program:
    """Compile a pattern in the syntax of `re`.

    Args:
        pattern: The regular expression.
        allow_empty: Accept a pattern that can match the empty string.

    Raises:
        PatternError: The pattern is invalid, or cannot be matched in a stream.
    """
    tree = parse(pattern)
    if tree.getwidth()[0] == 0 and not allow_empty:
        raise PatternError(
            "it can match the empty string; require at least one character, "
            "e.g. `\\d+` instead of `\\d*`",
            pattern=pattern,
        )
    compiler = _Compiler(pattern)
    entry = compiler.sequence(tree, compiler.add(Instruction(Op.MATCH)), tree.state.flags)
    if entry is None:
        raise PatternError("it can never match; remove the empty class", pattern=pattern)
    return compiler.program(entry, tree.state.groups - 1)


class _Compiler:
    """Writes instructions; every method returns where to enter, None if no match lies there."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._instructions: list[Instruction] = []
        self._classes = ClassTable()
        self._repeats = 0
        self._repeats_group = False

    def add(self, instruction: Instruction) -> int:
        if len(self._instructions) == MAX_INSTRUCTIONS:
            raise PatternError(
                f"more than {MAX_INSTRUCTIONS:,} instructions; shorten the counted repeats",
                pattern=self._pattern,
            )
        self._instructions.append(instruction)
        return len(self._instructions) - 1

    def program(self, entry: int, groups: int) -> Program:
        instructions = tuple(self._instructions)
        draft = Program(
            pattern=self._pattern,
            instructions=instructions,
            entry=entry,
            groups=groups,
            has_assertions=any(step.op is Op.ASSERT for step in instructions),
            repeats_group=self._repeats_group,
            first=None,
            begins=None,
        )
        return _with_first(draft)

    def sequence(self, tree: SubPattern, after: int | None, flags: int) -> int | None:
        entry = after
        for node in reversed(tree.data):
            if entry is None:
                break
            entry = self._node(node, entry, flags)
        return entry

    def _node(self, node: Node, after: int, flags: int) -> int | None:
        operator, argument = node
        if operator in CHARACTERS:
            return self._character(node, after, flags)
        if operator is ops.AT or operator in LOOKS:
            condition = condition_of(node, flags, self._classes)
            return self.add(Instruction(Op.ASSERT, after, condition=condition))
        if operator is ops.BRANCH:
            return self._branch(argument[1], after, flags)
        if operator in REPEATS:
            return self._repeat(argument, after, flags, greedy=operator is ops.MAX_REPEAT)
        return self._group(argument, after, flags)

    def _character(self, node: Node, after: int, flags: int) -> int | None:
        if is_empty_class(node):
            return None
        return self.add(Instruction(Op.CHAR, after, character=self._classes.of(node, flags)))

    def _split(self, first: int | None, second: int | None) -> int | None:
        if first is None or second is None:
            return second if first is None else first
        return self.add(Instruction(Op.SPLIT, first, second))

    def _branch(self, branches: list[SubPattern], after: int, flags: int) -> int | None:
        entry: int | None = None
        for branch in reversed(branches):
            entry = self._split(self.sequence(branch, after, flags), entry)
        return entry

    def _group(
        self, argument: tuple[int | None, int, int, SubPattern], after: int, flags: int
    ) -> int | None:
        group, added, removed, body = argument
        flags = combined_flags(flags, added, removed)
        if group is None:
            return self.sequence(body, after, flags)
        self._repeats_group = self._repeats_group or self._repeats > 0
        end = self.add(Instruction(Op.SAVE, after, slot=1))
        start = self.sequence(body, end, flags)
        return None if start is None else self.add(Instruction(Op.SAVE, start, slot=0))

    def _repeat(
        self, argument: tuple[int, int, SubPattern], after: int, flags: int, *, greedy: bool
    ) -> int | None:
        least, most, body = argument
        self._repeats += most > 1
        entry: int | None
        if most == ops.MAXREPEAT:
            entry = self._loop(body, after, flags, greedy=greedy, entered=least > 0)
            least = max(least - 1, 0)
        else:
            entry = self._optional(body, after, flags, count=most - least, greedy=greedy)
        for _ in range(least):
            if entry is None:
                break
            entry = self.sequence(body, entry, flags)
        self._repeats -= most > 1
        return entry

    def _loop(
        self, body: SubPattern, after: int, flags: int, *, greedy: bool, entered: bool
    ) -> int | None:
        """Write a repeat without an upper bound; `entered`: at least one round."""
        split = self.add(Instruction(Op.SPLIT))
        entry = self.sequence(body, split, flags)
        if entry is None:
            return None if entered else after
        first, second = (entry, after) if greedy else (after, entry)
        self._instructions[split] = Instruction(Op.SPLIT, first, second)
        return entry if entered else split

    def _optional(
        self, body: SubPattern, after: int, flags: int, *, count: int, greedy: bool
    ) -> int | None:
        entry: int | None = after
        for _ in range(count):
            inner = self.sequence(body, entry, flags)
            if inner is None:
                break
            entry = self._split(inner, after) if greedy else self._split(after, inner)
        return entry


def _with_first(draft: Program) -> Program:
    leaves = [draft.instructions[place] for place, _ in draft.leaves(draft.entry, set())]
    if any(leaf.op is Op.MATCH for leaf in leaves):
        return draft
    first = first_class(leaf.character for leaf in leaves)
    return replace(draft, first=first, begins=Answers(first.match))

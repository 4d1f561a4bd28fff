r"""What a pattern asks of its surroundings: `^`, `$`, `\b` and look-arounds of one character."""

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass

from streamcite.scan.regex_classes import CharacterClass, ClassTable
from streamcite.scan.regex_tree import Node, SubPattern, combined_flags, ops

__all__ = ["Condition", "Edge", "Neighbour", "condition_of", "text_start"]


class Edge(enum.Enum):
    """What stands beside a position when it is no character."""

    START = "start of the text"
    END = "end of the text"
    UNKNOWN = "text that has not arrived"


Neighbour = str | Edge

# The character before a position and the two after it; None: not decided yet.
Condition = Callable[[Neighbour, Neighbour, Neighbour], bool | None]

# Empty text has no boundary, and no non-boundary either before Python 3.14.
EMPTY_TEXT_IS_NON_BOUNDARY = re.search(r"\B", "") is not None


def condition_of(node: Node, flags: int, classes: ClassTable) -> Condition:
    """The condition that an anchor, a boundary or a look-around stands for."""
    operator, argument = node
    if operator is ops.AT:
        return _anchor(argument, flags, classes)
    direction, body = argument
    return _AnyOf(tuple(_looks(body, flags, classes, direction)), operator is ops.ASSERT_NOT)


def _anchor(kind: object, flags: int, classes: ClassTable) -> Condition:
    if kind is ops.AT_BOUNDARY or kind is ops.AT_NON_BOUNDARY:
        word = classes.of((ops.IN, [(ops.CATEGORY, ops.CATEGORY_WORD)]), flags)
        return _Boundary(word, kind is ops.AT_BOUNDARY)
    return ANCHORS[kind][bool(flags & re.MULTILINE)]


def _looks(body: SubPattern, flags: int, classes: ClassTable, direction: int) -> list[Condition]:
    """The alternatives of a look-around, each of one character or one position."""
    node: Node = body.data[0]
    operator, argument = node
    if operator is ops.BRANCH:
        branches = (_looks(branch, flags, classes, direction) for branch in argument[1])
        return [look for looks in branches for look in looks]
    if operator is ops.SUBPATTERN:
        _, added, removed, inner = argument
        return _looks(inner, combined_flags(flags, added, removed), classes, direction)
    if operator is ops.AT:
        return [_anchor(argument, flags, classes)]
    character = classes.of((operator, argument), flags)
    return [_Ahead(character) if direction > 0 else _Behind(character)]


def text_start(previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
    return previous is Edge.START


def _line_start(previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
    return previous is Edge.START or previous == "\n"


def _text_end(previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
    return None if following is Edge.UNKNOWN else following is Edge.END


def _line_end(previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
    return None if following is Edge.UNKNOWN else following is Edge.END or following == "\n"


def _last_line_end(previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
    r"""`$` without MULTILINE: the end, or the line break that is the last character."""
    if following == "\n":
        return None if beyond is Edge.UNKNOWN else beyond is Edge.END
    return _text_end(previous, following, beyond)


# Meaning without and with MULTILINE.
ANCHORS: dict[object, tuple[Condition, Condition]] = {
    ops.AT_BEGINNING: (text_start, _line_start),
    ops.AT_BEGINNING_STRING: (text_start, text_start),
    ops.AT_END: (_last_line_end, _line_end),
    ops.AT_END_STRING: (_text_end, _text_end),
}


@dataclass(frozen=True, slots=True)
class _Boundary:
    r"""`\b`, or `\B` if `wanted` is False."""

    word: CharacterClass
    wanted: bool

    def __call__(self, previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
        if following is Edge.UNKNOWN:
            return None
        if previous is Edge.START and following is Edge.END:
            return not self.wanted and EMPTY_TEXT_IS_NON_BOUNDARY
        before = isinstance(previous, str) and self.word[previous]
        after = isinstance(following, str) and self.word[following]
        return (before != after) is self.wanted


@dataclass(frozen=True, slots=True)
class _Ahead:
    """The next character is of a class."""

    character: CharacterClass

    def __call__(self, previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
        if isinstance(following, str):
            return self.character[following]
        return None if following is Edge.UNKNOWN else False


@dataclass(frozen=True, slots=True)
class _Behind:
    """The character before is of a class."""

    character: CharacterClass

    def __call__(self, previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
        return isinstance(previous, str) and self.character[previous]


@dataclass(frozen=True, slots=True)
class _AnyOf:
    """A look-around: one of its alternatives holds, or none if it is negated."""

    alternatives: tuple[Condition, ...]
    negated: bool

    def __call__(self, previous: Neighbour, following: Neighbour, beyond: Neighbour) -> bool | None:
        answers = {look(previous, following, beyond) for look in self.alternatives}
        if True in answers:
            return not self.negated
        return None if None in answers else self.negated

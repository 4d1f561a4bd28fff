"""Character classes of a pattern, compiled one by one so that each means what `re` means by it."""

import re
from collections.abc import Callable, Iterable

from streamcite.scan.regex_tree import Node, SubPattern, compile_tree, ops, parser

__all__ = ["NOTHING", "Answers", "CharacterClass", "ClassTable", "first_class", "is_empty_class"]

# A text in one script uses a few hundred characters; past this many the memory is dropped.
MAX_REMEMBERED = 2_000

# Flags that change what one character means.
CLASS_FLAGS = int(re.IGNORECASE | re.ASCII | re.UNICODE | re.DOTALL)

OPPOSITES = {
    ops.CATEGORY_DIGIT: ops.CATEGORY_NOT_DIGIT,
    ops.CATEGORY_SPACE: ops.CATEGORY_NOT_SPACE,
    ops.CATEGORY_WORD: ops.CATEGORY_NOT_WORD,
}


def _tree(nodes: list[Node], flags: int) -> SubPattern:
    state = parser.State()
    state.flags = flags
    return SubPattern(state, nodes)


def _compiled(nodes: list[Node], flags: int) -> re.Pattern[str]:
    return compile_tree(_tree(nodes, flags))


class Answers(dict[str, bool]):
    """Whether something takes a character, asked once per character: `answers[character]`."""

    def __init__(self, match: Callable[[str], object]) -> None:
        super().__init__()
        self._match = match

    def __missing__(self, character: str) -> bool:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        answer = self[character] = self._match(character) is not None
        return answer


class CharacterClass(Answers):
    """One node of a pattern, under the flags in force there."""

    def __init__(self, node: Node, flags: int) -> None:
        super().__init__(_compiled([node], flags).match)
        self.node = node
        self.flags = flags


# Takes no character: what instructions have that do not ask for one.
# A range over all of Unicode would say the same, but compiling it takes 6 ms of every import.
NOTHING = CharacterClass(
    (
        ops.IN,
        [
            (ops.NEGATE, None),
            (ops.CATEGORY, ops.CATEGORY_SPACE),
            (ops.CATEGORY, ops.CATEGORY_NOT_SPACE),
        ],
    ),
    0,
)


class ClassTable:
    """The classes of one pattern; equal nodes share one."""

    def __init__(self) -> None:
        self._classes: dict[tuple[str, int], CharacterClass] = {}

    def of(self, node: Node, flags: int) -> CharacterClass:
        """The class of a one-character node under the flags in force there."""
        key = repr(node), flags & CLASS_FLAGS
        if key not in self._classes:
            self._classes[key] = CharacterClass(node, key[1])
        return self._classes[key]


def is_empty_class(node: Node) -> bool:
    r"""Whether a node is written so that it takes no character at all: `[^\s\S]`."""
    operator, argument = node
    if operator is not ops.IN or argument[0][0] is not ops.NEGATE:
        return False
    members = {member for kind, member in argument if kind is ops.CATEGORY}
    return any(one in members and other in members for one, other in OPPOSITES.items())


def first_class(classes: Iterable[CharacterClass]) -> re.Pattern[str]:
    """One pattern that finds, at the speed of C, a character that any of the classes takes."""
    distinct = list({id(one): one for one in classes}.values())
    flags = distinct[0].flags
    if len(distinct) == 1:
        return _compiled([distinct[0].node], flags)
    if all(one.flags == flags and _can_join(one.node) for one in distinct):
        members = [member for one in distinct for member in _members(one.node)]
        return _compiled([(ops.IN, list(dict.fromkeys(members)))], flags)
    return _compiled([(ops.BRANCH, (None, [_scoped(one) for one in distinct]))], 0)


def _can_join(node: Node) -> bool:
    operator, argument = node
    return operator is ops.LITERAL or (operator is ops.IN and argument[0][0] is not ops.NEGATE)


def _members(node: Node) -> list[Node]:
    return [node] if node[0] is ops.LITERAL else list(node[1])


def _scoped(one: CharacterClass) -> SubPattern:
    """A node wrapped in its own flags, so that it can stand in a pattern that has none."""
    inner = _tree([one.node], one.flags)
    return _tree([(ops.SUBPATTERN, (None, one.flags, 0, inner))], 0)

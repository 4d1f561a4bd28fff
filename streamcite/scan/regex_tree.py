"""Reads a pattern with the standard library's own parser and refuses what cannot be streamed.

The parser is private (`re._parser`); this file and `regex_classes` are the only ones that touch
it, and a test fails when its nodes change shape.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from streamcite.errors import PatternError

if TYPE_CHECKING:
    import sre_constants as ops
    import sre_parse as parser
    from sre_compile import compile as compile_tree
    from sre_parse import SubPattern
else:
    from re import _constants as ops
    from re import _parser as parser
    from re._compiler import compile as compile_tree

    SubPattern = parser.SubPattern

__all__ = [
    "CHARACTERS",
    "LOOKS",
    "REPEATS",
    "Node",
    "SubPattern",
    "children",
    "combined_flags",
    "compile_tree",
    "ops",
    "parse",
    "parse_any",
    "parser",
]

# An operator and its argument, whose shape depends on the operator.
Node = tuple[Any, Any]

CHARACTERS = frozenset({ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN})
REPEATS = frozenset({ops.MAX_REPEAT, ops.MIN_REPEAT})
LOOKS = frozenset({ops.ASSERT, ops.ASSERT_NOT})

WRITE_OUT = "write the alternatives out, or use when='at_end'"
LOOK_AT_ONE = "look at one character, e.g. `(?!\\()`, or use when='at_end'"
PLAIN_REPEAT = "write a plain repeat, which is already linear here"

# What is refused wherever it stands: how it is written, its name, the way out.
REFUSED: dict[object, tuple[str, str, str]] = {
    ops.GROUPREF: (r"\\[1-9]|\(\?P=", "a back-reference cannot be streamed", WRITE_OUT),
    ops.GROUPREF_EXISTS: (r"\(\?\(", "a conditional cannot be streamed", WRITE_OUT),
    ops.ATOMIC_GROUP: (r"\(\?>", "an atomic group cannot be streamed", PLAIN_REPEAT),
    ops.POSSESSIVE_REPEAT: (
        r"(?:[*+?]|\{\d*,?\d*\})\+",
        "a possessive repeat cannot be streamed",
        PLAIN_REPEAT,
    ),
}
GROUP = r"\((?!\?)|\(\?P<"
LOOK = r"\(\?<?[=!]"
WIDE_LOOK = "a look-around wider or narrower than one character cannot be streamed"
EMPTY_BODY = "a repeat whose body can be empty has rules of its own in `re`"
# The parser writes `(?!)` as this node since Python 3.12.
NEVER = getattr(ops, "FAILURE", None)

REPEAT_SIGNS = frozenset("*+{")

# Escapes, classes and comments hide what looks like a construct inside them.
ATOMS = re.compile(
    r"(?P<hidden>\\[^1-9]|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?#[^)]*\)?)|(?P<seen>\\[1-9]|.)", re.DOTALL
)


def parse(pattern: str) -> SubPattern:
    """Parse a pattern that can be streamed, with every complaint as a `PatternError`."""
    tree = parse_any(pattern)
    _refuse(tree, pattern)
    return tree


def parse_any(pattern: str) -> SubPattern:
    """Parse any valid pattern, with every complaint of `re` as a `PatternError`."""
    if not isinstance(pattern, str):
        raise PatternError("a pattern must be text, not bytes", pattern=repr(pattern))
    try:
        tree = parser.parse(pattern)
        compile_tree(tree)
    except re.error as error:
        raise PatternError(error.msg, pattern=pattern, position=error.pos) from error
    except RecursionError as error:
        raise PatternError("groups are nested too deeply", pattern=pattern) from error
    except (OverflowError, ValueError) as error:
        raise PatternError(str(error), pattern=pattern) from error
    return tree


def combined_flags(flags: int, added: int, removed: int) -> int:
    """Flags inside `(?added-removed:…)`."""
    if added & parser.TYPE_FLAGS:
        flags &= ~parser.TYPE_FLAGS
    return (flags | added) & ~removed


def children(node: Node) -> list[SubPattern]:
    """The trees directly below a node."""
    operator, argument = node
    if operator is ops.BRANCH:
        return list(argument[1])
    if operator is ops.SUBPATTERN or operator in REPEATS or operator in LOOKS:
        return [argument[-1]]
    return []


def _walk(tree: SubPattern) -> Iterator[Node]:
    for node in tree.data:
        yield node
        for child in children(node):
            yield from _walk(child)


def _refuse(tree: SubPattern, pattern: str) -> None:
    if tree.state.groups > 2:
        raise PatternError(
            "more than one group; make all but one non-capturing: `(?:…)`",
            pattern=pattern,
            position=_place(pattern, GROUP, 1),
        )
    looks = 0
    for node in _walk(tree):
        operator, argument = node
        if operator in REFUSED:
            written, name, advice = REFUSED[operator]
            raise PatternError(
                f"{name}; {advice}", pattern=pattern, position=_place(pattern, written)
            )
        if operator is NEVER or (operator in LOOKS and not _looks_at_one(argument[1])):
            raise PatternError(
                f"{WIDE_LOOK}; {LOOK_AT_ONE}",
                pattern=pattern,
                position=_place(pattern, LOOK, looks),
            )
        looks += operator in LOOKS
        if operator in REPEATS and argument[1] > 1 and argument[2].getwidth()[0] == 0:
            raise PatternError(
                f"{EMPTY_BODY}; give the body a minimum, e.g. `\\d+` instead of `\\d*`",
                pattern=pattern,
                position=_place_of_empty_body(pattern, tree.state.flags),
            )


def _looks_at_one(body: SubPattern) -> bool:
    """Whether a look-around's body is one character, one position, or a choice of such."""
    if len(body) != 1:
        return False
    node: Node = body.data[0]
    operator, argument = node
    if operator is ops.BRANCH:
        return all(_looks_at_one(branch) for branch in argument[1])
    if operator is ops.SUBPATTERN:
        return argument[0] is None and _looks_at_one(argument[3])
    return operator in CHARACTERS or operator is ops.AT


def _visible(pattern: str) -> str:
    """The pattern with everything blanked that only looks like a construct."""
    return ATOMS.sub(lambda atom: atom["seen"] or " " * len(atom["hidden"]), pattern)


def _place(pattern: str, written: str, occurrence: int = 0) -> int | None:
    places = [found.start() for found in re.finditer(written, _visible(pattern))]
    return places[occurrence] if occurrence < len(places) else None


def _place_of_empty_body(pattern: str, flags: int) -> int | None:
    """Find the first repeated group that, read by itself, can match nothing."""
    for start, end in _repeated_groups(_visible(pattern)):
        if _can_be_empty(pattern[start:end], flags):
            return start
    return None


def _repeated_groups(visible: str) -> Iterator[tuple[int, int]]:
    opened: list[int] = []
    for found in re.finditer(r"[()]", visible):
        if found.group() == "(":
            opened.append(found.start())
        elif opened:
            start = opened.pop()
            if visible[found.end() : found.end() + 1] in REPEAT_SIGNS:
                yield start, found.end()


def _can_be_empty(group: str, flags: int) -> bool:
    try:
        return bool(parser.parse(group, flags).getwidth()[0] == 0)
    except re.error:  # a bracket in a verbose comment is none
        return False

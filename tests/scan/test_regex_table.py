"""The threads of a program as a table: what is worked out once, and what is carried along."""

import pytest

from streamcite.scan.program import compile_pattern
from streamcite.scan.regex_table import NEW, Heir, Table

CARRIED: list[tuple[str, str, tuple[Heir, ...] | None]] = [
    # Inside a repeat all threads go on from the same one.
    (r"\w+ \[(\d+)\]", "ab", None),
    # A first character begins them, and they share its offset.
    (r"\w+ \[(\d+)\]", "a", ((NEW, 0, 0),)),
    # Behind a character that only one of them takes that one is left.
    (r"\w+ \[(\d+)\]", "ab ", None),
    # Where one has passed the end of the group and the other has not, they part.
    (r"(\w+)x", "a", ((NEW, 1, 0), (NEW, 1, 2))),
    (r"(\w+)x", "ab", ((0, 0, 0), (0, 0, 2))),
    # None is left.
    (r"ab", "ac", ()),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), CARRIED)
def test_offsets_are_shared(pattern: str, text: str, expected: tuple[Heir, ...] | None) -> None:
    """A move says which offsets go on where, if that is not as it was."""
    table = Table(compile_pattern(pattern))
    state = table.idle
    for character in text:
        state, heirs, _ = table.move(state, character)

    assert heirs == expected


def test_moves_are_remembered() -> None:
    """What a character does to a state is worked out once."""
    table = Table(compile_pattern("ab"))

    first, *_ = table.move(table.idle, "a")
    assert table.idle.moves["a"][0] is first
    assert first.width == 1

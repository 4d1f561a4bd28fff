"""What markdown says of whole lines."""

from typing import Any

import pytest

from streamcite.scan.lines import (
    MAX_HEAD,
    FenceTracker,
    Lines,
    closes_fence,
    opens_fence,
    takes_marker,
)

OPENING = [
    ("```", "```"),
    ("```py", "```"),
    ("  ````", "````"),
    ("~~~~ `x`", "~~~~"),
    ("- ```", "```"),
    ("10. > ```", "```"),
    ("> > ~~~", "~~~"),
    ("\t\t```", "```"),
    ("``", None),
    ("``` a`b", None),
    ("x ```", None),
    ("", None),
    ("-```", None),
]


@pytest.mark.parametrize(("line", "fence"), OPENING)
def test_opens_fence(line: str, fence: str | None) -> None:
    """A fence opens behind blanks, list bullets and quotes, whatever their depth."""
    assert opens_fence(line) == fence


CLOSING = [
    ("```", "```", True),
    ("```", "````", True),
    ("````", "```", False),
    ("```", "~~~", False),
    ("```", "  > ``` \t", True),
    ("```", "```\r", True),
    ("```", "``` x", False),
    ("```", "- ```", False),
]


@pytest.mark.parametrize(("fence", "line", "closes"), CLOSING)
def test_closes_fence(fence: str, line: str, closes: bool) -> None:
    """A fence is closed by at least as long a run of its character, alone on its line."""
    assert closes_fence(fence, line) is closes


INDENTED = [
    ("    x", True),
    ("\tx", True),
    ("a\n\n    x", True),
    ("a\n\n    x\n    y", True),
    ("a\n\n    x\n\n    y", True),
    ("a\n    x", False),
    ("   x", False),
    ("a\n\n   x", False),
    ("- a\n\n    x", False),
    ("1. a\n\n    x", False),
    ("- a\n\nb\n\n    x", True),
    ("a\n\n    x\ny", False),
]


@pytest.mark.parametrize(("text", "code"), INDENTED)
def test_indented_code(text: str, code: bool) -> None:
    """Indented code follows a blank line or more of itself, and no list item."""
    lines = Lines()
    for character in text:
        lines.advance(character)

    assert lines.in_indented_code is code


def state(lines: Lines) -> list[Any]:
    """Return what lines say."""
    return [lines.head, lines.length, lines.in_indented_code, lines.at_start]


@pytest.mark.parametrize("text", [text for text, _ in INDENTED] + ["a\n\n\nb\n" + "x" * 300])
def test_lines_in_any_cut(text: str) -> None:
    """Lines say the same in whatever pieces they come."""
    whole, pieces = Lines(), Lines()
    whole.advance(text)
    for start in range(0, len(text), 3):
        pieces.advance(text[start : start + 3])

    assert state(whole) == state(pieces)


# A line so far, and whether a marker behind it stands in no indented code.
TAKING = [
    ("", True),
    ("a", True),
    (" ", True),
    ("   ", True),
    ("    ", False),
    ("   a", True),
    ("    a", False),
    ("\t", False),
    (" \ta", False),
    ("\u00a0   ", True),
]


@pytest.mark.parametrize(("line", "takes"), TAKING)
def test_takes_marker(line: str, takes: bool) -> None:
    """Four blanks or a tab before its first sign indent a line."""
    assert takes_marker(line) is takes


def test_at_start() -> None:
    """A line is at its start behind up to three blanks."""
    found = []
    for text in ("", "   ", "    ", "x", "a\n", "a\n x"):
        lines = Lines()
        lines.advance(text)
        found.append(lines.at_start)

    assert found == [True, True, False, False, True, False]


def test_head_is_bounded() -> None:
    """Of a line without end only the head is kept."""
    lines = Lines()
    for _ in range(1_000):
        lines.advance("word ")

    assert (len(lines.head), lines.length) == (MAX_HEAD, 5_000)


def test_fence_hides_lines() -> None:
    """Lines in a fence say nothing of the paragraph; behind it any kind of line may follow."""
    lines = Lines()
    lines.advance("- a\n")
    lines.cross(fenced=True)
    lines.advance("    x\n\n")
    lines.cross(fenced=False)

    assert not lines.fenced
    assert not lines.in_indented_code


@pytest.mark.parametrize("cut", [0, 1, 95, 96, 97, 120])
def test_head_is_the_same_however_cut(cut: int) -> None:
    """What is behind a head of full length is not taken for it."""
    text = "> " * 47 + "1. \n\n    ["
    lines = Lines()
    lines.advance(text[:cut])
    lines.advance(text[cut:])

    assert lines.in_indented_code


BEHIND_FENCES = [
    ("- a\n\n```", True),
    ("- a\n```", True),
    ("- a\n  ```", False),
    ("- a\n- ```", False),
    ("a\n```", True),
]


@pytest.mark.parametrize(("text", "expected"), BEHIND_FENCES)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_fence_ends_list(text: str, expected: bool, size: int) -> None:
    """Behind a fence an indented line is code, unless the fence belongs to a list."""
    lines = Lines()
    for start in range(0, len(text), size):
        lines.advance(text[start : start + size])
    lines.cross(fenced=True)
    lines.advance("\nx\n```\n")
    lines.cross(fenced=False)
    lines.advance("    [")

    assert lines.in_indented_code is expected


FENCED = [
    ("a", False),
    ("```", True),
    ("```py\nx", True),
    ("```\nx\n```", True),
    ("```\nx\n```\n", False),
    ("```\nx\n~~~\n", True),
    ("a\n- ```\nx", True),
    ("`` x", False),
]


@pytest.mark.parametrize(("text", "inside"), FENCED)
def test_fence_tracker(text: str, inside: bool) -> None:
    """A tracker says whether the current line stands in a fence, or opens or ends one."""
    whole, pieces = FenceTracker(), FenceTracker()
    whole.advance(text)
    for character in text:
        pieces.advance(character)

    assert whole.inside is pieces.inside is inside

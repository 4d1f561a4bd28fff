"""What stands before a place: the end of the text, its line, and code that was hidden there."""

import pytest

from streamcite.scan.lookback import MAX_LEFT, MAX_UNSEEN, LookBack, open_run, open_runs

RUNS = [
    ("", (0, "")),
    ("no code", (0, "")),
    ("a `b` c", (0, "")),
    ("a `b", (1, "b")),
    ("a ``b` c", (2, "b` c")),
    ("`a` ``b", (2, "b")),
    ("a \\`b", (0, "")),
    ("a \\``b", (1, "b")),
    ("a \\\\`b", (1, "b")),
]


@pytest.mark.parametrize(("text", "expected"), RUNS)
def test_open_run(text: str, expected: tuple[int, str]) -> None:
    """The first run that no other of its length closes is open, unless it is escaped."""
    assert open_run(text) == expected


def test_open_runs() -> None:
    """Should the first open run be none, the next may be one."""
    assert open_runs("``a `b ```c") == {1, 2, 3}
    assert open_runs("``a ```b``` c") == {2}
    assert open_runs("a") == frozenset()


BEHIND = [
    ("``a `b", 2, "a `b"),
    ("`x` ``a `b", 2, "a `b"),
    ("\\```a `b", 2, "a `b"),
    ("`a", 2, ""),
    # What was cut off in front may have been longer, or escaped.
    ("````" + "x" * (MAX_LEFT - 2), 2, "x" * (MAX_LEFT - 2)),
    ("\\``" + "x" * (MAX_LEFT - 2), 2, "x" * (MAX_LEFT - 2)),
    ("a``" + "x" * (MAX_LEFT - 2), 2, "x" * (MAX_LEFT - 2)),
    ("``" + "x" * MAX_LEFT, 2, "x" * MAX_LEFT),
    ("````" + "x" * (MAX_LEFT - 4) + "``y", 2, "y"),
]


@pytest.mark.parametrize(("text", "length", "expected"), BEHIND)
def test_behind_run(text: str, length: int, expected: str) -> None:
    """The last run of a length is found, one with an escaped backtick before it too."""
    look_back = LookBack()
    look_back.add(text)

    assert look_back.behind_run(length) == expected


@pytest.mark.parametrize("asked", [(), (0,), (1, 3), (0, 1, 2, 3)])
def test_fences_among_unseen_texts(asked: tuple[int, ...]) -> None:
    """A fence hides the lines passed in it, whenever anybody looks back."""
    look_back = LookBack()
    for number, (text, fenced) in enumerate([("a\n```", True), ("py\n- b\n```\n", False)]):
        look_back.add(text)
        if 2 * number in asked:
            assert look_back.lines.head == "```"[: 3 * fenced]
        look_back.cross(fenced=fenced)
        if 2 * number + 1 in asked:
            assert look_back.lines.fenced is fenced
    look_back.add("    c")

    assert look_back.lines.in_indented_code


def test_left_is_bounded() -> None:
    """However much is passed, only the end of it is kept."""
    look_back = LookBack()
    for _ in range(10 * MAX_UNSEEN):
        look_back.add("0123456789")

    assert look_back.left == ("0123456789" * MAX_LEFT)[-MAX_LEFT:]

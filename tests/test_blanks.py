"""Blanks before markers that are removed."""

from collections.abc import Sequence

import pytest

from streamcite.blanks import MAX_BLANKS, BlankKeeper

# Pieces of text, None for a removed marker, and what is shown in the end.
ROWS: list[tuple[Sequence[str | None], str]] = [
    (["a ", None, "."], "a."),
    (["a ", None, " b"], "a b"),
    (["a ", None, "\nb"], "a\nb"),
    (["a ", None], "a"),
    (["a ", None, "b"], "a b"),
    (["a ", None, None, "."], "a."),
    (["a ", None, " ", None, "."], "a."),
    (["a", None, " b"], "a b"),
    (["a\t \t", None, "。"], "a。"),
    (["a ", None, "(b)"], "a (b)"),
    (["a ", None, "“b”"], "a “b”"),
    ([None, " a"], "a"),
    (["x\n", None, "  a"], "x\na"),
    (["x\n  ", None, " a"], "x\n  a"),
    (["a  b ", None, "!"], "a  b!"),
    (["a ", None, ",\n\n", None, " b"], "a,\n\nb"),
    (["a\u00a0", None, "."], "a\u00a0."),
    (["a "], "a "),
]


def shown(pieces: Sequence[str | None]) -> str:
    """Return what a reader sees of these pieces."""
    keeper = BlankKeeper()
    text = "".join(keeper.remove() if piece is None else keeper.write(piece) for piece in pieces)
    return text + keeper.close()


@pytest.mark.parametrize(("pieces", "expected"), ROWS)
def test_removed_markers(pieces: Sequence[str | None], expected: str) -> None:
    """A removed marker takes the blanks before it if none is needed, and no line break."""
    assert shown(pieces) == expected


@pytest.mark.parametrize(("pieces", "expected"), ROWS)
def test_any_cut(pieces: Sequence[str | None], expected: str) -> None:
    """Text may come in single characters."""
    single = [each for piece in pieces for each in ([None] if piece is None else piece)]

    assert shown(single) == expected


def test_blanks_before_shown_citations_stay() -> None:
    """A citation that is shown keeps the blanks before it."""
    keeper = BlankKeeper()

    assert keeper.write("a ") == "a"
    assert (keeper.held, keeper.shows(), keeper.held) == (" ", " ", "")


def test_idle() -> None:
    """A keeper that holds nothing lets text pass."""
    keeper = BlankKeeper()
    states = [keeper.idle]
    keeper.write("a ")
    states.append(keeper.idle)
    keeper.remove()
    states.append(keeper.idle)
    keeper.write("b")
    states.append(keeper.idle)

    assert states == [True, False, False, True]


def test_bound() -> None:
    """Of a long run of blanks only the end is held; the rest is shown as it comes."""
    keeper = BlankKeeper()
    text = keeper.write("a") + "".join(keeper.write(" ") for _ in range(1_000))

    assert (len(text), len(keeper.held)) == (1_001 - MAX_BLANKS, MAX_BLANKS)
    assert text + keeper.close() == "a" + " " * 1_000


def test_passed_text() -> None:
    """Text that passed by counts as text before: at a line's start the blanks behind go."""
    keeper = BlankKeeper()
    keeper.passed("a\n")
    keeper.remove()

    assert keeper.write("  b") == "b"

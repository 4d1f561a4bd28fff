"""A text that grows by small pieces."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from streamcite.assemble.texts import BLOCK, MAX_PIECES, GrowingText

MANY = st.lists(st.text(max_size=9), min_size=MAX_PIECES, max_size=3 * MAX_PIECES)
LONG = st.lists(st.text(max_size=700), max_size=12)


@given(MANY | LONG, st.integers(0, 9_000), st.integers(1, 50))
def test_pieces_are_one_text(pieces: list[str], length: int, often: int) -> None:
    """A text knows its whole, its length and its tail, whenever that is asked for."""
    text, whole = GrowingText(), ""
    for number, piece in enumerate(pieces):
        text.append(piece)
        whole += piece
        if number % often == 0:
            assert text.tail(length) == whole[max(len(whole) - length, 0) :]

    assert (text.whole(), text.length) == (whole, len(whole))
    assert text.tail(length) == whole[max(len(whole) - length, 0) :]


def test_a_tail_of_several_blocks() -> None:
    """A tail that is longer than the last block is taken from no more blocks than it needs."""
    text = GrowingText()
    for letter in "abc":
        text.append(letter * BLOCK)

    assert text.tail(BLOCK + 1) == "b" + "c" * BLOCK


def test_price_of_one_string() -> None:
    """A long text of small pieces is kept at little more than the price of its characters."""
    tracemalloc.start()
    text = GrowingText()
    for number in range(20_000):
        text.append(f"{number:05}")
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept <= 1.5 * text.length


def test_empty() -> None:
    """A text that nothing was added to is empty."""
    assert (GrowingText().whole(), GrowingText().tail(3), GrowingText().length) == ("", "", 0)

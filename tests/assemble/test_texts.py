import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from streamcite.assemble.texts import GrowingText


@given(st.lists(st.text(max_size=700), max_size=12), st.integers(0, 9_000))
def test_pieces_are_one_text(pieces: list[str], length: int) -> None:
    """A text knows its whole, its length and its tail, whatever pieces it came in."""
    text, whole = GrowingText(), "".join(pieces)
    for piece in pieces:
        text.append(piece)

    assert (text.whole(), text.length) == (whole, len(whole))
    assert text.tail(length) == whole[max(len(whole) - length, 0) :]


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

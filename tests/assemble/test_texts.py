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


def test_few_objects_are_kept() -> None:
    """A long text of small pieces is kept as a few long ones."""
    text = GrowingText()
    for _ in range(20_000):
        text.append("word ")

    assert len(text._pieces) < 1_000
    assert text.whole() == "word " * 20_000


def test_empty() -> None:
    """A text that nothing was added to is empty."""
    assert (GrowingText().whole(), GrowingText().tail(3), GrowingText().length) == ("", "", 0)

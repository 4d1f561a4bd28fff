"""Characters that a server cut into two halves."""

import pytest

from streamcite.chunks import Chunk
from streamcite.inputs import SurrogateJoiner

HIGH, LOW = "\ud83d", "\ude00"

ROWS = {
    "two halves": (["a" + HIGH, LOW + "b"], ["a", "😀b"]),
    "both at once": ([HIGH + LOW], ["😀"]),
    "a half without the other": ([HIGH, "a"], ["", HIGH + "a"]),
    "a low one alone": (["a" + LOW], ["a" + LOW]),
    "an empty delta between": ([HIGH, "", LOW], ["", "", "😀"]),
    "two high ones": ([HIGH, HIGH, LOW], ["", HIGH, "😀"]),
    "the end": (["a" + HIGH], ["a", HIGH]),
    "no halves": (["é", "😀"], ["é", "😀"]),
}


@pytest.mark.parametrize(("texts", "expected"), ROWS.values(), ids=ROWS.keys())
def test_halves_are_joined(texts: list[str], expected: list[str]) -> None:
    """Halves that follow one another are one character; a lone one passes as it is."""
    joiner = SurrogateJoiner()

    chunks = [joiner.feed(Chunk(text)) for text in texts] + joiner.close()

    assert [chunk.text for chunk in chunks] == expected


def test_replies_keep_their_own_halves() -> None:
    """A half of one reply is not joined with a half of another."""
    joiner = SurrogateJoiner()

    chunks = [joiner.feed(Chunk(HIGH, 0)), joiner.feed(Chunk(LOW, 1)), joiner.feed(Chunk(LOW, 0))]

    assert [chunk.text for chunk in chunks] == ["", LOW, "😀"]


def test_a_finished_reply_holds_nothing() -> None:
    """A half at the end of a reply is passed on with its finish reason."""
    chunk = Chunk(HIGH, finish_reason="stop")

    assert SurrogateJoiner().feed(chunk) == chunk

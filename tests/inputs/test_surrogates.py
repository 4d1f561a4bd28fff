"""Characters that a server cut into two halves."""

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite.chunks import Channel, Chunk
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

    chunks = [each for text in texts for each in joiner.feed(Chunk(text))] + joiner.close()

    assert [chunk.text for chunk in chunks] == expected


def test_replies_keep_their_own_halves() -> None:
    """A half of one reply is not joined with a half of another."""
    joiner = SurrogateJoiner()

    halves = [Chunk(HIGH, 0), Chunk(LOW, 1), Chunk(LOW, 0)]
    chunks = [each for half in halves for each in joiner.feed(half)]

    assert [chunk.text for chunk in chunks] == ["", LOW, "😀"]


# What comes behind half a character of the reasoning, and what is given then.
BEHIND = {
    "text of the answer": (Chunk("b"), [Chunk(HIGH, channel="reasoning"), Chunk("b")]),
    "half of the answer": (Chunk(HIGH), [Chunk(HIGH, channel="reasoning"), Chunk("")]),
    "the end": (
        Chunk(finish_reason="stop"),
        [Chunk(HIGH, channel="reasoning"), Chunk(finish_reason="stop")],
    ),
    "nothing": (Chunk(usage={}), [Chunk(usage={})]),
    "another reply": (Chunk("b", 1), [Chunk("b", 1)]),
}


@pytest.mark.parametrize(("chunk", "expected"), BEHIND.values(), ids=BEHIND.keys())
def test_a_half_comes_before_what_leaves_it_alone(chunk: Chunk, expected: list[Chunk]) -> None:
    """Text of the other channel and the end of its reply let a half go, in its own channel."""
    joiner = SurrogateJoiner()
    joiner.feed(Chunk("a" + HIGH, channel="reasoning"))

    assert joiner.feed(chunk) == expected


def runs(pieces: Iterable[tuple[Channel, str]]) -> list[tuple[Channel, str]]:
    """Return the texts between changes of the channel, halves joined."""
    found = []
    for channel, group in groupby(((c, t) for c, t in pieces if t), key=itemgetter(0)):
        found.append((channel, joined("".join(text for _, text in group))))
    return found


def joined(text: str) -> str:
    """Return a text with its halves joined."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


CHANNELS: list[Channel] = ["answer", "reasoning"]


@given(st.lists(st.tuples(st.sampled_from(CHANNELS), st.text(["a", HIGH, LOW], max_size=3))))
def test_any_cut(pieces: list[tuple[Channel, str]]) -> None:
    """However a reply is cut, its text comes in order, with whole characters."""
    joiner = SurrogateJoiner()

    fed = [each for channel, text in pieces for each in joiner.feed(Chunk(text, channel=channel))]

    given_back = [(chunk.channel, chunk.text) for chunk in fed + joiner.close()]
    assert runs(given_back) == runs(pieces)
    assert all(text == joined(text) for _, text in given_back)


def test_a_finished_reply_holds_nothing() -> None:
    """A half at the end of a reply is passed on with its finish reason."""
    chunk = Chunk(HIGH, finish_reason="stop")

    assert SurrogateJoiner().feed(chunk) == [chunk]

"""The one neutral input."""

from dataclasses import FrozenInstanceError

import pytest

from streamcite import Chunk


def test_default_chunk_says_nothing() -> None:
    """A chunk without arguments is for the first reply's reader, and carries no text."""
    chunk = Chunk()

    assert (chunk.text, chunk.reply, chunk.channel) == ("", 0, "answer")
    assert (chunk.finish_reason, chunk.usage, chunk.citations, dict(chunk.meta)) == (
        None,
        None,
        (),
        {},
    )


def test_chunks_are_frozen_and_small() -> None:
    """A chunk cannot be changed, and has no dictionary of its own."""
    chunk = Chunk("text")

    with pytest.raises(FrozenInstanceError):
        chunk.text = "other"  # type: ignore[misc]  # that is the point
    assert not hasattr(chunk, "__dict__")


def test_chunks_are_equal_by_value() -> None:
    """Two chunks with the same content are equal."""
    assert Chunk("a", reply=1, meta={"model": "m"}) == Chunk("a", reply=1, meta={"model": "m"})

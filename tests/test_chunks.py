"""The one neutral input."""

from collections import OrderedDict
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from streamcite import Chunk
from streamcite.errors import InputError


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


# Fields as users have given them, and what is said of it.
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"text": b"x"}, "text is of type bytes; give a str"),
    ({"text": ["x"]}, "text is of type list; give a str"),
    ({"reply": "1"}, "reply is of type str; give its number, an int from 0"),
    ({"reply": None}, "reply is of type NoneType; give its number, an int from 0"),
    ({"reply": True}, "reply is True; give its number, from 0"),
    ({"reply": -1}, "reply is -1; give its number, from 0"),
    ({"channel": None}, "channel is of type NoneType; give 'answer' or 'reasoning'"),
    ({"channel": ""}, "channel is ''; give 'answer' or 'reasoning'"),
    ({"channel": "thinking"}, "channel is 'thinking'; give 'answer' or 'reasoning'"),
    ({"finish_reason": 1}, "finish_reason is of type int; give a str, or None"),
    ({"usage": 3}, r"usage is of type int; give a mapping, as by model_dump\(\)"),
    ({"citations": [{}]}, "citations is of type list; give a tuple of mappings"),
    ({"citations": None}, "citations is of type NoneType; give a tuple of mappings"),
    ({"citations": ("https://e.x",)}, "citations is of type str; give mappings"),
    ({"meta": None}, "meta is of type NoneType; give a mapping"),
]


@pytest.mark.parametrize(("fields", "message"), REFUSED)
def test_a_field_of_another_type_is_refused(fields: dict[str, Any], message: str) -> None:
    """Whoever makes a chunk is told there: the field, what it is, and what to give instead."""
    with pytest.raises(InputError, match=f"a chunk's {message}"):
        Chunk(**fields)


def test_nothing_has_several_spellings() -> None:
    """SDKs say None for no text, and some servers an empty finish reason in each delta."""
    text: Any = None

    assert Chunk(text, finish_reason="") == Chunk()


def test_subclasses_are_of_their_type() -> None:
    """A str, an int and a mapping of another class are read as such."""
    assert Chunk(type("Text", (str,), {})("x"), meta=OrderedDict(a=1)) == Chunk("x", meta={"a": 1})

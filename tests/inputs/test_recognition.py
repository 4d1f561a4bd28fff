"""Which items are recognised, and what is said of the others."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs import register, to_chunks


@dataclass
class Token:
    """A user's own stream item."""

    value: str


PLAIN = {
    "a chunk": (Chunk("x", 2), [Chunk("x", 2)]),
    "a str": ("x", [Chunk("x")]),
    "a chunk's fields": ({"text": "x", "reply": 1}, [Chunk("x", 1)]),
    "a chunk's citations": ({"text": "", "citations": [{}]}, [Chunk(citations=({},))]),
    "null for nothing": ({"text": None, "citations": None, "meta": None}, [Chunk()]),
}


@pytest.mark.parametrize(("item", "expected"), PLAIN.values(), ids=PLAIN.keys())
def test_plain_items_need_no_sdk(item: object, expected: list[Chunk]) -> None:
    """A chunk is itself, and so is what spells one."""
    assert to_chunks(item) == expected


def test_a_field_of_another_type_is_refused() -> None:
    """What spells a chunk is looked at as a chunk is."""
    with pytest.raises(InputError, match="a chunk's usage is of type int; give a mapping"):
        to_chunks({"text": "x", "usage": 3})


@pytest.mark.parametrize("item", [3, None, b"x", object(), [], {"text": 3}, Token("x")])
def test_an_unknown_item_is_named(item: object) -> None:
    """The error names the type and what is accepted."""
    with pytest.raises(InputError, match=f"{type(item).__name__}.*give str, bytes, streamcite"):
        to_chunks(item)


def test_an_unknown_dict_is_told_by_its_keys() -> None:
    """The keys say more of a dict than its type."""
    with pytest.raises(InputError, match=r"dict with the keys \['a', 'b'\]"):
        to_chunks({"b": 1, "a": 2})


def test_the_error_tells_both_ways_out() -> None:
    """An item of another client is read as text, or its type is registered."""
    item = SimpleNamespace(type="content_block_delta")

    with pytest.raises(InputError, match=r"OpenAI chat or.*give the text, as a str.*register"):
        to_chunks(item)


def test_a_registered_item_is_read() -> None:
    """An adapter of the user's own is asked before all others."""
    forget = register(lambda item: isinstance(item, Token), lambda item: [Chunk("mine")])
    try:
        assert to_chunks(Token("x")) == [Chunk("mine")]
    finally:
        forget()


def test_a_registered_item_can_be_forgotten() -> None:
    """What `register` returns takes the adapter away again."""
    register(lambda item: isinstance(item, Token), lambda item: [Chunk("mine")])()

    with pytest.raises(InputError):
        to_chunks(Token("x"))

"""Which items are recognised, and what is said of the others."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Any

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
    "a delta without text": (None, []),
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


@pytest.mark.parametrize("item", [3, object(), [], {"text": 3}, {"choices": {}}, Token("x")])
def test_an_unknown_item_is_named(item: object) -> None:
    """The error names the type and what is accepted."""
    with pytest.raises(InputError, match=f"{type(item).__name__}.*give str, bytes, streamcite"):
        to_chunks(item)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_want_a_decoder(kind: Callable[[bytes], object]) -> None:
    """As an item they may end in half a character, and the error tells what keeps it."""
    with pytest.raises(InputError, match=f"{kind.__name__} by itself: feed bytes to a .*PlainDec"):
        to_chunks(kind(b"x"))


def test_a_chunk_is_passed_on_as_it_is() -> None:
    """Nobody is asked what it is, not even an adapter of the user's own."""
    forget = register(lambda item: isinstance(item, Chunk), lambda item: [])
    chunk = Chunk("x")
    try:
        assert [each is chunk for each in to_chunks(chunk)] == [True]
    finally:
        forget()


@pytest.mark.parametrize(("recognise", "convert"), [(1, 2), (1, list), (callable, None)])
def test_an_adapter_is_two_functions(recognise: Any, convert: Any) -> None:
    """What cannot be called is refused at once, and not in the middle of a stream."""
    with pytest.raises(InputError, match=r"of type (int|NoneType); give two functions of an item"):
        register(recognise, convert)


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


def test_forgetting_twice_is_harmless() -> None:
    """Each registration is forgotten by its own function only, even of the same adapter."""
    adapter = (lambda item: isinstance(item, Token), lambda item: [Chunk("mine")])
    first, second = register(*adapter), register(*adapter)
    first()
    first()

    assert to_chunks(Token("x")) == [Chunk("mine")]
    second()
    with pytest.raises(InputError):
        to_chunks(Token("x"))


@pytest.mark.parametrize("kind", [str, bytes, bytearray, memoryview, object])
def test_an_adapter_for_text_is_refused(kind: type) -> None:
    """Nobody would ever ask it, and one for everything would be asked for chunks too."""
    with pytest.raises(InputError, match=r"would never be asked: .+ is read as text"):
        register(lambda item: isinstance(item, kind), lambda item: [])


def test_an_adapter_that_cannot_look_at_text_is_taken() -> None:
    """One that looks into a mapping never meets text, and need not be ready for it."""
    forget = register(lambda item: item["kind"] == "mine", lambda item: [Chunk("mine")])  # type: ignore[index]  # as users write it
    try:
        assert to_chunks("x") == [Chunk("x")]
        assert to_chunks({"kind": "mine"}) == [Chunk("mine")]
    finally:
        forget()


class Word(str):
    """A str of a user's own."""

    __slots__ = ()


class Sign(str, Enum):  # noqa: UP042  # this one prints its name
    """Texts with names."""

    STOP = "."


def test_a_subclass_of_str_can_be_registered() -> None:
    """It is text only where no adapter of the user's own reads it."""
    forget = register(lambda item: isinstance(item, Word), lambda item: [Chunk("mine")])
    try:
        assert to_chunks(Word("x")) == [Chunk("mine")]
    finally:
        forget()
    assert [type(chunk.text) for chunk in to_chunks(Word("x"))] == [str]
    assert to_chunks(Sign.STOP) == [Chunk(".")]

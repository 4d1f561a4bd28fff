"""The parts of a message and their dictionaries."""

from typing import Any

import pytest
from haystack import dataclasses as haystack

from streamcite.errors import TemplateError
from streamcite.prompts import (
    FileContent,
    ImageContent,
    ReasoningContent,
    TextContent,
    ToolCall,
    ToolCallResult,
)
from streamcite.prompts.parts import Part, part_from_dict, part_of, part_to_dict
from tests.prompts.test_images import ENCODED

CALL = ToolCall("search", {"q": 1}, "c1", {"x": 2})
PARTS: tuple[Part, ...] = (
    TextContent("text"),
    ImageContent(ENCODED, "image/png", "low", {"a": 1}),
    FileContent("aGk=", "text/plain", "a.txt", {"b": 1}),
    CALL,
    ToolCallResult("found", CALL, True),
    ToolCallResult((TextContent("x"), ImageContent(ENCODED)), CALL),
    ReasoningContent("hm", {"signature": "s"}),
)
each_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)


@each_part
def test_a_part_survives_its_dictionary(part: Part) -> None:
    """part_from_dict reads what part_to_dict wrote."""
    assert part_from_dict(part_to_dict(part)) == part


@each_part
def test_haystack_reads_the_dictionaries(part: Part) -> None:
    """Haystack makes its own part of the dictionary, and ours comes back from that."""
    written = {"role": "user", "content": [part_to_dict(part)]}

    (theirs,) = haystack.ChatMessage.from_dict(written)._content

    assert part_of(theirs) == part


FLAT: tuple[Part, ...] = (
    CALL,
    ToolCallResult("x", CALL),
    ReasoningContent("r"),
    FileContent("aGk="),
)


@pytest.mark.parametrize("part", FLAT, ids=lambda part: type(part).__name__)
def test_a_flat_dictionary_is_known_by_its_fields(part: Any) -> None:
    """A part without the key that names it is read by a field that only it has."""
    assert part_from_dict(part.to_dict()) == part


WRONG: tuple[tuple[Any, str], ...] = (
    ({}, "it needs one of text, tool_call"),
    ({"frob": 1}, r"the keys \['frob'\]"),
    ({"tool_call": {"name": "x"}}, "cannot read a message part"),
    ({"tool_call_result": {"result": "x"}}, "cannot read a message part: 'origin'"),
    ({"image": None}, "cannot read a message part"),
    ({"file": {"base64_data": "?"}}, "no base64 text"),
)


@pytest.mark.parametrize(("data", "message"), WRONG)
def test_a_wrong_dictionary_is_refused(data: Any, message: str) -> None:
    """What cannot be read is a TemplateError."""
    with pytest.raises(TemplateError, match=message):
        part_from_dict(data)


def test_a_text_is_a_part() -> None:
    """Where parts are wanted, a str is a text."""
    assert part_of("x") == TextContent("x")


@pytest.mark.parametrize("value", [7, None, {"text": "x"}, object()])
def test_other_values_are_no_parts(value: object) -> None:
    """The error lists what a message may hold."""
    with pytest.raises(
        TemplateError, match="no part of a message: give a str or one of TextContent"
    ):
        part_of(value)


def test_only_parts_have_dictionaries() -> None:
    """Something else cannot be written."""
    with pytest.raises(TemplateError, match="a message holds no int"):
        part_to_dict(7)  # type: ignore[arg-type]

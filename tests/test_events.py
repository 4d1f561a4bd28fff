"""What comes out while a reply streams, and its JSON."""

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from streamcite import (
    AnswerEvent,
    Citation,
    Citer,
    FinalAnswer,
    GeneratedAnswer,
    PartialAnswer,
    Reference,
    SectionEnded,
    SectionStarted,
    event_adapter,
)
from tests.transcripts import documents, play

CITATION = Citation(id="c1", marker="[1]", references=(Reference(source_index=1),), start=0, end=3)
EXAMPLES: list[AnswerEvent] = [
    PartialAnswer(0, None, 0, "[1] é", (CITATION,), (CITATION,)),
    PartialAnswer(1, "think", 12, "x"),
    SectionStarted(0, "think", {"mode": "deep"}),
    SectionEnded(0, "think", complete=False),
    FinalAnswer(0, GeneratedAnswer(data="[1]", citations=[CITATION]), True, "stop"),
]
examples = pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)


@examples
def test_json_round_trip(event: AnswerEvent) -> None:
    """Every event is the same after it was written as JSON and read back."""
    adapter = event_adapter()

    assert adapter.validate_json(adapter.dump_json(event)) == event


@pytest.mark.parametrize("section", [None, 'a"b'])
def test_plain_json(section: str | None) -> None:
    """What is written without the schema is what the schema writes, for every character."""
    delta = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x10FFFF, 97))))
    event = PartialAnswer(2, section, 4, delta)

    assert event_adapter().dump_json(event) == TypeAdapter(AnswerEvent).dump_json(event)


def test_engine_events_as_values() -> None:
    """What an event gives as JSON-ready values is what its JSON says."""
    citer = Citer(documents=documents(1), extract_xml_tags="a")
    events = [*citer.feed("a [1] <a>"), *citer.close()]

    written = [json.loads(event_adapter().dump_json(event)) for event in events]
    assert [event.to_dict() for event in events] == written


def test_half_a_character_has_no_json() -> None:
    """A lone surrogate cannot be written, whichever way."""
    with pytest.raises(PydanticSerializationError):
        event_adapter().dump_json(PartialAnswer(0, None, 0, "\ud800"))


@examples
def test_events_are_frozen(event: AnswerEvent) -> None:
    """An event that was emitted cannot be changed."""
    with pytest.raises((FrozenInstanceError, AttributeError)):
        event.reply = 3  # type: ignore[misc]  # that is the point


def test_kinds_tell_them_apart() -> None:
    """The kind of an event names its type in JSON."""
    kinds = [event_adapter().dump_python(event)["kind"] for event in EXAMPLES]

    assert kinds == ["partial", "partial", "section_started", "section_ended", "final"]


def test_json_schema() -> None:
    """The schema of the union is told apart by the kind."""
    schema: dict[str, Any] = event_adapter().json_schema()

    assert schema["discriminator"]["propertyName"] == "kind"
    assert set(schema["discriminator"]["mapping"]) == {
        "partial",
        "section_started",
        "section_ended",
        "final",
    }
    assert {"PartialAnswer", "SectionStarted", "FinalAnswer"} <= schema["$defs"].keys()


def test_engine_events_round_trip() -> None:
    """What the engine emits is the same after it was written and read back, lists of it too."""
    citer = Citer(documents=documents(2), extract_xml_tags="think")
    adapter = event_adapter()

    for events in play(citer, ["Hi <think a='b'>x [1]", "</think> [2]", " y"]):
        for event in events:
            assert adapter.validate_python(adapter.dump_python(event)) == event


def test_events_are_equal_by_value() -> None:
    """Two partials with the same content are equal, whoever made them."""
    (made,) = Citer().feed("a")

    assert made == PartialAnswer(0, None, 0, "a")
    assert made != PartialAnswer(0, None, 1, "a")


def test_answer_so_far() -> None:
    """A partial gives the answer as it stood then, even when more came since."""
    citer = Citer(documents=documents(2), query="Q?")
    first, second = citer.feed("a [1] b") + citer.feed(" c [2] d")

    assert isinstance(first, PartialAnswer)
    assert isinstance(second, PartialAnswer)
    assert (first.answer.data, second.answer.data) == ("a [1] b", "a [1] b c [2] d")
    assert [len(event.answer.citations) for event in (first, second)] == [1, 2]
    assert first.answer.query == "Q?"


def test_answer_so_far_without_places() -> None:
    """Removed markers count from the event that brought them on."""
    citer = Citer(documents=documents(2), display="remove")
    events = [event for token in ("a", " [1]", " [2]", " b", " [1]") for event in citer.feed(token)]
    events += citer.close()

    partials = [event for event in events if isinstance(event, PartialAnswer)]
    assert [len(event.answer.citations) for event in partials] == [0, 1, 2, 3]


def test_answer_of_a_partial_from_json() -> None:
    """A partial that came over the wire knows its own text only."""
    adapter = event_adapter()

    event = adapter.validate_json(adapter.dump_json(PartialAnswer(0, None, 4, "x")))

    assert isinstance(event, PartialAnswer)
    assert event.answer.data == "x"

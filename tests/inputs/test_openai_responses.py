"""Events of OpenAI's Responses API, as the SDK's objects and as dicts."""

import json
from dataclasses import replace
from typing import Any

import pytest
from openai.types.responses import Response, ResponseStreamEvent
from pydantic import TypeAdapter

from streamcite import cite
from streamcite.chunks import Chunk
from streamcite.errors import GeneratorError, InputError
from streamcite.inputs import SseDecoder, to_chunks

PLACE = {"item_id": "i", "output_index": 0, "content_index": 0, "sequence_number": 1}
USAGE = {
    "input_tokens": 1,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 2,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 3,
}
META = {"model": "m"}
NOTE = {
    "type": "url_citation",
    "url": "https://e.x",
    "title": "t",
    "start_index": 0,
    "end_index": 1,
}
CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}

MESSAGE = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": []}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    """Build an event."""
    return {"type": kind, **PLACE, **fields}


def told(kind: str, **fields: Any) -> dict[str, Any]:
    """Build an event with the response itself."""
    head = {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "output": [],
        "tools": [],
    }
    more = {"parallel_tool_calls": True, "tool_choice": "auto"}
    return {"type": kind, "sequence_number": 1, "response": {**head, **more, **fields}}


def over(item: dict[str, Any]) -> dict[str, Any]:
    """Build the event of an item that is over."""
    return event("response.output_item.done", item=item)


def summary_part(index: int) -> dict[str, Any]:
    """Build the event of a part of a reasoning summary that begins."""
    part = {"type": "summary_text", "text": ""}
    return event("response.reasoning_summary_part.added", part=part, summary_index=index)


EVENTS = {
    "the beginning": (told("response.created"), [Chunk(meta=META)]),
    "text": (event("response.output_text.delta", delta="x", logprobs=[]), [Chunk("x")]),
    "no text": (event("response.output_text.delta", delta="", logprobs=[]), []),
    "the same again": (event("response.output_text.done", text="x", logprobs=[]), []),
    "a refusal": (event("response.refusal.delta", delta="No."), [Chunk("No.")]),
    "speech": (
        {"type": "response.audio.transcript.delta", "sequence_number": 1, "delta": "x"},
        [Chunk("x")],
    ),
    "a name that is empty": (told("response.created", model=""), [Chunk()]),
    "reasoning": (
        event("response.reasoning_text.delta", delta="r"),
        [Chunk("r", channel="reasoning")],
    ),
    "its summary": (
        event("response.reasoning_summary_text.delta", delta="r", summary_index=0),
        [Chunk("r", channel="reasoning")],
    ),
    "the first part of the summary": (summary_part(0), []),
    "the next part of the summary": (summary_part(1), [Chunk("\n\n", channel="reasoning")]),
    "a message is over": (over(MESSAGE), [Chunk(finish_reason="stop")]),
    "a message is cut off": (over({**MESSAGE, "status": "incomplete"}), []),
    "a call is over": (over({**CALL, "status": "completed"}), []),
    "a call": (event("response.function_call_arguments.delta", delta="{}"), []),
    "an annotation": (
        event("response.output_text.annotation.added", annotation=NOTE, annotation_index=0),
        [Chunk(citations=(NOTE,))],
    ),
    "the end": (
        told("response.completed", usage=USAGE),
        [Chunk(finish_reason="stop", usage=USAGE, meta=META)],
    ),
    "a call at the end": (
        told("response.completed", output=[CALL]),
        [Chunk(finish_reason="tool_calls", meta=META)],
    ),
    "too long": (
        told("response.incomplete", incomplete_details={"reason": "max_output_tokens"}),
        [Chunk(finish_reason="length", meta=META)],
    ),
    "too long behind a call": (
        told("response.incomplete", output=[CALL], incomplete_details={"reason": "content_filter"}),
        [Chunk(finish_reason="content_filter", meta=META)],
    ),
    "cut off for no reason": (
        told("response.incomplete"),
        [Chunk(finish_reason="incomplete", meta=META)],
    ),
    "filtered": (
        told("response.incomplete", incomplete_details={"reason": "content_filter"}),
        [Chunk(finish_reason="content_filter", meta=META)],
    ),
}
each_event = pytest.mark.parametrize(("item", "expected"), EVENTS.values(), ids=EVENTS.keys())


@each_event
def test_a_dict_gives_chunks(item: object, expected: list[Chunk]) -> None:
    """An event as JSON has it gives its text, or what it says."""
    assert to_chunks(item) == expected


@each_event
def test_an_object_gives_the_same(item: object, expected: list[Chunk]) -> None:
    """The SDK's object gives what the dict gives."""
    found: Any = TypeAdapter(ResponseStreamEvent).validate_python(item)

    assert to_chunks(found) == expected


@pytest.mark.parametrize("kind", ["response.queued", "response.of.tomorrow"])
def test_other_events_say_nothing(kind: str) -> None:
    """New ones come to be, and must not end a stream."""
    assert to_chunks({"type": kind}) == []


@pytest.mark.parametrize("item", [
    told("response.failed", error={"code": "server_error", "message": "overloaded"}),
    {"type": "error", "message": "overloaded", "code": None, "sequence_number": 1},
    {"type": "error", "message": "overloaded", "code": None},
])  # fmt: skip
def test_a_failure_is_raised(item: object) -> None:
    """A response that fails says why."""
    with pytest.raises(GeneratorError, match="reports an error in its stream: overloaded"):
        to_chunks(item)


def test_a_failure_without_a_reason_is_told_in_few_words() -> None:
    """The response itself, with all that was asked for, is no reason."""
    with pytest.raises(GeneratorError, match=r"\Athe server .* failed, but not why\Z"):
        to_chunks(told("response.failed", error=None))


@pytest.mark.parametrize("item", [
    {"type": "error"}, {"type": "response.text.delta", "event_id": "e", "delta": "x"}, {"type": 3},
])  # fmt: skip
def test_other_items_are_not_taken(item: object) -> None:
    """What may have text in another place, as in the Realtime API, is refused."""
    with pytest.raises(InputError, match="dict with the keys"):
        to_chunks(item)


THOUGHT = {"type": "summary_text", "text": "r"}
TEXT = {"type": "output_text", "text": "x [1]", "annotations": [NOTE], "logprobs": []}
OUTPUT = [
    {"type": "reasoning", "id": "s", "summary": []},
    {"type": "reasoning", "id": "r", "summary": [THOUGHT, THOUGHT]},
    {**MESSAGE, "content": [TEXT, {"type": "refusal", "refusal": "No."}]},
    CALL,
]
TOLD = told("response.completed", output=OUTPUT, usage=USAGE)["response"]
REASONING = Chunk("r\n\nr", channel="reasoning")
SAID = [REASONING, Chunk("x [1]", citations=(NOTE,)), Chunk("No."), Chunk(finish_reason="stop")]
FACTS = Chunk(usage=USAGE, meta=META)

WHOLE = {
    "completed": (
        TOLD | {"status": "completed"},
        [*SAID, replace(FACTS, finish_reason="tool_calls")],
    ),
    "incomplete": (
        TOLD | {"status": "incomplete"},
        [*SAID, replace(FACTS, finish_reason="incomplete")],
    ),
    "queued": (TOLD | {"status": "queued", "output": []}, [FACTS]),
}


@pytest.mark.parametrize(("response", "expected"), WHOLE.values(), ids=WHOLE.keys())
def test_a_response_is_read_as_a_whole(response: dict[str, Any], expected: list[Chunk]) -> None:
    """One that was not streamed gives what its events would have, as a dict and as an object."""
    assert to_chunks(response) == expected
    assert to_chunks(Response.model_validate(response)) == expected


@pytest.mark.parametrize(
    ("error", "told"), [({"message": "overloaded"}, "overloaded"), (None, "why")]
)
def test_a_response_that_failed_is_told(error: object, told: str) -> None:
    """One that was not streamed says why, as its event would."""
    with pytest.raises(GeneratorError, match=f"{told}$"):
        to_chunks(TOLD | {"status": "failed", "error": error})


@pytest.mark.anyio
async def test_each_message_is_a_reply() -> None:
    """What the model says before it calls a tool does not run into what it says then."""
    first, second = (
        event("response.output_text.delta", delta=text) for text in ("Look.", "Seine.")
    )
    items = [EVENTS["the beginning"][0], first, over(MESSAGE), over(CALL), second, over(MESSAGE)]
    stream = cite([*items, told("response.completed", usage=USAGE)])

    async for _ in stream:
        pass
    assert [answer.data for answer in stream.finals] == ["Look.", "Seine."]
    assert stream.final.meta["usage"] == USAGE


def test_a_body_is_complete_at_its_last_event() -> None:
    """It has no `[DONE]`, and breaks off anywhere before."""
    decoder, complete = SseDecoder(), []

    for name in ("the beginning", "text", "the same again", "the end"):
        item = EVENTS[name][0]
        decoder.feed(f"event: {item['type']}\ndata: {json.dumps(item)}\n\n")
        complete.append(decoder.complete)

    assert complete == [False, False, False, True]

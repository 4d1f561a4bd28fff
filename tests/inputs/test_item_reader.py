"""Streams of the `stream()` helper of OpenAI's SDK, whole and in part."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from streamcite import cite
from streamcite.chunks import Chunk
from streamcite.inputs import JsonlDecoder, register
from streamcite.inputs.item_reader import ItemReader

pytestmark = pytest.mark.anyio

DELTAS: list[dict[str, Any]] = [
    {"role": "assistant", "content": ""},
    {"reasoning": "Hm."},
    {"content": "On the Seine "},
    {"content": "[1]"},
    {"refusal": "."},
    {},
]


def helper_events(deltas: list[dict[str, Any]]) -> Iterator[Any]:
    """Yield what the SDK itself makes of these deltas."""
    state: ChatCompletionStreamState[None] = ChatCompletionStreamState()
    for count, delta in enumerate(deltas, start=1):
        reason = "stop" if count == len(deltas) else None
        choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
        raw = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        chunk = ChatCompletionChunk.model_validate({**raw, "choices": choices})
        yield from state.handle_chunk(chunk)


def is_reasoning(event: Any) -> bool:
    """Say whether an event is a raw chunk with reasoning."""
    return event.type == "chunk" and "reasoning" in event.chunk.choices[0].delta.model_extra


PICKS: dict[str, Callable[[Any], bool]] = {
    "all": lambda event: True,
    "chunks": lambda event: event.type == "chunk",
    "deltas": lambda event: event.type in ("content.delta", "refusal.delta"),
    "all but chunks": lambda event: event.type != "chunk",
    "deltas, and chunks with reasoning": lambda event: (
        event.type in ("content.delta", "refusal.delta") or is_reasoning(event)
    ),
}
each_pick = pytest.mark.parametrize("pick", PICKS.values(), ids=PICKS.keys())


def texts_of(chunks: list[Chunk]) -> list[str]:
    """Collect what is for the reader."""
    return [chunk.text for chunk in chunks if chunk.text and chunk.channel == "answer"]


@each_pick
def test_each_text_is_read_once(pick: Callable[[Any], bool]) -> None:
    """Whether both events that say it are given, or one of them."""
    reader = ItemReader()

    events = filter(pick, helper_events(DELTAS))
    chunks = [chunk for event in events for chunk in reader.read(event)]
    assert texts_of(chunks) == ["On the Seine ", "[1]", "."]


@each_pick
def test_a_recording_of_events_is_read_alike(pick: Callable[[Any], bool]) -> None:
    """As JSON lines they are what they are as objects."""
    decoder = JsonlDecoder()

    lines = [event.to_json(indent=None) + "\n" for event in helper_events(DELTAS) if pick(event)]
    assert texts_of(decoder.feed("".join(lines))) == ["On the Seine ", "[1]", "."]


@each_pick
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_events_are_cited_live(pick: Callable[[Any], bool]) -> None:
    """`cite` takes the helper's stream as it is, and what was picked from it."""
    stream = cite(filter(pick, helper_events(DELTAS)), documents=["Paris lies on the Seine."])

    shown = [event.delta async for event in stream if event.kind == "partial" and not event.section]
    assert "".join(shown) == stream.final.data == "On the Seine [1]."
    assert len(stream.final.citations) == 1


def test_text_before_is_no_reason_to_skip_an_event() -> None:
    """Only the helper's own chunks are repeated, and not what somebody puts before them."""
    reader = ItemReader()
    event = {"type": "content.delta", "delta": "x"}

    chunks = [reader.read(each) for each in (Chunk("Now: "), "then ", event)]
    assert chunks == [[Chunk("Now: ")], [Chunk("then ")], [Chunk("x")]]


def test_an_adapter_of_the_users_own_decides() -> None:
    """What it says to have no text has none."""
    event = {"type": "content.delta", "delta": "x"}
    forget = register(lambda item: item == event, lambda item: [])

    try:
        assert ItemReader().read(event) == []
    finally:
        forget()

"""OpenAI's chunks, as the SDK's objects and as dicts."""

import pytest
from openai.types import Completion
from openai.types.chat import ChatCompletionChunk

from streamcite.chunks import Chunk
from streamcite.errors import GeneratorError
from streamcite.inputs import to_chunks


def chat(*choices: dict[str, object], **more: object) -> dict[str, object]:
    """Build a chat chunk."""
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**head, "choices": list(choices), **more}


def choice(
    delta: dict[str, object], index: int = 0, reason: str | None = None
) -> dict[str, object]:
    """Build one choice of a chat chunk."""
    return {"index": index, "delta": delta, "finish_reason": reason}


USAGE = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
META = {"model": "m"}
NOTE = {"type": "url_citation", "url_citation": {"url": "https://e.x", "start_index": 0}}

CHAT = {
    "text": (chat(choice({"content": "x"})), [Chunk("x")]),
    "role": (chat(choice({"role": "assistant", "content": ""})), [Chunk(meta=META)]),
    "null content": (chat(choice({"content": None})), [Chunk(meta=META)]),
    "finish": (
        chat(choice({}, reason="length")),
        [Chunk(finish_reason="length", meta=META)],
    ),
    "text and finish in one": (
        chat(choice({"content": "x"}, reason="stop")),
        [Chunk("x"), Chunk(finish_reason="stop", meta=META)],
    ),
    "an older word for a reason": (
        chat(choice({}, reason="function_call")),
        [Chunk(finish_reason="tool_calls", meta=META)],
    ),
    "reasoning before text": (
        chat(choice({"content": "x", "reasoning_content": "r"})),
        [Chunk("r", channel="reasoning"), Chunk("x")],
    ),
    "two choices": (
        chat(choice({"content": "b"}, index=1), choice({"content": "a"})),
        [Chunk("b", reply=1), Chunk("a")],
    ),
    "usage without choices": (chat(usage=USAGE), [Chunk(usage=USAGE, meta=META)]),
    "refusal": (chat(choice({"refusal": "No."})), [Chunk("No.")]),
    "annotations": (
        chat(choice({"annotations": [NOTE]})),
        [Chunk(citations=(NOTE,), meta=META)],
    ),
}
DICTS = {
    **CHAT,
    "content in blocks": (
        chat(choice({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})),
        [Chunk("ab")],
    ),
    "an unknown reason": (
        chat(choice({}, reason="tired")),
        [Chunk(finish_reason="tired", meta=META)],
    ),
    "another server's reason": (
        chat(choice({}, reason="eos_token")),
        [Chunk(finish_reason="stop", meta=META)],
    ),
    "a whole message": ({"choices": [{"message": {"content": "x"}}]}, [Chunk("x")]),
    "no choices at all": ({"choices": []}, []),
}


@pytest.mark.parametrize(("item", "expected"), DICTS.values(), ids=DICTS.keys())
def test_a_dict_gives_chunks(item: object, expected: list[Chunk]) -> None:
    """A chat chunk as JSON has it gives its texts, and what else it says, in order."""
    assert to_chunks(item) == expected


@pytest.mark.parametrize(("item", "expected"), CHAT.values(), ids=CHAT.keys())
def test_an_object_gives_the_same(item: dict[str, object], expected: list[Chunk]) -> None:
    """The SDK's object gives what the dict gives; what it fills in itself is left out."""
    chunks = to_chunks(ChatCompletionChunk.model_validate(item))

    assert chunks == expected


def test_a_completion_gives_its_text() -> None:
    """The legacy endpoint's chunk has its text in the choice itself."""
    head = {"id": "c", "object": "text_completion", "created": 1, "model": "m"}
    choices = [{"index": 1, "text": "x", "finish_reason": "stop", "logprobs": None}]
    item = Completion.model_validate({**head, "choices": choices})

    assert to_chunks(item) == [Chunk("x", 1), Chunk("", 1, finish_reason="stop", meta=META)]


def test_events_of_the_stream_helper_count_once() -> None:
    """Of what `stream()` yields, only the raw chunk is read: the rest repeats it."""
    raw = chat(choice({"content": "x"}))
    events = [
        {"type": "chunk", "chunk": raw, "snapshot": {}},
        {"type": "content.delta", "delta": "x", "snapshot": "x"},
        {"type": "content.done", "content": "x"},
    ]

    assert [chunk for event in events for chunk in to_chunks(event)] == [Chunk("x")]


def test_an_error_in_the_stream_is_raised() -> None:
    """A server that fails in mid-stream says why."""
    with pytest.raises(GeneratorError, match="reports an error in its stream: overloaded"):
        to_chunks({"error": {"message": "overloaded", "type": "server_error"}})

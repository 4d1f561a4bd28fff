"""OpenAI's chunks, as the SDK's objects and as dicts."""

from dataclasses import replace
from types import SimpleNamespace as Item
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types import Completion
from openai.types.chat import ChatCompletionChunk

from streamcite.chunks import Chunk
from streamcite.errors import GeneratorError, InputError
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

TEXT = {"type": "text", "text": "x"}
DETAILS = [
    {"type": "reasoning.text", "text": "a", "signature": None},
    {"type": "reasoning.summary", "summary": "b"},
    {"text": "c"},
    {"type": "reasoning.encrypted", "data": "d"},
]
REFERENCE = {"type": "reference", "reference_ids": [1]}


def thinking(text: str) -> dict[str, object]:
    """Build a part of a content list, as Mistral's reasoning models send it."""
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


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
    # https://github.com/BerriAI/litellm/issues/20246
    "reasoning under both names": (
        chat(choice({"reasoning": "r", "reasoning_content": "r"})),
        [Chunk("r", channel="reasoning")],
    ),
    "an empty name beside it": (
        chat(choice({"reasoning": "r", "reasoning_content": ""})),
        [Chunk("r", channel="reasoning")],
    ),
    # https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
    "OpenRouter's details alone": (
        chat(choice({"content": "x", "reasoning_details": DETAILS})),
        [Chunk("abc", channel="reasoning"), Chunk("x")],
    ),
    "OpenRouter's details beside the same text": (
        chat(choice({"content": "", "reasoning": "abc", "reasoning_details": DETAILS})),
        [Chunk("abc", channel="reasoning")],
    ),
    "details without text": (
        chat(choice({"reasoning": None, "reasoning_details": DETAILS[-1:]})),
        [Chunk(meta=META)],
    ),
    "refusal": (chat(choice({"refusal": "No."})), [Chunk("No.")]),
    "what is spoken": (chat(choice({"audio": {"transcript": "x"}})), [Chunk("x")]),
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
    "content in strings": (chat(choice({"content": ["a", "b"]})), [Chunk("ab")]),
    "content in one block": (
        chat(choice({"content": {"type": "text", "text": "a"}})),
        [Chunk("a")],
    ),
    # https://github.com/braintrustdata/braintrust-sdk-javascript/issues/1857
    "Mistral's thinking": (
        chat(choice({"content": [thinking("a"), thinking("b"), TEXT, thinking("c")]})),
        [Chunk("ab", 0, "reasoning"), Chunk("x"), Chunk("c", 0, "reasoning")],
    ),
    "Mistral's references": (
        chat(choice({"content": [TEXT, REFERENCE, TEXT]})),
        [Chunk("xx"), Chunk(citations=(REFERENCE,), meta=META)],
    ),
    "Databricks' reasoning": (
        chat(choice({"content": [{"type": "reasoning", "summary": [TEXT]}, TEXT]})),
        [Chunk("x", 0, "reasoning"), Chunk("x")],
    ),
    "thinking that was said before": (
        chat(choice({"reasoning_content": "a", "content": [thinking("a"), TEXT]})),
        [Chunk("a", 0, "reasoning"), Chunk("x")],
    ),
    "a refusal among the parts": (
        chat(choice({"content": [{"type": "refusal", "refusal": "No."}]})),
        [Chunk("No.")],
    ),
    "parts of no known kind": (
        chat(choice({"content": [{"type": ["text"]}, {}, None, 3]})),
        [Chunk(meta=META)],
    ),
    # https://github.com/ollama/ollama/issues/4357
    "an empty reason": (chat(choice({"content": "x"}, reason="")), [Chunk("x")]),
    "an empty reason without text": (chat(choice({}, reason="")), [Chunk(meta=META)]),
    # https://github.com/PowerShell/AIShell/issues/350
    "null in quotes": (chat(choice({"content": "x"}, reason="null")), [Chunk("x")]),
    # https://docs.perplexity.ai/docs/sonar/pro-search/stream-mode
    "a message that repeats": (
        {"choices": [{"delta": {}, "message": {"content": "all"}, "finish_reason": "stop"}]},
        [Chunk(finish_reason="stop")],
    ),
    "the same text in two places": (
        {"choices": [{"text": "x", "delta": {"content": "x"}}]},
        [Chunk("x")],
    ),
    "no index that counts": (
        {"choices": [{"index": each, "text": "x"} for each in (None, True, -1, "1")]},
        [Chunk("x")] * 4,
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
    "null for choices": ({"choices": None}, []),
    "null in choices": ({"choices": [None]}, [Chunk()]),
    "usage beside null": (
        chat() | {"choices": None, "usage": USAGE},
        [Chunk(usage=USAGE, meta=META)],
    ),
    "nothing but usage": ({"usage": USAGE}, [Chunk(usage=USAGE)]),
    "usage without choices, with more": (
        {"object": "chat.completion.chunk", "usage": USAGE, "x_more": 1},
        [Chunk(usage=USAGE)],
    ),
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


@pytest.mark.parametrize(
    ("fields", "expected"),
    [({"object": "chat.completion.chunk"}, []), ({"usage": USAGE}, [Chunk(usage=USAGE)])],
)
def test_an_object_without_choices(fields: dict[str, Any], expected: list[Chunk]) -> None:
    """The SDK checks nothing, and gives None for choices that were not sent."""
    assert to_chunks(ChatCompletionChunk.construct(**fields)) == expected


def test_an_object_of_nothing_is_none() -> None:
    """It is what the SDK makes of an answer that is no chunk at all."""
    with pytest.raises(InputError):
        to_chunks(ChatCompletionChunk.construct(detail="Not Found"))


def test_events_of_mistral_are_unwrapped() -> None:
    """Its SDK gives each chunk in the field `data` of an event; what is not set is no text."""
    deltas = [Item(content="x"), Item(content=object())]
    chunks = [Item(choices=[Item(index=0, delta=delta, finish_reason=None)]) for delta in deltas]

    found = [chunk for each in chunks for chunk in to_chunks(Item(data=each))]
    assert found == [Chunk("x"), Chunk()]


@pytest.mark.parametrize("more", [{"content": "x"}, {"type": "message_delta"}, {"delta": {}}])
def test_usage_of_others_is_not_read(more: dict[str, object]) -> None:
    """An item that may hold text of another kind is refused, not passed over."""
    with pytest.raises(InputError, match="dict with the keys"):
        to_chunks({"usage": USAGE, **more})


def test_events_of_the_stream_helper_count_once() -> None:
    """Of what `stream()` yields, only the raw chunk is read: the rest repeats it."""
    raw = chat(choice({"content": "x"}))
    events = [
        {"type": "chunk", "chunk": raw, "snapshot": {}},
        {"type": "content.delta", "delta": "x", "snapshot": "x"},
        {"type": "content.done", "content": "x"},
    ]

    assert [chunk for event in events for chunk in to_chunks(event)] == [Chunk("x")]


@pytest.mark.parametrize("raw", ["x", {"content": "x"}, {"type": "chunk", "chunk": "x"}])
def test_another_chunk_in_such_an_event_is_refused(raw: object) -> None:
    """Its text would be lost, and nobody told of it."""
    with pytest.raises(InputError, match="dict with the keys"):
        to_chunks({"type": "chunk", "chunk": raw})


@pytest.mark.parametrize("name", ["chunk", "data"])
def test_what_is_nested_endlessly_raises_nothing_else(name: str) -> None:
    """A server decides how deep it is."""
    item: dict[str, Any] = {"choices": []}
    for _ in range(10_000):
        item = {"type": "chunk", "choices": [], name: item}

    assert to_chunks(item) == []


def test_an_error_that_is_nested_endlessly_is_told() -> None:
    """Python cannot show it."""
    error: list[Any] = []
    for _ in range(10_000):
        error = [error]

    with pytest.raises(GeneratorError, match="nested too deeply to be shown"):
        to_chunks({"error": error})


def test_an_error_without_a_message_is_told_in_few_words() -> None:
    """It may be all that the server has."""
    with pytest.raises(GeneratorError) as caught:
        to_chunks({"error": {"trace": "x" * 10_000}})
    assert len(str(caught.value)) < 1_000


# Names that mean something, each with any value.
NAMES = [
    *("choices", "usage", "model", "index", "delta", "message", "content", "type", "text", "data"),
    *("thinking", "reasoning", "reasoning_content", "refusal", "audio", "transcript", "summary"),
    *("annotations", "finish_reason", "reasoning_details"),
]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "x", "thinking"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(st.fixed_dictionaries({"delta": VALUES}) | VALUES), VALUES)
def test_nothing_in_a_choice_raises(choices: list[object], usage: object) -> None:
    """Whatever a server puts into its chunks, there are chunks, and each is one."""
    chunks = to_chunks({"choices": choices, "usage": usage, "model": usage})

    assert chunks == [replace(chunk) for chunk in chunks]


@pytest.mark.parametrize(
    ("index", "reply"),
    [(2, 2), (0, 0), (-1, 0), (True, 0), (False, 0), ("1", 0), (1.0, 0), (None, 0), ([1], 0)],
)
def test_which_reply_an_index_means(index: object, reply: int) -> None:
    """An index that is no number means the first reply."""
    (chunk,) = to_chunks({"choices": [{"index": index, "delta": {"content": "a"}}]})

    assert chunk == Chunk("a", reply)
    assert type(chunk.reply) is int


ERRORS = [
    {"error": {"message": "overloaded", "type": "server_error"}},
    {"error": "overloaded"},
    {"choices": None, "error": {"message": "overloaded"}},
    {"object": "error", "message": "overloaded", "code": 503},
]


@pytest.mark.parametrize("item", ERRORS)
def test_an_error_in_the_stream_is_raised(item: object) -> None:
    """A server that fails in mid-stream says why."""
    with pytest.raises(GeneratorError, match="reports an error in its stream: overloaded"):
        to_chunks(item)

"""Live citations by callback: what arrives, in which form, and in spite of Haystack's copies."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from haystack import Document, Pipeline
from haystack.components.generators.chat import MockChatGenerator, OpenAIChatGenerator
from haystack.components.generators.utils import print_streaming_chunk
from haystack.dataclasses import (
    ChatMessage,
    ReasoningContent,
    StreamingChunk,
    ToolCall,
    ToolCallDelta,
    ToolCallResult,
)
from haystack.utils import Secret

from streamcite.errors import OptionsError, StateError
from streamcite.haystack import CitationEvent, CitingCallback, chunk_items

DOCS = [Document(id=f"d{n}", content=f"Text {n}") for n in range(1, 4)]


class Collector:
    """A stateful callback, of the kind that Haystack's copies cut off."""

    def __init__(self) -> None:
        self.chunks: list[StreamingChunk] = []

    def __call__(self, chunk: StreamingChunk) -> None:
        self.chunks.append(chunk)

    @property
    def text(self) -> str:
        return "".join(chunk.content for chunk in self.chunks)


class AsyncCollector(Collector):
    """The same for the event loop; Haystack alone would not see that it must be awaited."""

    async def __call__(self, chunk: StreamingChunk) -> None:  # type: ignore[override]
        await asyncio.sleep(0)
        self.chunks.append(chunk)


def stream(texts: list[str], **options: Any) -> tuple[list[StreamingChunk], list[Any]]:
    """Return the chunks that a text makes, and the answers."""
    collected = Collector()
    live = CitingCallback(collected, documents=DOCS, **options)
    for text in texts:
        live.callback(StreamingChunk(text))
    return collected.chunks, live.finish()


def test_a_marker_is_never_shown_in_halves() -> None:
    """What may become a marker is held, and comes with its citation."""
    chunks, _ = stream(["a ", "[", "2", "] b"])

    assert [chunk.content for chunk in chunks] == ["a ", "[2] b"]


def test_meta_carries_citations_and_their_documents() -> None:
    """Both are JSON-ready, and stand on the chunk in which the marker becomes visible."""
    chunks, _ = stream(["a ", "[2]", "."])

    meta = chunks[-1].meta if chunks[-1].meta else chunks[-2].meta
    assert [each["marker"] for each in meta["citations"]] == ["[2]"]
    assert [(each["source_index"], each["content"]) for each in meta["documents"]] == [
        (2, "Text 2")
    ]
    assert json.loads(json.dumps(meta)) == meta


def test_text_without_markers_passes_unchanged() -> None:
    """Each chunk keeps its fields."""
    chunks, _ = stream(["plain ", "text"])

    assert chunks == [StreamingChunk("plain "), StreamingChunk("text")]


def test_what_is_held_at_the_end_is_text() -> None:
    """`finish` passes on what was held."""
    chunks, answers = stream(["a [", "2"])

    assert "".join(chunk.content for chunk in chunks) == answers[0].data == "a [2"


def test_a_section_is_no_answer_text() -> None:
    """It comes in meta, so that who prints `content` prints the answer."""
    chunks, answers = stream(["<t>hm [1]</t>", "yes"], extract_xml_tags="t")

    assert "".join(chunk.content for chunk in chunks) == answers[0].data == "yes"
    assert [(c.meta["section"], c.meta["section_text"]) for c in chunks if c.meta] == [
        ("t", "hm [1]")
    ]


def test_the_finish_reason_comes_once_and_last() -> None:
    """Text that was held stands before it."""
    collected = Collector()
    live = CitingCallback(collected, documents=DOCS)

    live.callback(StreamingChunk("a [1", finish_reason="stop"))

    assert [(c.content, c.finish_reason) for c in collected.chunks][-1] == ("", "stop")
    assert collected.text == "a [1"


CALL = ToolCallDelta(index=1, tool_name="search", arguments="{}")
RESULT = ToolCallResult("found [1]", ToolCall("search", {}), error=False)
AGENT_RUN = [
    StreamingChunk("", index=0, reasoning=ReasoningContent("hm")),
    StreamingChunk("text"),
    StreamingChunk("", index=1, tool_calls=[CALL], finish_reason="tool_calls"),
    StreamingChunk("", index=2, tool_call_result=RESULT),
    StreamingChunk("", finish_reason="tool_call_results"),
]


def test_chunks_that_are_no_text_pass() -> None:
    """Tool calls, their results and reasoning arrive as they are, in their place."""
    collected = Collector()
    live = CitingCallback(collected, documents=DOCS)

    for chunk in AGENT_RUN:
        live.callback(chunk)

    assert collected.chunks == AGENT_RUN


def test_each_message_of_a_run_is_an_answer() -> None:
    """A finish reason ends a message; numbers of documents go on."""
    collected = Collector()
    live = CitingCallback(collected, documents=DOCS, query="q")
    for text in ("first [1]", "second [2]"):
        live.callback(StreamingChunk(text, finish_reason="tool_calls"))

    answers = live.finish()

    assert [(each.data, each.documents[0].id, each.query) for each in answers] == [
        ("first [1]", "d1", "q"),
        ("second [2]", "d2", "q"),
    ]


def test_documents_may_come_while_text_streams() -> None:
    """A number that was unknown is reported when its document comes."""
    collected = Collector()
    live = CitingCallback(collected)
    live.callback(StreamingChunk("a [1] "))

    numbers = live.add_documents([Document(content="late", embedding=[1.0])])
    live.callback(StreamingChunk("b"))

    updates = [each for chunk in collected.chunks for each in chunk.meta.get("updates", [])]
    assert (numbers, [each["marker"] for each in updates]) == ([1], ["[1]"])
    assert live.finish()[0].documents[0].embedding == [1.0]


def test_a_known_document_keeps_its_number() -> None:
    """Two searches may find the same document."""
    live = CitingCallback(Collector(), documents=DOCS)

    assert live.add_documents([DOCS[1], Document(content="new")]) == [2, 4]


def run_pipeline(callback: Any) -> None:
    """Run a generator in a pipeline, which copies what it is given."""
    pipeline = Pipeline()
    pipeline.add_component("llm", MockChatGenerator(responses="a [1] b"))
    pipeline.run({"llm": {"messages": "q", "streaming_callback": callback}})


CALLBACKS: dict[str, Callable[[Collector], Any]] = {
    "instance": lambda collected: collected,
    "bound method": lambda collected: collected.chunks.append,
    "closure": lambda collected: lambda chunk: collected(chunk),
}


@pytest.mark.parametrize("kind", CALLBACKS)
def test_no_copy_cuts_a_callback_off(kind: str) -> None:
    """Haystack deep-copies a run's inputs; every chunk arrives all the same."""
    collected = Collector()
    live = CitingCallback(CALLBACKS[kind](collected), documents=DOCS)

    run_pipeline(live.callback)

    assert collected.text == live.finish()[0].data == "a [1] b"


def test_haystack_alone_would_cut_it_off() -> None:
    """The reason for the test above: without the wrapper nothing arrives."""
    collected = Collector()

    run_pipeline(collected)

    assert collected.text == ""


@pytest.mark.asyncio
async def test_an_async_callback_is_awaited(caplog: pytest.LogCaptureFixture) -> None:
    """Even an object with `async def __call__`, and Haystack has nothing to warn of."""
    collected = AsyncCollector()
    live = CitingCallback(collected, documents=DOCS)

    generator = MockChatGenerator(responses="a [1] b")
    await generator.run_async([ChatMessage.from_user("q")], streaming_callback=live.callback)
    answers = await live.finish_async()

    assert collected.text == answers[0].data == "a [1] b"
    assert caplog.text == ""


def test_an_async_callback_needs_finish_async() -> None:
    """`finish` could not await it, and says so."""
    with pytest.raises(StateError, match="finish_async"):
        CitingCallback(AsyncCollector()).finish()


def test_a_callback_serves_one_run() -> None:
    """A second end is refused."""
    live = CitingCallback(Collector())
    live.finish()

    with pytest.raises(StateError, match="next run"):
        live.finish()


def fake_openai(*choices: dict[str, Any]) -> OpenAIChatGenerator:
    """Return Haystack's generator for OpenAI, with this stream and its usage as the answer."""
    frame = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    chunks = [{**frame, "choices": [{"index": 0, **choice}]} for choice in choices]
    chunks.append({**frame, "choices": [], "usage": usage})
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    headers = {"content-type": "text/event-stream"}
    transport = httpx.MockTransport(lambda asked: httpx.Response(200, headers=headers, text=body))
    return OpenAIChatGenerator(
        api_key=Secret.from_token("none"), http_client_kwargs={"transport": transport}
    )


class Finisher(Collector):
    """A callback that finishes the stream at its finish reason."""

    def __init__(self) -> None:
        super().__init__()
        self.live = CitingCallback(self, documents=DOCS)
        self.answers: list[Any] = []

    def __call__(self, chunk: StreamingChunk) -> None:
        super().__call__(chunk)
        if chunk.finish_reason:
            self.answers.extend(self.live.finish())


def test_usage_may_come_when_the_stream_has_ended() -> None:
    """OpenAI sends it behind the finish reason, at which a callback may have finished."""
    deltas = [{"delta": {"content": text}} for text in ("a [2", "]")]
    generator = fake_openai(*deltas, {"delta": {}, "finish_reason": "stop"})
    collected = Finisher()

    generator.run("q", streaming_callback=collected.live.callback)

    assert (collected.text, collected.answers[0].data) == ("a [2]", "a [2]")
    assert collected.chunks[-1].meta["usage"]["total_tokens"] == 3


WITHOUT_TEXT = (
    StreamingChunk("", meta={"usage": {"total_tokens": 3}}),
    StreamingChunk("", finish_reason="stop"),
    StreamingChunk("", index=1, tool_calls=[CALL], start=True),
)


@pytest.mark.parametrize("runs_async", [False, True])
@pytest.mark.parametrize("chunk", WITHOUT_TEXT)
def test_a_late_chunk_without_text_passes(chunk: StreamingChunk, runs_async: bool) -> None:
    """A run must not fail for what no answer needs."""
    collected = AsyncCollector() if runs_async else Collector()
    live = CitingCallback(collected)

    if runs_async:
        asyncio.run(live.finish_async())
        asyncio.run(live.callback(chunk))  # type: ignore[arg-type]  # a coroutine function
    else:
        live.finish()
        live.callback(chunk)

    assert collected.chunks == [chunk]


@pytest.mark.parametrize("chunk", [
    StreamingChunk("late"), StreamingChunk("", index=0, reasoning=ReasoningContent("hm")),
])  # fmt: skip
def test_late_text_is_an_error(chunk: StreamingChunk) -> None:
    """No answer would have it."""
    collected = Collector()
    live = CitingCallback(collected, documents=DOCS)
    live.finish()

    with pytest.raises(StateError, match="finish it when the run has returned"):
        live.callback(chunk)
    assert collected.chunks == []


@pytest.mark.parametrize("text", ["a b c", "<t>x</t> a [1] b"])
def test_haystack_prints_what_it_prints_of_the_generator(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Headings of text and tool calls stand where they stood."""
    call = ToolCall("search", {"q": "x"})
    generator = MockChatGenerator(responses=ChatMessage.from_assistant(text, tool_calls=[call]))
    generator.run("q", streaming_callback=print_streaming_chunk)
    expected = capsys.readouterr().out

    generator.run("q", streaming_callback=CitingCallback(print_streaming_chunk).callback)

    assert capsys.readouterr().out == expected


def test_bad_options_are_refused_when_it_is_made() -> None:
    """Not at the first chunk."""
    with pytest.raises(OptionsError):
        CitingCallback(Collector(), display="shout")  # type: ignore[arg-type]  # on purpose


def test_hayhooks_gets_text_and_citations_apart() -> None:
    """Text stays a chunk; citations become an object with `to_event_dict`."""
    chunks, _ = stream(["a ", "[2]."])

    items = [item for chunk in chunks for item in chunk_items(chunk)]

    text = "".join(item.content for item in items if isinstance(item, StreamingChunk))
    events = [item.to_event_dict() for item in items if isinstance(item, CitationEvent)]
    assert text == "a [2]."
    assert [each["type"] for each in events] == ["citations"]
    assert events[0]["data"]["citations"][0]["marker"] == "[2]"
    assert json.loads(json.dumps(events)) == events


def test_meta_that_json_does_not_know_becomes_text() -> None:
    """A document may hold anything."""
    document = Document(content="x", meta={"when": object})
    collected = Collector()
    CitingCallback(collected, documents=[document]).callback(StreamingChunk("[1] "))

    assert isinstance(collected.chunks[0].meta["documents"][0]["meta"]["when"], str)

"""CitingChatGenerator: alone, in pipelines, streamed in every way that Haystack has."""

import asyncio
from typing import Any

import pytest
from haystack import Document, Pipeline, component
from haystack.components.builders import ChatPromptBuilder
from haystack.components.generators.chat import MockChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.core.errors import DeserializationError
from haystack.dataclasses import ChatMessage, StreamingChunk
from haystack.document_stores.in_memory import InMemoryDocumentStore

import streamcite
from streamcite import Citation
from streamcite.errors import InputError, OptionsError, PatternError
from streamcite.haystack import CitingChatGenerator

DOCS = [Document(id=f"d{n}", content=f"Text {n}") for n in range(1, 4)]
REPLY = "<t>hm [3]</t>In Germany [1], [2 , 9] and [99]."


def mock(reply: Any = REPLY, **init: Any) -> MockChatGenerator:
    return MockChatGenerator(responses=reply, **init)


class Plain:
    """A generator that neither streams nor runs on an event loop."""

    def __init__(self, replies: list[str]) -> None:
        self.replies = replies

    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        return {"replies": [ChatMessage.from_assistant(reply) for reply in self.replies]}


@component
class Failing:
    """A generator that fails in the middle of a marker."""

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage], streaming_callback: Any = None) -> dict[str, Any]:
        streaming_callback(StreamingChunk("a [1"))
        raise ConnectionError("gone")

    @component.output_types(replies=list[ChatMessage])
    async def run_async(
        self, messages: list[ChatMessage], streaming_callback: Any = None
    ) -> dict[str, Any]:
        await streaming_callback(StreamingChunk("a [1"))
        raise ConnectionError("gone")


received: list[StreamingChunk] = []


def receive(chunk: StreamingChunk) -> None:
    """A callback that can be written down in YAML."""
    received.append(chunk)


def shout(citation: Citation) -> str:
    """A display function that can be written down in YAML."""
    return citation.marker.upper()


def numbers(answer: Any) -> list[int]:
    return [document.meta["source_index"] for document in answer.documents]


def run_either(generator: Any, runs_async: bool, callback: Any) -> Any:
    """Run on the event loop, or without one."""
    if runs_async:
        return asyncio.run(generator.run_async("q", callback, documents=DOCS))
    return generator.run("q", callback, documents=DOCS)


def test_replies_stay_and_answers_cite() -> None:
    """`replies` are the generator's own, `answers` what they mean."""
    generator = CitingChatGenerator(mock(), options={"extract_xml_tags": ["t"]})

    result = generator.run([ChatMessage.from_user("Where?")], documents=DOCS)

    answer = result["answers"][0]
    assert result["replies"][0].text == REPLY
    assert (answer.data, answer.query, numbers(answer)) == (REPLY[13:], "Where?", [1, 2])
    assert (answer.meta["t"], answer.meta["model"]) == ("hm [3]", "mock-model")
    assert answer.meta["all_messages"] == result["replies"]


@pytest.mark.parametrize("display", ["keep", "remove", "renumber", "link"])
def test_the_stream_says_what_the_answer_says(display: str) -> None:
    """All content together is the answer's text, and the citations are the answer's."""
    chunks: list[StreamingChunk] = []
    options = {"display": display, "extract_xml_tags": ["t"]}
    generator = CitingChatGenerator(mock(), options=options)

    answer = generator.run("Where?", chunks.append, documents=DOCS)["answers"][0]

    streamed = [each for chunk in chunks for each in chunk.meta.get("citations", [])]
    assert "".join(chunk.content for chunk in chunks) == answer.data
    assert streamed == [each.to_dict() for each in answer.citations]


def test_run_async_gives_the_same() -> None:
    """Chunks and results are those of `run`."""
    chunks: list[list[StreamingChunk]] = [[], []]
    generator = CitingChatGenerator(mock())

    async def collect(chunk: StreamingChunk) -> None:
        chunks[1].append(chunk)

    result = generator.run("Where?", chunks[0].append, documents=DOCS)
    assert asyncio.run(generator.run_async("Where?", collect, documents=DOCS)) == result
    assert chunks[1] == chunks[0]


@pytest.mark.parametrize("runs_async", [False, True])
def test_a_generator_that_cannot_stream_is_streamed_at_the_end(runs_async: bool) -> None:
    """The callback gets each reply when it is there."""
    chunks: list[StreamingChunk] = []
    generator = CitingChatGenerator(Plain(["a [1]", "b [2]"]))

    result = run_either(generator, runs_async, chunks.append)

    assert "".join(chunk.content for chunk in chunks) == "a [1]b [2]"
    assert [numbers(answer) for answer in result["answers"]] == [[1], [2]]


@pytest.mark.parametrize("runs_async", [False, True])
def test_what_was_held_comes_before_the_error(runs_async: bool) -> None:
    """A generator that fails loses no text."""
    chunks: list[StreamingChunk] = []
    generator = CitingChatGenerator(Failing())

    with pytest.raises(ConnectionError):
        run_either(generator, runs_async, chunks.append)

    assert "".join(chunk.content for chunk in chunks) == "a [1"


@pytest.mark.parametrize("runs_async", [False, True])
def test_the_error_of_a_callback_is_its_first_one(runs_async: bool) -> None:
    """A reader that is gone is gone, whatever was held."""
    errors = [BrokenPipeError("gone"), RuntimeError("called again")]

    def fail(chunk: StreamingChunk) -> None:
        raise errors.pop(0)

    with pytest.raises(BrokenPipeError):
        run_either(CitingChatGenerator(mock("x.[1 b")), runs_async, fail)


def test_the_generators_own_callback_gets_citations_too() -> None:
    """It was given when the generator was made."""
    chunks: list[StreamingChunk] = []

    CitingChatGenerator(mock(streaming_callback=chunks.append)).run("q", documents=DOCS)

    assert any(chunk.meta.get("citations") for chunk in chunks)


def test_the_callback_of_the_run_wins() -> None:
    """As in every Haystack generator."""
    made: list[StreamingChunk] = []
    ran: list[StreamingChunk] = []

    CitingChatGenerator(mock(), made.append).run("q", ran.append)

    assert (bool(made), bool(ran)) == (False, True)


def test_chunks_name_the_component() -> None:
    """A nested generator has no name; in a stream of several, chunks are told apart by it."""
    chunks: list[StreamingChunk] = []
    pipeline = Pipeline()
    pipeline.add_component("llm", CitingChatGenerator(mock(), chunks.append))

    pipeline.run({"llm": {"messages": "q"}})

    infos = [chunk.component_info for chunk in chunks]
    assert {info.name for info in infos if info is not None} == {"llm"}


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"marker": "x"}, OptionsError),
        ({"reference_pattern": "(a)(b)"}, PatternError),
        ({"reference_pattern": r"(?<=ref )\d+"}, PatternError),
    ],
)
def test_bad_options_are_refused_when_it_is_made(
    options: dict[str, Any], error: type[Exception]
) -> None:
    """Not in the middle of a run."""
    with pytest.raises(error):
        CitingChatGenerator(mock(), options=options)


def rag_pipeline() -> Pipeline:
    """Return a pipeline that retrieves, prompts and cites."""
    store = InMemoryDocumentStore()
    store.write_documents([Document(id="b", content="Berlin"), Document(id="p", content="Paris")])
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=1))
    template = [ChatMessage.from_user("{{ documents[0].content }} {{ query }}")]
    pipeline.add_component("prompt_builder", ChatPromptBuilder(template))
    pipeline.add_component("llm", CitingChatGenerator(mock("So it is [1]. Yes.")))
    pipeline.connect("retriever.documents", "prompt_builder.documents")
    pipeline.connect("retriever.documents", "llm.documents")
    pipeline.connect("prompt_builder.prompt", "llm.messages")
    pipeline.connect("prompt_builder.prompt", "llm.prompt")
    return pipeline


QUESTION = {"retriever": {"query": "Paris"}, "prompt_builder": {"query": "Paris"}}


@pytest.mark.parametrize(("given", "message"), [
    ("x", "is a str.*give a chat generator"),
    (None, "is a NoneType"),
    (MockChatGenerator, "the class MockChatGenerator: give an object"),
])  # fmt: skip
def test_what_is_no_generator_is_refused_when_it_is_made(given: Any, message: str) -> None:
    """It would only fail when it runs."""
    with pytest.raises(InputError, match=message):
        CitingChatGenerator(given)


def test_documents_of_a_retriever_are_cited() -> None:
    """The pipeline hands them to the prompt and to the generator alike."""
    answer = rag_pipeline().run(QUESTION)["llm"]["answers"][0]

    assert [document.id for document in answer.documents] == ["p"]
    assert answer.meta["prompt"][0]["content"] == [{"text": "Paris Paris"}]


@pytest.mark.asyncio
async def test_pipeline_stream_carries_citations() -> None:
    """The handle's chunks hold them, its result the answers."""
    handle = rag_pipeline().stream(QUESTION)

    chunks = [chunk async for chunk in handle]

    cited = [each["marker"] for chunk in chunks for each in chunk.meta.get("citations", [])]
    assert ("".join(chunk.content for chunk in chunks), cited) == ("So it is [1]. Yes.", ["[1]"])
    assert handle.result["llm"]["answers"][0].data == "So it is [1]. Yes."


@pytest.mark.asyncio
async def test_a_stream_of_any_pipeline_can_be_cited() -> None:
    """`streamcite.cite` reads the handle itself, for pipelines that stay as they are."""
    pipeline = Pipeline()
    pipeline.add_component("llm", mock("So it is [1]."))

    async with streamcite.cite(pipeline.stream({"llm": {"messages": "q"}}), documents=DOCS) as a:
        events = [event async for event in a]

    assert events[-1].kind == "final"
    assert numbers(a.final) == [1]


@pytest.mark.asyncio
async def test_run_async_generator_yields_documents_first() -> None:
    """Each component's output comes when it is there, tokens by callback."""
    chunks: list[StreamingChunk] = []
    order = []

    data = {**QUESTION, "llm": {"streaming_callback": lambda chunk: chunks.append(chunk)}}
    outputs = rag_pipeline().run_async_generator(data, include_outputs_from={"retriever"})
    async for output in outputs:
        order += list(output)

    assert order.index("retriever") < order.index("llm")
    assert "".join(chunk.content for chunk in chunks) == "So it is [1]. Yes."


def test_yaml_comes_back() -> None:
    """Generator, callback and options, a display function among them, survive YAML."""
    pipeline = Pipeline()
    options = {"display": shout, "extract_xml_tags": ("t",)}
    pipeline.add_component("llm", CitingChatGenerator(mock(), receive, options=options))
    text = pipeline.dumps()

    loaded = Pipeline.loads(text, allowed_modules=["streamcite", "tests"])

    assert loaded.dumps() == text
    assert "shout" in text


def test_yaml_needs_to_be_allowed() -> None:
    """Haystack trusts its own modules only; the error names the way."""
    pipeline = Pipeline()
    pipeline.add_component("llm", CitingChatGenerator(mock()))

    with pytest.raises(DeserializationError, match="allowed_modules"):
        Pipeline.loads(pipeline.dumps())


class Machine(Plain):
    """A generator with all stages of life."""

    def __init__(self) -> None:
        super().__init__([])
        self.calls: list[str] = []

    def warm_up(self) -> None:
        self.calls.append("warm_up")

    async def warm_up_async(self) -> None:
        self.calls.append("warm_up_async")

    def close(self) -> None:
        self.calls.append("close")


def test_the_generators_life_is_passed_on() -> None:
    """What it has no async form of is done in the plain one."""
    machine = Machine()
    generator = CitingChatGenerator(machine)

    generator.warm_up()
    asyncio.run(generator.warm_up_async())
    generator.close()
    asyncio.run(generator.close_async())

    assert machine.calls == ["warm_up", "warm_up_async", "close", "close"]


def test_reasoning_is_a_section_of_the_answer() -> None:
    """What the model thought may hold markers, which make no document referenced."""
    message = ChatMessage.from_assistant("yes [1]", reasoning="hm [2]")

    answer = CitingChatGenerator(mock(message)).run("q", documents=DOCS)["answers"][0]

    assert (answer.sections, numbers(answer)) == ({"reasoning": ["hm [2]"]}, [1])


@component
class Asked:
    """A generator that tells what it was asked."""

    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage], **inputs: Any) -> dict[str, Any]:
        return {"replies": [ChatMessage.from_assistant(str(sorted(inputs)))]}


def test_only_what_was_given_is_passed_on() -> None:
    """Generators differ in what they take."""
    generator = CitingChatGenerator(Asked())

    runs = [generator.run("q"), generator.run("q", generation_kwargs={"seed": 1}, tools=[])]

    assert [run["replies"][0].text for run in runs] == ["[]", "['generation_kwargs', 'tools']"]

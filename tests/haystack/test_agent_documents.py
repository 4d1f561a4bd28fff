"""An Agent's run: two searches, one numbering, and an answer that cites documents of both."""

import asyncio
from typing import Any

import pytest
from haystack import Document, Pipeline
from haystack.components.agents import Agent
from haystack.components.agents.state import State
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, StreamingChunk, ToolCall
from haystack.tools.tool import Tool

from streamcite.errors import InputError
from streamcite.haystack import AgentDocuments, AnswerBuilder, CitingCallback, CitingChatGenerator
from streamcite.haystack.agent_documents import take_documents

LIBRARY = {
    "berlin": [Document(id="b1", content="Berlin is in Germany."), Document(id="b2")],
    "paris": [Document(id="p1", content="Paris is in France."), Document(id="b2")],
}


def search(query: str) -> dict[str, Any]:
    """Find documents."""
    return {"documents": LIBRARY[query]}


def search_tool(function: Any = search) -> Tool:
    """Return the tool, which adds what it finds to the Agent's state."""
    return Tool(
        name="search",
        description="Finds documents.",
        parameters={"type": "object", "properties": {"query": {"type": "string"}}},
        function=function,
        outputs_to_state={"documents": {"source": "documents"}},
    )


def call(query: str) -> ChatMessage:
    return ChatMessage.from_assistant(tool_calls=[ToolCall("search", {"query": query}, id=query)])


SCRIPT: list[str | ChatMessage] = [
    call("berlin"),
    call("paris"),
    "Berlin [1], [Paris](http://p) [3].",
]


def make_agent(generator: Any, tool: Tool) -> Agent:
    return Agent(
        chat_generator=generator,
        tools=[tool],
        state_schema={"documents": {"type": list[Document]}},
        hooks={"before_llm": [AgentDocuments()]},
    )


@pytest.mark.parametrize("runs_async", [False, True])
def test_numbering_continues_over_two_searches(runs_async: bool) -> None:
    """Citations of the last message point at documents of both searches; links stay links."""
    chunks: list[StreamingChunk] = []
    generator = CitingChatGenerator(MockChatGenerator(responses=SCRIPT))
    agent = make_agent(generator, search_tool())
    arguments: Any = {"messages": [ChatMessage.from_user("q")], "streaming_callback": chunks.append}

    asyncio.run(agent.run_async(**arguments)) if runs_async else agent.run(**arguments)

    documents = [each["id"] for chunk in chunks for each in chunk.meta.get("documents", [])]
    text = "".join(chunk.content for chunk in chunks)
    assert (documents, text) == (["b1", "p1"], "Berlin [1], [Paris](http://p) [3].")


def test_a_builder_behind_the_agent_says_the_same() -> None:
    """`last_message_only` makes the last message the answer, the state gives the documents."""
    agent = make_agent(MockChatGenerator(responses=SCRIPT), search_tool())
    result = agent.run(messages=[ChatMessage.from_user("q")])
    builder = AnswerBuilder(markers="bracket", last_message_only=True)

    found = builder.run("q", result["messages"], documents=result["documents"])["answers"]

    assert [[document.id for document in each.documents] for each in found] == [["b1", "p1"]]


def test_a_tool_may_number_what_it_finds() -> None:
    """With a CitingCallback a document that was found before keeps its number."""
    chunks: list[StreamingChunk] = []
    live = CitingCallback(chunks.append, query="q", last_message_only=True)
    shown: list[list[int]] = []

    def numbered_search(query: str) -> dict[str, Any]:
        shown.append(live.add_documents(LIBRARY[query]))
        return {"documents": []}

    agent = make_agent(MockChatGenerator(responses=SCRIPT), search_tool(numbered_search))
    agent.run(messages=[ChatMessage.from_user("q")], streaming_callback=live.callback)

    answers = live.finish()

    assert shown == [[1, 2], [3, 2]]
    assert [[document.id for document in each.documents] for each in answers] == [["b1", "p1"]]


def test_documents_are_for_one_run() -> None:
    """What a generator took is not there for the next one."""
    state = State({"documents": {"type": list[Document]}}, {"documents": LIBRARY["berlin"]})
    AgentDocuments().run(state)

    assert [len(take_documents()), len(take_documents())] == [2, 0]


def test_a_state_without_documents_is_empty() -> None:
    """Before the first search there are none."""
    AgentDocuments().run(State({"documents": {"type": list[Document]}}))

    assert take_documents() == ()


@pytest.mark.parametrize("runs_async", [False, True])
def test_an_agent_that_keeps_no_documents_is_refused(runs_async: bool) -> None:
    """Every number would be unknown; the error says what to give to the Agent and to the tool."""
    generator = CitingChatGenerator(MockChatGenerator(responses="a [1]"))
    agent = Agent(chat_generator=generator, hooks={"before_llm": [AgentDocuments("found")]})
    arguments: Any = {"messages": [ChatMessage.from_user("q")]}
    words = r"no entry 'found'.*state_schema=.*outputs_to_state="

    with pytest.raises(InputError, match=words):
        asyncio.run(agent.run_async(**arguments)) if runs_async else agent.run(**arguments)


def test_an_agent_comes_back_from_its_dictionary() -> None:
    """The hook and its key too."""
    hook = AgentDocuments("found")

    assert AgentDocuments.from_dict(hook.to_dict()).key == "found"


def test_a_pipeline_with_an_agent_comes_back_from_yaml() -> None:
    """Generator, tool and hook survive it."""
    generator = CitingChatGenerator(MockChatGenerator(responses=SCRIPT))
    pipeline = Pipeline()
    pipeline.add_component("agent", make_agent(generator, search_tool()))
    text = pipeline.dumps()

    assert Pipeline.loads(text, allowed_modules=["streamcite", "tests"]).dumps() == text

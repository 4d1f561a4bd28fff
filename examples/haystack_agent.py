"""A Haystack Agent that searches twice: the numbers go on, the answer cites both searches."""

from typing import Any

from haystack import Document
from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, StreamingChunk, ToolCall
from haystack.tools.tool import Tool

from streamcite.haystack import AgentDocuments, CitingCallback, CitingChatGenerator

PAGES = {
    "height of the Eiffel Tower": "The Eiffel Tower is 330 metres high.",
    "height of Big Ben": "The tower of Big Ben is 96 metres high.",
}


def script() -> list[str | ChatMessage]:
    """Return what the model says in this run, since there is none: two calls and an answer."""
    calls = [ToolCall("search", {"query": query}, id=query) for query in PAGES]
    return [
        *(ChatMessage.from_assistant(tool_calls=[call]) for call in calls),
        "The [Eiffel Tower](https://example.org) is higher [1] than Big Ben [2].",
    ]


def search(query: str) -> dict[str, Any]:
    """Find documents; the Agent's state collects them."""
    return {"documents": [Document(content=PAGES[query])]}


def make_agent(generator: Any, function: Any) -> Agent:
    """Return an Agent with one tool; the hook tells the generator what was found so far."""
    tool = Tool(
        name="search",
        description="Searches the web.",
        parameters={"type": "object", "properties": {"query": {"type": "string"}}},
        function=function,
        outputs_to_state={"documents": {"source": "documents"}},
    )
    return Agent(
        chat_generator=generator,
        tools=[tool],
        state_schema={"documents": {"type": list[Document]}},
        hooks={"before_llm": [AgentDocuments()]},
    )


def show(chunk: StreamingChunk) -> None:
    """Print the text as it comes, and the number of each document when it is cited."""
    print(chunk.content, end="")
    for document in chunk.meta.get("documents", []):
        print(f"<{document['content']}>", end="")


question = [ChatMessage.from_user("Which is higher, the Eiffel Tower or Big Ben?")]

# The generator cites, and the Agent's state says what.
agent = make_agent(CitingChatGenerator(MockChatGenerator(responses=script())), search)
agent.run(messages=question, streaming_callback=show)
print()

# Or the Agent stays as it is, and the tool tells the callback. It gets the numbers back, to show
# them to the model.
live = CitingCallback(lambda chunk: None, last_message_only=True)


def numbered_search(query: str) -> dict[str, Any]:
    """Find documents and number them."""
    document = Document(content=PAGES[query])
    (number,) = live.add_documents([document])
    return {"result": f'<document reference="{number}">{document.content}</document>'}


agent = make_agent(MockChatGenerator(responses=script()), numbered_search)
agent.run(messages=question, streaming_callback=live.callback)
for document in live.finish()[0].documents:
    print(document.meta["source_index"], document.content)

# Output:
# The [Eiffel Tower](https://example.org) is higher [1] <The Eiffel ...
# 1 The Eiffel Tower is 330 metres high.
# 2 The tower of Big Ben is 96 metres high.

"""An agent that searches twice: the numbers go on, and the answer cites both searches.

The model is scripted, so that this runs offline. Put a call to a real one into `model`: it gets the
messages, and yields the items of its stream.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import streamcite
from streamcite import Document, Sources
from streamcite.prompts import ChatMessage, ChatPromptBuilder, PromptBuilder, ToolCall, load

QUESTION = "Which is higher, the Eiffel Tower or Big Ben?"
PARIS = Document("The Eiffel Tower stands in Paris.")
WEB = {
    "Eiffel Tower": [Document("The Eiffel Tower is 330 metres high."), PARIS],
    "Big Ben": [Document("The tower of Big Ben is 96 metres high."), PARIS],
}

# What the model says: two calls of a tool, and an answer.
SCRIPT: list[Any] = [
    ToolCall("search", {"query": "Eiffel Tower"}, id="call-1"),
    ToolCall("search", {"query": "Big Ben"}, id="call-2"),
    ["The [Eiffel", " Tower](https://e.com/1) in Pa", "ris [2] is high", "er [1] than Big Ben [",
     "3]. More: [1", "](https://e.com/1)."],
]  # fmt: skip


def model(messages: list[ChatMessage]) -> Iterator[Any]:
    """Yield what the model says next, token by token, or the call that it makes."""
    said = SCRIPT[sum(message.is_from("tool") for message in messages)]
    yield from said if isinstance(said, list) else [said]


def search(query: str, sources: Sources) -> str:
    """Find documents, and show them to the model under the numbers of the whole run."""
    found = PromptBuilder(load("tool_result")).run(documents=WEB[query], sources=sources)
    print(f"--- {query}", found["prompt"], sep="\n")
    return found["prompt"]


async def run_agent(question: str, sources: Sources) -> AsyncGenerator[str, None]:
    """Let the model search until it answers; yield the tokens of the answer."""
    chat = ChatPromptBuilder(load("agent"))
    messages = chat.run(messages=[ChatMessage.from_user(question)])["prompt"]
    calls = True
    while calls:
        calls = False
        for item in model(messages):
            if isinstance(item, ToolCall):
                result = search(item.arguments["query"], sources)
                calls = True
                messages = [
                    *messages,
                    ChatMessage.from_assistant(tool_calls=[item]),
                    ChatMessage.from_tool(result, origin=item),
                ]
            else:
                yield item


async def main() -> None:
    """Ask once."""
    # The tool adds to it while the stream runs.
    sources = Sources()
    tokens = run_agent(QUESTION, sources)
    async with streamcite.cite(tokens, query=QUESTION, sources=sources) as answer:
        async for event in answer:
            if event.kind == "partial":
                print(event.delta, end="")
    print()
    for document in answer.final.documents:
        print(document.meta["source_index"], document.content)


asyncio.run(main())

# Output:
# --- Eiffel Tower
# <document reference="1">
# The Eiffel Tower is 330 metres high.
# </document>
# <document reference="2">
# The Eiffel Tower stands in Paris.
# </document>
#
# --- Big Ben
# <document reference="3">
# The tower of Big Ben is 96 metres high.
# </document>
# <document reference="2">
# The Eiffel Tower stands in Paris.
# </document>
#
# The [Eiffel Tower](https://e.com/1) in Paris [2] is higher [1] than Big Ben [3].
# More: [1](https://e.com/1).
# 1 The Eiffel Tower is 330 metres high.
# 2 The Eiffel Tower stands in Paris.
# 3 The tower of Big Ben is 96 metres high.

"""Haystack's own ways to stream, with citations: Pipeline.stream() and run_async_generator()."""

import asyncio

from haystack import Document, Pipeline
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import StreamingChunk

import streamcite
from streamcite.haystack import CitingChatGenerator, chunk_items

DOCUMENTS = [Document(content="Berlin is in Germany."), Document(content="Paris is in France.")]
MODEL = MockChatGenerator(responses="Paris is in France [2].")

citing = Pipeline()
citing.add_component("llm", CitingChatGenerator(MODEL))
inputs = {"llm": {"messages": "Where is Paris?", "documents": DOCUMENTS}}

plain = Pipeline()
plain.add_component("llm", MODEL)


async def stream() -> None:
    """Text and citations come apart; these objects can be yielded to hayhooks as they are."""
    handle = citing.stream(inputs)
    async for chunk in handle:
        for item in chunk_items(chunk):
            if isinstance(item, StreamingChunk):
                print("text is", item.content)
            else:
                print(item.to_event_dict()["data"]["documents"][0]["content"])
    print("the result says", handle.result["llm"]["answers"][0].data)


async def generate() -> None:
    """The output of each component comes as it finishes; tokens come by callback."""

    async def show(chunk: StreamingChunk) -> None:
        print(chunk.content, end="|" if chunk.content else "\n")

    data = {"llm": {**inputs["llm"], "streaming_callback": show}}
    async for output in citing.run_async_generator(data):
        answer = output["llm"]["answers"][0]
    print("the answer has", *(citation.marker for citation in answer.citations))


async def cite() -> None:
    """A pipeline that stays as it is: streamcite reads the handle."""
    handle = plain.stream({"llm": {"messages": "Where is Paris?"}})
    async with streamcite.cite(handle, documents=DOCUMENTS) as answer:
        async for event in answer:
            if event.kind == "partial" and event.citations:
                print(f"{event.citations[0].marker} at {event.citations[0].start}")


asyncio.run(stream())
asyncio.run(generate())
asyncio.run(cite())

# Output:
# text is Paris
# text is is
# text is in
# text is France
# text is [2].
# Paris is in France.
# text is
# the result says Paris is in France [2].
# Paris |is |in |France |[2].|
# the answer has [2]
# [2] at 19

"""A Haystack pipeline around a small model on this machine: a real token stream, offline.

It needs the extra `local`. The model is small, so what it says is often wrong; its citations are
well-formed.
"""

import asyncio
from typing import Any

from haystack import Document, Pipeline, component
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import StreamingChunk
from haystack.document_stores.in_memory import InMemoryDocumentStore

from streamcite import MissingExtraError, Sources
from streamcite.generators import LocalGenerator
from streamcite.haystack import AnswerBuilder, CitingCallback
from streamcite.inputs import to_chunks

FACTS = (
    "Penguins live in the southern half of the world, most of them on islands and in Antarctica.",
    "Polar bears live in the Arctic, around the North Pole.",
    "The emperor penguin is the tallest of all penguins, at about 115 centimetres.",
)


@component
class LocalModel:
    """Answers from documents, and streams while it does."""

    def __init__(self) -> None:
        self.generator = LocalGenerator()

    @component.output_types(replies=list[str])
    def run(
        self, query: str, documents: list[Document], streaming_callback: Any = None
    ) -> dict[str, Any]:
        """Answer without an event loop."""
        return asyncio.run(self.answer(query, documents, streaming_callback))

    async def answer(
        self, query: str, documents: list[Document], streaming_callback: Any
    ) -> dict[str, Any]:
        """Pass on each token as Haystack's chunk."""
        tokens = []
        async for item in self.generator.stream(query, Sources(documents)):
            for chunk in to_chunks(item):
                tokens.append(chunk.text)
                if streaming_callback is not None:
                    streaming_callback(StreamingChunk(chunk.text))
        return {"replies": ["".join(tokens)]}


def show(chunk: StreamingChunk) -> None:
    """Print the text as it comes, and each document when it is cited."""
    print(chunk.content, end="", flush=True)
    for document in chunk.meta.get("documents", []):
        print(f"<{document['content']}>", end="")


def make_pipeline() -> Pipeline:
    """Retrieve, generate, build answers; only the callback knows of live citations."""
    store = InMemoryDocumentStore()
    store.write_documents([Document(content=fact) for fact in FACTS])
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component("llm", LocalModel())
    pipeline.add_component("answers", AnswerBuilder(markers="bracket"))
    pipeline.connect("retriever.documents", "llm.documents")
    pipeline.connect("retriever.documents", "answers.documents")
    pipeline.connect("llm.replies", "answers.replies")
    return pipeline


def main() -> None:
    """Ask once."""
    try:
        pipeline = make_pipeline()
    except MissingExtraError as error:
        print(error)
        return
    question = "Where do penguins live?"
    # What the callback is to know, it is told before the run.
    retriever = pipeline.get_component("retriever")
    documents = retriever.run(question)["documents"]
    live = CitingCallback(show, query=question, documents=documents)
    inputs = {name: {"query": question} for name in ("retriever", "llm", "answers")}
    inputs["llm"]["streaming_callback"] = live.callback  # type: ignore[assignment]
    answer = pipeline.run(inputs)["answers"]["answers"][0]
    same = live.finish()[0].data == answer.data
    print(f"\nThe stream {'says' if same else 'does not say'} what the answer says.")


main()

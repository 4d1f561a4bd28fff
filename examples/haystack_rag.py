"""A Haystack pipeline that retrieves, prompts and generates; citations arrive while it answers."""

from haystack import Document, Pipeline
from haystack.components.generators.chat import MockChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import StreamingChunk
from haystack.document_stores.in_memory import InMemoryDocumentStore

from streamcite.haystack import ChatPromptBuilder, CitingChatGenerator

TEMPLATE = """
{% message role="system" %}{{ citation_instructions() }}{% endmessage %}
{% message role="user" %}
{% for source in documents | numbered %}[{{ source.number }}] {{ source.content }}
{% endfor %}Question: {{ query }}
{% endmessage %}
"""
# Stands in for a model; put any of Haystack's chat generators here.
MODEL = MockChatGenerator(responses="The Rhine flows past Cologne [1] and Basel [2].")


def show(chunk: StreamingChunk) -> None:
    """Print the text as it comes, and each document when it is cited."""
    print(chunk.content, end="")
    for document in chunk.meta.get("documents", []):
        print(f"<{document['content']}>", end="")


store = InMemoryDocumentStore()
store.write_documents(
    [
        Document(content="The Rhine leaves Basel to the north."),
        Document(content="The Elbe flows to Hamburg."),
        Document(content="Cologne lies on the Rhine."),
    ]
)

pipeline = Pipeline()
pipeline.add_component("retriever", InMemoryBM25Retriever(store, top_k=2))
pipeline.add_component("prompt", ChatPromptBuilder(TEMPLATE))
pipeline.add_component("llm", CitingChatGenerator(MODEL, streaming_callback=show))
pipeline.connect("retriever.documents", "prompt.documents")
pipeline.connect("retriever.documents", "llm.documents")
pipeline.connect("prompt.prompt", "llm.messages")

question = "What flows through Basel and Cologne: the Rhine?"
result = pipeline.run(
    {
        "retriever": {"query": question},
        "prompt": {"query": question},
        "llm": {"query": question},
    }
)

answer = result["llm"]["answers"][0]
print()
for citation in answer.citations:
    claim = answer.data[citation.claim_start : citation.claim_end]
    print(f"{citation.marker} at {citation.start}: {claim}")

# Output:
# The Rhine flows past Cologne [1] <Cologne lies on...>and Basel [2].<The Rhine leaves Basel...>
# [1] at 29: The Rhine flows past Cologne
# [2] at 43: and Basel

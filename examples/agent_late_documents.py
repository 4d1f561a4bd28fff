"""Documents arrive while the text streams: what was shown is not taken back, but resolved.

A slow search is common in agents. The model writes `[2]`, and the reader sees it, before the
program has the document. As soon as it has, the next event brings the citation in `updates`.
"""

import asyncio
from collections.abc import AsyncGenerator

import streamcite
from streamcite import Document
from streamcite.prompts import restore_citations

TOKENS = (
    "The Seine ",
    "[1",
    "] is 777 km",
    " long, the",
    " Rhine [2].",
    " Both ",
    "end in ",
    "a sea.",
)


async def model() -> AsyncGenerator[str, None]:
    """Yield the tokens of an answer."""
    for token in TOKENS:
        await asyncio.sleep(0)
        yield token


async def main() -> None:
    """Cite, and add a document in the middle of the answer."""
    documents = [Document("The Seine is 777 km long.")]
    async with streamcite.cite(model(), documents=documents) as answer:
        async for event in answer:
            if event.kind != "partial":
                continue
            if event.delta:
                print(f"> {event.delta}")
            for citation in (*event.citations, *event.updates):
                text = answer.sources[citation.source_indices[0]].content
                print(f"-- {citation.marker} at {citation.start} means: {text}")
            if "[2]" in event.delta:
                (number,) = answer.add_documents(["The Rhine is 1,233 km long."])
                print(f"-- document {number} has come")

    print("cited:", *(document.meta["source_index"] for document in answer.final.documents))
    # The next turn of the chat shows the answer with the numbers of the same register.
    print(restore_citations(answer.final, answer.sources))


asyncio.run(main())

# Output:
# > The Seine
# > [1] is 777 km
# -- [1] at 10 means: The Seine is 777 km long.
# >  long, the
# >  Rhine [2].
# -- document 2 has come
# -- [2] at 40 means: The Rhine is 1,233 km long.
# >  Both
# > end in
# > a sea.
# cited: 1 2
# The Seine [1] is 777 km long, the Rhine [2]. Both end in a sea.

"""An agent with a small model on this machine: two searches, one numbering, a real token stream.

It needs the extra `local`. So small a model cannot plan, so the two searches are planned for it;
the answer is its own. What it says is often wrong; its citations are well-formed.
"""

import asyncio

import streamcite
from streamcite import Document, MissingExtraError, Sources
from streamcite.generators import LocalGenerator

QUESTION = "Where do penguins live, and where do polar bears live?"
FACTS = {
    "penguins": [Document("Penguins live on islands in the south and in Antarctica.")],
    "polar bears": [
        Document("Polar bears live in the Arctic, around the North Pole."),
        Document("Penguins live on islands in the south and in Antarctica."),
    ],
}


async def main() -> None:
    """Search twice, then answer."""
    try:
        generator = LocalGenerator()
    except MissingExtraError as error:
        print(error)
        return
    sources = Sources()
    for query, found in FACTS.items():
        print(f"{query}: documents", *sources.add(found))

    tokens = generator.stream(QUESTION, sources)
    async with streamcite.cite(tokens, query=QUESTION, sources=sources) as answer:
        async for event in answer:
            if event.kind == "partial":
                print(event.delta, end="", flush=True)
    print()
    for document in answer.final.documents:
        print(document.meta["source_index"], document.content)


asyncio.run(main())

"""The prompts of the generators: numbered documents, and how to cite them."""

from streamcite.answers import Document
from streamcite.sources import Sources

__all__ = ["chat_messages", "completion_prompt"]

# Longest text of a source that a small model is shown, in characters.
MAX_SOURCE = 400

INSTRUCTIONS = (
    "Answer the question from the numbered sources only. After each statement write the number of "
    "the source that says so in square brackets, like [1], or [1, 3] if several do. Do not list "
    "the sources at the end. If the sources do not answer the question, say so."
)


def chat_messages(question: str, sources: Sources) -> list[dict[str, str]]:
    """Return the messages for a chat model."""
    return [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": f"{_numbered(sources)}\nQuestion: {question}"},
    ]


def completion_prompt(question: str, sources: Sources) -> str:
    """Return the text that a small base model goes on from: examples, then the question.

    The sources stand in reverse, the best beside the question: a small model heeds most what it
    has read last.
    """
    lines = [_source(number, document, MAX_SOURCE) for number, document in sources.numbered()]
    return f"{EXAMPLES}{''.join(reversed(lines))}Question: {_line(question)}\nAnswer:"


def _numbered(sources: Sources) -> str:
    return "".join(_source(number, document) for number, document in sources.numbered())


def _source(number: int, document: Document, limit: int | None = None) -> str:
    title = f"{_line(str(title))}: " if (title := document.meta.get("title")) else ""
    return f"Source [{number}] {title}{_line(document.content)[:limit]}\n"


def _line(text: str) -> str:
    return " ".join(text.split())


EXAMPLES = """\
Each answer uses only the sources above it. \
Every sentence ends with the number of the source that says so.

Source [3] Tidal power: Tidal power stations use the flow of the tide to make electricity.
Source [2] Bay of Fundy: In the Bay of Fundy the water rises by up to 16 metres.
Source [1] Tides: The moon pulls the water of the oceans. Most coasts have two high tides a day.
Question: Why are there tides, and where are they highest?
Answer: Tides are caused by the moon, which pulls the water of the oceans [1]. \
The tides are highest in the Bay of Fundy, where the water rises by up to 16 metres [2].

Source [3] Rye bread: Rye bread is made with sourdough, because rye has little gluten.
Source [2] Storing bread: Bread goes stale faster in a refrigerator than at room temperature.
Source [1] Baking: A loaf of one kilogram bakes for about an hour at 220 degrees.
Question: How long does a loaf bake and how should it be kept?
Answer: A loaf of one kilogram bakes for about an hour at 220 degrees [1]. \
Bread should be kept at room temperature, since it goes stale faster in a refrigerator [2].

"""

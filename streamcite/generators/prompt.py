"""Which ready prompt of `streamcite.prompts` a generator sends."""

from typing import Any

from streamcite.answers import Json
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["chat_messages", "completion_prompt", "grammar_of"]

# The sections that the template of this name asks for.
SECTIONS = frozenset({"answer", "thinking"})


def chat_messages(
    question: str, sources: Sources, options: CiteOptions | None = None
) -> list[Json]:
    """Return the messages for a chat model.

    Args:
        question: What the user asks.
        sources: The documents that the model may cite.
        options: How the reply will be read; the model is asked to write it so.

    Raises:
        TemplateError: The grammar cites by keys or files, and a document has none.
    """
    from streamcite.prompts import ChatPromptBuilder, load, to_openai

    options = options or CiteOptions()
    template = "sections" if set(options.extract_xml_tags) == SECTIONS else "rag"
    builder = ChatPromptBuilder(load(template))
    values: dict[str, Any] = {"query": question, "documents": sources}
    if grammar := grammar_of(options):
        values["grammar"] = grammar
    else:
        values["citation_instructions"] = lambda *_: ""
    prompt = builder.run(**values)["prompt"]
    return [{**message, "content": _whole(message["content"])} for message in to_openai(prompt)]


def grammar_of(options: CiteOptions) -> str | None:
    """Return the grammar in which a reply that is read so should cite; None: it should not."""
    # Of a pattern of the user's own nothing is known, and `markers` has its default.
    return options.markers[0] if options.markers else None


def completion_prompt(question: str, sources: Sources, grammar: str | None = "bracket") -> str:
    """Return the text that a small base model goes on from: examples, then the question.

    Args:
        question: What the user asks.
        sources: The documents.
        grammar: How the examples cite; not at all if it is None.
    """
    from streamcite.prompts import PromptBuilder, load

    builder = PromptBuilder(load("completion"))
    return _whole(builder.run(query=question, documents=sources, grammar=grammar)["prompt"])


def _whole(text: str) -> str:
    # Half a character, which JSON can spell in a document, cannot be sent.
    return text.encode("utf-8", "replace").decode("utf-8")

"""Arguments of another type, for all that `streamcite.haystack` offers: no bare Python error."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from haystack import Document
from haystack.components.agents.state.state import State
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage, GeneratedAnswer, StreamingChunk

import streamcite
from streamcite.errors import StreamciteError
from streamcite.haystack import (
    AgentDocuments,
    AnswerBuilder,
    ChatPromptBuilder,
    CitedAnswer,
    CitingCallback,
    CitingChatGenerator,
    DeepsetAnswerBuilder,
    PromptBuilder,
    chunk_items,
    from_haystack_answer,
    from_haystack_document,
    from_haystack_message,
    load_deepset_pipeline,
    to_haystack_answer,
    to_haystack_document,
    to_haystack_message,
)
from streamcite.prompts import ChatMessage as OwnMessage

DOCS = [Document(content="x")]
HOOK = AgentDocuments()
ANSWER = streamcite.cite_text("a [1]", documents=["x"])
WRONG: tuple[Any, ...] = (
    *(5, None, "x", b"x", 1.5, True, object(), [5], ["x"], [None], [[]], (5,), [{}]),
    *({}, {"a": 1}, {5: 5}),
)


def answers(**given: Any) -> Any:
    return AnswerBuilder(reference_pattern="acm").run(**given)


def answers_async(**given: Any) -> Any:
    return asyncio.run(AnswerBuilder(reference_pattern="acm").run_async(**given))


def deepset_answers(**given: Any) -> Any:
    return DeepsetAnswerBuilder(reference_pattern="acm").run(**given)


def generate(**given: Any) -> Any:
    return CitingChatGenerator(MockChatGenerator(responses="a [1]")).run(**given)


def generate_async(**given: Any) -> Any:
    generator = CitingChatGenerator(MockChatGenerator(responses="a [1]"))
    return asyncio.run(generator.run_async(**given))


def call_back(chunk: Any) -> Any:
    return CitingCallback(print).callback(chunk)


def add_documents(documents: Any) -> Any:
    return CitingCallback(print).add_documents(documents)


def prompt(**given: Any) -> Any:
    return PromptBuilder("{{ x }}").run(x=1, **given)


def chat_prompt(**given: Any) -> Any:
    return ChatPromptBuilder([ChatMessage.from_user("x")]).run(**given)


RUN = {"query": "q", "replies": ["a [1]"], "meta": [{}], "documents": DOCS}
PATTERNS = {"pattern": "(.*)", "reference_pattern": "acm"}
GENERATE = {"messages": "q", "streaming_callback": repr, "query": "q", "documents": DOCS}
NAMES = {"required_variables": "*", "variables": ["x"]}
CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (AnswerBuilder, PATTERNS | {"expand_reference_ranges": True, "options": {}}),
    (AnswerBuilder, {"markers": "bracket", "last_message_only": True}),
    (answers, RUN | PATTERNS | {"expand_reference_ranges": True}),
    (answers_async, RUN),
    (DeepsetAnswerBuilder, PATTERNS | {"extract_xml_tags": ["t"], "options": {}}),
    (deepset_answers, RUN | PATTERNS | {"prompt": "x"}),
    (load_deepset_pipeline, {"source": "components: {}", "types": {}, "allowed_modules": []}),
    (CitingChatGenerator, {"chat_generator": MockChatGenerator(), "options": {}}),
    (CitingChatGenerator, {"chat_generator": MockChatGenerator(), "streaming_callback": repr}),
    (generate, GENERATE | {"prompt": "x"}),
    (generate_async, GENERATE | {"prompt": "x"}),
    (CitingCallback, {"callback": len, "query": "q", "documents": DOCS, "options": None}),
    (call_back, {"chunk": StreamingChunk("x")}),
    (add_documents, {"documents": DOCS}),
    (lambda chunk: list(chunk_items(chunk)), {"chunk": StreamingChunk("x")}),
    (AgentDocuments, {"key": "documents"}),
    (HOOK.run, {"state": State({"documents": {"type": list[Document]}})}),
    (PromptBuilder, NAMES | {"template": "{{ x }}"}),
    (prompt, {"template": "x", "template_variables": {}}),
    (ChatPromptBuilder, NAMES | {"template": [ChatMessage.from_user("x")]}),
    (chat_prompt, {"template": [ChatMessage.from_user("x")], "template_variables": {}}),
    (from_haystack_document, {"document": DOCS[0]}),
    (to_haystack_document, {"document": streamcite.Document("x")}),
    (from_haystack_message, {"message": ChatMessage.from_user("x")}),
    (to_haystack_message, {"message": OwnMessage.from_user("x")}),
    (from_haystack_answer, {"answer": GeneratedAnswer("x", "q", [], {})}),
    (to_haystack_answer, {"answer": ANSWER, "originals": DOCS, "meta": {}}),
    (CitedAnswer.from_dict, {"data": to_haystack_answer(ANSWER).to_dict()}),
]
EACH = [(call, given, name) for call, given in CALLS for name in given]
NO_ARGUMENT = (1.5, b"x", object())
REFUSED: tuple[tuple[Callable[..., Any], str, object], ...] = (
    (answers, "replies", "a [1]"),
    (answers, "documents", DOCS[0]),
    (answers, "documents", ["x"]),
    (answers, "meta", [{}, {}]),
    (answers, "query", True),
    (deepset_answers, "prompt", ["x"]),
    (generate, "messages", ["q"]),
    (generate, "streaming_callback", True),
    (CitingCallback, "documents", DOCS[0]),
    (CitingCallback, "options", {}),
    (add_documents, "documents", DOCS[0]),
    (add_documents, "documents", [streamcite.Document("x")]),
    (AgentDocuments, "key", True),
    (HOOK.run, "state", {"documents": DOCS}),
    (PromptBuilder, "variables", "xy"),
    (from_haystack_document, "document", streamcite.Document("x")),
    (to_haystack_document, "document", DOCS[0]),
    (from_haystack_answer, "answer", ANSWER),
    (to_haystack_answer, "answer", GeneratedAnswer("x", "q", [], {})),
)


@pytest.mark.parametrize(("call", "given", "name"), EACH)
def test_nothing_raises_a_bare_error(call: Any, given: dict[str, Any], name: str) -> None:
    """What is refused is refused by streamcite, in words."""
    call(**given)

    for wrong in WRONG:
        with suppress(StreamciteError):
            call(**given | {name: wrong})


@pytest.mark.parametrize("wrong", NO_ARGUMENT, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(("call", "given", "name"), EACH)
def test_what_no_argument_is_is_refused(
    call: Any, given: dict[str, Any], name: str, wrong: object
) -> None:
    """A value that no argument takes for its own."""
    with pytest.raises(StreamciteError):
        call(**given | {name: wrong})


@pytest.mark.parametrize(("call", "name", "wrong"), REFUSED)
def test_what_looks_nearly_right_is_refused(call: Any, name: str, wrong: object) -> None:
    """One text for a list of them, a truth value for a number, a chat of the wrong kind."""
    given = next(given for each, given, known in EACH if each == call and known == name)

    with pytest.raises(StreamciteError):
        call(**given | {name: wrong})


WORDS: tuple[tuple[Callable[[], Any], str], ...] = (
    (lambda: AnswerBuilder(options=5), "options is a int; give a dictionary of options by name"),  # type: ignore[arg-type]
    (lambda: AnswerBuilder(5), "pattern is a int; give a regular expression as a str"),  # type: ignore[arg-type]
    (lambda: answers(query="q", replies="a"), "replies is one str; give a list of texts"),
    (lambda: answers(**RUN | {"meta": [5]}), r"meta\[0\] is a int; give a list of one dictionary"),
    (lambda: answers(**RUN | {"documents": ["x"]}), r"documents\[0\] is a str; give haystack"),
    (lambda: generate(messages=[5]), r"messages\[0\] is a int; give a question as a str, or"),
    (lambda: generate(messages="q", streaming_callback=5), "streaming_callback is a int; give a f"),
    (lambda: generate(messages="q", prompt=5), "prompt is one int; give the prompt as a str, or"),
    (lambda: call_back("x"), "the chunk is a str; give StreamingChunks of Haystack's"),
    (lambda: to_haystack_document("x"), "the document is a str; give a streamcite.Document"),  # type: ignore[arg-type]
    (lambda: CitedAnswer.from_dict({}), "dictionary lacks data, documents, meta, query; give"),
    (lambda: ChatPromptBuilder(5), "template is a int; give a str with message blocks, or"),  # type: ignore[arg-type]
    (lambda: PromptBuilder("x", [5]), r"required_variables\[0\] is a int; give a list of names"),  # type: ignore[list-item]
    (lambda: load_deepset_pipeline(5), "source is a int; give the YAML, or the path"),  # type: ignore[arg-type]
)


@pytest.mark.parametrize(("call", "words"), WORDS, ids=[words for _, words in WORDS])
def test_errors_say_what_to_give(call: Callable[[], Any], words: str) -> None:
    """The argument's name, what it is, and what it should be."""
    with pytest.raises(StreamciteError, match=words):
        call()


def test_one_tag_may_be_a_name() -> None:
    """As everywhere: it is not one tag per letter."""
    builder = DeepsetAnswerBuilder(extract_xml_tags="thinking")  # type: ignore[arg-type]  # on purpose

    (answer,) = builder.run("q", ["<thinking>a</thinking>b"])["answers"]

    assert (answer.data, answer.meta["thinking"]) == ("b", "a")

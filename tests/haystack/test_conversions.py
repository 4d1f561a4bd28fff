"""Documents, answers and messages go from one library to the other and back."""

import pytest
from haystack import Document
from haystack.dataclasses import ChatMessage, GeneratedAnswer, ImageContent, ToolCall

import streamcite
from streamcite.haystack import (
    CitedAnswer,
    from_haystack_answer,
    from_haystack_document,
    from_haystack_message,
    to_haystack_answer,
    to_haystack_document,
    to_haystack_message,
)

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)
CALL = ToolCall(tool_name="search", arguments={"q": "x"}, id="c1")
MESSAGES = (
    ChatMessage.from_user("text", meta={"a": 1}, name="Ann"),
    ChatMessage.from_system("be brief"),
    ChatMessage.from_assistant("so", tool_calls=[CALL], reasoning="hm"),
    ChatMessage.from_tool("found", origin=CALL, error=True),
    ChatMessage.from_user(content_parts=["look", ImageContent(PNG, "image/png", detail="low")]),
)


def cited() -> CitedAnswer:
    """Return an answer with all that an answer can hold."""
    answer = streamcite.cite_text(
        "<t>a</t><b>Berlin [1] [9].</b>",
        query="q",
        documents=[Document(id="d", content="Berlin")],
        extract_xml_tags=["t", "b"],
        answer_tag="b",
    )
    return to_haystack_answer(answer)


def test_a_document_comes_back() -> None:
    """Text, id, meta and score survive the way there and back."""
    document = Document(id="d", content="text", meta={"a": [1]}, score=0.5)

    assert to_haystack_document(from_haystack_document(document)) == document


def test_a_document_without_text_is_empty() -> None:
    """Haystack's documents may hold a table or an image instead."""
    assert from_haystack_document(Document(id="d", content=None)).content == ""


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.role.value)
def test_a_message_comes_back(message: ChatMessage) -> None:
    """Every role and every part survives."""
    assert to_haystack_message(from_haystack_message(message)) == message


def test_an_answer_comes_back() -> None:
    """Citations, sections and warnings too."""
    answer = cited()

    assert to_haystack_answer(from_haystack_answer(answer)) == answer


def test_a_plain_answer_has_no_citations() -> None:
    """Haystack's own answers can be read; their messages become dictionaries."""
    message = ChatMessage.from_assistant("x")
    answer = GeneratedAnswer("x", "q", [], {"all_messages": [message]})

    found = from_haystack_answer(answer)

    assert (found.data, found.citations) == ("x", [])
    assert found.meta["all_messages"] == [message.to_dict()]


def test_the_dictionary_of_an_answer_is_read_back() -> None:
    """`from_dict` undoes `to_dict`."""
    answer = cited()

    assert CitedAnswer.from_dict(answer.to_dict()) == answer


def test_haystack_reads_the_dictionary_too() -> None:
    """The additional keys do not disturb it."""
    answer = cited()

    plain = GeneratedAnswer.from_dict(answer.to_dict())

    assert (plain.data, plain.documents) == (answer.data, answer.documents)


def test_old_dictionaries_are_read() -> None:
    """Those of Haystack 2 are wrapped in an envelope."""
    fields = {"data": "x", "query": "q", "documents": [], "meta": {}}

    assert CitedAnswer.from_dict({"type": "a", "init_parameters": fields}).data == "x"


def test_a_document_keeps_what_only_haystack_has() -> None:
    """Given the originals, embeddings come along."""
    original = Document(id="d", content="Berlin", embedding=[0.5])
    answer = streamcite.cite_text("Berlin [1].", documents=[original])

    found = to_haystack_answer(answer, [original]).documents[0]

    assert (found.embedding, found.meta) == ([0.5], {"source_index": 1, "referenced": True})

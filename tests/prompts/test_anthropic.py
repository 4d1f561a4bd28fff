"""Messages of Anthropic's Messages API."""

from typing import Any

import pytest

from streamcite.errors import TemplateError
from streamcite.prompts import (
    ChatMessage,
    ImageContent,
    ReasoningContent,
    TextContent,
    ToolCall,
    from_anthropic,
    to_anthropic,
)
from streamcite.prompts.parts import FileContent
from tests.prompts.test_images import ENCODED

CALL = ToolCall("search", {"q": 1}, "c1")
ANSWERED = ToolCall("", {}, "c1")

PAIRS: tuple[tuple[ChatMessage, dict[str, Any]], ...] = (
    (ChatMessage.from_user("hi"), {"role": "user", "content": "hi"}),
    (ChatMessage.from_assistant("yes"), {"role": "assistant", "content": "yes"}),
    (
        ChatMessage.from_user(
            content_parts=[
                "a",
                ImageContent(ENCODED, "image/png"),
                ImageContent(url="https://a.b/c"),
                FileContent("aGk=", "application/pdf", "f.pdf"),
            ]
        ),
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "a"},
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": ENCODED},
                },
                {"type": "image", "source": {"type": "url", "url": "https://a.b/c"}},
                {
                    "type": "document",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": "aGk="},
                    "title": "f.pdf",
                },
            ],
        },
    ),
    (
        ChatMessage(
            "assistant",
            (
                ReasoningContent("hm", {"signature": "s"}),
                ReasoningContent("", {"redacted": "xyz"}),
                TextContent("so"),
                CALL,
            ),
        ),
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "redacted_thinking", "data": "xyz"},
                {"type": "text", "text": "so"},
                {"type": "tool_use", "id": "c1", "name": "search", "input": {"q": 1}},
            ],
        },
    ),
    (
        ChatMessage.from_tool("no", ANSWERED, True),
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}
            ],
        },
    ),
    (
        ChatMessage.from_tool((TextContent("x"),), ANSWERED),
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "c1",
                    "content": [{"type": "text", "text": "x"}],
                }
            ],
        },
    ),
)
each_pair = pytest.mark.parametrize(("message", "data"), PAIRS, ids=[p[0].role for p in PAIRS])


@each_pair
def test_a_message_is_written(message: ChatMessage, data: dict[str, Any]) -> None:
    """Each kind of message has its form in the API."""
    assert message.to_anthropic() == data


@each_pair
def test_a_message_is_read_back(message: ChatMessage, data: dict[str, Any]) -> None:
    """What was sent is read as the message that it was."""
    assert ChatMessage.from_anthropic(data) == message


def test_a_chat_has_its_system_text_beside_it() -> None:
    """System messages become the system argument, and come back from it."""
    chat = [ChatMessage.from_system("be kind"), ChatMessage.from_user("hi")]

    written = to_anthropic(chat)

    assert written == {"system": "be kind", "messages": [{"role": "user", "content": "hi"}]}
    assert from_anthropic(**written) == chat


def test_a_chat_without_a_system_text_has_none() -> None:
    """The argument is left out, since the API takes no None."""
    assert to_anthropic([PAIRS[0][0]]) == {"messages": [PAIRS[0][1]]}


def test_results_of_one_turn_are_one_message() -> None:
    """Tool results that follow one another are sent together, and read apart again."""
    results = [ChatMessage.from_tool(text, ANSWERED) for text in ("a", "b")]

    (message,) = to_anthropic(results)["messages"]

    assert [block["content"] for block in message["content"]] == ["a", "b"]
    assert from_anthropic([message]) == results


def test_a_system_text_in_blocks_is_read() -> None:
    """The system argument may be a list of text blocks."""
    assert from_anthropic([], [{"type": "text", "text": "x"}]) == [ChatMessage.from_system("x")]


def test_results_and_text_are_several_messages() -> None:
    """One of Anthropic's messages may be two of ours; the method says which function reads it."""
    data = {"role": "user", "content": [*PAIRS[4][1]["content"], {"type": "text", "text": "and?"}]}

    assert from_anthropic([data]) == [PAIRS[4][0], ChatMessage.from_user("and?")]
    with pytest.raises(TemplateError, match="makes 2 messages"):
        ChatMessage.from_anthropic(data)


UNSENDABLE: tuple[tuple[ChatMessage, str], ...] = (
    (ChatMessage.from_system("x"), "takes the system text beside the messages"),
    (ChatMessage.from_assistant(), "an? assistant message without content"),
    (ChatMessage.from_user(""), "a user message without content"),
    (ChatMessage.from_assistant(tool_calls=[ToolCall("f", {})]), "tool 'f' needs an id"),
)


@pytest.mark.parametrize(("message", "reason"), UNSENDABLE, ids=lambda value: str(value)[:20])
def test_what_the_api_refuses_is_refused_here(message: ChatMessage, reason: str) -> None:
    """The error comes before the request and says why."""
    with pytest.raises(TemplateError, match=reason):
        message.to_anthropic()


UNREADABLE: tuple[tuple[dict[str, Any], str], ...] = (
    ({"role": "robot", "content": "x"}, "'robot' is no role"),
    ({"role": "user"}, "cannot read an Anthropic user message"),
    ({"role": "user", "content": [{"type": "audio"}]}, "block of type 'audio'; there are text"),
    (
        {"role": "user", "content": [{"type": "document", "source": {"type": "file"}}]},
        "a source of type 'file'",
    ),
)


@pytest.mark.parametrize(("data", "reason"), UNREADABLE, ids=lambda value: str(value)[:30])
def test_what_is_no_message_is_refused(data: dict[str, Any], reason: str) -> None:
    """Broken or unknown blocks are TemplateErrors."""
    with pytest.raises(TemplateError, match=reason):
        ChatMessage.from_anthropic(data)

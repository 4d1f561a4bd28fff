"""Messages of OpenAI's Chat Completions API."""

from typing import Any

import pytest
from haystack import dataclasses as haystack

from streamcite.errors import TemplateError
from streamcite.prompts import (
    ChatMessage,
    ImageContent,
    TextContent,
    ToolCall,
    from_openai,
    to_openai,
)
from streamcite.prompts.parts import FileContent, ToolCallResult
from tests.prompts.test_images import ENCODED

CALL = ToolCall("search", {"q": "ü"}, "c1")
DATA_URL = f"data:image/png;base64,{ENCODED}"

PAIRS: tuple[tuple[ChatMessage, dict[str, Any]], ...] = (
    (ChatMessage.from_user("hi", name="Ann"), {"role": "user", "name": "Ann", "content": "hi"}),
    (ChatMessage.from_user(""), {"role": "user", "content": ""}),
    (ChatMessage.from_system("be kind"), {"role": "system", "content": "be kind"}),
    (ChatMessage.from_assistant("yes"), {"role": "assistant", "content": "yes"}),
    (
        ChatMessage.from_user(
            content_parts=[
                "a",
                ImageContent(ENCODED, detail="low"),
                FileContent("aGk=", "text/plain", "f"),
            ]
        ),
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "a"},
                {"type": "image_url", "image_url": {"url": DATA_URL, "detail": "low"}},
                {
                    "type": "file",
                    "file": {"file_data": "data:text/plain;base64,aGk=", "filename": "f"},
                },
            ],
        },
    ),
    (
        ChatMessage.from_user(content_parts=[ImageContent(url="https://a.b/c.png")]),
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "https://a.b/c.png"}}],
        },
    ),
    (
        ChatMessage.from_assistant("so", tool_calls=[CALL]),
        {
            "role": "assistant",
            "content": "so",
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "search", "arguments": '{"q": "ü"}'},
                }
            ],
        },
    ),
    (
        ChatMessage.from_assistant(tool_calls=[ToolCall("f", {}, "c2")]),
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "c2", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        },
    ),
    (
        ChatMessage.from_tool("found", ToolCall("", {}, "c1")),
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
    ),
    (
        ChatMessage.from_tool((TextContent("a"), TextContent("b")), ToolCall("", {}, "c1")),
        {
            "role": "tool",
            "tool_call_id": "c1",
            "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        },
    ),
)
each_pair = pytest.mark.parametrize(("message", "data"), PAIRS, ids=[p[0].role for p in PAIRS])


@each_pair
def test_a_message_is_written(message: ChatMessage, data: dict[str, Any]) -> None:
    """Each kind of message has its form in the API."""
    assert message.to_openai() == data


@each_pair
def test_a_message_is_read_back(message: ChatMessage, data: dict[str, Any]) -> None:
    """What was sent is read as the message that it was."""
    assert ChatMessage.from_openai(data) == message


@pytest.mark.parametrize(
    "message", [m for m, _ in PAIRS if not m.images or m.images[0].base64_image]
)
def test_haystack_writes_the_same(message: ChatMessage) -> None:
    """What Haystack can send at all, it sends in the same form."""
    theirs = haystack.ChatMessage.from_dict(message.to_dict())

    assert theirs.to_openai_dict_format() == message.to_openai()


def test_a_chat_is_a_list() -> None:
    """The functions write and read whole chats."""
    chat = [message for message, _ in PAIRS]

    assert from_openai(to_openai(chat)) == chat


READ: tuple[tuple[dict[str, Any], ChatMessage], ...] = (
    ({"role": "developer", "content": "x"}, ChatMessage.from_system("x")),
    ({"role": "assistant", "content": None}, ChatMessage.from_assistant()),
    (
        {"role": "assistant", "content": None, "refusal": "no"},
        ChatMessage.from_assistant(meta={"refusal": "no"}),
    ),
    (
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
        ChatMessage.from_assistant(meta={"refusal": "no"}),
    ),
    (
        {
            "role": "assistant",
            "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": ""}}],
        },
        ChatMessage.from_assistant(tool_calls=[ToolCall("f", {}, "1")]),
    ),
    (
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
        ChatMessage.from_assistant(tool_calls=[ToolCall("f", {"a": 1})]),
    ),
)


@pytest.mark.parametrize(("data", "message"), READ)
def test_other_forms_are_read(data: dict[str, Any], message: ChatMessage) -> None:
    """Roles, refusals and calls as compatible servers send them."""
    assert ChatMessage.from_openai(data) == message


def test_texts_of_the_model_are_one() -> None:
    """Text parts of a reply are sent as the one text that the reader saw; thoughts stay here."""
    message = ChatMessage("assistant", (TextContent("Par"), TextContent("is")))

    assert message.to_openai() == {"role": "assistant", "content": "Paris"}


UNSENDABLE: tuple[tuple[ChatMessage, str], ...] = (
    (ChatMessage.from_assistant(tool_calls=[ToolCall("f", {})]), "tool 'f' needs an id"),
    (ChatMessage.from_tool("x", ToolCall("f", {})), "tool 'f' needs an id"),
    (ChatMessage.from_tool((ImageContent(ENCODED),), CALL), "takes only text as a tool's result"),
    (ChatMessage("tool", (ToolCallResult("a", CALL), ToolCallResult("b", CALL))), "not 2"),
    (ChatMessage("user", ()), "a user message without content"),
)


@pytest.mark.parametrize(("message", "reason"), UNSENDABLE, ids=lambda value: str(value)[:20])
def test_what_the_api_refuses_is_refused_here(message: ChatMessage, reason: str) -> None:
    """The error comes before the request and says why."""
    with pytest.raises(TemplateError, match=reason):
        message.to_openai()


UNREADABLE: tuple[tuple[dict[str, Any], str], ...] = (
    ({"content": "x"}, "None is no role"),
    (
        {"role": "user", "content": [{"type": "audio"}]},
        "part of type 'audio'; there are text, image",
    ),
    ({"role": "user", "content": ["x"]}, "cannot read an OpenAI user message"),
    ({"role": "user", "content": [{"type": "file", "file": {"file_id": "x"}}]}, "no data URL"),
    ({"role": "assistant", "tool_calls": [{"id": "1"}]}, "cannot read an OpenAI assistant message"),
    (
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{"}}]},
        "cannot read an OpenAI assistant message",
    ),
)


@pytest.mark.parametrize(("data", "reason"), UNREADABLE, ids=lambda value: str(value)[:30])
def test_what_is_no_message_is_refused(data: dict[str, Any], reason: str) -> None:
    """Broken or unknown parts are TemplateErrors."""
    with pytest.raises(TemplateError, match=reason):
        ChatMessage.from_openai(data)

"""Chat messages: what they hold, and their way to Haystack and back."""

from typing import Any

import pytest
from haystack import dataclasses as haystack

from streamcite.errors import TemplateError
from streamcite.prompts import ChatMessage, ImageContent, ReasoningContent, TextContent, ToolCall
from streamcite.prompts.messages import role_of, to_anthropic, to_openai
from streamcite.prompts.parts import FileContent
from tests.prompts.test_images import ENCODED

IMAGE = ImageContent(ENCODED, "image/png")
CALL = ToolCall("search", {"q": "ü"}, "c1")
MESSAGES = (
    ChatMessage.from_user("hi", {"a": 1}, "Ann"),
    ChatMessage.from_user(content_parts=["see", IMAGE, FileContent("aGk=", "text/plain", "a")]),
    ChatMessage.from_system("be kind"),
    ChatMessage.from_assistant("so", tool_calls=[CALL], reasoning="hm"),
    ChatMessage.from_assistant(),
    ChatMessage.from_tool("found", CALL, True, {"b": 2}),
    ChatMessage.from_tool((TextContent("x"), IMAGE), CALL),
)
each_message = pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.role)


@each_message
def test_a_message_survives_its_dictionary(message: ChatMessage) -> None:
    """from_dict reads what to_dict wrote."""
    assert ChatMessage.from_dict(message.to_dict()) == message


@each_message
def test_a_message_goes_to_haystack_and_back(message: ChatMessage) -> None:
    """Haystack reads our dictionary, and its message is read as ours."""
    theirs = haystack.ChatMessage.from_dict(message.to_dict())

    assert theirs.role.value == message.role
    assert ChatMessage.of(theirs) == message


def test_the_parts_are_told_apart() -> None:
    """Each kind of part has its property."""
    message = MESSAGES[3]

    assert (message.texts, message.text, message.tool_calls) == (["so"], "so", [CALL])
    assert message.reasoning == ReasoningContent("hm")
    assert MESSAGES[1].images == [IMAGE]
    assert MESSAGES[5].tool_call_results[0].origin == CALL


def test_the_text_is_all_of_it() -> None:
    """A reply that came in several parts reads as the stream showed it."""
    message = ChatMessage("assistant", (TextContent("Par"), TextContent("is")))

    assert message.text == "Paris"


def test_a_message_may_have_no_text() -> None:
    """Without a text part the text is None, and without thoughts the reasoning is."""
    assert (MESSAGES[4].text, MESSAGES[4].reasoning) == (None, None)


def test_a_role_of_haystack_is_its_name() -> None:
    """What a template is given becomes a plain text."""
    assert type(role_of(haystack.ChatRole.USER)) is str


def test_a_message_knows_its_role() -> None:
    """is_from compares the role."""
    assert [MESSAGES[0].is_from(role) for role in ("user", "system")] == [True, False]


OLD_FORMS: tuple[dict[str, Any], ...] = (
    {"role": "user", "content": "hi"},
    {"role": "user", "content": [{"text": "hi"}]},
    {"role": "user", "content": {"text": "hi"}},
    {"_role": "user", "_content": [{"text": "hi"}], "_name": None, "_meta": {}},
    {"role": haystack.ChatRole.USER, "content": "hi", "meta": None},
)


@pytest.mark.parametrize("data", OLD_FORMS)
def test_older_dictionaries_are_read(data: dict[str, Any]) -> None:
    """Each form in which Haystack or deepset ever wrote a message is a message."""
    assert ChatMessage.from_dict(data) == ChatMessage.from_user("hi")


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"content": "x"}, "has 'role' and 'content'"),
    ({"role": "user"}, "has 'role' and 'content'"),
    ({"role": "robot", "content": "x"}, "'robot' is no role; there are user, system"),
    ({"role": "user", "content": 7}, "a str or a list of parts"),
    (
        {"role": "system", "content": [{"image": IMAGE.to_dict()}]},
        "holds no ImageContent, only Text",
    ),
)


@pytest.mark.parametrize(("data", "message"), WRONG)
def test_a_wrong_dictionary_is_refused(data: dict[str, Any], message: str) -> None:
    """What is no message says what one is."""
    with pytest.raises(TemplateError, match=message):
        ChatMessage.from_dict(data)


@pytest.mark.parametrize("value", ["text", {"role": "user", "content": "x"}, None])
def test_other_values_are_no_messages(value: object) -> None:
    """A dictionary is not taken for a message by itself; the error names the way."""
    with pytest.raises(TemplateError, match=r"ChatMessage\.from_dict and from_openai make them"):
        ChatMessage.of(value)


@pytest.mark.parametrize(
    "arguments", [{}, {"text": "a", "content_parts": ["b"]}, {"content_parts": []}]
)
def test_a_user_message_has_one_content(arguments: dict[str, Any]) -> None:
    """Text or parts, one of the two, and not empty."""
    with pytest.raises(TemplateError, match="from_user: "):
        ChatMessage.from_user(**arguments)


@pytest.mark.parametrize("encode", [to_openai, to_anthropic])
def test_what_is_no_message_is_refused(encode: Any) -> None:
    """The error says what makes a message of a dictionary."""
    with pytest.raises(TemplateError, match="dict is no message: give ChatMessage"):
        encode([{"role": "user", "content": "x"}])

"""Chat messages: who speaks, in which parts, and how providers want them written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from streamcite.answers import Json, Meta
from streamcite.arguments import check_type, items_of
from streamcite.errors import TemplateError
from streamcite.prompts import anthropic, openai
from streamcite.prompts.images import ImageContent
from streamcite.prompts.parts import (
    FileContent,
    Part,
    ReasoningContent,
    Role,
    TextContent,
    ToolCall,
    ToolCallResult,
    part_from_dict,
    part_of,
    part_to_dict,
)

__all__ = [
    "ChatMessage",
    "Role",
    "from_anthropic",
    "from_openai",
    "role_of",
    "to_anthropic",
    "to_openai",
]

ROLES: tuple[Role, ...] = get_args(Role)

PARTS_OF_ROLE: dict[Role, tuple[type[Part], ...]] = {
    "user": (TextContent, ImageContent, FileContent),
    "system": (TextContent,),
    "assistant": (TextContent, ToolCall, ReasoningContent),
    "tool": (ToolCallResult,),
}
"""Which parts a message of each role may hold."""


def role_of(value: object) -> Role:
    """Return the role of a name.

    Raises:
        TemplateError: There is no such role.
    """
    for role in ROLES:
        if value == role:
            return role
    raise TemplateError(f"{value!r:.60} is no role; there are {', '.join(ROLES)}")


@dataclass(frozen=True)
class ChatMessage:
    """One message of a chat.

    Make it with `from_user`, `from_system`, `from_assistant` or `from_tool`.
    """

    role: Role
    content: tuple[Part, ...]
    name: str | None = None
    """Who speaks, where several share a role; OpenAI only."""
    meta: Meta = field(default_factory=dict)
    """Anything else; not sent."""

    def __post_init__(self) -> None:
        role_of(self.role)
        check_type(self.name, str | None, "name", "give a str", TemplateError)
        check_type(self.meta, Mapping, "meta", "give a dictionary", TemplateError)
        advice = "give a list of parts, such as TextContent"
        for part in items_of(self.content, object, "content", advice, TemplateError):
            if not isinstance(part, PARTS_OF_ROLE[self.role]):
                allowed = ", ".join(kind.__name__ for kind in PARTS_OF_ROLE[self.role])
                raise TemplateError(
                    f"a {self.role} message holds no {type(part).__name__}, only {allowed}"
                )

    @classmethod
    def from_user(
        cls,
        text: str | None = None,
        meta: Meta | None = None,
        name: str | None = None,
        *,
        content_parts: Sequence[object] | None = None,
    ) -> "ChatMessage":
        """Make a message of the user: of a text, or of parts where a str is text."""
        if (text is None) == (content_parts is None):
            raise TemplateError("from_user: give text or content_parts, one of the two")
        parts: Sequence[object] = (text,)
        if content_parts is not None:
            advice = "give a list of parts, such as a str or an ImageContent"
            parts = items_of(content_parts, object, "content_parts", advice, TemplateError)
        if not parts:
            raise TemplateError("from_user: content_parts is empty; give at least one part")
        return cls("user", tuple(part_of(part) for part in parts), name, meta or {})

    @classmethod
    def from_system(
        cls, text: str, meta: Meta | None = None, name: str | None = None
    ) -> "ChatMessage":
        """Make a message that tells the model how to behave."""
        return cls("system", (TextContent(text),), name, meta or {})

    @classmethod
    def from_assistant(
        cls,
        text: str | None = None,
        meta: Meta | None = None,
        name: str | None = None,
        tool_calls: Sequence[ToolCall] | None = None,
        *,
        reasoning: str | ReasoningContent | None = None,
    ) -> "ChatMessage":
        """Make a message of the model: what it thought, said, and wants called."""
        if isinstance(reasoning, str):
            reasoning = ReasoningContent(reasoning) if reasoning else None
        parts: list[Part] = [reasoning] if reasoning else []
        parts += [] if text is None else [TextContent(text)]
        if tool_calls is not None:
            advice = "give a list of ToolCall"
            parts += items_of(tool_calls, ToolCall, "tool_calls", advice, TemplateError)
        return cls("assistant", tuple(parts), name, {} if meta is None else meta)

    @classmethod
    def from_tool(
        cls,
        tool_result: "str | Sequence[TextContent | ImageContent | FileContent]",
        origin: ToolCall,
        error: bool = False,
        meta: Meta | None = None,
    ) -> "ChatMessage":
        """Make the message that answers a tool call."""
        return cls("tool", (ToolCallResult(tool_result, origin, error),), None, meta or {})

    @classmethod
    def of(cls, value: object) -> "ChatMessage":
        """Return a message for a message, this library's or Haystack's.

        Raises:
            TemplateError: The value is neither.
        """
        if isinstance(value, cls):
            return value
        to_dict = getattr(value, "to_dict", None)
        if callable(to_dict) and hasattr(value, "role") and hasattr(value, "meta"):
            return cls.from_dict(to_dict())
        raise TemplateError(
            f"{type(value).__name__} is no message: give ChatMessage objects; "
            "ChatMessage.from_dict and from_openai make them of dictionaries"
        )

    def is_from(self, role: str) -> bool:
        """Tell whether the message has this role."""
        return self.role == role

    @property
    def texts(self) -> list[str]:
        """The text of each text part."""
        return [part.text for part in self.content if isinstance(part, TextContent)]

    @property
    def text(self) -> str | None:
        """All text parts together, as a reader saw them; None if there is none."""
        return "".join(texts) if (texts := self.texts) else None

    @property
    def images(self) -> list[ImageContent]:
        """The images of the message."""
        return [part for part in self.content if isinstance(part, ImageContent)]

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The tools that the model wants called."""
        return [part for part in self.content if isinstance(part, ToolCall)]

    @property
    def tool_call_results(self) -> list[ToolCallResult]:
        """What the tools returned."""
        return [part for part in self.content if isinstance(part, ToolCallResult)]

    @property
    def reasoning(self) -> ReasoningContent | None:
        """What the model thought, the first part of it; None if it told nothing."""
        thoughts = (part for part in self.content if isinstance(part, ReasoningContent))
        return next(thoughts, None)

    def to_dict(self) -> Json:
        """Return the message as JSON-ready values, in the form of Haystack's `to_dict`."""
        content = [part_to_dict(part) for part in self.content]
        return {"role": self.role, "meta": self.meta, "name": self.name, "content": content}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> "ChatMessage":
        """Read back what `to_dict`, or any Haystack since 2.0, wrote.

        Raises:
            TemplateError: The dictionary is that of no message.
        """
        _check_message(data)
        fields: dict[str, Any] = {key.removeprefix("_"): value for key, value in data.items()}
        if "role" not in fields or "content" not in fields:
            raise TemplateError(
                f"a message has 'role' and 'content', this one {list(fields)!r:.100}"
            )
        content = fields["content"]
        if isinstance(content, str):
            content = [{"text": content}]
        elif isinstance(content, Mapping):
            content = [content]
        if not isinstance(content, list | tuple):
            raise TemplateError("the content of a message is a str or a list of parts")
        role = fields["role"]
        role = role.value if hasattr(role, "value") else role
        parts = tuple(part_from_dict(part) for part in content)
        return cls(role, parts, fields.get("name"), fields.get("meta") or {})

    def to_openai(self) -> Json:
        """Return the message for OpenAI's Chat Completions API."""
        return openai.encode(self.role, self.content, self.name)

    @classmethod
    def from_openai(cls, data: Mapping[str, object]) -> "ChatMessage":
        """Read a message of OpenAI's Chat Completions API."""
        _check_message(data)
        role, parts, name, meta = openai.decode(data)
        return cls(role, parts, name, meta)

    def to_anthropic(self) -> Json:
        """Return the message for Anthropic's Messages API.

        Raises:
            TemplateError: It is a system message; there it is no message: see `to_anthropic`.
        """
        return anthropic.encode(self.role, self.content)

    @classmethod
    def from_anthropic(cls, data: Mapping[str, object]) -> "ChatMessage":
        """Read a message of Anthropic's Messages API.

        Raises:
            TemplateError: It holds tool results together with something else, which are several
                messages here: see the function `from_anthropic`.
        """
        messages = from_anthropic([data])
        if len(messages) != 1:
            raise TemplateError(
                f"this message makes {len(messages)} messages: read it with the function "
                "streamcite.prompts.from_anthropic"
            )
        return messages[0]


def to_openai(messages: Sequence[ChatMessage]) -> list[Json]:
    """Return a chat as the `messages` of OpenAI's Chat Completions API.

    Raises:
        TemplateError: One of them is no message, or they are no list.
    """
    return [ChatMessage.of(message).to_openai() for message in _listed(messages)]


def from_openai(messages: Sequence[Mapping[str, object]]) -> list[ChatMessage]:
    """Read the `messages` of OpenAI's Chat Completions API.

    Raises:
        TemplateError: One of them is no message, or they are no list.
    """
    return [ChatMessage.from_openai(message) for message in _listed_dicts(messages)]


def to_anthropic(messages: Sequence[ChatMessage]) -> Json:
    """Return a chat as `system` and `messages` of Anthropic's Messages API.

    Tool results that follow one another become one message, as the API wants them. `system` is
    left out if there is none.

    Raises:
        TemplateError: One of them is no message.
    """
    chat_messages = [ChatMessage.of(message) for message in _listed(messages)]
    encoded = [each.to_anthropic() for each in chat_messages if each.role != "system"]
    system = [text for each in chat_messages if each.role == "system" for text in each.texts]
    chat: Json = {"messages": anthropic.merge_results(encoded)}
    return {"system": "\n\n".join(system), **chat} if system else chat


def from_anthropic(
    messages: Sequence[Mapping[str, object]],
    system: str | Sequence[Mapping[str, object]] | None = None,
) -> list[ChatMessage]:
    """Read `messages` and `system` of Anthropic's Messages API.

    Raises:
        TemplateError: One of them is no message, or they are no list.
    """
    chat = [ChatMessage.from_system(text) for text in anthropic.system_texts(system)]
    for message in _listed_dicts(messages):
        chat += (ChatMessage(role, parts) for role, parts in anthropic.decode(message))
    return chat


def _listed(messages: object) -> list[object]:
    return items_of(messages, object, "messages", "give a list of ChatMessage", TemplateError)


def _listed_dicts(messages: object) -> list[Mapping[str, object]]:
    advice = "give a list of the API's messages, each a dictionary"
    return items_of(messages, Mapping, "messages", advice, TemplateError)


def _check_message(data: Mapping[str, object]) -> None:
    check_type(data, Mapping, "data", "give one message as a dictionary", TemplateError)
    for key in data:
        check_type(key, str, "a key of a message", "its keys are str", TemplateError)

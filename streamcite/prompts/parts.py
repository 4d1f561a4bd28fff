"""The parts of a chat message, and the dictionaries they are written as.

The dictionaries are those of Haystack's `ChatMessage.to_dict`, so that messages pass between the
two by `from_dict(message.to_dict())`.
"""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from streamcite.answers import Json
from streamcite.arguments import check_type, items_of
from streamcite.errors import TemplateError
from streamcite.prompts.images import ImageContent

__all__ = [
    "FileContent",
    "Part",
    "ReasoningContent",
    "Role",
    "TextContent",
    "ToolCall",
    "ToolCallResult",
    "part_from_dict",
    "part_of",
    "part_to_dict",
]

Role = Literal["user", "system", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class TextContent:
    """Text of a message."""

    text: str

    def __post_init__(self) -> None:
        check_type(self.text, str, "TextContent: text", "give a str", TemplateError)

    def to_dict(self) -> Json:
        """Return the part as a dictionary."""
        return {"text": self.text}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants called."""

    tool_name: str
    arguments: Json
    id: str | None = None
    """The provider's name for this call, by which the result refers to it."""
    extra: Json | None = None
    """What the provider sent beside it."""

    def __post_init__(self) -> None:
        check_type(self.tool_name, str, "ToolCall: tool_name", "give a str", TemplateError)
        advice = "give a dictionary of arguments by name"
        check_type(self.arguments, Mapping, "ToolCall: arguments", advice, TemplateError)

    def to_dict(self) -> Json:
        """Return the part as a dictionary."""
        return {
            "tool_name": self.tool_name,
            "arguments": self.arguments,
            "id": self.id,
            "extra": self.extra,
        }


@dataclass(frozen=True, slots=True)
class ToolCallResult:
    """What a tool returned."""

    result: "str | Sequence[TextContent | ImageContent | FileContent]"
    origin: ToolCall
    """The call that it answers."""
    error: bool = False
    """Whether the tool failed."""

    def __post_init__(self) -> None:
        advice = "give the ToolCall that it answers"
        check_type(self.origin, ToolCall, "ToolCallResult: origin", advice, TemplateError)
        if not isinstance(self.result, str):
            advice = "give a str, or a list of texts, images and files"
            for part in items_of(
                self.result, object, "ToolCallResult: result", advice, TemplateError
            ):
                check_type(part, _RESULT_PARTS, "a part of a ToolCallResult", advice, TemplateError)

    def to_dict(self) -> Json:
        """Return the part as a dictionary."""
        given = self.result
        result = given if isinstance(given, str) else [part_to_dict(part) for part in given]
        return {"result": result, "origin": self.origin.to_dict(), "error": self.error}


@dataclass(frozen=True, slots=True)
class ReasoningContent:
    """What the model thought before it answered."""

    reasoning_text: str
    extra: Json = field(default_factory=dict)
    """What the provider wants back with it, such as a signature."""

    def __post_init__(self) -> None:
        name = "ReasoningContent: reasoning_text"
        check_type(self.reasoning_text, str, name, "give a str", TemplateError)

    def to_dict(self) -> Json:
        """Return the part as a dictionary."""
        return {"reasoning_text": self.reasoning_text, "extra": self.extra}


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file in a message, such as a PDF."""

    base64_data: str
    mime_type: str | None = None
    filename: str | None = None
    extra: Json = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("mime_type", "filename"):
            check_type(
                getattr(self, name), str | None, f"FileContent: {name}", "give a str", TemplateError
            )
        try:
            base64.b64decode(self.base64_data, validate=True)
        except (binascii.Error, TypeError, ValueError) as error:
            raise TemplateError("FileContent: base64_data is no base64 text") from error

    def to_dict(self) -> Json:
        """Return the part as a dictionary."""
        return {
            "base64_data": self.base64_data,
            "mime_type": self.mime_type,
            "filename": self.filename,
            "extra": self.extra,
        }


_RESULT_PARTS = (TextContent, ImageContent, FileContent)

Part = TextContent | ImageContent | FileContent | ToolCall | ToolCallResult | ReasoningContent

PART_KEYS: dict[str, type[Part]] = {
    "text": TextContent,
    "tool_call": ToolCall,
    "tool_call_result": ToolCallResult,
    "image": ImageContent,
    "reasoning": ReasoningContent,
    "file": FileContent,
}
"""The key under which a part stands in a message's dictionary."""

# A part written flat, without its key, is known by a field that only it has.
_FLAT_FIELDS = {
    "tool_name": "tool_call",
    "origin": "tool_call_result",
    "reasoning_text": "reasoning",
    "base64_image": "image",
    "base64_data": "file",
}


def part_to_dict(part: Part) -> Json:
    """Return a part as the dictionary that stands in a message's content."""
    for key, kind in PART_KEYS.items():
        if isinstance(part, kind):
            return part.to_dict() if key == "text" else {key: part.to_dict()}
    raise TemplateError(
        f"a message holds no {type(part).__name__}: give one of "
        f"{', '.join(kind.__name__ for kind in PART_KEYS.values())}"
    )


def part_from_dict(data: Mapping[str, Any]) -> Part:
    """Read a part back.

    Raises:
        TemplateError: The dictionary is that of no part.
    """
    check_type(data, Mapping, "a message part", "give the dictionary of one", TemplateError)
    try:
        if "text" in data:
            return TextContent(data["text"])
        for key in PART_KEYS:
            if key in data:
                return _read(key, data[key])
        for name, key in _FLAT_FIELDS.items():
            if name in data:
                return _read(key, data)
    except (AttributeError, KeyError, TypeError) as error:
        raise TemplateError(f"cannot read a message part: {error}") from error
    raise TemplateError(
        f"cannot read a message part with the keys {list(data)!r:.100}: it needs one of "
        f"{', '.join(PART_KEYS)}"
    )


def _read(key: str, data: Mapping[str, object]) -> Part:
    fields: dict[str, Any] = dict(data)
    if key == "tool_call_result":
        result = fields["result"]
        if not isinstance(result, str):
            fields["result"] = tuple(part_from_dict(part) for part in result)
        fields["origin"] = ToolCall(**fields["origin"])
    # Haystack writes down whether it validated the part; here all are.
    fields.pop("validation", None)
    return PART_KEYS[key](**fields)


def part_of(value: object) -> Part:
    """Return a part for a part, a str, or an object of Haystack's that has the same shape.

    Raises:
        TemplateError: The value is no part.
    """
    if isinstance(value, str):
        return TextContent(value)
    if isinstance(value, Part):
        return value
    names = {kind.__name__: key for key, kind in PART_KEYS.items()}
    key = names.get(type(value).__name__)
    to_dict = getattr(value, "to_dict", None)
    if key is None or not callable(to_dict):
        raise TemplateError(
            f"{type(value).__name__} is no part of a message: give a str or one of "
            f"{', '.join(names)}"
        )
    return part_from_dict(to_dict() if key == "text" else {key: to_dict()})

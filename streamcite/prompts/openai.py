"""Messages as OpenAI's Chat Completions API writes them."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from streamcite.answers import Json, Meta
from streamcite.errors import TemplateError
from streamcite.prompts.images import ImageContent, split_data_url
from streamcite.prompts.parts import (
    FileContent,
    Part,
    ReasoningContent,
    Role,
    TextContent,
    ToolCall,
    ToolCallResult,
)

__all__ = ["decode", "encode"]

Decoded = tuple[Role, tuple[Part, ...], str | None, Meta]
"""Role, parts, name and meta of a message."""

ROLES: dict[str, Role] = {
    "user": "user",
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "tool": "tool",
}


def encode(role: Role, content: Sequence[Part], name: str | None) -> Json:
    """Write one message; reasoning is left out, since the API takes none back.

    Raises:
        TemplateError: The message holds what the API has no form for.
    """
    message: Json = {"role": role, **({"name": name} if name is not None else {})}
    if role == "tool":
        return message | _encode_result(content)
    parts = [part for part in content if not isinstance(part, ToolCall | ReasoningContent)]
    calls = [_encode_call(part) for part in content if isinstance(part, ToolCall)]
    if parts or not calls:
        message["content"] = _encode_parts(parts, role)
    if calls:
        message["tool_calls"] = calls
    return message


def _encode_parts(parts: Sequence[Part], role: Role) -> str | list[Json]:
    if not parts and role != "assistant":
        raise TemplateError(f"a {role} message without content cannot be sent")
    texts = [part.text for part in parts if isinstance(part, TextContent)]
    if len(texts) == len(parts) and (len(texts) < 2 or role == "assistant"):
        return "".join(texts)
    return [_encode_part(part) for part in parts]


def _encode_part(part: Part) -> Json:
    return _PART_ENCODERS[type(part)](part)


def _encode_image(part: ImageContent) -> Json:
    detail = {"detail": part.detail} if part.detail else {}
    return {"type": "image_url", "image_url": {"url": part.data_url, **detail}}


def _encode_file(part: FileContent) -> Json:
    data_url = f"data:{part.mime_type or 'application/pdf'};base64,{part.base64_data}"
    # The API takes bytes only together with a file name.
    return {"type": "file", "file": {"file_data": data_url, "filename": part.filename or "file"}}


_PART_ENCODERS: dict[type[Part], Callable[[Any], Json]] = {
    TextContent: lambda part: {"type": "text", "text": part.text},
    ImageContent: _encode_image,
    FileContent: _encode_file,
}


def _encode_call(call: ToolCall) -> Json:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    function = {"name": call.tool_name, "arguments": arguments}
    return {"id": _required_id(call), "type": "function", "function": function}


def _encode_result(content: Sequence[Part]) -> Json:
    results = [part for part in content if isinstance(part, ToolCallResult)]
    if len(results) != 1:
        raise TemplateError(f"OpenAI wants one tool result in a message, not {len(results)}")
    result = results[0].result
    if not isinstance(result, str):
        if any(not isinstance(part, TextContent) for part in result):
            raise TemplateError("OpenAI's Chat Completions API takes only text as a tool's result")
        return {
            "tool_call_id": _required_id(results[0].origin),
            "content": [_encode_part(part) for part in result],
        }
    return {"tool_call_id": _required_id(results[0].origin), "content": result}


def _required_id(call: ToolCall) -> str:
    if call.id is None:
        raise TemplateError(f"the call of the tool {call.tool_name!r} needs an id to be sent")
    return call.id


def decode(message: Mapping[str, Any]) -> Decoded:
    """Read one message; a refusal goes to meta.

    Raises:
        TemplateError: It is no message, or holds what cannot be read.
    """
    role = ROLES.get(str(message.get("role")))
    if role is None:
        raise TemplateError(f"{message.get('role')!r:.60} is no role of OpenAI's API")
    try:
        parts, refusals = _decode_content(role, message)
        calls = [_decode_call(call) for call in message.get("tool_calls") or ()]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, TemplateError):
            raise
        raise TemplateError(f"cannot read an OpenAI {role} message: {error!r:.200}") from error
    refusals += [message["refusal"]] if message.get("refusal") else []
    meta = {"refusal": "\n".join(dict.fromkeys(refusals))} if refusals else {}
    return role, (*parts, *calls), message.get("name"), meta


def _decode_content(role: Role, message: Mapping[str, Any]) -> tuple[list[Part], list[str]]:
    content = message.get("content")
    if content is None or content == "":
        content = [] if role == "assistant" else [{"type": "text", "text": ""}]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    refusals = [part["refusal"] for part in content if part["type"] == "refusal"]
    parts = [_decode_part(part) for part in content if part["type"] != "refusal"]
    if role != "tool":
        return parts, refusals
    origin = ToolCall("", {}, message.get("tool_call_id"))
    texts = tuple(part for part in parts if isinstance(part, TextContent))
    only_text = texts[0].text if isinstance(message.get("content"), str) else texts
    return [ToolCallResult(only_text, origin)], refusals


def _decode_part(part: Json) -> Part:
    decode_part = _PART_DECODERS.get(part["type"])
    if decode_part is None:
        raise TemplateError(
            f"cannot read an OpenAI part of type {part['type']!r:.60}; there are "
            f"{', '.join(_PART_DECODERS)}"
        )
    return decode_part(part)


def _decode_image(part: Json) -> Part:
    image = part["image_url"]
    return ImageContent.of(image["url"], detail=image.get("detail"))


def _decode_file(part: Json) -> Part:
    mime_type, data = split_data_url(part["file"].get("file_data"))
    return FileContent(data, mime_type, part["file"].get("filename"))


_PART_DECODERS: dict[str, Callable[[Json], Part]] = {
    "text": lambda part: TextContent(part["text"]),
    "image_url": _decode_image,
    "file": _decode_file,
}


def _decode_call(call: Json) -> ToolCall:
    function = call["function"]
    arguments = function.get("arguments")
    # Compatible servers send no arguments, an empty text, or a dictionary that is parsed already.
    if not isinstance(arguments, Mapping):
        arguments = json.loads(arguments) if arguments else {}
    return ToolCall(function["name"], dict(arguments), call.get("id"))

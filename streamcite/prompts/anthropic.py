"""Messages as Anthropic's Messages API writes them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from streamcite.answers import Json
from streamcite.arguments import check_type, items_of
from streamcite.errors import TemplateError
from streamcite.prompts.images import ImageContent
from streamcite.prompts.parts import (
    FileContent,
    Part,
    ReasoningContent,
    Role,
    TextContent,
    ToolCall,
    ToolCallResult,
)

__all__ = ["decode", "encode", "merge_results", "system_texts"]


def encode(role: Role, content: Sequence[Part]) -> Json:
    """Write one message; name and meta have no place there.

    Raises:
        TemplateError: It is a system message, or empty, or a call has no id.
    """
    if role == "system":
        raise TemplateError(
            "Anthropic takes the system text beside the messages: use "
            "streamcite.prompts.to_anthropic(messages), which gives both"
        )
    blocks = [_encode_part(part) for part in content if part != TextContent("")]
    if not blocks:
        raise TemplateError(f"a {role} message without content cannot be sent")
    sent_role = "user" if role == "tool" else role
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        return {"role": sent_role, "content": blocks[0]["text"]}
    return {"role": sent_role, "content": blocks}


def merge_results(messages: Sequence[Json]) -> list[Json]:
    """Put results of tools that follow one another into one message, as the API wants them."""
    merged: list[Json] = []
    for message in messages:
        if merged and _holds_results(message) and _holds_results(merged[-1]):
            earlier = merged.pop()
            message = {**earlier, "content": [*earlier["content"], *message["content"]]}
        merged.append(message)
    return merged


def _holds_results(message: Json) -> bool:
    content = message["content"]
    return isinstance(content, list) and content[0]["type"] == "tool_result"


def _encode_part(part: Part) -> Json:
    return _PART_ENCODERS[type(part)](part)


def _encode_image(part: ImageContent) -> Json:
    if part.url:
        return {"type": "image", "source": {"type": "url", "url": part.url}}
    return {"type": "image", "source": _base64_source(part.mime_type, part.base64_image)}


def _encode_file(part: FileContent) -> Json:
    title = {"title": part.filename} if part.filename else {}
    source = _base64_source(part.mime_type or "application/pdf", part.base64_data)
    return {"type": "document", "source": source, **title}


def _base64_source(mime_type: str | None, data: str) -> Json:
    return {"type": "base64", "media_type": mime_type, "data": data}


def _encode_call(part: ToolCall) -> Json:
    return {
        "type": "tool_use",
        "id": _required_id(part),
        "name": part.tool_name,
        "input": part.arguments,
    }


def _encode_result(part: ToolCallResult) -> Json:
    given = part.result
    result = given if isinstance(given, str) else [_encode_part(piece) for piece in given]
    failed = {"is_error": True} if part.error else {}
    block = {"type": "tool_result", "tool_use_id": _required_id(part.origin), "content": result}
    return block | failed


def _encode_reasoning(part: ReasoningContent) -> Json:
    if "redacted" in part.extra:
        return {"type": "redacted_thinking", "data": part.extra["redacted"]}
    signature = {"signature": part.extra["signature"]} if "signature" in part.extra else {}
    return {"type": "thinking", "thinking": part.reasoning_text, **signature}


def _required_id(call: ToolCall) -> str:
    if call.id is None:
        raise TemplateError(f"the call of the tool {call.tool_name!r} needs an id to be sent")
    return call.id


_PART_ENCODERS: dict[type[Part], Callable[[Any], Json]] = {
    TextContent: lambda part: {"type": "text", "text": part.text},
    ImageContent: _encode_image,
    FileContent: _encode_file,
    ToolCall: _encode_call,
    ToolCallResult: _encode_result,
    ReasoningContent: _encode_reasoning,
}


def system_texts(system: str | Sequence[Mapping[str, object]] | None) -> list[str]:
    """Return the texts of the `system` argument.

    Raises:
        TemplateError: It is neither a text nor a list of blocks with texts.
    """
    if system is None or system == "":
        return []
    if isinstance(system, str):
        return [system]
    advice = "give a str, or a list of blocks as {'type': 'text', 'text': …}"
    blocks = items_of(system, Mapping, "system", advice, TemplateError)
    for place, block in enumerate(blocks):
        check_type(block.get("text"), str, f"the text of system[{place}]", advice, TemplateError)
    return [block["text"] for block in blocks]


def decode(message: Mapping[str, Any]) -> Iterator[tuple[Role, tuple[Part, ...]]]:
    """Read one message, which is several where it holds results of tools.

    Raises:
        TemplateError: It is no message, or holds what cannot be read.
    """
    role: Role = "assistant" if message.get("role") == "assistant" else "user"
    if message.get("role") != role:
        raise TemplateError(f"{message.get('role')!r:.60} is no role of Anthropic's messages")
    try:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        parts = [_decode_block(block) for block in blocks]
    except (AttributeError, KeyError, TypeError) as error:
        raise TemplateError(f"cannot read an Anthropic {role} message: {error!r:.200}") from error
    results = [part for part in parts if isinstance(part, ToolCallResult)]
    yield from (("tool", (result,)) for result in results)
    if len(results) < len(parts) or not parts:
        yield role, tuple(part for part in parts if not isinstance(part, ToolCallResult))


def _decode_block(block: Json) -> Part:
    decode_block = _BLOCK_DECODERS.get(block["type"])
    if decode_block is None:
        raise TemplateError(
            f"cannot read an Anthropic block of type {block['type']!r:.60}; there are "
            f"{', '.join(_BLOCK_DECODERS)}"
        )
    return decode_block(block)


def _decode_image(block: Json) -> Part:
    source = block["source"]
    if source["type"] == "url":
        return ImageContent(url=source["url"])
    return ImageContent(source["data"], source["media_type"])


def _decode_result(block: Json) -> Part:
    content = block.get("content", "")
    if not isinstance(content, str):
        content = tuple(_decode_block(piece) for piece in content)
    origin = ToolCall("", {}, block["tool_use_id"])
    return ToolCallResult(content, origin, bool(block.get("is_error", False)))


def _decode_thinking(block: Json) -> Part:
    signature = {"signature": block["signature"]} if "signature" in block else {}
    return ReasoningContent(block["thinking"], signature)


def _decode_file(block: Json) -> Part:
    source = block["source"]
    if source["type"] != "base64":
        raise TemplateError(f"cannot read a document from a source of type {source['type']!r:.60}")
    return FileContent(source["data"], source["media_type"], block.get("title"))


_BLOCK_DECODERS: dict[str, Callable[[Json], Part]] = {
    "text": lambda block: TextContent(block["text"]),
    "image": _decode_image,
    "document": _decode_file,
    "tool_use": lambda block: ToolCall(block["name"], block["input"], block["id"]),
    "tool_result": _decode_result,
    "thinking": _decode_thinking,
    "redacted_thinking": lambda block: ReasoningContent("", {"redacted": block["data"]}),
}

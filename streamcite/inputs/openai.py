"""OpenAI's chat and completion chunks, and those of every server that speaks the same."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from streamcite.chunks import Channel, Chunk
from streamcite.errors import GeneratorError
from streamcite.inputs.fields import entries, number_of, plain_mapping, read, text_of

__all__ = [
    "error_text",
    "is_text_event",
    "model_of",
    "recognises",
    "text_of_delta_event",
    "to_chunks",
]

# Other servers' words, in OpenAI's; a word that is not listed stays as it is.
FINISH_REASONS: dict[str, str | None] = {
    "eos": "stop",
    "eos_token": "stop",
    "function_call": "tool_calls",
    "max_tokens": "length",
    "model_length": "length",
    # https://github.com/PowerShell/AIShell/issues/350
    "null": None,
    "stop_sequence": "stop",
}

# Where a delta keeps its reasoning. Servers that know both names send the same text in both.
REASONING_FIELDS = ("reasoning_content", "reasoning")

# Where OpenRouter's parts of `reasoning_details` keep their text, by their type; any other part has
# it in `text`. The fields above, where they are sent, say the same.
# https://openrouter.ai/docs/use-cases/reasoning-tokens
DETAILS = {"reasoning.summary": "summary"}

# Where a part of a content list keeps its text, by its type; any other part has it in `text`.
# Mistral has parts with thinking, Databricks with a summary of it.
PARTS: Mapping[object, tuple[str, Channel]] = {
    "thinking": ("thinking", "reasoning"),
    "reasoning": ("summary", "reasoning"),
    "refusal": ("refusal", "answer"),
}
TEXT_PART: tuple[str, Channel] = ("text", "answer")

# Events of the SDK's `stream()` helper: `chunk` holds the raw chunk, the others repeat parts of it.
HELPER_EVENTS = ("content.", "refusal.", "tool_calls.function.", "logprobs.")
TEXT_EVENTS = ("content.delta", "refusal.delta")

# How much is shown, in characters, of an error without a message.
MAX_ERROR = 500

# By these a chunk without choices is known, such as some servers send with the usage.
OBJECTS = ("chat.completion.chunk", "chat.completion", "text_completion")
HEAD = frozenset(
    {"choices", "created", "id", "model", "object", "service_tier", "system_fingerprint", "usage"}
)


def recognises(item: object) -> bool:
    """Say whether the item has OpenAI's shape: choices, an error, or a chunk in a wrapper."""
    return _is_chunk(item) or _is_helper_event(item) or _is_wrapper(item)


def _is_chunk(item: object) -> bool:
    return (
        isinstance(read(item, "choices"), list | tuple)
        or (isinstance(item, Mapping) and _error_of(item) is not None)
        or _is_head(item)
    )


def to_chunks(item: object) -> list[Chunk]:
    """Return the texts of each choice, finish reasons and usage.

    Raises:
        GeneratorError: The server reports an error in the middle of its stream.
    """
    choices = entries(read(item, "choices"))
    if not choices and (_is_helper_event(item) or _is_wrapper(item)):
        # Once only: what is in a chunk is none.
        item = read(item, "chunk") if _is_helper_event(item) else read(item, "data")
        choices = entries(read(item, "choices"))
    if (error := _error_of(item)) is not None:
        raise GeneratorError(f"the server reports an error in its stream: {error_text(error)}")
    meta = model_of(item)
    chunks = [chunk for choice in choices for chunk in _of(choice, meta)]
    if (usage := plain_mapping(read(item, "usage"))) is not None:
        chunks.append(Chunk(usage=usage, meta=meta))
    return chunks


def _is_helper_event(item: object) -> bool:
    kind = read(item, "type")
    return isinstance(kind, str) and (
        (kind == "chunk" and _is_chunk(read(item, "chunk"))) or kind.startswith(HELPER_EVENTS)
    )


def is_text_event(item: object) -> bool:
    """Say whether it is the helper's event of a raw chunk with text, which others repeat."""
    is_chunk = read(item, "type") == "chunk" and _is_helper_event(item)
    return is_chunk and any(each.text and each.channel == "answer" for each in to_chunks(item))


def text_of_delta_event(item: object) -> str:
    """Return the text that the helper repeats in an event of its own; empty for any other item."""
    return text_of(read(item, "delta")) if _type_of(item) in TEXT_EVENTS else ""


def _is_wrapper(item: object) -> bool:
    """Say whether it is an event of Mistral's SDK, which has the chunk in `data`."""
    return isinstance(read(read(item, "data"), "choices"), list)


def _is_head(item: object) -> bool:
    """Say whether it is a chunk but for its choices, which are null or missing."""
    if read(item, "choices") is not None:
        return False
    if isinstance(item, Mapping):
        is_known = HEAD.issuperset(item) and ("choices" in item or "usage" in item)
    else:
        is_known = hasattr(item, "choices") and read(item, "usage") is not None
    return is_known or read(item, "object") in OBJECTS


def _of(choice: object, meta: Mapping[str, object]) -> list[Chunk]:
    """Return one choice's chunks: one for each text, and what else it says on the last."""
    reply, delta = number_of(read(choice, "index")), read(choice, "delta")
    if delta is None:
        # Beside a delta the message repeats all that was sent before, as Perplexity's does.
        delta = read(choice, "message")
    # Together's choices have their text in both places.
    texts = list(_texts(delta)) or [("answer", text_of(read(choice, "text")))]
    chunks = [
        Chunk(text, reply, channel)
        for channel, run in groupby(texts, itemgetter(0))
        if (text := "".join(text for _, text in run))
    ]
    reason = read(choice, "finish_reason")
    reason = FINISH_REASONS.get(reason, reason) if isinstance(reason, str) else None
    citations = _citations(delta)
    if reason or citations or not chunks:
        chunks.append(Chunk("", reply, finish_reason=reason, citations=citations, meta=meta))
    return chunks


def _texts(delta: object) -> Iterator[tuple[Channel, str]]:
    """Yield a delta's texts, in the order in which they are to be read."""
    fields = (text_of(read(delta, name)) for name in REASONING_FIELDS)
    thought = next(filter(None, fields), "") or _detailed(delta)
    if thought:
        yield "reasoning", thought
    content = read(delta, "content")
    for part in entries(content) or (content,):
        name, channel = PARTS.get(_type_of(part), TEXT_PART)
        text = text_of(part if isinstance(part, str) else read(part, name))
        if text and not (thought and channel == "reasoning"):
            yield channel, text
    spoken = read(read(delta, "audio"), "transcript") if content is None else None
    for field in (read(delta, "refusal"), spoken):
        if text := text_of(field):
            yield "answer", text


def _detailed(delta: object) -> str:
    """Return the reasoning that stands in a list of parts; that of encrypted ones is empty."""
    details = entries(read(delta, "reasoning_details"))
    return "".join([text_of(read(part, DETAILS.get(_type_of(part), "text"))) for part in details])


def _type_of(part: object) -> str:
    kind = read(part, "type")
    return kind if isinstance(kind, str) else ""


def _citations(delta: object) -> tuple[Mapping[str, object], ...]:
    """Return a delta's annotations, and the references among the parts of its content."""
    parts = [each for each in entries(read(delta, "content")) if _type_of(each) == "reference"]
    found = (plain_mapping(entry) for entry in (*entries(read(delta, "annotations")), *parts))
    return tuple(entry for entry in found if entry is not None)


def _error_of(item: object) -> object:
    """Return the error that a server sends in place of a chunk, or beside one; None if none."""
    # Older vLLM, SGLang and FastChat name the whole item an error.
    return item if read(item, "object") == "error" else read(item, "error") or None


def model_of(item: object) -> dict[str, object]:
    """Return the model's name, as meta has it; Azure's chunks about filters have an empty one."""
    model = read(item, "model")
    return {"model": model} if isinstance(model, str) and model else {}


def error_text(error: object) -> str:
    """Return what an error says, or the beginning of all of it."""
    message = read(error, "message")
    if isinstance(message, str) and message:
        return message
    try:
        return f"{error!s:.{MAX_ERROR}}"
    except RecursionError:
        return "an error that is nested too deeply to be shown"

"""OpenAI's chat and completion chunks, and those of every server that speaks the same."""

from collections.abc import Mapping

from streamcite.chunks import Channel, Chunk
from streamcite.errors import GeneratorError
from streamcite.inputs.fields import entries, plain_mapping, read, text_of

__all__ = ["recognises", "to_chunks"]

# Other servers' words, in OpenAI's; a word that is not listed stays as it is.
FINISH_REASONS = {
    "eos": "stop",
    "eos_token": "stop",
    "function_call": "tool_calls",
    "max_tokens": "length",
    "model_length": "length",
    "stop_sequence": "stop",
}

# Where a delta keeps its text. `reasoning` is the spelling of OpenRouter and of newer vLLM.
TEXT_FIELDS: tuple[tuple[str, Channel], ...] = (
    ("reasoning_content", "reasoning"),
    ("reasoning", "reasoning"),
    ("content", "answer"),
    ("refusal", "answer"),
)

# Events of the SDK's `stream()` helper: `chunk` holds the raw chunk, the others repeat parts of it.
HELPER_EVENTS = ("content.", "refusal.", "tool_calls.function.", "logprobs.")


def recognises(item: object) -> bool:
    """Say whether the item has OpenAI's shape: choices, an error, or an event of `stream()`."""
    return (
        isinstance(read(item, "choices"), list | tuple)
        or (isinstance(item, Mapping) and bool(item.get("error")))
        or _is_helper_event(item)
    )


def to_chunks(item: object) -> list[Chunk]:
    """Return the texts of each choice, finish reasons and usage.

    Raises:
        GeneratorError: The server reports an error in the middle of its stream.
    """
    if _is_helper_event(item):
        raw = read(item, "chunk")
        return [] if raw is None else to_chunks(raw)
    if error := read(item, "error"):
        raise GeneratorError(f"the server reports an error in its stream: {_error_text(error)}")
    meta = {"model": model} if isinstance(model := read(item, "model"), str) else {}
    chunks = [chunk for choice in entries(read(item, "choices")) for chunk in _of(choice, meta)]
    if (usage := plain_mapping(read(item, "usage"))) is not None:
        chunks.append(Chunk(usage=usage, meta=meta))
    return chunks


def _is_helper_event(item: object) -> bool:
    kind = read(item, "type")
    return isinstance(kind, str) and (
        (kind == "chunk" and read(item, "chunk") is not None) or kind.startswith(HELPER_EVENTS)
    )


def _of(choice: object, meta: Mapping[str, object]) -> list[Chunk]:
    """Return one choice's chunks: one for each text, and what else it says on the last."""
    reply = index if isinstance(index := read(choice, "index"), int) else 0
    delta = read(choice, "delta") or read(choice, "message")
    texts = [(text_of(read(delta, name)), channel) for name, channel in TEXT_FIELDS]
    texts.append((text_of(read(choice, "text")), "answer"))
    chunks = [Chunk(text, reply, channel) for text, channel in texts if text]
    reason = read(choice, "finish_reason")
    citations = _annotations(delta)
    if reason or citations or not chunks:
        reason = FINISH_REASONS.get(reason, reason) if isinstance(reason, str) else None
        chunks.append(Chunk("", reply, finish_reason=reason, citations=citations, meta=meta))
    return chunks


def _annotations(delta: object) -> tuple[Mapping[str, object], ...]:
    found = (plain_mapping(entry) for entry in entries(read(delta, "annotations")))
    return tuple(entry for entry in found if entry is not None)


def _error_text(error: object) -> str:
    message = read(error, "message")
    return message if isinstance(message, str) and message else str(error)

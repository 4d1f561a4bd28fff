"""The events of OpenAI's Responses API."""

from collections.abc import Mapping

from streamcite.chunks import Channel, Chunk
from streamcite.errors import GeneratorError
from streamcite.inputs.fields import entries, plain_mapping, read, text_of
from streamcite.inputs.openai import error_text

__all__ = ["recognises", "to_chunks"]

# Events with new text; those that end in `.done` say it again.
TEXTS: Mapping[str, Channel] = {
    "response.output_text.delta": "answer",
    "response.refusal.delta": "answer",
    "response.reasoning_text.delta": "reasoning",
    "response.reasoning_summary_text.delta": "reasoning",
}
ANNOTATION = "response.output_text.annotation.added"
BEGINNING = "response.created"
ENDS = ("response.completed", "response.incomplete")
FAILURES = ("response.failed", "error")

# Why a response is incomplete, in the words of chat; a word that is not listed stays as it is.
FINISH_REASONS = {"max_output_tokens": "length"}
CALLS = ("function_call", "custom_tool_call")


def recognises(item: object) -> bool:
    """Say whether the item is such an event; those of the Realtime API have an id instead."""
    kind = read(item, "type")
    if not isinstance(kind, str) or read(item, "event_id") is not None:
        return False
    is_error = kind == "error" and read(item, "sequence_number") is not None
    return is_error or kind.startswith("response.")


def to_chunks(item: object) -> list[Chunk]:
    """Return the text of a delta, an annotation, or what the last event says of the response.

    Raises:
        GeneratorError: The response failed.
    """
    kind = read(item, "type")
    if (channel := TEXTS.get(kind)) is not None:
        text = text_of(read(item, "delta"))
        return [Chunk(text, channel=channel)] if text else []
    if kind in FAILURES:
        error = read(read(item, "response"), "error") or item
        raise GeneratorError(f"the server reports an error in its stream: {error_text(error)}")
    if kind == ANNOTATION:
        note = plain_mapping(read(item, "annotation"))
        return [] if note is None else [Chunk(citations=(note,))]
    if kind == BEGINNING or kind in ENDS:
        return [_said_of(read(item, "response"), ended=kind in ENDS)]
    return []


def _said_of(response: object, *, ended: bool) -> Chunk:
    return Chunk(
        finish_reason=_finish_reason(response) if ended else None,
        usage=plain_mapping(read(response, "usage")),
        meta={"model": model} if isinstance(model := read(response, "model"), str) else {},
    )


def _finish_reason(response: object) -> str:
    reason = read(read(response, "incomplete_details"), "reason")
    if isinstance(reason, str) and reason:
        return FINISH_REASONS.get(reason, reason)
    kinds = [read(each, "type") for each in entries(read(response, "output"))]
    return "tool_calls" if any(kind in CALLS for kind in kinds) else "stop"

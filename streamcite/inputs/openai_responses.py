"""The events of OpenAI's Responses API, and its responses as a whole."""

from collections.abc import Iterator, Mapping

from streamcite.chunks import Channel, Chunk
from streamcite.errors import GeneratorError
from streamcite.inputs.fields import entries, plain_mapping, read, text_of
from streamcite.inputs.openai import error_text, model_of

__all__ = ["recognises", "to_chunks"]

PREFIX = "response."

# Events with new text; those that end in `.done` say it again.
TEXTS: Mapping[str, Channel] = {
    "response.output_text.delta": "answer",
    "response.refusal.delta": "answer",
    "response.audio.transcript.delta": "answer",
    "response.reasoning_text.delta": "reasoning",
    "response.reasoning_summary_text.delta": "reasoning",
}
ANNOTATION = "response.output_text.annotation.added"
SUMMARY_PART = "response.reasoning_summary_part.added"
ITEM_OVER = "response.output_item.done"
STATES = ("response.created", "response.completed", "response.incomplete")
FAILED = "response.failed"

# Why a response is incomplete, in the words of chat; a word that is not listed stays as it is.
FINISH_REASONS = {"max_output_tokens": "length"}
CALLS = ("function_call", "custom_tool_call")


def recognises(item: object) -> bool:
    """Say whether it is such an event or response; an event of the Realtime API has an id."""
    if _is_response(item):
        return True
    kind = read(item, "type")
    if not isinstance(kind, str) or read(item, "event_id") is not None:
        return False
    return kind.startswith(PREFIX) or (kind == "error" and _is_error(item))


def _is_error(item: object) -> bool:
    """Say whether it is such an event; some servers do not number them."""
    return isinstance(read(item, "message"), str) or read(item, "sequence_number") is not None


def _is_response(item: object) -> bool:
    return read(item, "object") == "response" and isinstance(read(item, "output"), list)


def to_chunks(item: object) -> list[Chunk]:
    """Return the text of a delta, an annotation, or what an event says of a message or response.

    A response has several messages where the model says something before it calls a tool. Each is
    a reply; the SDK's `output_text` joins them without a blank.

    Raises:
        GeneratorError: The response failed.
    """
    if _is_response(item):
        return list(_whole(item))
    kind = read(item, "type")
    if (channel := TEXTS.get(kind)) is not None:
        text = text_of(read(item, "delta"))
        return [Chunk(text, channel=channel)] if text else []
    if kind in (FAILED, "error"):
        raise _failure(read(read(item, "response"), "error") if kind == FAILED else item)
    if kind == ANNOTATION:
        note = plain_mapping(read(item, "annotation"))
        return [] if note is None else [Chunk(citations=(note,))]
    if kind in STATES:
        return [_said_of(read(item, "response"), kind.removeprefix(PREFIX))]
    if kind == SUMMARY_PART and read(item, "summary_index"):
        return [Chunk("\n\n", channel="reasoning")]
    if kind == ITEM_OVER and _is_message(read(item, "item")):
        return [Chunk(finish_reason="stop")]
    return []


def _is_message(item: object) -> bool:
    """Say whether an item is a message that is complete; one that is not ends with the response."""
    return bool(read(item, "type") == "message" and read(item, "status") == "completed")


def _failure(error: object) -> GeneratorError:
    if error is None:
        return GeneratorError("the server reports that the response failed, but not why")
    return GeneratorError(f"the server reports an error in its stream: {error_text(error)}")


def _whole(response: object) -> Iterator[Chunk]:
    """Yield the same for a response that was not streamed."""
    error, status = read(response, "error"), read(response, "status")
    if error is not None or status == "failed":
        raise _failure(error)
    for item in entries(read(response, "output")):
        # Most reasoning comes without a summary.
        if read(item, "type") == "reasoning" and (parts := entries(read(item, "summary"))):
            thoughts = "\n\n".join([text_of(read(part, "text")) for part in parts])
            yield Chunk(thoughts, channel="reasoning")
        if read(item, "type") == "message":
            yield from map(_part, entries(read(item, "content")))
        if _is_message(item):
            yield Chunk(finish_reason="stop")
    yield _said_of(response, status)


def _part(part: object) -> Chunk:
    notes = map(plain_mapping, entries(read(part, "annotations")))
    text = text_of(read(part, "text")) or text_of(read(part, "refusal"))
    return Chunk(text, citations=tuple([note for note in notes if note is not None]))


def _said_of(response: object, status: object) -> Chunk:
    return Chunk(
        finish_reason=_finish_reason(response, status),
        usage=plain_mapping(read(response, "usage")),
        meta=model_of(response),
    )


def _finish_reason(response: object, status: object) -> str | None:
    if status == "incomplete":
        reason = text_of(read(read(response, "incomplete_details"), "reason"))
        return FINISH_REASONS.get(reason, reason) or status
    kinds = [read(each, "type") for each in entries(read(response, "output"))]
    reason = "tool_calls" if any(kind in CALLS for kind in kinds) else "stop"
    return reason if status == "completed" else None

"""Haystack's StreamingChunk."""

from collections.abc import Mapping

from streamcite.chunks import Chunk
from streamcite.inputs.fields import entries, number_of, plain_mapping, read, text_of

__all__ = ["recognises", "to_chunks"]

# Haystack speaks OpenAI's words already; these are the ones beside them.
FINISH_REASONS = {"tool_call_results": "tool_calls"}

# Where integrations keep a provider's own citations: (path into meta, whether it holds a list).
CITATION_PATHS = ((("annotation",), False), (("delta", "citation"), False), (("citations",), True))


def recognises(item: object) -> bool:
    """Say whether the item has the attributes of a StreamingChunk."""
    return (
        isinstance(read(item, "content"), str)
        and isinstance(read(item, "meta"), Mapping)
        and hasattr(item, "component_info")
    )


def to_chunks(item: object) -> list[Chunk]:
    """Return the chunk's reasoning and its text; the content of a tool's result is none."""
    # The reply is meta["index"]; the attribute index counts content blocks.
    meta = read(item, "meta")
    reply = number_of(meta.get("index"))
    thought = text_of(read(read(item, "reasoning"), "reasoning_text"))
    text = "" if read(item, "tool_call_result") else read(item, "content")
    reason = read(item, "finish_reason")
    whole = Chunk(
        text,
        reply,
        finish_reason=FINISH_REASONS.get(reason, reason) if isinstance(reason, str) else None,
        usage=plain_mapping(meta.get("usage")),
        citations=tuple(_citations(meta)),
        meta={"model": meta["model"]} if meta.get("model") else {},
    )
    return [Chunk(thought, reply, "reasoning"), whole] if thought else [whole]


def _citations(meta: Mapping[str, object]) -> list[Mapping[str, object]]:
    found: list[object] = []
    for path, holds_list in CITATION_PATHS:
        value: object = meta
        for name in path:
            value = read(value, name)
        found += entries(value) if holds_list else [value]
    return [entry for value in found if (entry := plain_mapping(value)) is not None]

"""Haystack's StreamingChunk."""

import pytest
from haystack.dataclasses import StreamingChunk, ToolCallResult
from haystack.dataclasses.chat_message import ReasoningContent, ToolCall

from streamcite.chunks import Chunk
from streamcite.inputs import to_chunks

USAGE = {"prompt_tokens": 1}
NOTE = {"type": "url_citation"}
RESULT = ToolCallResult(result="secret", origin=ToolCall("t", {}), error=False)

ROWS = {
    "text": (StreamingChunk("x"), [Chunk("x")]),
    "a choice": (StreamingChunk("x", meta={"index": 1}), [Chunk("x", 1)]),
    "a content block": (StreamingChunk("x", index=3), [Chunk("x")]),
    "a model": (StreamingChunk("x", meta={"model": "m"}), [Chunk("x", meta={"model": "m"})]),
    "a reason": (StreamingChunk("", finish_reason="length"), [Chunk(finish_reason="length")]),
    "a tool's results": (
        StreamingChunk("", finish_reason="tool_call_results"),
        [Chunk(finish_reason="tool_calls")],
    ),
    "usage": (StreamingChunk("", meta={"usage": USAGE}), [Chunk(usage=USAGE)]),
    "reasoning": (
        StreamingChunk("", index=0, reasoning=ReasoningContent("r")),
        [Chunk("r", channel="reasoning"), Chunk()],
    ),
    "a tool's result": (StreamingChunk("", index=0, tool_call_result=RESULT), [Chunk()]),
    "a native citation": (
        StreamingChunk("", meta={"annotation": NOTE}),
        [Chunk(citations=(NOTE,))],
    ),
    "native citations in a list": (
        StreamingChunk("", meta={"citations": [NOTE]}),
        [Chunk(citations=(NOTE,))],
    ),
    "a native citation in a delta": (
        StreamingChunk("", meta={"delta": {"citation": NOTE}}),
        [Chunk(citations=(NOTE,))],
    ),
}


@pytest.mark.parametrize(("item", "expected"), ROWS.values(), ids=ROWS.keys())
def test_a_streaming_chunk_gives_chunks(item: StreamingChunk, expected: list[Chunk]) -> None:
    """Each payload of a StreamingChunk has its place in a Chunk."""
    assert to_chunks(item) == expected

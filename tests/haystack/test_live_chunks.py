"""Chunks of a generator become chunks of what the reader sees."""

import json
from typing import Any

import pytest
from haystack import Document
from haystack.dataclasses import ReasoningContent, StreamingChunk, ToolCallDelta

from streamcite.answers import Citation
from streamcite.haystack.live_chunks import LiveChunks, is_cited
from streamcite.options import CiteOptions

DOCS = [Document(id=f"d{n}", content=f"Text {n}") for n in range(1, 4)]
CALL = ToolCallDelta(index=1, tool_name="search", arguments="{}")


def feed(live: LiveChunks, *chunks: StreamingChunk) -> list[StreamingChunk]:
    """Return all that these chunks make visible."""
    return [each for chunk in chunks for each in live.feed(chunk)]


def test_what_begins_a_block_is_passed_on() -> None:
    """Haystack's own callback for printing needs it to name text and tool calls."""
    live = LiveChunks(CiteOptions(), documents=DOCS)
    call = StreamingChunk("", index=1, tool_calls=[CALL], start=True)
    texts = StreamingChunk("[1", index=0, start=True), StreamingChunk("] a b")

    found = feed(live, *texts, call)

    assert [(each.content, each.start) for each in found] == [("[1] a b", True), ("", True)]


def test_a_block_begins_with_text_that_is_shown() -> None:
    """A section is none; and what is held until the end is."""
    live = LiveChunks(CiteOptions(extract_xml_tags=("t",)), documents=DOCS)

    found = feed(live, StreamingChunk("<t>x</t>[", start=True), StreamingChunk("1"))
    held, _ = live.end()

    assert [(each.content, each.start) for each in found + held] == [("", False), ("[1", True)]


def test_numbers_go_on_from_those_that_were_shown() -> None:
    """By the order in which they were given, whichever reply is shown first."""
    live = LiveChunks(CiteOptions(display="renumber"), documents=DOCS)
    feed(live, StreamingChunk("a [3, 2] "), StreamingChunk("b [1] ", meta={"index": 1}))

    numbering = live.numbering

    assert numbering is not None
    assert [numbering.number(index) for index in (1, 2, 3, 4)] == [3, 2, 1, 4]


def test_a_chunk_with_citations_is_known_by_its_meta() -> None:
    """Citations, or what is known of them by now."""
    chunks = [StreamingChunk("", meta={key: [{}]}) for key in ("citations", "updates", "usage")]

    assert [is_cited(chunk) for chunk in chunks] == [True, True, False]


def test_no_text_of_the_answer_is_lost_when_reasoning_begins() -> None:
    """Half a character is text of the answer, and the reader sees what the answer says."""
    live = LiveChunks(CiteOptions())
    thought = StreamingChunk("", index=0, reasoning=ReasoningContent("hm"))

    found = feed(live, StreamingChunk("]\ud83d"), thought)
    held, (answer,) = live.end()

    assert "".join(each.content for each in found + held) == answer.data == "]\ud83d"
    assert found[-1] == thought


METAS: tuple[dict[str, Any], ...] = (
    {"x": float("nan")},
    {"x": float("-inf")},
    {"x": {(1, (2, 3)): 1}},
    {"x": b"\xff"},
    {"x": object},
)


@pytest.mark.parametrize("meta", METAS, ids=repr)
def test_documents_of_citations_are_json(meta: dict[str, Any]) -> None:
    """Whatever a document's meta holds: a stream does not fail for it, nor who sends it on."""
    live = LiveChunks(CiteOptions(), documents=[Document(id="d", content="x", meta=meta)])

    (document,) = feed(live, StreamingChunk("[1] "))[0].meta["documents"]

    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_a_display_function_may_add_documents() -> None:
    """It runs in the midst of a chunk, and does not wait for itself."""
    numbers: list[int] = []

    def show(citation: Citation) -> str:
        numbers.extend(live.add_documents([Document(id="new"), DOCS[0]]))
        return f"<{citation.source_indices}>"

    live = LiveChunks(CiteOptions(display=show), documents=DOCS[:1])

    found = feed(live, StreamingChunk("a [1] b [2] "), StreamingChunk("c [2] "))
    held, (answer,) = live.end()

    assert numbers[:2] == [2, 1]
    assert "".join(each.content for each in found + held) == answer.data
    assert answer.data == "a <(1,)> b <(2,)> c <(2,)> "


@pytest.mark.parametrize("name", ["feed", "end"])
def test_a_display_function_cannot_give_text(name: str) -> None:
    """It would come in the midst of other text: a warning says so, and nothing is lost."""

    def show(citation: Citation) -> str:
        live.feed(StreamingChunk("lost")) if name == "feed" else live.end()
        return "*"

    live = LiveChunks(CiteOptions(display=show), documents=DOCS)

    found = feed(live, StreamingChunk("a [1] b"))
    held, (answer,) = live.end()

    assert "".join(each.content for each in found + held) == answer.data == "a [1] b"
    assert "there it may add documents" in answer.warnings[0].message

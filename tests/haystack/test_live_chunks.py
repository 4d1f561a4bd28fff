"""Chunks of a generator become chunks of what the reader sees."""

from haystack import Document
from haystack.dataclasses import StreamingChunk, ToolCallDelta

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

    assert [numbering.number(index) for index in (1, 2, 3, 4)] == [3, 2, 1, 4]


def test_a_chunk_with_citations_is_known_by_its_meta() -> None:
    """Citations, or what is known of them by now."""
    chunks = [StreamingChunk("", meta={key: [{}]}) for key in ("citations", "updates", "usage")]

    assert [is_cited(chunk) for chunk in chunks] == [True, True, False]

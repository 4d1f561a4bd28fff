"""The recorded streams of small models, through every law, as recorded and cut anew."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from streamcite import Chunk, Citer, Document
from streamcite.inputs import SseDecoder
from tests import laws
from tests.transcripts import Item, random_cut, run, run_live, seeded

FOLDER = Path(__file__).parent / "data" / "streams"
BODIES = sorted(path.name for path in FOLDER.glob("*.sse"))
TAGS = ("think", "thinking", "answer")

# Each stream goes through two of these; all of them are used for any shape of prompt.
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"display": "remove", "unknown": "drop", "extract_xml_tags": TAGS},
    {"extract_xml_tags": TAGS, "answer_tag": "answer"},
    {"markers": ("bracket", "caret", "label", "key", "filename", "openai")},
    {"display": "renumber", "merge_adjacent": True, "extract_xml_tags": TAGS, "unknown": "mark"},
    {"markers": ("private", "bracket"), "display": "link"},
    {"reference_pattern": "acm", "extract_xml_tags": TAGS},
)


@dataclass(frozen=True)
class Stream:
    """One recorded stream."""

    id: str
    shape: str
    documents: list[Document]
    chunks: list[Item]

    @property
    def text(self) -> str:
        """The whole reply."""
        return "".join(chunk for chunk in self.chunks if isinstance(chunk, str))

    @property
    def options(self) -> Iterator[dict[str, Any]]:
        """The default options, and two others by the stream's id."""
        source = seeded(self.id)
        yield OPTIONS[0]
        yield from source.sample(OPTIONS[1:], 2)


@cache
def load_streams() -> tuple[Stream, ...]:
    """Return all recorded streams."""
    lines = (FOLDER / "recorded.jsonl").read_text("utf-8").split("\n")
    return tuple(
        Stream(
            line["id"],
            line["prompt_shape"],
            [Document(**document) for document in line["documents"]],
            line["chunks"],
        )
        for line in map(json.loads, filter(None, lines))
    )


streams = pytest.mark.parametrize(
    "stream", load_streams(), ids=[stream.id for stream in load_streams()]
)


def test_all_streams_are_there() -> None:
    """There are 258 recorded streams and nine response bodies."""
    assert (len(load_streams()), len(BODIES)) == (258, 9)


@streams
def test_any_cut(stream: Stream) -> None:
    """Laws 1 and 2: as recorded, whole, or cut anew, a stream gives the same."""
    source = seeded(stream.id)
    for options in stream.options:
        expected = run([stream.text], documents=stream.documents, **options)

        assert run(stream.chunks, documents=stream.documents, **options) == expected
        recut = random_cut(stream.text, source)
        assert run(recut, documents=stream.documents, **options) == expected
        live = run_live(stream.chunks, documents=stream.documents, **options)
        assert asyncio.run(live) == expected


@streams
def test_laws(stream: Stream) -> None:
    """Laws 3 to 6: nothing is lost, taken back or held for long, and the work is linear."""
    for options in stream.options:
        if laws.is_lossless(options):
            laws.check_lossless(stream.chunks, options)
        laws.check_no_take_back(stream.chunks, options)
        laws.check_linear(stream.chunks, options)


@streams
def test_failing_source(stream: Stream) -> None:
    """Law 3: a stream that breaks off anywhere keeps all text that came."""
    source = seeded(stream.id)
    kept = stream.chunks[: source.randint(0, len(stream.chunks))]

    laws.check_error_close(kept, OPTIONS[0])


def chunks_of(name: str, size: int) -> list[Chunk]:
    """Return the chunks of a response body that comes in pieces of this size."""
    body, decoder = (FOLDER / name).read_bytes(), SseDecoder()
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return [chunk for piece in pieces for chunk in decoder.feed(piece)] + decoder.close()


@pytest.mark.parametrize("name", BODIES)
def test_bodies_in_any_cut(name: str) -> None:
    """A response body gives the same chunks however its bytes are cut."""
    expected = chunks_of(name, 1 << 20)

    assert [chunks_of(name, size) == expected for size in (1, 7, 100)] == [True] * 3
    assert "".join(chunk.text for chunk in expected) != ""


@pytest.mark.parametrize("name", BODIES)
def test_bodies_keep_the_laws(name: str) -> None:
    """Each reply of a response body keeps the laws, with tags and without."""
    chunks = chunks_of(name, 1 << 20)
    for reply in {chunk.reply for chunk in chunks}:
        items: list[Item] = [
            chunk.text for chunk in chunks if chunk.reply == reply and chunk.channel == "answer"
        ]
        for options in OPTIONS:
            laws.check_batch(items, options)
            laws.check_no_take_back(items, options)
            laws.check_linear(items, options)


def test_reasoning_body() -> None:
    """Reasoning deltas make a section of their own, and the content is the answer."""
    chunks = chunks_of("smollm2-chat-reasoning.sse", 100)
    citer = Citer()
    for chunk in chunks:
        citer.feed(chunk)

    if not citer.finished:
        citer.close()
    answer = citer.build_final([]).answer
    by_channel = {
        channel: "".join(chunk.text for chunk in chunks if chunk.channel == channel)
        for channel in ("answer", "reasoning")
    }
    assert answer.data == by_channel["answer"]
    assert answer.sections == {"reasoning": [by_channel["reasoning"]]}


@streams
def test_data_is_the_text(stream: Stream) -> None:
    """With the default options the answer text is the reply, and citations lie in it."""
    answer = run(stream.chunks, documents=stream.documents).answer

    assert answer.data == stream.text
    assert [citation.marker for citation in answer.citations] == [
        answer.data[citation.start : citation.end] for citation in answer.citations
    ]

"""The case files: inputs and right outcomes, and what it takes to run one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from streamcite import (
    AnswerEvent,
    Chunk,
    Citation,
    CiteOptions,
    Citer,
    Document,
    PartialAnswer,
)
from streamcite.scan.scanners import make_scanner
from tests.transcripts import Item, Transcript, cut, random_cut, seeded, transcribe

FOLDER = Path(__file__).parent / "data" / "cases"

# Longer texts are not cut everywhere: what is hard in them is their length.
MAX_CUT_EVERYWHERE = 400
MAX_CUT_AT_ALL = 20_000


@dataclass(frozen=True)
class Case:
    """One line of a case file."""

    id: str
    about: str
    options: dict[str, Any]
    documents: list[Document]
    chunks: list[Item]
    added: dict[int, list[Document]]
    """Documents that arrive before the chunk with this index."""
    fails: bool
    expect: dict[str, Any]
    any_cut: bool

    @property
    def text(self) -> str:
        """The whole reply."""
        return "".join(chunk for chunk in self.chunks if isinstance(chunk, str))


@dataclass
class Outcome:
    """What running a case gave."""

    transcript: Transcript
    answer_section: str | None
    visible: list[str] = field(default_factory=list)
    """The answer text shown after each chunk."""


def _documents(given: int | Sequence[Mapping[str, Any]]) -> list[Document]:
    if isinstance(given, int):
        return [
            Document(content=f"Document {number} text", id=f"d{number}")
            for number in range(1, given + 1)
        ]
    return [Document(**document) for document in given]


def _chunks(items: Sequence[Any]) -> Iterator[Item]:
    for item in items:
        if not isinstance(item, dict):
            yield item
        elif item.get("split"):
            yield from [item["repeat"]] * item["times"]
        else:
            yield item["repeat"] * item["times"]


def joined(value: str | Sequence[Any]) -> str:
    """Return an expected text, which may be given in repeated pieces."""
    if isinstance(value, str):
        return value
    return "".join(str(piece) for piece in _chunks(value))


def _case(line: Mapping[str, Any]) -> Case:
    return Case(
        id=line["id"],
        about=line["about"],
        options=line["options"],
        documents=_documents(line["documents"]),
        chunks=list(_chunks(line["chunks"])),
        added={
            int(index): _documents(given) for index, given in line.get("add_documents", {}).items()
        },
        fails=line.get("end") == "error",
        expect=line["expect"],
        any_cut=line.get("any_cut", True),
    )


@cache
def load_cases() -> tuple[Case, ...]:
    """Return the cases of all files."""
    lines = [
        line
        for path in sorted(FOLDER.glob("*.jsonl"))
        for line in path.read_text("utf-8").split("\n")
        if line
    ]
    return tuple(_case(json.loads(line)) for line in lines)


def start(case: Case) -> Citer:
    """Return the engine that a case asks for."""
    return Citer(documents=case.documents, **case.options)


def run_case(case: Case, chunks: Sequence[Item]) -> Outcome:
    """Run a case over these chunks."""
    citer = start(case)
    events: list[AnswerEvent] = []
    marks: list[int] = []
    for index in range(len(chunks) + 1):
        if index in case.added and chunks is case.chunks:
            events += citer.add_documents(case.added[index])
        if index < len(chunks):
            chunk = chunks[index]
            events += citer.feed(Chunk() if chunk is None else chunk)
            marks.append(len(events))
    events += citer.close(error=OSError("lost") if case.fails else None)
    return _outcome(case, events, marks)


def _outcome(case: Case, events: list[AnswerEvent], marks: list[int]) -> Outcome:
    transcript = transcribe(events)
    section = case.options.get("answer_tag")
    if section is not None and section not in transcript.answer.sections:
        section = None
    visible, shown, before = [], "", 0
    for mark in marks:
        shown += "".join(
            event.delta
            for event in events[before:mark]
            if isinstance(event, PartialAnswer) and event.section == section
        )
        visible.append(shown)
        before = mark
    return Outcome(transcript, section, visible)


def work(case: Case) -> int:
    """Return how many characters the scanner of a case examines, tags apart."""
    scanner = make_scanner(CiteOptions(**case.options))
    for chunk in case.chunks:
        scanner.feed(chunk if isinstance(chunk, str) else "")
    scanner.close()
    return scanner.steps


def recuts(case: Case) -> Iterator[Sequence[Item]]:
    """Yield other ways to cut the text of a case."""
    text = case.text
    source = seeded(case.id)
    if not case.any_cut or case.added or len(text) > MAX_CUT_AT_ALL:
        return
    yield [text]
    yield list(text)
    places = range(1, len(text))
    if len(text) > MAX_CUT_EVERYWHERE:
        places = sorted(source.sample(places, 60))  # type: ignore[assignment]  # any places do
    for place in places:
        yield cut(text, [place])
    for _ in range(10):
        yield random_cut(text, source)


def described(citation: Citation, like: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a citation what an expectation speaks of."""
    known = {
        "marker": citation.marker,
        "sources": list(citation.source_indices),
        "start": citation.start,
        "end": citation.end,
        "section": citation.section,
    }
    return {key: known[key] for key in like}

"""What a run of the engine says, in a form that does not depend on how its text was cut."""

import random
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from streamcite import (
    AnswerEvent,
    Chunk,
    Citation,
    Citer,
    Document,
    FinalAnswer,
    GeneratedAnswer,
    PartialAnswer,
    SectionEnded,
    SectionStarted,
    cite,
)

Item = str | Chunk | None
"""One item of a stream; None carries no text."""


def documents(count: int, *, prefix: str = "d") -> list[Document]:
    """Return numbered documents with an address each."""
    return [
        Document(
            content=f"Document {number} text",
            id=f"{prefix}{number}",
            meta={"url": f"https://e.example/{number}", "citation_key": f"4:{number - 1}"},
        )
        for number in range(1, count + 1)
    ]


@dataclass
class Run:
    """One stretch of visible text between two section events."""

    section: str | None
    offset: int
    text: str = ""
    citations: list[Citation] = field(default_factory=list)


@dataclass
class Transcript:
    """All events of a reply, adjacent deltas merged."""

    steps: list[Run | SectionStarted | SectionEnded] = field(default_factory=list)
    finals: list[FinalAnswer] = field(default_factory=list)
    updates: list[Citation] = field(default_factory=list)

    @property
    def answer(self) -> GeneratedAnswer:
        """The final answer; there must be exactly one."""
        (final,) = self.finals
        return final.answer

    @property
    def shown(self) -> str:
        """All visible text in the order in which it came."""
        return "".join(step.text for step in self.steps if isinstance(step, Run))

    @property
    def citations(self) -> list[Citation]:
        """All citations in the order in which they came."""
        runs = [step for step in self.steps if isinstance(step, Run)]
        return [citation for run in runs for citation in run.citations]

    def add(self, event: AnswerEvent) -> None:
        """Take one more event, and check that it only appends."""
        if isinstance(event, FinalAnswer):
            self.finals.append(event)
        elif isinstance(event, PartialAnswer):
            self._append(event)
        else:
            self.steps.append(event)

    def _append(self, event: PartialAnswer) -> None:
        assert event.delta or event.citations or event.updates, "an event that says nothing"
        self.updates.extend(event.updates)
        if not event.delta and not event.citations:
            return
        last = self.steps[-1] if self.steps else None
        if not isinstance(last, Run):
            last = Run(event.section, event.offset)
            self.steps.append(last)
        assert last.section == event.section
        assert last.offset + len(last.text) == event.offset
        last.text += event.delta
        last.citations.extend(event.citations)


def transcribe(events: Iterable[AnswerEvent]) -> Transcript:
    """Return the transcript of these events."""
    transcript = Transcript()
    for event in events:
        transcript.add(event)
    return transcript


def play(citer: Citer, items: Iterable[Item]) -> Iterator[list[AnswerEvent]]:
    """Feed items and close; yield the events of each call."""
    for item in items:
        yield citer.feed(Chunk() if item is None else item)
    yield citer.close()


def run(items: Iterable[Item], **options: Any) -> Transcript:
    """Return the transcript of one reply in these pieces."""
    citer = Citer(**options)
    return transcribe(event for events in play(citer, items) for event in events)


async def _stream(items: Iterable[Item]) -> AsyncIterator[Item]:
    for item in items:
        yield item


async def run_live(items: Iterable[Item], **options: Any) -> Transcript:
    """Return the transcript of one reply that comes through the live stream."""
    source = _stream(Chunk() if item is None else item for item in items)
    async with cite(source, **options) as answer:
        return transcribe([event async for event in answer])


def cut(text: str, places: Iterable[int]) -> list[str]:
    """Cut a text at these places."""
    bounds = [0, *sorted(places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def all_cuts(text: str) -> Iterator[list[str]]:
    """Yield every way to cut a text: 2 ** (length - 1)."""
    inner = range(1, len(text))
    for choice in range(1 << max(len(text) - 1, 0)):
        yield cut(text, [place for place in inner if choice >> (place - 1) & 1])


def seeded(seed: int | str) -> random.Random:
    """Return a source of choices that are the same in every run."""
    return random.Random(seed)  # noqa: S311  # nothing secret is drawn


def text_of(items: Iterable[Item]) -> str:
    """Return the text of these items."""
    return "".join(item.text if isinstance(item, Chunk) else item or "" for item in items)


def random_cut(text: str, source: random.Random) -> list[Item]:
    """Cut a text anywhere, into str and chunks, with items without text between."""
    items: list[Item] = []
    start = 0
    longest = source.choice((1, 3, 8, 40))
    while start < len(text):
        end = start + source.randint(1, longest)
        piece = text[start:end]
        start = end
        items.append(piece if source.random() < 0.9 else Chunk(piece))
        if source.random() < 0.1:
            items.append(source.choice(("", None)))
    return items


_TOKEN = re.compile(r"\d| ?[^\W\d]+| ?[^\w\s]+|(?s:.)")


def tokens(text: str) -> list[Item]:
    """Cut a text as a model's tokenizer does: ` [`, `1`, `].`, ` word`."""
    return [*_TOKEN.findall(text)]


def feedings(text: str, source: random.Random) -> Iterator[Sequence[Item]]:
    """Yield four ways to feed a text: char by char, as tokens, and two random ones."""
    yield list(text)
    yield tokens(text)
    yield random_cut(text, source)
    yield random_cut(text, source)

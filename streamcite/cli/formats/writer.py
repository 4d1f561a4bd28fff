"""What all formats have in common: where they write, what they know, which reply comes next."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Protocol, TextIO

from streamcite.answers import Citation
from streamcite.cli.pieces import SourceList
from streamcite.events import AnswerEvent, FinalAnswer, PartialAnswer, SectionStarted

__all__ = [
    "AnswerText",
    "FileWriter",
    "ReplyOrder",
    "Tail",
    "Writer",
    "cited_by",
    "cited_in",
    "final_note",
]

# What a reader is told about how a reply ended; nothing for a reply that is simply over.
NOTES = {
    "length": "cut off: the generator reached its length limit",
    "incomplete": "cut off: the generator does not say why",
    "content_filter": "cut off: the generator's content filter stopped it",
}


class Writer(Protocol):
    """Shows answers as they grow."""

    def write(self, event: AnswerEvent) -> None:
        """Show one event."""

    def close(self) -> None:
        """Leave the output in good order, however the stream ended."""


class AnswerText:
    """Tells the answer's text from that of other sections, and from what stands outside its tag.

    Args:
        tag: The tag that holds the answer; None for all text outside tags.
    """

    def __init__(self, tag: str | None) -> None:
        self._tag = tag
        self._tagged: set[int] = set()
        # Replies with text that was shown as the answer, since the tag had not come.
        self._prefaced: set[int] = set()

    def is_in(self, section: str | None) -> bool:
        """Say whether a section's text is the answer's; outside all tags it may be."""
        return section is None or section == self._tag

    def begins_below(self, event: AnswerEvent) -> bool:
        """Say, before it is fed, whether the answer begins here, below text that is none of it."""
        return self._is_tag(event) and event.reply in self._prefaced - self._tagged

    def feed(self, event: AnswerEvent) -> list[AnswerEvent]:
        """Return the event, but no text outside the tag once that has come; it may never come."""
        if self._is_tag(event):
            self._tagged.add(event.reply)
        if isinstance(event, PartialAnswer) and event.section is None:
            if event.reply in self._tagged:
                return []
            if event.delta.strip() or event.citations:
                self._prefaced.add(event.reply)
        return [event]

    def _is_tag(self, event: AnswerEvent) -> bool:
        return isinstance(event, SectionStarted) and event.name == self._tag


class ReplyOrder:
    """Lets several replies that stream at once be shown one after the other, by number."""

    def __init__(self) -> None:
        self._current = 0
        self._waiting: dict[int, list[AnswerEvent]] = {}

    def feed(self, event: AnswerEvent) -> list[AnswerEvent]:
        """Return the events whose turn it is."""
        if event.reply != self._current:
            self._waiting.setdefault(event.reply, []).append(event)
            return []
        ready = [event]
        while isinstance(ready[-1], FinalAnswer):
            self._current += 1
            if not (following := self._waiting.pop(self._current, [])):
                break
            ready += following
        return ready

    def close(self) -> list[AnswerEvent]:
        """Return what is left, of replies whose turn never came."""
        waiting, self._waiting = self._waiting, {}
        return [event for reply in sorted(waiting) for event in waiting[reply]]


class Tail:
    """The end of what was written, for the blank line below it."""

    def __init__(self) -> None:
        self._end = ""
        self._is_parted = False

    def add(self, text: str) -> str:
        """Take note of a text and return it; below a blank line it needs no line breaks."""
        if self._is_parted:
            text = text.lstrip("\n")
            self._is_parted = not text
        self._end = (self._end + text)[-2:]
        return text

    def breaks(self, wanted: int) -> str:
        """Return the line breaks that are missing."""
        return "\n" * (wanted - len(self._end) + len(self._end.rstrip("\n")))

    def part(self) -> str:
        """Return the line breaks that are missing for a blank line, below which text begins."""
        breaks = self.breaks(2)
        self._end, self._is_parted = "\n\n", True
        return breaks


class FileWriter(ABC):
    """Writes answers as text that only grows.

    Args:
        output: Where to.
        sources: The documents.
        answer_tag: The tag that holds the answer; None for all text outside tags.
    """

    def __init__(self, output: TextIO, sources: SourceList, answer_tag: str | None = None) -> None:
        self._output = output
        self._sources = sources
        self._answer_text = AnswerText(answer_tag)
        self._order = ReplyOrder()
        self._tail = Tail()

    def write(self, event: AnswerEvent) -> None:
        """Write what an event adds."""
        self._write_all(self._order.feed(event))

    def close(self) -> None:
        """Write the replies that are still waiting."""
        self._write_all(self._order.close())

    def _write_all(self, events: list[AnswerEvent]) -> None:
        for event in events:
            if self._answer_text.begins_below(event):
                self._output.write(self._tail.part())
            for kept in self._answer_text.feed(event):
                self._write(kept)
        if events:
            self._output.flush()

    @abstractmethod
    def _write(self, event: AnswerEvent) -> None:
        """Write an event in its turn."""


def final_note(final: FinalAnswer) -> str:
    """Return what a reader should know about how the reply ended."""
    if not final.complete:
        return "incomplete: the stream ended before the reply was over"
    return NOTES.get(final.finish_reason or "", "")


def cited_in(citations: Iterable[Citation]) -> set[int]:
    """Return the numbers of the sources that citations stand for, wherever they are."""
    return {number for citation in citations for number in citation.source_indices}


def cited_by(final: FinalAnswer) -> set[int]:
    """Return the numbers of the sources that the answer's text cites."""
    return {
        document.meta["source_index"]
        for document in final.answer.documents
        if document.meta.get("referenced")
    }

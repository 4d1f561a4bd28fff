"""What all formats have in common: where they write, what they know, which reply comes next."""

from typing import Protocol

from streamcite.events import AnswerEvent, FinalAnswer, PartialAnswer, SectionStarted

__all__ = ["AnswerText", "ReplyOrder", "Writer", "cited_by", "final_note"]

# What a reader is told about how a reply ended; nothing for a reply that is simply over.
NOTES = {
    "length": "cut off: the generator reached its length limit",
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

    def is_in(self, section: str | None) -> bool:
        """Say whether a section's text is the answer's; outside all tags it may be."""
        return section is None or section == self._tag

    def feed(self, event: AnswerEvent) -> list[AnswerEvent]:
        """Return the event, but no text outside the tag once that has come; it may never come."""
        if isinstance(event, SectionStarted) and event.name == self._tag:
            self._tagged.add(event.reply)
        is_outside = isinstance(event, PartialAnswer) and event.section is None
        return [] if is_outside and event.reply in self._tagged else [event]


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


def final_note(final: FinalAnswer) -> str:
    """Return what a reader should know about how the reply ended."""
    if not final.complete:
        return "incomplete: the stream ended before the reply was over"
    return NOTES.get(final.finish_reason or "", "")


def cited_by(final: FinalAnswer) -> set[int]:
    """Return the numbers of the sources that the answer's text cites."""
    return {
        document.meta["source_index"]
        for document in final.answer.documents
        if document.meta.get("referenced")
    }

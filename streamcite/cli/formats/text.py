"""Plain text: the answer as it grows, then its sources. No control codes."""

from typing import TextIO

from streamcite.cli.formats.writer import (
    AnswerText,
    ReplyOrder,
    Tail,
    cited_by,
    cited_in,
    final_note,
)
from streamcite.cli.pieces import SourceList, clean, unresolved
from streamcite.events import AnswerEvent, FinalAnswer, PartialAnswer

__all__ = ["TextWriter"]


class TextWriter:
    """Writes the answer's text at once; sections other than the answer's are left out."""

    def __init__(self, output: TextIO, sources: SourceList, answer_tag: str | None = None) -> None:
        self._output = output
        self._sources = sources
        self._answer_text = AnswerText(answer_tag)
        self._order = ReplyOrder()
        self._tail = Tail()

    def write(self, event: AnswerEvent) -> None:
        """Write what an event adds to the answer."""
        self._write_all(self._order.feed(event))

    def close(self) -> None:
        """Write the replies that are still waiting."""
        self._write_all(self._order.close())

    def _write_all(self, events: list[AnswerEvent]) -> None:
        for event in events:
            if self._answer_text.parts(event):
                self._output.write(self._tail.part())
            for kept in self._answer_text.feed(event):
                self._write(kept)
        if events:
            self._output.flush()

    def _write(self, event: AnswerEvent) -> None:
        if isinstance(event, PartialAnswer) and self._answer_text.is_in(event.section):
            self._output.write(self._tail.add(clean(event.delta)))
        elif isinstance(event, FinalAnswer):
            lines = self._ending(event)
            self._output.write(self._tail.breaks(2 if lines else 1))
            self._output.writelines(f"{line}\n" for line in lines)
            self._tail = Tail()

    def _ending(self, final: FinalAnswer) -> list[str]:
        note = final_note(final)
        notes = [f"({note})"] if note else []
        lines = ["Sources"] if len(self._sources) else []
        citations = final.answer.citations
        self._sources.note(citations)
        # Sections are not shown here, so that what they cite is no news.
        beside = cited_in(each for each in citations if each.section is None)
        for source in self._sources.of(cited_by(final), beside):
            number = f"[{source.shown}] " if source.shown else ""
            address = f" <{source.url}>" if source.url else ""
            state = f" ({source.remark})" if source.remark else ""
            lines.append(f"{number}{clean(source.title)}{address}{state}")
            if source.cited and source.snippet:
                lines.append(f"    {clean(source.snippet)}")
        if markers := unresolved(final.answer):
            lines.append(f"Unresolved: {clean(' '.join(markers))}")
        return [*notes, "", *lines] if notes and lines else notes + lines

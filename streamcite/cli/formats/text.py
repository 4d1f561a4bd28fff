"""Plain text: the answer as it grows, then its sources. No control codes."""

from typing import TextIO

from streamcite.cli.formats.writer import AnswerText, ReplyOrder, cited_by, final_note
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
        # The end of what was written, for the blank line below it.
        self._tail = ""

    def write(self, event: AnswerEvent) -> None:
        """Write what an event adds to the answer."""
        for kept in self._answer_text.feed(event):
            self._write_all(self._order.feed(kept))

    def close(self) -> None:
        """Write the replies that are still waiting."""
        self._write_all(self._order.close())

    def _write_all(self, events: list[AnswerEvent]) -> None:
        for event in events:
            if isinstance(event, PartialAnswer) and self._answer_text.is_in(event.section):
                self._output.write(text := clean(event.delta))
                self._tail = (self._tail + text)[-2:]
            elif isinstance(event, FinalAnswer):
                lines = self._ending(event)
                self._output.write(_breaks(self._tail, 2 if lines else 1))
                self._output.writelines(f"{line}\n" for line in lines)
                self._tail = ""
        if events:
            self._output.flush()

    def _ending(self, final: FinalAnswer) -> list[str]:
        lines = []
        if note := final_note(final):
            lines.append(f"({note})")
        if len(self._sources):
            lines.append("Sources")
        self._sources.note(final.answer.citations)
        for source in self._sources.of(cited_by(final)):
            number = f"[{source.shown}] " if source.shown else ""
            address = f" <{source.url}>" if source.url else ""
            state = "" if source.cited else " (not cited)"
            lines.append(f"{number}{clean(source.title)}{address}{state}")
            if source.cited and source.snippet:
                lines.append(f"    {clean(source.snippet)}")
        if markers := unresolved(final.answer):
            lines.append(f"Unresolved: {clean(' '.join(markers))}")
        return lines


def _breaks(tail: str, wanted: int) -> str:
    """Return the line breaks that are missing behind a text."""
    return "\n" * (wanted - min(len(tail) - len(tail.rstrip("\n")), wanted))

"""Plain text: the answer as it grows, then its sources. No control codes."""

from streamcite.cli.formats.writer import FileWriter, Tail, cited_by, cited_in, final_note
from streamcite.cli.pieces import clean, unresolved
from streamcite.events import AnswerEvent, FinalAnswer, PartialAnswer

__all__ = ["TextWriter"]


class TextWriter(FileWriter):
    """Writes the answer's text at once; sections other than the answer's are left out."""

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
            place = f" ({clean(source.place)})" if source.place else ""
            state = f" ({source.remark})" if source.remark else ""
            lines.append(f"{number}{clean(source.title)}{address}{place}{state}")
            if source.cited and source.snippet:
                lines.append(f"    {clean(source.snippet)}")
        if markers := unresolved(final.answer):
            lines.append(f"Unresolved: {clean(' '.join(markers))}")
        return [*notes, "", *lines] if notes and lines else notes + lines

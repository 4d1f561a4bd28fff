"""Markdown for files: the answer with linked citations, then its sources as a list."""

import re
from typing import TextIO

from streamcite.answers import Citation
from streamcite.cli.formats.writer import FileWriter, cited_by, cited_in, final_note
from streamcite.cli.pieces import SourceList, clean, cut, labels, unresolved
from streamcite.events import AnswerEvent, FinalAnswer, PartialAnswer, SectionEnded, SectionStarted

__all__ = ["MarkdownWriter"]

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


class MarkdownWriter(FileWriter):
    """Writes the answer as it grows; other sections fold away in `<details>`."""

    def __init__(self, output: TextIO, sources: SourceList, answer_tag: str | None = None) -> None:
        super().__init__(output, sources, answer_tag)
        self._addresses = {each.number: each.url for each in sources.of(())}

    def _write(self, event: AnswerEvent) -> None:
        self._output.write(self._tail.add(clean(self._text_of(event))))

    def _text_of(self, event: AnswerEvent) -> str:
        if isinstance(event, PartialAnswer):
            return "".join(
                self._link(piece) if isinstance(piece, Citation) else piece for piece in cut(event)
            )
        if isinstance(event, FinalAnswer):
            return "\n\n" + "\n".join(self._ending(event)) + "\n\n"
        if self._answer_text.is_in(event.name):
            return ""
        return _DETAILS[type(event)].format(name=_escape(event.name))

    def _link(self, citation: Citation) -> str:
        """Return `[[1]](address)` for each reference, and the marker as it was if none resolves."""
        if citation.start == citation.end:
            return ""
        shown = labels(citation)
        if not any(label.number for label in shown):
            return citation.marker
        return "".join(self._link_one(label.text, label.number) for label in shown)

    def _link_one(self, text: str, number: int | None) -> str:
        url = self._addresses.get(number or 0, "")
        return f"[[{text}]]({_destination(url)})" if url else f"[{text}]"

    def _ending(self, final: FinalAnswer) -> list[str]:
        lines = []
        if note := final_note(final):
            lines += [f"*({note})*", ""]
        if len(self._sources):
            lines += ["## Sources", ""]
        self._sources.note(final.answer.citations)
        beside = cited_in(final.answer.citations)
        for source in self._sources.of(cited_by(final), beside):
            title = _escape(source.title)
            name = f"[{title}]({_destination(source.url)})" if source.url else title
            name += f" ({_escape(source.place)})" if source.place else ""
            said = f": {_escape(source.snippet)}" if source.snippet else ""
            state = said if source.cited else f" ({source.remark})"
            lines.append(f"{source.shown}. {name}{state}" if source.shown else f"- {name}{state}")
        if markers := unresolved(final.answer):
            lines += ["", f"Unresolved: {' '.join(f'`{marker}`' for marker in markers)}"]
        return lines


_DETAILS = {
    SectionStarted: "\n<details><summary>{name}</summary>\n\n",
    SectionEnded: "\n\n</details>\n\n",
}


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _destination(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29")

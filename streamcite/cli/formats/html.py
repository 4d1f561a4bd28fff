"""A web page for files: each answer with its citations as links to the sources below it."""

from html import escape
from typing import TextIO

from streamcite.answers import Citation
from streamcite.cli.formats.writer import ReplyOrder, cited_by, cited_in, final_note
from streamcite.cli.pieces import SourceList, clean, cut_text, labels, unresolved
from streamcite.events import AnswerEvent, FinalAnswer

__all__ = ["HtmlWriter"]

_HEAD = """<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem;
  color: #1f2328; background: #fff }}
.answer, details p {{ white-space: pre-wrap; overflow-wrap: anywhere }}
sup a {{ text-decoration: none; padding: 0 .1em }}
.unresolved {{ color: #b42318; text-decoration: underline dotted }}
li:target {{ background: #fff8c5 }}
.uncited, .note, details {{ color: #59636e }}
@media (prefers-color-scheme: dark) {{
  body {{ color: #e6edf3; background: #0d1117 }} a {{ color: #79b8ff }}
  li:target {{ background: #3b2f00 }} .uncited, .note, details {{ color: #9198a1 }}
  .unresolved {{ color: #ff9a8d }}
}}
</style>
</head>
<body>
"""
_TAIL = "</body>\n</html>\n"


class HtmlWriter:
    """Writes each answer when it is whole; the page is complete when the writer is closed."""

    def __init__(self, output: TextIO, sources: SourceList, title: str = "") -> None:
        self._output = output
        self._sources = sources
        self._order = ReplyOrder()
        self._title = title
        self._begun = False

    def write(self, event: AnswerEvent) -> None:
        """Write a reply that is over."""
        self._write_all(self._order.feed(event))

    def close(self) -> None:
        """Write the replies that are still waiting, and the page's end."""
        self._write_all(self._order.close())
        if self._begun:
            self._output.write(_TAIL)
            self._output.flush()

    def _write_all(self, events: list[AnswerEvent]) -> None:
        for event in events:
            if isinstance(event, FinalAnswer):
                self._begin()
                self._output.write("\n".join(self._article(event)) + "\n")

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self._output.write(_HEAD.format(title=_text(self._title or "Answer")))
            self._output.write(f"<h1>{_text(self._title)}</h1>\n" if self._title else "")

    def _article(self, final: FinalAnswer) -> list[str]:
        parts = [f'<article id="reply-{final.reply}">']
        for name, texts in final.answer.sections.items():
            if name != final.answer.section:
                parts += [
                    f"<details><summary>{escape(name)}</summary><p>{_text(each)}</p></details>"
                    for each in texts
                ]
        parts.append(f'<p class="answer">{self._answer(final)}</p>')
        if note := final_note(final):
            parts.append(f'<p class="note">({escape(note)})</p>')
        if markers := unresolved(final.answer):
            parts.append(f'<p class="note">Unresolved: {_text(" ".join(markers))}</p>')
        return [*parts, *self._list(final), "</article>"]

    def _answer(self, final: FinalAnswer) -> str:
        answer = final.answer
        # Those of other sections have their places in another text.
        shown = [each for each in answer.citations if each.section == answer.section]
        return "".join(
            _link(piece, final.reply) if isinstance(piece, Citation) else _text(piece)
            for piece in cut_text(answer.data, 0, shown)
        )

    def _list(self, final: FinalAnswer) -> list[str]:
        lines = ["<h2>Sources</h2>", "<ol>"] if len(self._sources) else []
        citations = final.answer.citations
        self._sources.note(citations)
        # What stood outside the tag is not shown here.
        beside = cited_in(each for each in citations if each.section is not None)
        for source in self._sources.of(cited_by(final), beside):
            title = _text(source.title)
            name = f'<a href="{escape(source.url)}">{title}</a>' if source.url else title
            name += f" ({_text(source.place)})" if source.place else ""
            state = f"<br>{_text(source.snippet)}" if source.cited else f" ({source.remark})"
            kind = "cited" if source.cited else "uncited"
            place = f'id="{_place(final.reply, source.number)}"'
            mark = f'value="{source.shown}"' if source.shown else 'style="list-style: none"'
            lines.append(f'<li {place} {mark} class="{kind}">{name}{state}</li>')
        return [*lines, "</ol>"] if lines else []


def _link(citation: Citation, reply: int) -> str:
    if citation.start == citation.end:
        return ""
    shown = labels(citation)
    if not any(label.number for label in shown):
        return f'<span class="unresolved">{_text(citation.marker)}</span>'
    links = [
        f'<a href="#{_place(reply, label.number)}">{_text(label.text)}</a>'
        if label.number
        else _text(label.text)
        for label in shown
    ]
    return f"<sup>{', '.join(links)}</sup>"


def _place(reply: int, number: int) -> str:
    return f"source-{reply}-{number}"


def _text(text: str) -> str:
    # Half a character has no place in UTF-8.
    return escape(clean(text)).encode("utf-8", "replace").decode("utf-8")

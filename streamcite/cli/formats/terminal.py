"""The live view: the answer grows in the terminal, its citations are links, its sources below.

Lines that can no longer change are printed for good, so that an answer longer than the screen
scrolls like any output; only the line that grows and the list of sources are drawn anew.
"""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.spinner import Spinner
from rich.style import Style
from rich.text import Text

from streamcite.answers import Citation
from streamcite.cli.formats.live_area import LiveArea
from streamcite.cli.formats.source_list import final_list, link_of, live_list
from streamcite.cli.formats.writer import AnswerText, ReplyOrder, cited_by, cited_in, final_note
from streamcite.cli.pieces import SourceList, clean, cut, labels, unresolved
from streamcite.events import AnswerEvent, FinalAnswer, PartialAnswer, SectionEnded, SectionStarted

__all__ = ["TerminalWriter"]

RAISED = tuple("⁰¹²³⁴⁵⁶⁷⁸⁹")
SUPERSCRIPTS = str.maketrans("0123456789", "".join(RAISED))
CITED, SECTION, BROKEN, FAINT = "bold cyan", "italic bright_black", "red underline", "bright_black"
SECTION_BAR = "│ "


# Narrower than this, lines are cut by the terminal and not by us.
MIN_WIDTH = 8


class TerminalWriter:
    """Shows answers live on a rich console."""

    def __init__(
        self,
        console: Console,
        sources: SourceList,
        answer_tag: str | None = None,
        title: str = "",
        waiting: str = "",
    ) -> None:
        self._console = console
        self._sources = sources
        self._answer_text = AnswerText(answer_tag)
        self._order = ReplyOrder()
        self._line = Text()
        self._section = ""
        self._cited: set[int] = set()
        # Cited by what is shown, and not by the answer.
        self._beside: set[int] = set()
        self._reply = 0
        self._list: RenderableType = Text()
        self._waiting = waiting
        self._open = False
        self._begun = False
        self._breaks = 0
        self._area = LiveArea(console)
        self._draw()
        if title:
            console.print(Text(clean(title), "bold"), end="\n\n")
        self._area.start()

    def write(self, event: AnswerEvent) -> None:
        """Show what an event adds."""
        for ready in self._order.feed(event):
            self._show(ready)

    def close(self) -> None:
        """Show the replies that are still waiting, and give the terminal back."""
        try:
            for ready in self._order.close():
                self._show(ready)
            self._leave()
        finally:
            self._area.stop()

    def _show(self, event: AnswerEvent) -> None:
        self._waiting = ""
        if event.reply != self._reply:
            self._leave()
        if not self._open:
            self._begin(event.reply)
        if self._answer_text.begins_below(event):
            self._part()
        for kept in self._answer_text.feed(event):
            match kept:
                case PartialAnswer():
                    self._extend(kept)
                case SectionStarted() | SectionEnded():
                    self._turn(kept)
                case FinalAnswer():
                    self._finish(kept)
        self._draw()

    def _begin(self, reply: int) -> None:
        if reply:
            self._area.print(Rule(f"Reply {reply + 1}", style=FAINT))
        self._begun, self._breaks = False, 0
        self._cited, self._beside = set(), set()
        self._list = live_list(self._console, self._sources.of(()))
        self._open, self._reply = True, reply

    def _draw(self) -> None:
        growing: RenderableType = self._barred(self._line.copy())
        if self._waiting:
            growing = Spinner("dots", Text(self._waiting, FAINT))
        self._area.show(Group(growing, self._list), animated=bool(self._waiting))

    def _extend(self, partial: PartialAnswer) -> None:
        for piece in cut(partial):
            if isinstance(piece, Citation):
                self._append_citation(piece)
            else:
                self._append(piece)
        found = (*partial.citations, *partial.updates)
        if fresh := cited_in(found) - self._cited:
            self._sources.note(found)
            if self._answer_text.is_in(partial.section):
                self._cited |= fresh
                self._list = live_list(self._console, self._sources.of(self._cited))
            else:
                self._beside |= fresh
        self._print_stable()

    def _append(self, text: str) -> None:
        """Append text; line breaks wait for what follows, so that none stand at either end."""
        body = text.lstrip("\n")
        kept = body.rstrip("\n")
        self._breaks += len(text) - len(body)
        if kept:
            self._break_lines()
            self._line.append(clean(kept).expandtabs(4), SECTION if self._section else "")
        self._breaks += len(body) - len(kept)

    def _append_citation(self, citation: Citation) -> None:
        """Append a citation's numbers; a comma parts them from those right before."""
        if mark := self._superscript(citation):
            is_glued = not self._breaks and self._line.plain[-1:] in RAISED
            self._break_lines()
            self._line.append("," if is_glued else "", CITED)
            self._line.append_text(mark)

    def _break_lines(self) -> None:
        if self._begun:
            self._line.append("\n" * self._breaks)
        self._begun, self._breaks = True, 0

    def _superscript(self, citation: Citation) -> Text:
        """Return a citation as its numbers, each a link to its source."""
        if citation.start == citation.end:
            return Text()
        shown = labels(citation)
        if not any(label.number for label in shown):
            return Text(clean(citation.marker), BROKEN)
        plain = self._console.options.ascii_only
        parts = [
            Text(
                label.text if plain else label.text.translate(SUPERSCRIPTS),
                Style.parse(CITED if label.number else BROKEN)
                + Style(link=self._address(label.number)),
            )
            for label in shown
        ]
        joined = Text(",", CITED).join(parts)
        return Text.assemble(("[", CITED), joined, ("]", CITED)) if plain else joined

    def _address(self, number: int | None) -> str | None:
        return link_of(self._sources.one(number)) if number else None

    def _part(self) -> None:
        """Begin the answer below a blank line: what is shown so far was none of it."""
        if self._begun:
            self._flush()
            self._print([Text()])
        self._begun, self._breaks = False, 0
        self._beside, self._cited = self._beside | self._cited, set()
        self._list = live_list(self._console, self._sources.of(()))

    def _turn(self, event: SectionStarted | SectionEnded) -> None:
        """Begin or end a section: the answer's own shows no sign of it."""
        if self._answer_text.is_in(event.name):
            return
        self._flush()
        self._begun, self._breaks = False, 0
        self._section = event.name if isinstance(event, SectionStarted) else ""
        edge = f"╭ {clean(event.name)}"
        if isinstance(event, SectionEnded):
            edge = "╰" if event.complete else "╰ (never closed)"
        self._print([Text(edge, SECTION)], bar=False)

    def _print_stable(self) -> None:
        """Print the rows that no further text can change: all but the one that grows."""
        *whole, last = self._line.split("\n", allow_blank=True)
        rows = [row for line in whole for row in self._wrap(line)]
        *stable, _ = wrapped = self._wrap(last)
        self._line = last[_start_of_last(last.plain, [row.plain for row in wrapped]) :]
        self._print([*rows, *stable])

    def _flush(self) -> None:
        rows = self._wrap(self._line) if self._line.plain.strip() else []
        self._line = Text()
        self._print(rows)

    def _wrap(self, line: Text) -> list[Text]:
        width = self._console.width - (len(SECTION_BAR) if self._section else 0)
        return list(line.wrap(self._console, max(width, MIN_WIDTH))) or [Text()]

    def _finish(self, final: FinalAnswer) -> None:
        self._flush()
        if note := final_note(final):
            self._print(self._wrap(Text(f"({note})", "yellow")))
        self._sources.note(final.answer.citations)
        self._cited, self._beside = cited_by(final), cited_in(final.answer.citations)
        markers = clean(" ".join(unresolved(final.answer)))
        self._end([Text.assemble("Unresolved: ", (markers, BROKEN))] if markers else [])

    def _leave(self) -> None:
        """End a reply of which nothing more comes: its list has what was cited so far."""
        self._flush()
        if self._open:
            # Who presses Ctrl-C does not want to wait for a thousand titles.
            self._end([], room=self._console.height)

    def _end(self, below: list[RenderableType], room: int | None = None) -> None:
        self._section, self._list, self._open = "", Text(), False
        self._draw()
        if sources := self._sources.of(self._cited, self._beside):
            below = [final_list(sources, room), *below]
        if below:
            self._area.print(Group(Text(), *below))

    def _print(self, rows: Sequence[Text], bar: bool = True) -> None:
        """Print rows for good, above the live area."""
        if not rows:
            return
        # Printing redraws the live area too, which must not show these rows once more.
        self._draw()
        barred = [self._barred(row) for row in rows] if bar else rows
        self._area.print(Group(*barred), as_it_is=True)

    def _barred(self, row: Text) -> Text:
        return Text.assemble((SECTION_BAR, SECTION), row) if self._section else row


def _start_of_last(text: str, rows: Sequence[str]) -> int:
    """Return where the last row begins; wrapping drops the blanks at the end of the others."""
    start = 0
    for row in rows[:-1]:
        start += len(row)
        while start < len(text) and text[start] == " ":
            start += 1
    return start

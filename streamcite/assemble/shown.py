"""How citations are written into a text: display mode, unknown markers, merging."""

from collections.abc import Sequence
from dataclasses import dataclass

from streamcite.answers import Citation, CitationFields, Reference
from streamcite.assemble.claims import MAX_CLAIM, claim_span
from streamcite.assemble.display import Renderer
from streamcite.assemble.ledger import Ledger
from streamcite.assemble.records import Record
from streamcite.assemble.shown_text import ShownText
from streamcite.blanks import BlankKeeper
from streamcite.options import CiteOptions
from streamcite.resolutions import Outcome, Resolution
from streamcite.spans import PATTERN, Located, Marker

__all__ = ["Shown"]


@dataclass(slots=True)
class _Merge:
    """A citation that an adjacent marker of the same documents may still join."""

    record: Record
    text: str


class Shown(ShownText):
    """Writes text and citations in the display mode of the options.

    Args:
        section: The tag whose content this is; None for the text outside all tags.
        options: Display mode, unknown policy, merging.
        renderer: Writes the citations.
        ledger: Where they are entered.
        occurrence: Which content of that tag it is, from 0.
    """

    __slots__ = (
        "_blanks",
        "_ledger",
        "_merge",
        "_options",
        "_renderer",
        "direct",
        "keeps",
        "merges",
        "occurrence",
        "section",
        "trims",
    )

    def __init__(
        self,
        section: str | None,
        options: CiteOptions,
        renderer: Renderer,
        ledger: Ledger,
        occurrence: int = 0,
    ) -> None:
        super().__init__()
        self.section = section
        self.occurrence = occurrence
        self._options = options
        self._renderer = renderer
        self._ledger = ledger
        self.trims = options.removes_markers
        """Whether blanks at the end of a text are held."""
        self._blanks = BlankKeeper() if self.trims else None
        self._merge: _Merge | None = None
        self.merges = options.merge_adjacent
        """Whether a marker may join the one right before it."""
        self.direct = not self.trims and not self.merges
        """Whether text is shown at once, so that `idle` says nothing."""
        self.keeps = options.display == "keep"
        """Whether a marker is shown as it is written."""

    @property
    def held(self) -> str:
        """Text decided but not shown yet."""
        merge = self._merge.text if self._merge else ""
        return (self._blanks.held if self._blanks else "") + merge

    @property
    def idle(self) -> bool:
        """Whether plain text can be written to `run`."""
        return self.direct or (self._merge is None and (self._blanks is None or self._blanks.idle))

    def settle(self) -> str:
        """Take note of `run`, begin another, and return its text."""
        text = super().settle()
        if text and self._blanks is not None:
            self._blanks.passed(text)
        return text

    def write(self, text: str) -> None:
        """Show text, not empty."""
        if self.direct:
            self._text.append(text)
            self._reveal(text)
            return
        if self._merge is not None:
            self._end_merge()
        self._show(text if self._blanks is None else self._blanks.write(text))

    def _show(self, text: str) -> None:
        if text:
            self._text.append(text)
            self._reveal(text)

    def close(self) -> None:
        """Show what was held; nothing follows it directly."""
        if self._merge is not None:
            self._end_merge()
        if self._blanks is not None:
            self._show(self._blanks.close())

    def cite(self, marker: Marker, resolution: Resolution) -> None:
        """Show a marker as what it means."""
        if resolution.outcome is Outcome.CITED:
            at_once = self.direct and marker.grammar != "private"
            if at_once and self.keeps:
                self._add_kept(marker, resolution)
            elif at_once and resolution.complete:
                self._add_rewritten(marker.text, resolution)
            else:
                self._add(marker, resolution, resolution.references)
            return
        unknown = self._options.unknown
        if resolution.outcome is Outcome.TEXT or marker.grammar == "filename":
            unknown = "literal"
        if unknown == "mark" and resolution.wanted:
            self._add(marker, resolution, resolution.wanted)
        elif unknown == "drop":
            self._drop(marker, resolution)
        else:
            self._write_literal(marker, resolution)

    def _add_kept(self, marker: Marker, resolution: Resolution) -> None:
        """Show a citation as written: the common case, in as few steps as can be."""
        text, start = marker.text, self._text.length
        end = start + len(text)
        if resolution.complete:
            citing: Citation | CitationFields = self.cite_whole("", text, start, resolution)
        else:
            record = self._record(marker, resolution, start, end)
            record.number = resolution.numbers
            self._enter(record)
            citing = self._ledger.cite(record, resolution.references)
            self._claim_from = end
        self._text.append(text)
        self._reveal(text)
        self._reveal_citation(citing)

    def cite_whole(
        self, before: str, marker: str, start: int, resolution: Resolution
    ) -> CitationFields:
        """Enter a whole marker, which the caller shows as it is written.

        Args:
            before: Text right before it that is not settled; may be empty.
            marker: The marker.
            start: Where it stands.
            resolution: What it means, all of it.
        """
        missing = start - self._claim_from - len(before)
        if missing > 0:
            before = self._text.tail(min(missing, MAX_CLAIM)) + before
        # Here and below: each call of its own would cost a twentieth of a citation.
        claim = self._last_claim = claim_span(before, start - len(before)) or self._last_claim
        self._claim_from = end = start + len(marker)
        ledger = self._ledger
        ledger.named = named = ledger.named + 1
        claim_start, claim_end = claim or (start, start)
        # Not unpacked in the tuple: that makes a list of all of it first.
        fields: CitationFields = (
            f"c{named}",
            marker,
            self.section,
            self.occurrence,
            start,
            end,
            claim_start,
            claim_end,
            resolution.references,
            resolution.numbers,
        )
        (ledger.wholes or ledger.begin()).extend(fields)
        return fields

    def _add_rewritten(self, marker: str, resolution: Resolution) -> None:
        """Show a whole marker as another text: what `_add` does, without a record of it."""
        ledger, start, references = self._ledger, self._text.length, resolution.references
        place, claim = (self.section, self.occurrence, start), self._claim(start)
        number = self._renderer.number(resolution)
        provisional = Citation.trusted("", marker, *place, None, *claim, references, number)
        self._show(self._renderer.text(provisional, hidden=False))
        self._claim_from = end = self._text.length
        fields: CitationFields = (ledger.name(), marker, *place, end, *claim, references, number)
        (ledger.wholes or ledger.begin()).extend(fields)
        self._reveal_citation(fields)

    def cite_outside(self, marker: Marker, resolution: Resolution) -> None:
        """Enter a marker that stands in text which is not shown at all."""
        record = self._record(marker, resolution, None, None)
        record.claim = (None, None)
        record.counts = marker.grammar == PATTERN
        self._enter(record)
        if resolution.outcome is Outcome.CITED:
            self._reveal_citation(self._ledger.cite(record, resolution.references))

    def cite_shown(self, found: Sequence[tuple[Located, Resolution]]) -> None:
        """Enter markers of text that is shown already, in order.

        Args:
            found: Each marker with what it means.
        """
        length, tail = self._text.length, self._text.tail(found[0][0].back + MAX_CLAIM)
        for located, resolution in found:
            marker, start = located.marker, length - located.back
            end = start + len(marker.text)
            since = min(start - self._claim_from, MAX_CLAIM)
            claim = self._claim_of(tail[-located.back - since : -located.back], start)
            record = Record(marker, resolution, self.section, self.occurrence, start, end, claim)
            record.found_late = True
            self._enter(record)
            references = resolution.references
            if not references and self._options.unknown == "mark":
                references = resolution.wanted
            if references:
                record.number = resolution.numbers or None
                self._reveal_citation(self._ledger.cite(record, references))
                self._claim_from = end

    def _record(
        self, marker: Marker, resolution: Resolution, start: int | None, end: int | None
    ) -> Record:
        claim = self._claim(self._text.length)
        return Record(marker, resolution, self.section, self.occurrence, start, end, claim)

    def _enter(self, record: Record) -> None:
        record.place = max(self._text.length, record.end or 0)
        self._ledger.enter(record)

    def _write_literal(self, marker: Marker, resolution: Resolution) -> None:
        if self._merge is not None:
            self._end_merge()
        start = self._text.length
        record = self._record(marker, resolution, start, None)
        if marker.grammar != "private":
            self.write(marker.text)
            # Blanks at its end may be held, and never be shown; those at its beginning may go with
            # a marker that was removed.
            held = len(self._blanks.held) if self._blanks is not None else 0
            record.start = max(start, self._text.length - len(marker.text) + held)
        record.end = self._text.length
        self._enter(record)

    def _drop(self, marker: Marker, resolution: Resolution) -> None:
        if self._merge is not None:
            self._end_merge()
        record = self._record(marker, resolution, None, None)
        record.gone = True
        self._enter(record)
        assert self._blanks is not None
        self._show(self._blanks.remove())

    def _add(
        self, marker: Marker, resolution: Resolution, references: tuple[Reference, ...]
    ) -> None:
        if self._merge is not None:
            if not resolution.open_ended and self._joins(marker, resolution, references):
                return
            self._end_merge()
        if self._renderer.removes:
            record = self._record(marker, resolution, None, None)
            assert self._blanks is not None
            self._show(self._blanks.remove())
            self._publish(record, references, "")
            return
        if self._blanks is not None:
            self._show(self._blanks.shows())
        start = self._text.length
        record = self._record(marker, resolution, start, None)
        record.number = self._renderer.number(resolution)
        text = self._text_of(record, references)
        record.end = start + len(text)
        self._publish(record, references, text)

    def _text_of(self, record: Record, references: tuple[Reference, ...]) -> str:
        hidden = record.marker.grammar == "private"
        if self._options.display == "keep" and not hidden:
            return record.marker.text
        claim_start, claim_end = record.claim
        provisional = Citation.trusted(
            "",
            record.marker.text,
            record.section,
            record.occurrence,
            record.start,
            None,
            claim_start,
            claim_end,
            references,
            record.number,
        )
        return self._renderer.text(provisional, hidden=hidden)

    def _publish(self, record: Record, references: tuple[Reference, ...], text: str) -> None:
        # What further documents may change is not held: they would change what nobody knows of.
        if self._options.merge_adjacent and not record.resolution.open_ended:
            record.text = record.marker.text
            self._merge = _Merge(record, text)
        else:
            self._enter(record)
            self._show(text)
            self._claim_from = self._text.length
            self._reveal_citation(self._ledger.cite(record, references))

    def _joins(
        self, marker: Marker, resolution: Resolution, references: tuple[Reference, ...]
    ) -> bool:
        """Let a marker of the same documents join the citation before it."""
        assert self._merge is not None
        record = self._merge.record
        same = record.resolution.references == references
        if not same or len(record.text) + len(marker.text) > self._options.max_marker_length:
            return False
        record.text += marker.text
        record.resolution = record.resolution.joined(resolution)
        if self._options.display == "keep" and record.end is not None:
            self._merge.text += marker.text
            record.end += len(marker.text)
        return True

    def _end_merge(self) -> None:
        assert self._merge is not None
        merge, self._merge = self._merge, None
        self._show(merge.text)
        self._claim_from = self._text.length
        record = merge.record
        self._enter(record)
        references = record.resolution.references or record.resolution.wanted
        self._reveal_citation(self._ledger.cite(record, references))

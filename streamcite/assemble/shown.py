"""One text as its reader sees it, and the citations that stand in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from streamcite.answers import Citation, Reference
from streamcite.assemble.blanks import BlankKeeper
from streamcite.assemble.claims import claim_span
from streamcite.assemble.display import Renderer
from streamcite.assemble.ledger import Ledger, Record
from streamcite.options import CiteOptions
from streamcite.resolutions import Outcome, Resolution
from streamcite.spans import Marker

__all__ = ["Delta", "Shown"]

# Fresh tokens cost some 60 bytes each beside their text; they are folded into blocks of this
# many code points, which brings the cost of a long answer near that of one string.
BLOCK = 512


@dataclass(frozen=True, slots=True)
class Delta:
    """What became visible in one text since it was last taken."""

    offset: int
    text: str
    citations: tuple[Citation, ...]


@dataclass(slots=True)
class _Merge:
    """A citation that an adjacent marker of the same documents may still join."""

    record: Record
    text: str


class Shown:
    """Writes text and citations in the display mode of the options.

    Args:
        section: The tag whose content this is; None for the text outside all tags.
        options: Display mode, unknown policy, merging.
        renderer: Writes the citations.
        ledger: Where they are entered.
    """

    def __init__(
        self,
        section: str | None,
        options: CiteOptions,
        renderer: Renderer,
        ledger: Ledger,
        occurrence: int = 0,
    ) -> None:
        self.section = section
        self.occurrence = occurrence
        self.parts: list[str] = []
        """Plain tokens that the caller appended without any other call."""
        self._options = options
        self._renderer = renderer
        self._ledger = ledger
        trims = renderer.removes or options.unknown == "drop"
        self._blanks = BlankKeeper() if trims else None
        self._blocks: list[str] = []
        self._length = 0
        self._delta: list[str] = []
        self._delta_from = 0
        self._citations: list[Citation] = []
        self._claim_from = 0
        self._last_claim: tuple[int, int] | None = None
        self._merge: _Merge | None = None

    @property
    def length(self) -> int:
        """Code points shown so far."""
        return self._length + sum(map(len, self.parts))

    @property
    def text(self) -> str:
        """All text shown so far."""
        return "".join((*self._blocks, *self.parts))

    @property
    def held(self) -> str:
        """Text decided but not shown yet."""
        merge = self._merge.text if self._merge else ""
        return (self._blanks.held if self._blanks else "") + merge

    @property
    def idle(self) -> bool:
        """Whether plain text can be appended to `parts`."""
        return self._merge is None and (self._blanks is None or self._blanks.idle)

    @property
    def trims(self) -> bool:
        """Whether blanks at the end of a text are held."""
        return self._blanks is not None

    def settle(self) -> str:
        """Take note of `parts` and return them joined."""
        text = "".join(self.parts)
        if text:
            self.parts.clear()
            self._store(text)
            self._delta_from = self._length
            if self._blanks is not None:
                self._blanks.passed(text)
        return text

    def _store(self, text: str) -> None:
        self._length += len(text)
        if self._blocks and len(self._blocks[-1]) < BLOCK:
            self._blocks[-1] += text
        else:
            self._blocks.append(text)

    def _show(self, text: str) -> None:
        if text:
            self._store(text)
            self._delta.append(text)

    def take(self) -> Delta | None:
        """Return what became visible since the last call; None if nothing did."""
        if not self._delta and not self._citations:
            return None
        delta = Delta(self._delta_from, "".join(self._delta), tuple(self._citations))
        self._delta.clear()
        self._citations.clear()
        self._delta_from = self._length
        return delta

    def write(self, text: str) -> None:
        """Show text."""
        if self._merge is not None:
            self._end_merge()
        self._show(text if self._blanks is None else self._blanks.write(text))

    def close(self) -> None:
        """Show what was held; nothing follows it directly."""
        if self._merge is not None:
            self._end_merge()
        if self._blanks is not None:
            self._show(self._blanks.close())

    # Markers ----------------------------------------------------------------------------------

    def cite(self, marker: Marker, resolution: Resolution) -> None:
        """Show a marker as what it means."""
        unknown = "literal" if marker.grammar == "filename" else self._options.unknown
        if resolution.outcome is Outcome.CITED:
            self._add(marker, resolution, resolution.references)
        elif resolution.outcome is Outcome.UNKNOWN and unknown == "mark" and resolution.wanted:
            self._add(marker, resolution, resolution.wanted)
        elif resolution.outcome is Outcome.UNKNOWN and unknown == "drop":
            self._drop(marker, resolution)
        else:
            self._write_literal(marker, resolution)

    def cite_outside(self, marker: Marker, resolution: Resolution) -> None:
        """Enter a marker that stands in text which is not shown at all."""
        record = self._record(marker, resolution, None, None)
        record.counts = marker.grammar == "pattern"
        self._ledger.enter(record)
        if resolution.outcome is Outcome.CITED:
            record.number = None
            self._citations.append(self._ledger.cite(record, resolution.references))

    def cite_shown(self, found: Sequence[tuple[Marker, Resolution, int]]) -> None:
        """Enter markers of text that is shown already, in order.

        Args:
            found: Each marker with what it means and how far before the end it starts.
        """
        if not found:
            return
        length = self._length
        text = self._tail(length - self._claim_from)
        base = self._claim_from
        for marker, resolution, back in found:
            start = length - back
            record = self._record(marker, resolution, start, start + len(marker.text))
            span = claim_span(text[self._claim_from - base : start - base])
            if span is not None:
                begin = self._claim_from
                self._last_claim = (begin + span[0], begin + span[1])
            record.claim = self._last_claim or (start, start)
            self._ledger.enter(record)
            references = resolution.references
            if not references and self._options.unknown == "mark":
                references = resolution.wanted
            if references:
                indices = [each.source_index for each in references if each.source_index]
                record.number = self._renderer.number(indices) if resolution.references else None
                self._citations.append(self._ledger.cite(record, references))
                self._claim_from = start + len(marker.text)

    def _record(
        self, marker: Marker, resolution: Resolution, start: int | None, end: int | None
    ) -> Record:
        return Record(
            marker,
            resolution,
            self.section,
            self.occurrence,
            start,
            end,
            self._claim(start),
        )

    def _write_literal(self, marker: Marker, resolution: Resolution) -> None:
        if self._merge is not None:
            self._end_merge()
        if marker.grammar == "private":
            self._ledger.enter(self._record(marker, resolution, self._length, self._length))
            return
        before = self._length
        claim = self._claim(before)
        self.write(marker.text)
        end = self._length
        record = self._record(marker, resolution, end - len(marker.text), end)
        record.claim = claim
        self._ledger.enter(record)

    def _drop(self, marker: Marker, resolution: Resolution) -> None:
        if self._merge is not None:
            self._end_merge()
        record = self._record(marker, resolution, None, None)
        record.gone = True
        self._ledger.enter(record)
        if marker.grammar == "private" and self._blanks is None:
            return
        assert self._blanks is not None
        self._show(self._blanks.remove())

    def _add(
        self, marker: Marker, resolution: Resolution, references: tuple[Reference, ...]
    ) -> None:
        if self._merge is not None:
            if self._joins(marker, references):
                return
            self._end_merge()
        renderer = self._renderer
        if renderer.removes:
            record = self._record(marker, resolution, None, None)
            assert self._blanks is not None
            self._show(self._blanks.remove())
            self._publish(record, references, "")
            return
        if self._blanks is not None:
            self._show(self._blanks.shows())
        start = self._length
        record = self._record(marker, resolution, start, None)
        indices = [
            reference.source_index
            for reference in references
            if reference.resolved and reference.source_index is not None
        ]
        record.number = renderer.number(indices)
        text = self._text_of(record, references)
        record.end = start + len(text)
        self._publish(record, references, text)

    def _text_of(self, record: Record, references: tuple[Reference, ...]) -> str:
        if self._options.display == "keep" and record.marker.grammar != "private":
            return record.marker.text
        provisional = Citation(
            id="",
            marker=record.marker.text,
            section=record.section,
            occurrence=record.occurrence,
            start=record.start,
            claim_start=record.claim[0],
            claim_end=record.claim[1],
            references=references,
            number=record.number,
        )
        return self._renderer.text(provisional, hidden=record.marker.grammar == "private")

    def _publish(self, record: Record, references: tuple[Reference, ...], text: str) -> None:
        self._ledger.enter(record)
        if self._options.merge_adjacent:
            record.text = record.marker.text
            self._merge = _Merge(record, text)
        else:
            self._show(text)
            self._end_claim()
            self._citations.append(self._ledger.cite(record, references))

    def _joins(self, marker: Marker, references: tuple[Reference, ...]) -> bool:
        """Let a marker of the same documents join the citation before it."""
        assert self._merge is not None
        record = self._merge.record
        same = record.resolution.references == references
        if not same or len(record.text) + len(marker.text) > self._options.max_marker_length:
            return False
        record.text += marker.text
        if self._options.display == "keep" and record.end is not None:
            self._merge.text += marker.text
            record.end += len(marker.text)
        return True

    def _end_merge(self) -> None:
        assert self._merge is not None
        merge, self._merge = self._merge, None
        self._show(merge.text)
        self._end_claim()
        record = merge.record
        references = record.resolution.references or record.resolution.wanted
        self._citations.append(self._ledger.cite(record, references))

    # Claims -----------------------------------------------------------------------------------

    def _claim(self, start: int | None) -> tuple[int, int]:
        """Return the claim that ends before a marker, in code points of this text."""
        text = self._tail(self._length - self._claim_from)
        span = claim_span(text)
        if span is None:
            place = self._length if start is None else start
            return self._last_claim or (place, place)
        self._last_claim = (self._claim_from + span[0], self._claim_from + span[1])
        return self._last_claim

    def _end_claim(self) -> None:
        self._claim_from = self._length

    def _tail(self, length: int) -> str:
        """Return the last code points of the text; each is asked for once per citation."""
        pieces: list[str] = []
        for block in reversed(self._blocks):
            if length <= 0:
                break
            pieces.append(block[-length:] if length < len(block) else block)
            length -= len(block)
        return "".join(reversed(pieces))

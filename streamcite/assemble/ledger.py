"""The citations of one reply in the order of its text, and the markers that may become some."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import cast

from streamcite.answers import AnswerWarning, Citation, Reference
from streamcite.assemble.records import Record, Waiting
from streamcite.resolutions import Outcome, Resolution, Wish
from streamcite.spans import Marker

__all__ = ["Ledger"]


@dataclass(slots=True)
class Ledger:
    """Names the citations and keeps them in text order."""

    numbers_late: bool
    """Whether a marker that is resolved late is displayed with the numbers of its documents."""
    entries: list[Citation | Record] | None = None
    """Whole citations, and records of all other markers; None before the first."""
    _records: list[Record] | None = None
    _waiting: Waiting | None = None
    named: int = 0
    """How many citations have a name."""

    def begin(self) -> list[Citation | Record]:
        """Return the list of entries, made if this is the first."""
        if self.entries is None:
            self.entries = []
        return self.entries

    def name(self) -> str:
        """Return the next citation's id."""
        self.named += 1
        return f"c{self.named}"

    def enter(self, record: Record) -> None:
        """Add the next marker of the reply."""
        (self.entries or self.begin()).append(record)
        if self._records is None:
            self._records = []
        self._records.append(record)
        if record.resolution.open_ended and not record.gone:
            if self._waiting is None:
                self._waiting = Waiting()
            self._waiting.add(record)

    def cite(self, record: Record, references: tuple[Reference, ...]) -> Citation:
        """Make the record a citation, or the same citation with other references."""
        known = record.citation
        record.citation = Citation.trusted(
            self.name() if known is None else known.id,
            record.text or record.marker.text,
            record.section,
            record.occurrence,
            record.start,
            record.end,
            record.claim,
            references,
            record.number,
        )
        return record.citation

    def due(self, arrived: Iterable[Wish]) -> list[Marker]:
        """Return one marker for each text that waits for one of these."""
        return [] if self._waiting is None else self._waiting.due(arrived)

    def update(self, marker: Marker, resolution: Resolution) -> list[Citation]:
        """Take what a marker that was due means now; return the citations that this changes."""
        assert self._waiting is not None
        records = self._waiting.settle(marker, resolution)
        return [self._update_one(record, resolution) for record in records]

    def _update_one(self, record: Record, resolution: Resolution) -> Citation:
        record.resolution = resolution
        if self.numbers_late and record.start is not None:
            record.number = resolution.numbers
        return self.cite(record, resolution.references)

    @property
    def citations(self) -> list[Citation]:
        """All citations so far, in the order of the reply."""
        return self._listed(self.entries or ())

    def _listed(self, entries: Iterable[Citation | Record]) -> list[Citation]:
        if not self._records:
            return cast("list[Citation]", list(entries))
        found = [entry.citation if isinstance(entry, Record) else entry for entry in entries]
        return [citation for citation in found if citation is not None]

    def referenced(self, sections: Container[str | None]) -> set[int]:
        """Return the numbers of the documents cited in the text of these sections."""
        entries = self.entries or []
        if self._records:
            entries = [entry for entry in entries if isinstance(entry, Citation) or entry.counts]
        # Citations of the same documents share their references: each is read once.
        distinct = {
            id(citation.references): citation.references
            for citation in self._listed(entries)
            if citation.section in sections
        }
        # As `source_indices` has them; asking that would take half as long again.
        return {
            reference.source_index
            for references in distinct.values()
            for reference in references
            if reference.resolved and reference.source_index is not None
        }

    def warnings(self) -> list[AnswerWarning]:
        """Say which parts of which markers mean nothing."""
        return [warning for record in self._records or () for warning in _warnings(record)]


def _warnings(record: Record) -> list[AnswerWarning]:
    resolution, marker = record.resolution, record.marker
    if resolution.outcome is Outcome.TEXT or marker.grammar == "filename":
        return []
    found = [
        AnswerWarning(
            code="unknown-source",
            message=f"{marker.text!r}: there is no document {unknown}",
            position=record.start,
        )
        for unknown in resolution.unknown
    ]
    found.extend(
        AnswerWarning(
            code="unreadable-item",
            message=f"{marker.text!r}: cannot read {problem!r} as a number or a range",
            position=record.start,
        )
        for problem in resolution.problems
    )
    return found

"""The citations of one reply in the order of its text, and the markers that may become some."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from itertools import starmap
from typing import Any, cast, get_args

from streamcite.answers import AnswerWarning, Citation, CitationFields, Reference
from streamcite.assemble.records import Record, Waiting
from streamcite.resolutions import Outcome, Resolution, Wish
from streamcite.spans import Marker

__all__ = ["Entry", "Ledger", "number_of"]


Entry = Citation | Record

_WIDTH = len(get_args(CitationFields))


@dataclass(slots=True)
class Ledger:
    """Names the citations and keeps them in text order."""

    numbers_late: bool
    """Whether a marker that is resolved late is displayed with the numbers of its documents."""
    wholes: list[Any] | None = None
    """The fields of all whole citations, one behind the other; None before the first. An object
    for each would be one more that the collector walks, over and over while thousands of answers
    are open."""
    _records: list[Record] | None = None
    """All other markers."""
    _waiting: Waiting | None = None
    named: int = 0
    """How many citations have a name."""

    def begin(self) -> list[Any]:
        """Make the list of whole citations, for the first of them, and return it."""
        self.wholes = []
        return self.wholes

    def entries(self) -> list[Entry]:
        """Return whole citations, and records of all other markers, in the order of the reply."""
        each = [iter(self.wholes or ())] * _WIDTH
        wholes = list(starmap(Citation.trusted, zip(*each, strict=True)))
        found: list[Entry] = []
        begin = 0
        for record in self._records or ():
            found += wholes[begin : record.behind]
            found.append(record)
            begin = record.behind
        return found + wholes[begin:]

    def name(self) -> str:
        """Return the next citation's id."""
        self.named += 1
        return f"c{self.named}"

    def enter(self, record: Record) -> None:
        """Add the next marker of the reply."""
        record.behind = len(self.wholes or ()) // _WIDTH
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
        claim_start, claim_end = record.claim
        record.citation = Citation.trusted(
            self.name() if known is None else known.id,
            record.text or record.marker.text,
            record.section,
            record.occurrence,
            record.start,
            record.end,
            claim_start,
            claim_end,
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

    def until(self, section: str | None, end: int, named: int) -> list[Entry]:
        """Return the entries there were when so much of a section's text was shown.

        Those of other sections are the ones of now.

        Args:
            section: The section.
            end: Code points of its text.
            named: The number of the last citation that had come then.
        """
        return [
            entry
            for entry in self.entries()
            if entry.section != section or _was_there(entry, end, named)
        ]

    def citations(self, entries: list[Entry]) -> list[Citation]:
        """Return the citations among these entries, in their order."""
        if not self._records:
            return cast("list[Citation]", entries)
        found = [entry.citation if isinstance(entry, Record) else entry for entry in entries]
        return [citation for citation in found if citation is not None]

    def referenced(self, entries: list[Entry], sections: Container[str | None]) -> set[int]:
        """Return the numbers of the documents that these entries cite in sections."""
        if self._records:
            entries = [entry for entry in entries if isinstance(entry, Citation) or entry.counts]
        # Citations of the same documents share their references: each is read once.
        distinct = {
            id(citation.references): citation.references
            for citation in self.citations(entries)
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


def _was_there(entry: Entry, end: int, named: int) -> bool:
    if isinstance(entry, Record):
        citation, place, shows_text = entry.citation, entry.place, entry.shows_text
    else:  # a whole citation, which has an end
        citation, place, shows_text = entry, entry.end or 0, entry.start != entry.end
    if place != end or shows_text:
        return place <= end
    # Of those with no text of their own, some at this place may have come later.
    return citation is not None and number_of(citation) <= named


def number_of(citation: Citation) -> int:
    """Return how many citations had a name when this one got its own."""
    return int(citation.id[1:])


def _warnings(record: Record) -> list[AnswerWarning]:
    resolution, marker = record.resolution, record.marker
    if resolution.outcome is Outcome.TEXT or marker.grammar == "filename":
        return []
    found = [
        AnswerWarning(
            code="unknown-source",
            message=f"{marker.text!r}: there is no document {unknown}",
            position=record.start,
            item=unknown,
        )
        for unknown in resolution.unknown
    ]
    found.extend(
        AnswerWarning(
            code="unreadable-item",
            message=f"{marker.text!r}: cannot read {problem!r} as a number or a range",
            position=record.start,
            item=problem,
        )
        for problem in resolution.problems
    )
    return found

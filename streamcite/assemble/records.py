"""Markers of which something is left over, and those among them that documents may resolve."""

from collections.abc import Iterable
from dataclasses import dataclass

from streamcite.answers import Citation, Claim
from streamcite.resolutions import Resolution, Wish
from streamcite.spans import Marker

__all__ = ["Record", "Waiting"]

_Key = tuple[str, str]


@dataclass(slots=True)
class Record:
    """A marker of which something is left over, and its place; it may be a citation or not."""

    marker: Marker
    resolution: Resolution
    section: str | None
    occurrence: int
    start: int | None
    end: int | None
    claim: Claim
    number: str | None = None
    counts: bool = True
    """False for text that the answer leaves out."""
    gone: bool = False
    """Whether the marker was dropped from the text, so that it cannot become a citation."""
    text: str = ""
    """What the citation calls its marker; empty for the marker's own text."""
    citation: Citation | None = None
    found_late: bool = False
    """Whether it was found in text that was shown before."""
    place: int = 0
    """How much of its text is shown with it."""
    behind: int = 0
    """How many whole citations stand before it."""

    @property
    def shows_text(self) -> bool:
        """Whether some of the text was shown with it."""
        return self.start != self.end and not self.found_late


class Waiting:
    """Finds the markers that a new document may resolve without a look at the others."""

    __slots__ = ("_by_wish", "_count", "_places", "_records")

    def __init__(self) -> None:
        # Markers of the same text mean the same.
        self._records: dict[_Key, list[Record]] = {}
        self._by_wish: dict[Wish, dict[_Key, None]] = {}
        # In which order the texts came first.
        self._places: dict[_Key, int] = {}
        self._count = 0

    def add(self, record: Record) -> None:
        """Let a marker wait."""
        key = (record.marker.grammar, record.marker.text)
        records = self._records.setdefault(key, [])
        if not records:
            self._count += 1
            self._places[key] = self._count
            self._wish(key, record.resolution)
        records.append(record)

    def _wish(self, key: _Key, resolution: Resolution) -> None:
        for wish in resolution.awaits:
            self._by_wish.setdefault(wish, {})[key] = None

    def due(self, arrived: Iterable[Wish]) -> list[Marker]:
        """Return a marker of each text that waits for one of these, in the order of the reply."""
        found = {key: None for wish in arrived for key in self._by_wish.pop(wish, ())}
        keys = sorted(found.keys() & self._records.keys(), key=self._places.__getitem__)
        return [self._records[key][0].marker for key in keys]

    def settle(self, marker: Marker, resolution: Resolution) -> list[Record]:
        """Take what a marker means now; return its records if that is something else."""
        key = (marker.grammar, marker.text)
        records = self._records[key]
        self._wish(key, resolution)
        if resolution.references == records[0].resolution.references:
            return []
        if not resolution.awaits:
            del self._records[key], self._places[key]
        return records

"""Which markers a new document may resolve."""

from collections.abc import Iterable

import pytest

from streamcite import Citer, Reference
from streamcite.assemble.records import Record, Waiting
from streamcite.resolutions import Outcome, Resolution, Wish
from streamcite.resolve import Resolver
from streamcite.spans import Marker
from tests.transcripts import documents


def record(text: str, *awaits: Wish) -> Record:
    """Return a marker that waits for these."""
    marker = Marker(text, "bracket", ())
    resolution = Resolution(Outcome.UNKNOWN, awaits=awaits)
    return Record(marker, resolution, None, 0, 0, len(text), (0, 0))


def due(waiting: Waiting, *arrived: Wish) -> list[str]:
    """Return the texts of the markers that wait for one of these."""
    return [marker.text for marker in waiting.due(arrived)]


def waiting_for(records: Iterable[Record]) -> Waiting:
    """Return the records, waiting."""
    waiting = Waiting()
    for each in records:
        waiting.add(each)
    return waiting


def test_due() -> None:
    """Those that wait for what has come are due, each text once, in the order of the reply."""
    waiting = waiting_for([record("[9]", 9), record("[8]", 8), record("[9]", 9), record("[7]", 7)])

    assert due(waiting, 6, 8, "x", 9) == ["[9]", "[8]"]


def test_what_is_due_is_asked_once() -> None:
    """A marker that was due waits on for what it is said to wait for then."""
    waiting = waiting_for([record("[8-9]", 8)])
    assert due(waiting, 8) == ["[8-9]"]

    cited = Resolution(Outcome.CITED, (Reference(source_index=8),), awaits=(9,))
    (settled,) = waiting.settle(Marker("[8-9]", "bracket", ()), cited)
    settled.resolution = cited
    assert (due(waiting, 8), due(waiting, 9)) == ([], ["[8-9]"])


def test_a_name_of_another_kind() -> None:
    """A marker that is due, and means what it meant, waits on."""
    waiting = waiting_for([record("[cite:a.pdf]", "a.pdf")])
    (marker,) = waiting.due(["a.pdf"])

    assert waiting.settle(marker, Resolution(Outcome.UNKNOWN, awaits=("a.pdf",))) == []
    assert due(waiting, "a.pdf") == ["[cite:a.pdf]"]


def test_order_behind_settled_ones() -> None:
    """Markers stay in the order of the reply when those before them are settled."""
    waiting = waiting_for([record("[5]", 5), record("[6]", 6)])
    (first,) = waiting.due([5])
    waiting.settle(first, Resolution(Outcome.CITED, (Reference(source_index=5),)))
    for number in (9, 8, 7):
        waiting.add(record(f"[{number}]", number))

    assert due(waiting, 6, 7, 8, 9) == ["[6]", "[9]", "[8]", "[7]"]


def test_work_of_late_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document costs the markers that wait for it, however many others wait."""
    resolved: list[str] = []
    resolve = Resolver.resolve

    def counting(self: Resolver, marker: Marker) -> Resolution:
        resolved.append(marker.text)
        return resolve(self, marker)

    citer = Citer(documents=documents(1))
    citer.feed("".join(f"w [{number}] " for number in range(2, 300)))
    monkeypatch.setattr(Resolver, "resolve", counting)
    for number in range(2, 100):
        citer.add_documents(documents(number))

    assert resolved == [f"[{number}]" for number in range(2, 100)]

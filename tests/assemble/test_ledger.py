"""The citations of a reply: names, order, updates, warnings."""

from typing import Any

import pytest

from streamcite import Citation, Citer, PartialAnswer
from tests.transcripts import documents


def updated(reply: str, late: int = 3, **options: Any) -> list[Citation]:
    """Return the updates when documents come after a reply was shown."""
    citer = Citer(documents=documents(1), **options)
    citer.feed(reply + " ")
    events = citer.add_documents(documents(late))
    return [
        update for event in events if isinstance(event, PartialAnswer) for update in event.updates
    ]


def test_ids_are_in_order() -> None:
    """Citations are named in the order in which they became some."""
    citer = Citer(documents=documents(1))
    citer.feed("a [1] b [2] c [1] ")
    citer.add_documents(documents(2))

    citer.close()
    assert [(each.marker, each.id) for each in citer.final.citations] == [
        ("[1]", "c1"),
        ("[2]", "c3"),
        ("[1]", "c2"),
    ]


def test_one_update_for_each_place() -> None:
    """A marker that stands twice is reported twice, each with its place."""
    found = updated("a [2] b [2] c [3]")

    assert [(each.marker, each.start) for each in found] == [("[2]", 2), ("[2]", 8), ("[3]", 14)]


def test_growing_range_keeps_its_id() -> None:
    """A range that was clamped is the same citation when it grows."""
    (update,) = updated("a [1-3]")

    assert (update.id, update.source_indices) == ("c1", (1, 2, 3))


def test_documents_that_change_nothing() -> None:
    """Documents that no marker waits for bring no update."""
    assert updated("a [1] b [x] [0] [9]") == []


@pytest.mark.parametrize("options", [{"display": "remove"}, {"display": lambda citation: ""}])
def test_what_leaves_no_text_was_not_there_before(options: dict[str, Any]) -> None:
    """The answer of an event has no citation that came later, not even at the same place."""
    citer = Citer(documents=documents(2), **options)
    tokens = ("word", " [", "1", "]", " [", "2", "] b.", " More")
    events = [event for token in tokens for event in citer.feed(token)]

    found = [each.answer for each in events if isinstance(each, PartialAnswer)]
    cited = [[each.id for each in answer.citations] for answer in found]
    assert (cited[0], cited[-1]) == ([], ["c1", "c2"])
    assert [len(each) for each in cited] == sorted(len(each) for each in cited)


def test_what_is_found_at_the_end_was_not_there_before() -> None:
    """The answer of an event has no citation of a pattern that only the whole reply can tell."""
    citer = Citer(documents=documents(2), reference_pattern=r"\[(\d+)\]", when="at_end")
    events = [*citer.feed("a "), *citer.feed("b [1]"), *citer.close()]

    found = [each.answer for each in events if isinstance(each, PartialAnswer)]
    assert [len(answer.citations) for answer in found] == [0, 0, 1]


@pytest.mark.parametrize("display", ["remove", lambda citation: ""])
def test_updates_take_nothing_back(display: Any) -> None:
    """The answer of an event that has updates alone has what came with those before it."""
    citer = Citer(documents=documents(1), display=display)
    tokens = ("a [2] b. x", " [1]", "[")
    cited = [event for token in tokens for event in citer.feed(token)][-1]
    (event,) = citer.add_documents(documents(2))

    assert isinstance(cited, PartialAnswer)
    assert isinstance(event, PartialAnswer)
    assert (event.delta, cited.citations[0].marker) == ("", "[1]")
    assert [each.marker for each in event.answer.citations] == ["[2]", "[1]"]


def test_what_ends_where_updates_come_was_there() -> None:
    """The answer of an event that has updates alone holds the citation that stands before them."""
    citer = Citer(documents=documents(1))
    citer.feed("a [2] b【1】")
    (event,) = citer.add_documents(documents(2))

    assert isinstance(event, PartialAnswer)
    assert [each.marker for each in event.answer.citations] == ["[2]", "【1】"]


def test_dropped_markers_do_not_come_back() -> None:
    """A marker that was dropped from the text cannot become a citation."""
    assert updated("a [2] b", unknown="drop") == []


def test_late_numbers() -> None:
    """A marker kept as written is displayed with its numbers; what was shown unlinked is not."""
    assert [each.number for each in updated("a [2]")] == ["2"]
    assert [each.number for each in updated("a [2]", display="renumber")] == [None]


def warnings(reply: str, **options: Any) -> list[tuple[str, int | None]]:
    """Return code and place of the warnings of a reply, with three documents."""
    citer = Citer(documents=documents(3), **options)
    citer.feed(reply)
    citer.close()
    return [(each.code, each.position) for each in citer.final.warnings]


def test_warnings() -> None:
    """What a marker names in vain is a warning, with the marker's place."""
    assert warnings("a [1, 9] b [9] c [1, 3-1]") == [
        ("unknown-source", 2),
        ("unknown-source", 11),
        ("unreadable-item", 17),
    ]


def test_places_behind_removed_markers() -> None:
    """A marker whose blank went with the one before it begins where its own text is shown."""
    chosen: dict[str, Any] = {"display": "remove", "reference_pattern": r"\s*\[(\d+)\]"}

    assert warnings("[1] [9] x", **chosen) == [("unknown-source", 0)]
    assert warnings("a\n[1] [9] x", **chosen) == [("unknown-source", 1)]


def test_a_warning_names_its_item() -> None:
    """Which number, range or key means nothing need not be read out of the message."""
    citer = Citer(documents=documents(3), markers=["bracket", "key"])
    citer.feed("a [1, 9-10] [1, 3-1] <ref id='my doc'/>")
    citer.close()

    assert [each.item for each in citer.final.warnings] == ["9-10", "3-1", "my doc"]


def test_what_a_link_leaves_over_is_a_warning() -> None:
    """A marker of which a part means nothing is no whole one, however it is shown."""
    assert warnings("a [1, 9] b", display="link") == [("unknown-source", 2)]


def test_no_warning_for_text() -> None:
    """What never was a marker warns of nothing."""
    assert warnings("a [0] b [x] [ ] [2024-01-15]") == []


def test_resolved_late_is_no_warning() -> None:
    """A number that was unknown for a while is no warning in the end."""
    citer = Citer(documents=documents(1))
    citer.feed("a [2] b")
    citer.add_documents(documents(2))
    citer.close()

    assert citer.final.warnings == []

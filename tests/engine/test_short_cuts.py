"""What a reply knows of its text beside the stages, and when it asks them all the same."""

from typing import Any

import pytest

from streamcite import Citer, PartialAnswer, Sources
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.tables import BEHIND_UNSHOWN, NOTHING_KNOWN
from tests.transcripts import documents

# What came, and what is known of the text behind it.
STANDS: list[tuple[dict[str, Any], list[str], object]] = [
    ({"display": "remove"}, ["a", " [1] b", " "], BEHIND_UNSHOWN),
    ({"display": "remove"}, ["a", "`[1]", "` "], BEHIND_UNSHOWN),
    ({"display": "remove"}, ["a [1] b", " `x "], NOTHING_KNOWN),
    ({"display": "remove"}, ["a", " "], BEHIND_UNSHOWN),
    ({"merge_adjacent": True}, ["a", " [1] b", "【1】"], BEHIND_UNSHOWN),
    ({"extract_xml_tags": "t"}, ["a", "<"], NOTHING_KNOWN),
    ({"pattern": "(.*)"}, ["a"], NOTHING_KNOWN),
]


@pytest.mark.parametrize(("options", "tokens", "known"), STANDS)
def test_what_is_known_behind_a_text(
    options: dict[str, Any], tokens: list[str], known: object
) -> None:
    """Where something is held or not shown yet, no text is plain unasked."""
    citer = Citer(documents=documents(3), **options)
    for token in tokens:
        citer.feed(token)

    assert citer.place is known
    assert citer.search("word")


def test_a_blank_may_be_held_behind_plain_text() -> None:
    """Where blanks may go with a marker, a text that ends with one is not plain."""
    citer = Citer(documents=documents(3), display="remove")
    citer.feed("a")

    assert (bool(citer.search("b")), bool(citer.search("b "))) == (False, True)


@pytest.mark.parametrize("tokens", [["[1]"], ["[1]", "[2]"], ["[1", "]["]])
def test_documents_come_before_an_index(tokens: list[str]) -> None:
    """A shared register that has grown is looked at before a text that cites nothing."""
    sources = Sources(documents(1))
    citer = Citer(sources=sources)
    for token in ("a [2] ", "x"):
        citer.feed(token)
    sources.add(documents(2))

    events = [event for token in tokens for event in citer.feed(token)]
    shown = [event for event in events if isinstance(event, PartialAnswer)]
    assert [each.marker for event in shown for each in event.updates] == ["[2]"]
    assert shown[0].updates


@pytest.mark.parametrize("tokens", [["a", "【1】"], ["`a` ", "【1】"]])
def test_fold_behind_a_marker(tokens: list[str]) -> None:
    """The scanner learns that a marker came last, whether it is there yet or not."""
    citer = Citer(documents=documents(3))
    for token in tokens:
        citer.feed(token)
    citer.fold()

    scanner = citer.scanner
    assert isinstance(scanner, MarkdownScanner)
    assert scanner.look_back.after_marker


@pytest.mark.parametrize(
    ("options", "held"), [({"display": "remove"}, " "), ({"merge_adjacent": True}, "【1】")]
)
def test_documents_come_before_text_behind_what_is_held(options: dict[str, Any], held: str) -> None:
    """The same is so for text behind blanks, or a citation, that are not shown yet."""
    sources = Sources(documents(1))
    citer = Citer(sources=sources, **options)
    for token in ("a [2] b", held):
        citer.feed(token)
    sources.add(documents(2))

    events = [event for token in (" c", " d") for event in citer.feed(token)]
    shown = [event for event in events if isinstance(event, PartialAnswer)]
    assert [each.marker for each in shown[0].updates] == ["[2]"]


def test_fold() -> None:
    """Plain tokens become one settled text, which the stages are told of."""
    citer = Citer(documents=documents(3), extract_xml_tags="t")
    for token in ("a", " word"):
        citer.feed(token)
    assert (citer.shown.settled, citer.shown.length) == (0, 6)

    citer.fold()
    assert (citer.shown.settled, citer.shown.run.tell(), citer.raw) == (6, 0, "a word")
    assert citer.scanner.held == ""

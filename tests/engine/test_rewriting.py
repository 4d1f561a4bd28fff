"""How what the lane found is shown where the reader does not see it as it is written."""

from typing import Any

import pytest

from streamcite import Citation, Citer, Document, PartialAnswer
from streamcite.events import CitingPartial

DOCUMENTS = [Document(content="A", id="a", meta={"url": "https://e.com"}), Document(content="B")]
TOKENS = ("word", " [", "1", "].", " [", "2", "] b")

ROWS: list[tuple[dict[str, Any], list[str]]] = [
    ({"display": "link"}, ["word", " ", "[[1]](https://e.com).", " ", "[2] b"]),
    ({"display": "renumber"}, ["word", " ", "[1].", " ", "[2] b"]),
    ({"display": "remove"}, ["word", ".", " b"]),
    ({"display": lambda citation: ""}, ["word", " ", ".", " ", " b"]),
    ({"unknown": "drop"}, ["word", " [1].", " [2] b"]),
    ({"merge_adjacent": True}, ["word", " ", "[1].", " ", "[2] b"]),
]
UNKNOWN: list[tuple[dict[str, Any], list[str], list[list[str]]]] = [
    ({}, ["a", " ", "[9].", "b"], [[], [], [], []]),
    ({"unknown": "mark"}, ["a", " ", "[9].", "b"], [[], [], ["[9]"], []]),
    ({"unknown": "drop"}, ["a", ".", "b"], [[], [], []]),
]


@pytest.mark.parametrize(("options", "expected"), ROWS)
def test_deltas(options: dict[str, Any], expected: list[str]) -> None:
    """Each token shows at once what can be shown; only blanks that may go are held."""
    citer = Citer(documents=DOCUMENTS, **options)
    events = [event for token in TOKENS for event in citer.feed(token)]
    shown = [event for event in events if isinstance(event, PartialAnswer)]

    assert [event.delta for event in shown] == expected
    assert [sum(map(len, expected[:place])) for place in range(len(expected))] == [
        event.offset for event in shown
    ]


@pytest.mark.parametrize(("options", "expected", "markers"), UNKNOWN)
def test_a_number_without_a_document(
    options: dict[str, Any], expected: list[str], markers: list[list[str]]
) -> None:
    """It shows at once what the policy makes of it."""
    citer = Citer(documents=DOCUMENTS, **options)
    events = [event for token in ("a", " [", "9", "].", "b") for event in citer.feed(token)]
    shown = [event for event in events if isinstance(event, PartialAnswer)]

    assert [event.delta for event in shown] == expected
    assert [[each.marker for each in event.citations] for event in shown] == markers


def test_a_citation_that_is_not_joined() -> None:
    """One that might have been joined comes with the one behind it, in their order."""
    citer = Citer(documents=DOCUMENTS, merge_adjacent=True)
    for token in ("a", " [", "1", "]["):
        citer.feed(token)
    (event,) = citer.feed("2] b")
    assert isinstance(event, PartialAnswer)

    assert event.delta == "[1][2] b"
    assert [citation.id for citation in event.citations] == ["c1", "c2"]
    assert event.answer.citations == list(event.citations)


def test_one_citation_each() -> None:
    """An event with a citation shares all else with the others of its text."""
    citer = Citer(documents=DOCUMENTS, display="link")
    events = [event for token in TOKENS for event in citer.feed(token)]

    citing = [event for event in events if isinstance(event, CitingPartial)]
    assert [event.citations[0].number for event in citing] == ["1", "2"]
    assert {id(event._stand) for event in citing} == {id(citer.stand)}


def test_the_reply_is_kept_as_it_was_written() -> None:
    """What is shown otherwise stands in the reply's own text as the model wrote it."""
    citer = Citer(documents=DOCUMENTS, display="remove")
    for token in TOKENS:
        citer.feed(token)

    assert citer.raw == "".join(TOKENS)


def test_the_readers_function_sees_nothing_held() -> None:
    """While a marker is shown the reply has it already, and nothing is held."""
    seen: list[tuple[str, str]] = []

    def display(citation: Citation) -> str:
        seen.append((citer.held, citer.raw))
        return citation.marker

    citer = Citer(documents=DOCUMENTS, display=display)
    for token in TOKENS:
        citer.feed(token)
    assert seen == [("", "word [1]."), ("", "word [1]. [2] b")]


def test_what_a_function_raises_leaves_nothing_behind() -> None:
    """A marker whose display was interrupted is not held for the next token."""

    def display(citation: Citation) -> str:
        raise KeyboardInterrupt

    citer = Citer(documents=DOCUMENTS, display=display)
    for token in TOKENS[:3]:
        citer.feed(token)
    with pytest.raises(KeyboardInterrupt):
        citer.feed(TOKENS[3])

    assert citer.held == ""

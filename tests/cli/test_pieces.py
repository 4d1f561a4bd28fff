"""What the formats share: which number a source has, and which characters are shown."""

import pytest

from streamcite import CiteOptions, Sources, cite_text
from streamcite.cli.pieces import SourceList, clean, labels
from tests.transcripts import documents

# Options, reply, and the sources in order: what is shown for each, and which document it is.
LISTS: list[tuple[CiteOptions, str, list[tuple[str, str]]]] = [
    (CiteOptions(), "b [2]", [("1", "d1"), ("2", "d2"), ("3", "d3")]),
    (CiteOptions(index_base=0), "b [1]", [("0", "d1"), ("1", "d2"), ("2", "d3")]),
    (CiteOptions(display="renumber"), "c [3] a [1]", [("1", "d3"), ("2", "d1"), ("", "d2")]),
    (CiteOptions(display="renumber"), "c [3, 9] x [8]", [("1", "d3"), ("", "d1"), ("", "d2")]),
    (CiteOptions(display="remove"), "b [2]", [("1", "d1"), ("2", "d2"), ("3", "d3")]),
]


@pytest.mark.parametrize(("options", "reply", "shown"), LISTS)
def test_sources_have_the_numbers_shown(
    options: CiteOptions, reply: str, shown: list[tuple[str, str]]
) -> None:
    """A source's number is the one that its citations have; one that none has has none."""
    listed = SourceList(Sources(documents(3)), options)

    answer = cite_text(reply, documents=documents(3), options=options)
    listed.note(answer.citations)
    assert [(each.shown, each.document.id) for each in listed.of(())] == shown


def test_labels_of_a_citation() -> None:
    """Each number that a citation shows leads to its source."""
    options = CiteOptions(display="renumber")
    answer = cite_text("c [3] d [1, 3]", documents=documents(3), options=options)

    assert [[tuple(each) for each in labels(citation)] for citation in answer.citations] == [
        [("1", 3)],
        [("2", 1), ("1", 3)],
    ]


CLEANED = [("a\tb\nc", "a\tb\nc"), ("a\r\nb", "a\nb"), ("\x1b[2J\x07", "␛[2J␇"), ("\x9b", "\ufffd")]


@pytest.mark.parametrize(("text", "cleaned"), CLEANED)
def test_clean(text: str, cleaned: str) -> None:
    """No character is left that a terminal obeys, but for line breaks and tabs."""
    assert clean(text) == cleaned

"""The built-in grammars beside the default one."""

import re
from itertools import product

import pytest

from streamcite.grammar import BODY, LABELS
from streamcite.scan.bracket import BRACKET
from streamcite.scan.grammars import grammars_for
from streamcite.scan.markers import Candidate
from streamcite.spans import Item

NAMES = ("bracket", "caret", "label", "key", "filename", "openai", "private")


def read(text: str, name: str) -> tuple[Item, ...] | None:
    """Return the items of a text that is one whole marker of a grammar, or None."""
    grammars = grammars_for([name], LABELS)
    if text[0] not in grammars[0].starts:
        return None
    candidate = Candidate(grammars, 0, text[0])
    candidate.read(text, len(text))
    return grammars[0].read(text) if candidate.length == len(text) else None


# Grammar, marker, items.
ROWS: list[tuple[str, str, tuple[Item, ...]]] = [
    ("caret", "[^1]", ((1, 1),)),
    ("caret", "[^1, ^2]", ((1, 1), (2, 2))),
    ("caret", "^[1-3]", ((1, 3),)),
    ("caret", "[^1,2]", ((1, 1), (2, 2))),
    ("caret", "[^1,\r\n^2]", ((1, 1), (2, 2))),
    ("caret", "^[1,\r\n2]", ((1, 1), (2, 2))),
    ("label", "[Source 1]", ((1, 1),)),
    ("label", "[Sources: 1,\r\n2]", ((1, 1), (2, 2))),
    ("label", "[SOURCES: 1, 2]", ((1, 1), (2, 2))),
    ("label", "[doc1]", ((1, 1),)),
    ("label", "[ID:1]", ((1, 1),)),
    ("label", "【Document 3】", ((3, 3),)),
    ("label", "[ref：4-6]", ((4, 6),)),
    ("key", "[cite:ab-1]", ("ab-1",)),
    ("key", "[@smith2020; @b]", ("smith2020", "b")),
    ("key", "[cite: a, cite: b]", ("a", "b")),
    ("key", "[cite:a, cite:]", ("a", "cite:")),
    ("key", '<ref id="ab 1"/>', ("ab 1",)),
    ("key", "<ref id = 'x' />", ("x",)),
    ("key", "<ref id='a\"b'/>", ('a"b',)),
    ("filename", "[report.pdf]", ("report.pdf",)),
    ("filename", "[ My File.pdf ]", ("My File.pdf",)),
    ("filename", "[report.pdf#page=3]", ("report.pdf",)),
    ("openai", "【4:0†source】", ("4:0",)),
    ("openai", "【10:13†a file.pdf】", ("10:13",)),
    ("private", "\ue200cite\ue202a\ue202b\ue201", ("a", "b")),
    ("private", "\\ue202turn0search1", ("turn0search1",)),
    ("private", "\\ue200cite\\ue202a\\ue202b\\ue201", ("a", "b")),
]


@pytest.mark.parametrize(("name", "text", "items"), ROWS)
def test_markers(name: str, text: str, items: tuple[Item, ...]) -> None:
    """Each grammar reads its own ways of writing."""
    assert read(text, name) == items


NONE = [
    ("caret", "[1]"),
    ("caret", "[^]"),
    ("caret", "[^1: a]"),
    ("label", "[Sources]"),
    ("label", "[Chapter 1]"),
    ("label", "[Source]"),
    ("key", "[cite:]"),
    ("key", "[cite]"),
    ("key", '<ref id=""/>'),
    ("key", '<ref id="a">'),
    ("filename", "[]"),
    ("filename", "[a\nb]"),
    ("openai", "【4†source】"),
    ("openai", "【4:0】"),
    ("private", "\ue200cite\ue201"),
    ("private", "\\ue202"),
]


@pytest.mark.parametrize(("name", "text"), NONE)
def test_no_markers(name: str, text: str) -> None:
    """What no grammar writes is none of its markers."""
    assert read(text, name) is None


def test_body_is_the_table() -> None:
    """The body that other grammars share is the one that the bracket table reads."""
    regex = re.compile(rf"\[{BODY}\]")
    alphabet = ["1", "0", ",", " ", "-", "\n", "\r", ";", "x", "１"]
    for length in range(1, 5):
        for body in map("".join, product(alphabet, repeat=length)):
            text = f"[{body}]"
            assert (regex.fullmatch(text) is not None) == (read(text, "bracket") is not None), text


def test_filename_comes_last() -> None:
    """Whatever the order asked for, the grammar that takes any brackets is the last."""
    grammars = grammars_for(["filename", "key", "bracket", "key"], LABELS)

    assert [grammar.name for grammar in grammars] == ["key", "bracket", "filename"]


def test_grammars_are_shared() -> None:
    """Grammars are built once, labels included."""
    assert grammars_for(NAMES, LABELS) == grammars_for(NAMES, LABELS)
    assert grammars_for(["bracket"], LABELS) == (BRACKET,)


def test_own_labels() -> None:
    """The words of the label grammar are the user's, regex signs in them are plain text."""
    (grammar,) = grammars_for(["label"], ("출처", "No."))

    rows = [("[출처 3]", True), ("[no. 3]", True), ("[Nox 3]", False), ("[Source 1]", False)]
    for text, whole in rows:
        candidate = Candidate([grammar], 0, "[")
        candidate.read(text, len(text))
        assert (candidate.length == len(text)) is whole, text


def test_longest_label_wins() -> None:
    """A label that begins another one does not hide it."""
    (grammar,) = grammars_for(["label"], ("Doc", "Document"))
    candidate = Candidate([grammar], 0, "[")
    candidate.read("[Documents 7]", 20)

    assert (candidate.length, grammar.read("[Documents 7]")) == (13, ((7, 7),))

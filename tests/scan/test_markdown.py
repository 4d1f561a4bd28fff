"""Markers among their markdown contexts."""

import re
from collections.abc import Sequence

import pytest

from streamcite import CiteOptions
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.scanners import make_scanner
from streamcite.spans import Dropped
from tests.scan.scanning import found, passed_at_once

# Text with the markers 1 to 9 in it, and which of them count.
ROWS = [
    ("a [1] b", "1"),
    ("\\[1] [2]", "2"),
    ("\\[1\\] [2]", "2"),
    ("\\\\[1] [2]", "12"),
    ("[1]: u [2]", "2"),
    ("a [1]: u", "1"),
    ("[^1]: a [2]", "2"),
    ("[a][1] [2]", "12"),
    ("https://e.com/a[1] [2]", "2"),
    ("<https://e.com/[1]> [2]", "2"),
    ("<a href='[1]'>[2]</a>", "2"),
    ("a < b [1] > c", "1"),
    ("x[1] dp[2][3] Paris[4]", "4"),
    ("arr [1] arr[2] arr[3].x word[4] = 5 word[6].", "16"),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_guards(text: str, expected: str) -> None:
    """In definitions, addresses, tags, escapes and indices nothing is a marker."""
    assert found(text) == [f"[{number}]" for number in expected]


@pytest.mark.parametrize("text", [text for text, _ in ROWS])
def test_without_guards(text: str) -> None:
    """Without guards every bracket with a number in it is a marker."""
    assert found(text, guards=()) == re.findall(r"\[\d\]", text)


def test_private_signs() -> None:
    """A private sign that begins nothing is dropped, in code too."""
    scanner = make_scanner(CiteOptions(markers="private"))
    spans = scanner.feed("a\ue203b\ue204") + scanner.close()

    assert [span.text for span in spans if isinstance(span, Dropped)] == ["\ue203", "\ue204"]


HOSTILE = [
    *("[", "]", "[1", "[1, ", "【", "`", "`[1] ", "``[1]```", "$", "$x[1]", "\\[", "\\(1", "<a "),
    *("<a x='", "](", "[1](", "x[", "x[1]", "a[1][", "~~~\n", "```\n[1]", "    [1]\n", "> ", "\\"),
    *("$[1]\n", "$x[1] ", "【1】a\\``", "\\`````[1]\\:1", "`[1]``[1]```[1]```` "),
    *("【1】\\``\\`````` ", "````\\``)【1】$x【1】【1】\\``"),
    "".join("`" * count + "[1]" for count in range(1, 24)),
    "".join("`" * count + "[1]" for count in range(23, 0, -1)),
    *("word[1] ", "[[1] ", "https://e.com[", "[0-", "１", "[^1]: ", "`\n", "$$[1]", "\n\n```"),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_work_is_linear(piece: str) -> None:
    """Repeated pieces cost a bounded number of steps per character, in tokens of four."""
    text = piece * (8_000 // len(piece))
    scanner = make_scanner(CiteOptions())
    for start in range(0, len(text), 4):
        scanner.feed(text[start : start + 4])
    scanner.close()

    assert scanner.steps <= 6 * len(text)


@pytest.mark.parametrize("piece", [*HOSTILE, "```\nx\n```\n", "\n~~~\n~~~\n", "[1] ", "`[1]` "])
def test_what_stands_before_costs_nothing(piece: str) -> None:
    """In a text that comes at once no piece is dearer for being far from its beginning."""
    pieces = piece * (3_000 // len(piece) + 1)
    begin = "word " * 1_000

    near, far = (
        passed_at_once(make_scanner(CiteOptions()), f"{before}\n{pieces}")
        for before in (begin[-300:], begin)
    )

    assert far <= near + 20 * len(begin)


CROSSED = [("```", "py\n- x\n"), ("```", "py\n- x\n", "```", "\n", "    ")]


@pytest.mark.parametrize("tokens", CROSSED)
def test_fences_that_are_passed(tokens: Sequence[str]) -> None:
    """A scanner that learns of a fence afterwards knows as much as one that read it."""
    read, told = (make_scanner(CiteOptions()) for _ in range(2))
    assert isinstance(told, MarkdownScanner)
    passed = ""
    for token in tokens:
        was_fenced = read.place.fenced
        read.feed(token)
        if read.place.fenced is not was_fenced:
            told.cross(token, len(passed), fenced=read.place.fenced)
        passed += token
    told.place, told.search = read.place, read.search
    told.skip(passed)

    assert told.feed("[1] b") == read.feed("[1] b")
    assert told.close() == read.close()

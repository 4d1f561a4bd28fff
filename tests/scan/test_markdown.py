import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from streamcite import CiteOptions
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.scanners import make_scanner
from streamcite.spans import Dropped, Marker


def found(text: str, **options: Any) -> list[str]:
    """Return the markers of a text, which must be the same in single characters."""
    whole, single = (make_scanner(CiteOptions(**options)) for _ in range(2))
    spans = whole.feed(text) + whole.close()
    slow = [span for character in text for span in single.feed(character)] + single.close()
    markers = [span.text for span in spans if isinstance(span, Marker)]

    assert [span.text for span in slow if isinstance(span, Marker)] == markers
    return markers


# Text with the markers 1 to 9 in it, and which of them count.
ROWS = [
    ("a [1] b", "1"),
    ("`[1]` [2]", "2"),
    ("``[1] ` [2]`` [3]", "3"),
    ("a ` b [1]", "1"),
    ("a ` b [1]\n\n` [2]", "12"),
    ("```\n[1]\n```\n[2]", "2"),
    ("```\n[1]\n~~~\n[2]", ""),
    ("~~~\n[1]\n~~~~\n[2]", "2"),
    ("```a`b\n[1]", "1"),
    ("- ```\n  [1]\n  ```\n[2]", "2"),
    ("a `[1]\n```\n[2]\n```\n[3]", "13"),
    ("    [1]\n[2]", "2"),
    ("a\n    [1]", "1"),
    ("- a\n\n    [1]", "1"),
    ("$x[1]$ [2]", "2"),
    ("$5 [1] $6 [2]", "12"),
    ("$x [1]\n\n$ [2]", "12"),
    ("$$x [1]$$ [2]", "2"),
    ("$$x [1]\n\n[2]", "2"),
    ("\\(x[1]\\) [2]", "2"),
    ("\\[x[1]\\] [2]", "2"),
    ("\\[x[1]\n\n[2]", "2"),
    ("\\[1] [2]", "2"),
    ("\\[1\\] [2]", "2"),
    ("\\\\[1] [2]", "12"),
    ("[1](u) [2]", "2"),
    ("![1](u) [2]", "2"),
    ("[a](u[1]) [2]", "2"),
    ("[a](<u [1]> 't[2]') [3]", "3"),
    ("[see [1]](u) [2]", "12"),
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
    ("``word `[1] ` [2]", "2"),
    ("``a ```b`` ` [1] ` `` [2]", "2"),
    ("``a `b` [1]", "1"),
    ("``a `` `b [1]", "1"),
    ("``a \\`[1] `", "1"),
    ("$x `[1]` y [2]", "2"),
    ("``\\``` [1]", "1"),
    ("a \\`` \\\\`` [1] `` [2]", "2"),
    ("\\``\\\\``[1] a ``b `` c [2]", "2"),
    ("x ` ``` \\`` [1] ``` z [2]", "2"),
    ("x ` `` \\`` [1] `` z [2]", "12"),
    ("$x [1] `a` $ [2]", "12"),
    ("$x [1] y$ [2]", "2"),
    ("$`[1]`$ [2]", "2"),
    ("``\\``` `[1]`", ""),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_guards(text: str, expected: str) -> None:
    """In code, math, links, addresses, tags, escapes and indices nothing is a marker."""
    assert found(text) == [f"[{number}]" for number in expected]


@pytest.mark.parametrize("text", [text for text, _ in ROWS])
def test_without_guards(text: str) -> None:
    """Without guards every bracket with a number in it is a marker."""
    assert found(text, guards=()) == re.findall(r"\[\d\]", text)


_MARKDOWN = MarkdownIt("commonmark")
_PIECES = ["word ", "[1] ", "`", "``", "\n", "\n\n", "(", ")", "](", "```\n", "~~~\n", "*", "> "]


def commonmark(text: str) -> int:
    """Return how often `[1]` stands in plain text, as a CommonMark parser reads it."""
    inline = [token for token in _MARKDOWN.parse(text) if token.type == "inline"]
    children = [child for token in inline for child in token.children or ()]
    plain = "".join("\0" if each.type == "code_inline" else each.content for each in children)
    return plain.count("[1]")


@given(st.lists(st.sampled_from(_PIECES[:6]), max_size=12).map("".join))
def test_inline_code_is_commonmark(text: str) -> None:
    """Inline code is what a CommonMark parser takes for it."""
    # A fence may interrupt the code, and three backticks in a row are one: tested below.
    if "```" not in text:
        assert len(found(text)) == commonmark(text)


@given(
    st.lists(st.sampled_from(["word\n", "[1]\n", "```\n", "````\n", "~~~\n", "\n"]), max_size=12)
)
def test_fences_are_commonmark(lines: list[str]) -> None:
    """Fences begin and end where a CommonMark parser has them."""
    text = "".join(lines)

    assert len(found(text)) == commonmark(text)


# What differs from CommonMark on purpose: a stream cannot wait for the whole document.
DIFFERENCES = [
    # A reference definition and its uses are a list of sources and citations here.
    ("[1]\n\n[1]: u", 1, 0),
    # Text in link text is still cited.
    ("[see [1]](u)", 1, 1),
    # The bracket of a fenced block in a list counts whatever its depth.
    ("          ```\n[1]\n```", 0, 1),
    # Inline code is believed for no longer than the longest marker behind a candidate.
    ("`[1] " + "word " * 60 + "`", 1, 0),
]


@pytest.mark.parametrize(("text", "ours", "theirs"), DIFFERENCES)
def test_differences(text: str, ours: int, theirs: int) -> None:
    """The deliberate differences from CommonMark are these."""
    assert (len(found(text)), commonmark(text)) == (ours, theirs)


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


CROSSED = [("```", "py\n- x\n"), ("```", "py\n- x\n", "```", "\n", "    ")]


@pytest.mark.parametrize("tokens", CROSSED)
def test_fences_that_are_passed(tokens: Sequence[str]) -> None:
    """A scanner that learns of a fence afterwards knows as much as one that read it."""
    read, told = (make_scanner(CiteOptions()) for _ in range(2))
    assert isinstance(told, MarkdownScanner)
    passed = ""
    for token in tokens:
        was_fenced = read.plain.fenced
        read.feed(token)
        if read.plain.fenced is not was_fenced:
            told.cross(token, len(passed), fenced=read.plain.fenced)
        passed += token
    told.plain, told.search = read.plain, read.search
    told.skip(passed)

    assert told.feed("[1] b") == read.feed("[1] b")
    assert told.close() == read.close()

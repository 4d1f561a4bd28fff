"""What the contexts' table leaves to decide."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from streamcite import CiteOptions
from streamcite.scan.contexts import DECISIONS
from streamcite.scan.decisions import DECIDE
from streamcite.scan.scanners import make_scanner
from tests.scan.scanning import found


def test_every_decision_is_taken() -> None:
    """Each decision of the table has a method, and no other state has one."""
    assert set(DECIDE) == DECISIONS


# Text with the markers 1 to 9 in it, and which of them count.
ROWS = [
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
    ("[1](u) [2]", "2"),
    ("![1](u) [2]", "2"),
    ("[a](u[1]) [2]", "2"),
    ("[a](<u [1]> 't[2]') [3]", "3"),
    ("[see [1]](u) [2]", "12"),
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
    ("a ~~~ [1]", "1"),
    ("`a\n``b [1]` [2]", "2"),
    ("``a\n`` [1]", "1"),
    ("`a\n```\n[1]\n```\n[2]", "2"),
    ("`[1] `` [2] ``` [3]", "123"),
    ("$X [1] $Y [2]\n\n[3]", "123"),
    ("[a](u(v[1])w[2]) [3]", "3"),
    ("[a](u(v[1]) [2]", "2"),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_contexts(text: str, expected: str) -> None:
    """In code, math and links nothing is a marker, once it is known that they are closed."""
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


HELD = [
    ("``a `b [1]", "[1]"),
    ("``a `b [1]`", "[1]`"),
    ("``a `b [1]` ", ""),
    ("``a `b ```c [1]``` ", ""),
    ("$a [1]", "[1]"),
    ("$a [1]`", ""),
]


@pytest.mark.parametrize(("text", "held"), HELD)
def test_held(text: str, held: str) -> None:
    """What is code whether the open span closes or not is held no longer."""
    scanner = make_scanner(CiteOptions())

    for character in text:
        scanner.feed(character)
    assert scanner.held == held


def test_a_fence_is_seen_at_once_where_another_span_was_read_to() -> None:
    """Three backticks at a line's start end what shorter runs opened, however that came to them."""
    scanner = make_scanner(CiteOptions(max_marker_length=20))
    scanner.feed("`````a`\na【1】 [2]``a`【1】\\``【1】 ```` a")

    scanner.feed("\n```")
    assert scanner.held == ""


# A text in which what was read in vain matters to what comes, the longest span, and the markers.
READ_IN_VAIN = [
    ("``【1】`[1]`\n", 64, ["【1】"]),
    ("`[1]`````$````【1】````\n>```[2]````", 200, ["[1]", "[2]"]),
    ("```~`[2]``[1]`` ", 200, ["[2]"]),
]


@pytest.mark.parametrize(("text", "length", "markers"), READ_IN_VAIN)
def test_what_was_read_in_vain(text: str, length: int, markers: list[str]) -> None:
    """A span that goes on from where another was read to sees the runs that close it."""
    assert found(text, max_marker_length=length) == markers

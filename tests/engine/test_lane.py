"""The short cut for simple markers: where it is taken, and that it says what the long way says."""

import copy
import gc
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamcite import CiteOptions, Citer, FinalAnswer, PartialAnswer, cite_text, resolve
from streamcite.assemble.shown_text import FOLD_LENGTH
from streamcite.events import CitingPartial, FreshPartial
from streamcite.scan import bracket, grammars, patterns, places, scanners, steps, tag_table
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.scanners import make_scanner
from streamcite.scan.tables import MAX_PASSED
from tests.transcripts import documents, random_cut, run

# A marker that was seen before may go the short way.
PRELUDE = ["Seen [1], [2], [9], [1, 2] before.", "\n\n"]

TAILS: list[list[str]] = [
    ["a", " [", "1", "]."],
    ["a", " [", "1", "]", "."],
    ["a", " [", "1", "]"],
    ["a", " [", "1"],
    ["a", " ["],
    ["a", " [", "1", "](", "u)"],
    ["a", " [", "1", "]", "(u)"],
    ["a", " [", "1", "][", "2", "]."],
    ["a", " [", "1", "] ", "[", "2", "] "],
    ["a", " [", "9", "] b"],
    ["a", " [", "0", "] b"],
    ["a", " [", "1, 2", "] b"],
    ["a", " [", "x", "] b"],
    ["a", " [", "1", "] `b"],
    ["a", "[", "1", "] b"],
    ["[", "1", "]: u"],
    ["    ", "[", "1", "] b"],
    [" ", " ", " [", "1", "] b"],
    ["`a", " [", "1", "] b`"],
    ["$a", " [", "1", "] b$"],
    ["```\n", " [", "1", "] b"],
    ["\\", " [", "1", "] b"],
    ["a", " [", "", "1", "", "] b"],
    ["www.", "[", "1", "]", "[", "2", "]"],
    ["- a", "\n", "  [", "1", "] b. ", "C", " [", "2", "] d"],
    ["é[1][", "\n", "][", "[", "2, 3", "] b"],
    ["capital", "[", "1", "]", ".", " So"],
    ["capital", "[", "1", "].", "keys"],
    ["capital", "[", "1", "] ", "= b"],
    ["a [1] b", " [2]", "[1]", "[2](", "u)"],
    ["Oslo", "［", "1", "］", "【2】"],
    ["    a [1]", " b"],
    # Tags, if they are asked for.
    ["a ", "<t>", "b", " [", "1", "]", "</t>", "[", "2", "] c"],
    ["word", " [", "1", "<t>", "] b", " [", "2", "]", "</t>", " c"],
    ["word", "<t>", "[", "1", "]", ".", "</t>", "[", "2", "] b"],
    ["a", "<t>", "b", "[", "1", "]", "</t>", "[", "2", "] c", "<t>", "x", "[1]", "</t>"],
    ["word", "<t>", "b", "[", "1", "</t>", "[", "2", "]"],
    ["word", "<t>", "b", " [9]", "</t >", "[", "2", "]", "<t>", "</t>", "x", "[1]"],
    ["word", "[1]", "<t>", "</t>", "[2]", "(u)", "<t>", "`[1]", "</t>"],
    ["word", "<t>", "b", " [", "1", "]"],
    ["<answer>", "b", " [", "9", "]"],
    ["word", " [</t>", " [", "<t>", " [", "</t>"],
    ["[0]", "\n\n", "<t>", "</t>", "    ", "[1]", "[1]"],
    ["[1]", "<t>", "a", "</t>\n\n    ", "[1]", "<t>", "</t>", "[2]"],
    [
        "a [",
        "1",
        "]",
        "<t>",
        "b",
        " [",
        "1",
        "]",
        "</t>",
        "[",
        "2",
        "]",
        "\n\n",
        "<t>",
        "</t> ",
        "   [1]",
    ],
    ["<answer>", "a", "[", "1", "]", ".", "</answer>", " b ", "<answer>", "[", "2", "] c"],
    ["<answer>", "    a", "\n", "b </answer>", "<answer>", "    a", " [", "2", "] c"],
    ["```\n", "<t>", " [", "1", "]", "\n```\n", "</t>", "[", "1", "] b"],
    # An opener that begins no marker is text, and what follows it is read again.
    ["a", " [", "the", " report", "]", " [", "1", "] b"],
    ["a", " [", "the", " report", "](", "u)", " [", "1", "] b"],
    ["a", " [", "the", ":", " [", "1", "]"],
    ["a", " [", "[", "[", "1", "] b"],
    ["a", " [", "1", "][^", "1", "] b"],
    ["a", " [", "1", "] [x ", "[", "2", "] b"],
    ["a", " [", "1", "][[[", "2", "] b"],
    ["a", " [", "[", "1", "] b"],
    ["a", " [", "1", ",,", " [", "2", "] b"],
    ["a", " [", "1", " [", "2", "] b"],
    ["word", "[", "1", "]", "[", "[", "2", "] b"],
    ["word", "[", "1", "][", "[", "2", "] b"],
    ["word ", "[", "1", "][", "[", "2", "] b"],
    ["word ", "[", "1", "]", "[[", "[", "2", "] b"],
    ["x", "[", "[", "[", "1", "] b"],
    ["x", "[[[", "1", "] b"],
    ["https://e.com/", "【", "[", "1", "] b"],
    ["https://e.com/", "【", "【1】", " b"],
    ["a", "[", "1", "【", "2", "】 b"],
    ["    a", " [", "[", "[", "1", "] b"],
    ["a", " [", "x", "`", "[", "1", "]`"],
    ["a", " [", "x\n", "    [", "1", "] b"],
    [*["["] * 40, "1", "] b"],
    [*["[", "【", "［"] * 500, "1", "］ b"],
    [*["[x "] * 500, "[", "1", "] b"],
    # What stands in brackets right before an opener decides with what stands before that.
    ["a word", "(s)", "[", "1", "] b"],
    ["call f", "(a b", ")", "[", "1", "] b"],
    ["call f", "(", *["a b "] * 70, ")", "[", "1", "] b"],
    ["(see [1] and", " b)", "[", "2", "] c"],
    ["a [b](", "https://e.com/b)", "[", "1", "] c"],
    ["a (", "https://e.com/b)", "[", "1", "] c"],
    ["a https://e.com/", "(b)", "[", "1", "] c"],
    ["x", "[0]", " ", "y", "[0]", "[", "1", "] b"],
    ["a (b", ") ", "[", "1", "] c)", "[", "2", "] d"],
    [*["word "] * 240, "end (b", ")", "[", "1", "] c)", "[", "2", "] d"],
    # Blanks around a marker that may leave no text.
    ["the ", "[", "1", "] b"],
    ["a", "  ", " [", "1", "]", " ", ".", " b"],
    ["a", " [", "1", "] ", ".", " b"],
    ["a", "\n", " [", "1", "]", "  ", "b"],
    ["a", "\t[", "1", "]", "\t", "b"],
    ["a", " [", "1", "].\n", "  ", "b"],
    ["a", " [", "]", " b"],
    ["x", "[0 ", "b"],
    ["x", "[0] ", "[", "9", "] b"],
    ["a", " [", "1", "] [", "2", "][", "9", "] [", "1", "] b"],
    ["a\n", "[", "1", "] [", "2", "]  [", "1", "] b"],
    ["a", " [", "`x`", " b"],
    ["a", " [the ", "b", "] ", "c"],
    ["a", " [", "1", "], ", "[", "2", "] b"],
    ["a", " [", "1", "] b", " [", "2", "]", " [", "1", "]", "!"],
    ["word", " [", "1", "]", "abc", "[", "2", "] b"],
    ["word", "[", "1", "]", "[", "1", "]", "[", "2", "] b"],
    ["[", "1", "] b", "\n\n", "    ", "[", "2", "] c"],
    ["word", " [", "1,\n", "2", "] b", " [", "1", "] c"],
    ["word", " [", "1,\r", "\n", "2", "] b", " [", "1", "] c"],
    ["word", " [", "1", ",", "\r\n", "2", "].\r", "\n[", "1", "] c"],
    # Markers that may join the one before them, and text behind what is held.
    ["a", " [", "1", "]", "[", "1", "][", "1", "] b"],
    ["a", "[1]", "[1]", "[2]", "[2]", " b"],
    ["a", " [1]", "[9]", "[1]", " [1]", "[1, 9]", "[1]", " b"],
    ["a", " [1]", "[the", " report", "][", "1", "] b"],
    ["a", " [1]", "[", "1", "](", "u) b"],
    ["a", "[1]", "【1】", "[1]", "\n", "    [1]"],
    ["a ", "[9]", " ", "b ", "[1, 9]", "  ", "[2]", "\n"],
    ["a ", "b ", "`[1]` ", "[1]", " ", "x", "[1]", " ", "[2]", ".", " c"],
    ["a\n", "[1]", " ", "  ", "b ", "[the ", "c"],
    ["a ", "[0]", " ", "[3-1]", " ", "[1, 3-1]", " b"],
    ["a", " [1]", " b", "`x` 【1】", " 【2】 b"],
    # What is no bracket marker may be one of another grammar.
    ["a", " [", "^", "1", "] b", "^", "[", "2", "] c"],
    ["a", " [", "1", "][^", "2", "] b"],
    ["a", " [", "cite", ":d1", "] b", " [", "@", "d2", "][", "1", "] c"],
    ["a", " [", "doc", " 1", "] b", " [", "1", "][doc", " 2", "] c"],
    ["a", " [", "[", "1", "]", "]", "^", " [", "2", "] c"],
    ["a", "【", "1", ":", "0", "†s", "】【", "2", "】 c"],
]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"guards": ()},
    {"unknown": "mark"},
    {"max_marker_length": 4},
    {"index_base": 0},
    {"expand_reference_ranges": False},
    {"extract_xml_tags": ("t", "answer"), "answer_tag": "answer"},
    {"display": "remove"},
    {"display": "remove", "extract_xml_tags": "t"},
    {"display": "link"},
    {"display": "link", "guards": ("code",)},
    {"guards": ("code", "link", "url", "index")},
    {"display": "renumber", "merge_adjacent": True},
    {"display": lambda citation: "" if citation.number == "1" else f"\n    {citation.claim_end}"},
    {"unknown": "drop"},
    {"unknown": "drop", "display": "renumber"},
    {"merge_adjacent": True},
    {"markers": ("bracket", "caret", "key", "label", "filename", "openai")},
    {"reference_pattern": "acm"},
    {"reference_pattern": r"\[(\d+)\]", "expand_reference_ranges": True, "unknown": "mark"},
    {"reference_pattern": r"\[([^\]]*)\]", "max_marker_length": 4},
    {"reference_pattern": r"\[(\d+)\]\(?", "extract_xml_tags": "t"},
    {"reference_pattern": r"\[(\d+)\](?:\n\n)?", "display": "link", "index_base": 0},
    {"reference_pattern": r"\[(\d+)\]", "display": "remove", "extract_xml_tags": "t"},
    {"reference_pattern": r"\[(?:(\d)[, ]+\d|\d)\]+", "display": "renumber"},
    {"reference_pattern": r"[\[【](\d+)[\]】]", "merge_adjacent": True, "unknown": "drop"},
]


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_short_way_is_the_long_way(tail: Sequence[str], options: dict[str, Any]) -> None:
    """Tokens that could take the short cut give what the whole text gives."""
    items = [*PRELUDE, *tail]
    expected = run(["".join(items)], documents=documents(3), **options)

    assert run(items, documents=documents(3), **options) == expected


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_short_way_holds_no_more(tail: Sequence[str], options: dict[str, Any]) -> None:
    """Behind each token as much is held as if the text so far had come by characters."""
    items = [*PRELUDE, *tail]
    tokens, characters = Citer(documents=documents(3), **options), held_by_length(items, options)

    place = 0
    for item in items:
        tokens.feed(item)
        place += len(item)
        assert tokens.held == characters[place], item


def held_by_length(items: Sequence[str], options: dict[str, Any]) -> list[str]:
    """Return what is held of a text behind each of its characters."""
    citer = Citer(documents=documents(3), **options)
    held = [""]
    for character in "".join(items):
        citer.feed(character)
        held.append(citer.held)
    return held


# Pieces of lines: fences, lists, quotes, indented code, and markers among them.
LINES = [
    *("\n", "\n", "\n\n", "\r\n", "\n```", "\n```\n\n", "\n    [1]", "\n\n    "),
    *("```", "```", "```\n", "``", "`", "````", "~~~", "~~~~", "```x`", "x```", "python"),
    *("- ", "> ", "1. ", "- x", "    ", "  ", "\t", " a" * 30, " word", "x"),
    *(" [", "    [", "1", "]", "].", "[1]", ".\n\n    [2]", "].\n\n    [2", "[1]\n\n \t [2]"),
    *("].\n\n[2", "- a\n", "``` x```", "> " * 48),
]
LINE_OPTIONS: list[dict[str, Any]] = [
    {},
    {"display": "remove"},
    {"extract_xml_tags": "t"},
    {"guards": ("link",)},
    {"max_marker_length": 6},
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=40), st.sampled_from(LINE_OPTIONS))
def test_fences_by_tokens(items: list[str], options: dict[str, Any]) -> None:
    """Fences that are entered and left by remembered tokens hide what they hide in one text."""
    text = "".join(items)
    expected = run([text], documents=documents(3), **options)

    assert run(items, documents=documents(3), **options) == expected
    assert run(list(text), documents=documents(3), **options) == expected


PATTERNS = (
    "acm",
    r"\[(\d+)\]",
    r"\[(\d+)\](?:\(x*\))?",
    r"\[(?:(\d)[, ]*\d|\d)\]+",
    r"\[([^\]]*?)\]",
    r"[\[^](\d+) ?(?:\]| 2|$)",
    r"(?s)\[.(\d).?",
    r"\[(\d+)\]|\d\[",
)
PIECES = [
    *"[]()^,. 12x\n",
    " [",
    "].",
    "[1]",
    "[1, 2]",
    "[1][2]",
    "] [",
    " 1",
    "](",
    "](x)",
    "word",
]


@settings(deadline=None)
@given(
    st.sampled_from(PATTERNS),
    st.sampled_from((3, 9, 256)),
    st.lists(st.sampled_from(PIECES), max_size=30),
)
def test_patterns_by_tokens(pattern: str, longest: int, items: list[str]) -> None:
    """Tokens around matches do what the pattern's scanner does without a short cut."""
    options = CiteOptions(reference_pattern=pattern, max_marker_length=longest)
    expected = run(["".join(items)], documents=documents(3), options=options)
    assert run(items, documents=documents(3), options=options) == expected

    citer, scanner = Citer(documents=documents(3), options=options), make_scanner(options)
    for item in items:
        scanner.feed(item)
        citer.feed(item)
        assert citer.held == scanner.held


BLOCK = ["```", "py", "\n", "x", "\n```\n"]
FENCED = [
    # A fence at the margin ends the list before it, so that what is indented behind is code.
    (["- a", "\n\n", "```", "py", "\n", "x", "\n", "```", "\n", "    ", "[1]", " b"], []),
    (
        ["- a", "\n", "  ", "```", "py", "\n", "x", "\n", "  ", "```", "\n", "    ", "[1]", " b"],
        ["[1]"],
    ),
    (["a", "\n", "```", "py", "\n", "x", "[1]", "\n", "```", "\n\n", " [", "2", "]."], ["[2]"]),
    (["a", "\n", "```", "py", "\n", "[1]", "```", "\n", "```", "\n", "[2]", "\n", "b"], ["[2]"]),
    (["a", "\n", "b ", "```", "py", " [1]", "```", " [2]", " c"], ["[2]"]),
    (["a", "\n", "```", "p`", "y", " [1]", "```", " [2]", " c"], ["[2]"]),
    (["a", "\n", "~~~", "py", "\n", "[1]", "\n", "~~~~", "\n", "[2]", " c"], ["[2]"]),
    (["a ", "~~~", "py", "\n", "[1]", " c"], ["[1]"]),
    # A line that looks like one is none, and the paragraph of the list goes on.
    (["- a", "\n", "```", "x`", "b", "`", " y", "\n\n", "    ", "see ", "[1]", " b"], ["[1]"]),
    # A token that ends a fence, but not at its first line break, is not remembered.
    (["a", "\n", *BLOCK, "b", "\n\n", *BLOCK, "    ", "[1]", " c"], []),
]


@pytest.mark.parametrize(("items", "expected"), FENCED)
def test_fences(items: Sequence[str], expected: list[str]) -> None:
    """What stands in a fence is no citation, and what stands behind it is one."""
    # The first time the tokens are learned, the second time they are remembered.
    for cut in (items, items, ["".join(items)]):
        answer = run(cut, documents=documents(3)).answer

        assert [citation.marker for citation in answer.citations] == expected


SHORT_WAY: list[dict[str, Any]] = [
    {},
    {"display": "remove"},
    {"display": "link"},
    {"display": str},
    {"unknown": "drop"},
    {"merge_adjacent": True},
    {"markers": ("bracket", "filename")},
    {"guards": ("code", "link", "url", "index")},
    {"reference_pattern": "acm"},
    {"reference_pattern": r"\[(\d+)\]", "display": "link", "guards": ()},
    {"reference_pattern": r"\[(\d+)\]", "display": "remove"},
    {"reference_pattern": "acm", "unknown": "drop"},
]


@pytest.mark.parametrize("options", SHORT_WAY, ids=str)
def test_lane(options: dict[str, Any]) -> None:
    """However a marker is shown, it takes the short cut."""
    citer = Citer(documents=documents(3), **options)
    for token in ("a", " [", "1"):
        citer.feed(token)

    assert citer.lane is not None
    assert citer.lane.held == "[1"


LONG_WAY: list[dict[str, Any]] = [
    {"markers": ("filename", "bracket")},
    {"markers": ("bracket", "private")},
    {"guards": ("code",)},
    {"pattern": "a(.*)"},
    {"reference_pattern": "acm", "pattern": "a(.*)"},
    {"reference_pattern": r"\[(\d+)\]", "when": "at_end"},
    # What stands around a match, or is nearly everywhere, is nothing to remember.
    {"reference_pattern": r"\[(\d+)\](?!\()"},
    {"reference_pattern": r"\b\[(\d+)\]"},
    {"reference_pattern": r"(?:see )?\[(\d+)\]"},
]


@pytest.mark.parametrize("options", LONG_WAY, ids=str)
def test_no_lane(options: dict[str, Any]) -> None:
    """Options that ask for more than simple markers have no short cut."""
    citer = Citer(documents=documents(3), **options)
    for token in ("a", " [", "1", "] b"):
        citer.feed(token)

    assert citer.lane is None


def test_no_lane_from_the_second_answer_on() -> None:
    """Each occurrence of the answer tag is scanned as a text of its own, without a short cut."""
    citer = Citer(documents=documents(3), extract_xml_tags="a", answer_tag="a")

    lanes = []
    for token in ("<a>", "x", " [", "1", "]", " ", "</a>", "<a>", "y", " [", "1", "]", " "):
        citer.feed(token)
        lanes.append(citer.lane is not None)
    assert lanes == [False, False, *[True] * 4, *[False] * 7]


def test_the_reply_so_far_holds_what_the_lane_holds() -> None:
    """Where the reply is kept beside its text, what the lane holds of it is not missing."""
    citer = Citer(documents=documents(3), extract_xml_tags="t")
    items = ["a", " [1] b", "\n", " [", "2"]
    events = [event for item in items for event in citer.feed(item)]

    assert citer.held == "[2"
    assert isinstance(events[-1], PartialAnswer)
    assert events[-1].answer.meta["all_messages"] == ["".join(items)]


def test_nothing_is_left_to_the_collector() -> None:
    """What the lane reads without remembering it is gone at once."""
    citer = Citer(documents=documents(3))
    tokens = ["a", " [", "the", " report", "]", " [", "[", "x", " [", "1", "][", "so", " "]

    kept = [kept_of(citer, tokens * 20) for _ in range(4)]

    # Not even a citation for each time. What is learned, or made by others in this process, does
    # not come each time.
    assert min(kept) <= 10


def kept_of(citer: Citer, tokens: list[str]) -> int:
    """Return how many objects the collector has to walk more when these were fed."""
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for token in tokens:
            citer.feed(token)
        return len(gc.get_objects()) - before
    finally:
        gc.enable()


def test_lane_by_default() -> None:
    """The default options have a short cut, and it holds nothing at first."""
    citer = Citer(documents=documents(3))
    for token in ("a", " [", "1", "] b"):
        citer.feed(token)
    lane = citer.lane

    assert lane is not None
    assert lane.held == ""


def test_lane_is_taken() -> None:
    """A simple marker makes its event without the scanner, and one that is none does not."""
    citer = Citer(documents=documents(3))
    events = [event for token in ("a", " [", "1", "] b") for event in citer.feed(token)]
    assert [type(event) for event in events[1:]] == [FreshPartial, CitingPartial]

    assert citer.scanner.steps == 0
    events = [event for token in (" [", "1", "](u)") for event in citer.feed(token)]
    assert [type(event) for event in events] == [FreshPartial, FreshPartial]
    assert citer.scanner.steps > 0


def test_citations_are_made_when_they_are_asked_for() -> None:
    """Each event makes its own once, equal to that of the answer; so do its copies."""
    citer = Citer(documents=documents(3))
    events = [event for token in ("a", " [1] b", " [2] c") for event in citer.feed(token)]
    citer.close()

    citing = [event for event in events if isinstance(event, CitingPartial)]
    copied: list[CitingPartial] = copy.deepcopy(citing)
    found = [citation for event in citing for citation in event.citations]
    assert [citation.id for citation in found] == ["c1", "c2"]
    assert found == citer.final.citations == [each.citations[0] for each in copied]
    assert all(event.citations[0] is each for event, each in zip(citing, found, strict=True))


UNREAD: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["a", " [", "9", "] b", " [", "1, 9", "] c"]),
    ({"unknown": "mark"}, ["a", " [", "9", "] b"]),
    ({"unknown": "drop"}, ["a", " [", "9", "] b"]),
    ({"merge_adjacent": True}, ["a", " [", "1", "][", "1", "]", "[", "2", "] b"]),
    ({"display": "remove"}, ["a", " [", "1", "] ", "b ", "[", "2", "]", " ", "c ", "d"]),
    ({"display": "remove"}, ["a ", " [qq", " ", " [qq", " ", " [qq"]),
    ({}, ["x", "[1]", "[2]", " c"]),
    ({}, ["a", " [", "2", "]"]),
    ({"merge_adjacent": True}, ["a", " [", "2", "]", "[", "2", "]"]),
    ({"extract_xml_tags": "t"}, ["<t>", "a", " [", "1", "]", "</t>", " b", "<t>", "</t>"]),
]


@pytest.mark.parametrize(("options", "tokens"), UNREAD)
def test_no_scanner_reads(
    options: dict[str, Any], tokens: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a number that no document has, nor markers that may join, nor held blanks need it."""
    tokens = ["a", " [1]", " ", *tokens]
    expected = cite_text("".join(tokens), documents=documents(3), **options)
    monkeypatch.delattr(MarkdownScanner, "feed")

    found = run(tokens, documents=documents(3), **options).answer
    assert (found.data, found.citations) == (expected.data, expected.citations)


def test_plain_text_needs_no_lane() -> None:
    """Neither lane nor scanner is made before a token asks for one."""
    citer = Citer(documents=documents(3))
    for token in ("Plain", " text", ".\n"):
        citer.feed(token)

    assert citer.lane is None
    assert citer.shown.run.getvalue() == "Plain text.\n"


def test_context_tokens_are_settled() -> None:
    """Tokens that only change the context are kept as single ones no longer than plain ones."""
    citer = Citer(documents=documents(3))
    for _ in range(2_000):
        citer.feed("`a` ")

    assert citer.shown.run.tell() < 2 * FOLD_LENGTH
    final = citer.close()[-1]
    assert isinstance(final, FinalAnswer)
    assert final.answer.data == "`a` " * 2_000


def test_places_forget() -> None:
    """What a place remembers is bounded, and one odd stream does not fill it for good."""
    citer = Citer(documents=documents(3))
    for number in range(3 * MAX_PASSED):
        citer.feed(f" {number}x [")
        citer.feed("x] ")
    place = citer.place

    assert len(place.passed) <= MAX_PASSED
    citer.feed(" [")
    assert " [" in place.passed


OTHERS: list[dict[str, Any]] = [
    {},
    {"extract_xml_tags": ("think", "answer")},
    {"markers": ("label", "key", "caret")},
    {"reference_pattern": r"\[(\d+)\]"},
    {"pattern": "a(.*)"},
]


def forget_all() -> None:
    """Empty all that the process remembers."""
    resolve._shared.clear()
    for module in (bracket, tag_table, grammars, steps, places, patterns, scanners):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@pytest.fixture
def impatient() -> Iterator[None]:
    """Let threads take turns all the time."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


SHARED = "a [1, 2-3] `x` <think>b</think> [Source 1][^2] [cite:d1] <answer y='1'>z [2]</answer>"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("options", OTHERS, ids=str)
def test_threads(options: dict[str, Any]) -> None:
    """Streams of several threads share what the process remembers, and none notices."""
    expected = cite_text(SHARED, documents=documents(3), **options)

    def cite(seed: int) -> bool:
        forget_all()
        items = random_cut(SHARED, random.Random(seed))  # noqa: S311  # a cut, no secret
        found = run(items, documents=documents(3), **options).answer
        return (found.data, found.citations) == (expected.data, expected.citations)

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(cite, range(60)))


@pytest.mark.parametrize(
    "tokens", [["\n\n    ", "][2]", " [1, 2]"], ["A:\n\n    ", "x", " [", "1"]]
)
def test_nothing_is_held_in_indented_code(tokens: Sequence[str]) -> None:
    """On a line that is known to be code no marker can come."""
    citer = Citer(documents=documents(3))

    for token in tokens:
        citer.feed(token)
    assert citer.held == ""


JOINED = [
    (["Oslo [1]\n\n    [2]", " x"], ["[1]"]),
    (["Oslo", " [1", "].\n\n    [2", "] x"], ["[1]"]),
    (["Oslo [1].\n\n \t [2]", " x"], ["[1]"]),
    (["[1]", "\n\n    [1]", " "], ["[1]"]),
    (["[1]", "\n\n  [2]", " "], ["[1]", "[2]"]),
    (["Oslo", " [1", "].\n[2", "] x"], ["[1]", "[2]"]),
]


@pytest.mark.parametrize(("items", "expected"), JOINED)
def test_markers_joined_over_lines(items: Sequence[str], expected: list[str]) -> None:
    """A token that ends a marker and begins another on a line of code begins none."""
    # The first time the tokens are learned, the second time they are remembered.
    for cut in (items, items, ["".join(items)]):
        answer = run(cut, documents=documents(3)).answer

        assert [citation.marker for citation in answer.citations] == expected


def test_the_buffer_is_settled_in_every_text() -> None:
    """A section, and the text behind it, are settled as often as the first text."""
    citer = Citer(documents=documents(3), extract_xml_tags="t")

    for token in (*[" abc"] * 2_000, "<t>", *[" abc"] * 1_500):
        citer.feed(token)
    assert citer.shown.run.tell() < 2 * FOLD_LENGTH

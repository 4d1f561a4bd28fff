"""The short cut for simple markers: where it is taken, and that it says what the long way says."""

from collections.abc import Sequence
from typing import Any

import pytest

from streamcite import Citer
from tests.transcripts import documents, run

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
]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"guards": ()},
    {"unknown": "mark"},
    {"max_marker_length": 4},
    {"index_base": 0},
    {"expand_reference_ranges": False},
]


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_short_way_is_the_long_way(tail: Sequence[str], options: dict[str, Any]) -> None:
    """Tokens that could take the short cut give what the whole text gives."""
    items = [*PRELUDE, *tail]
    expected = run(["".join(items)], documents=documents(3), **options)

    assert run(items, documents=documents(3), **options) == expected


LONG_WAY: list[dict[str, Any]] = [
    {"display": "remove"},
    {"display": "link"},
    {"unknown": "drop"},
    {"merge_adjacent": True},
    {"extract_xml_tags": "t"},
    {"markers": ("bracket", "caret")},
    {"pattern": "a(.*)"},
    {"reference_pattern": "acm"},
]


@pytest.mark.parametrize("options", LONG_WAY, ids=str)
def test_no_lane(options: dict[str, Any]) -> None:
    """Options that ask for more than simple markers have no short cut."""
    citer = Citer(documents=documents(3), **options)
    for token in ("a", " [", "1", "] b"):
        citer.feed(token)

    assert citer.lane is None


def test_lane_by_default() -> None:
    """The default options have a short cut, and it holds nothing at first."""
    citer = Citer(documents=documents(3))
    for token in ("a", " [", "1", "] b"):
        citer.feed(token)
    lane = citer.lane

    assert lane is not None
    assert lane.held == ""

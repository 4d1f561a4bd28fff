"""Replies that try to make the engine slow: each a few tokens, repeated."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

from tests.bench.corpora import TAG_OPTIONS

__all__ = ["ADVERSARIAL", "Attack"]

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Attack:
    """A reply of any length that does its worst."""

    name: str
    unit: tuple[str, ...]
    """The tokens that are repeated."""
    start: tuple[str, ...] = ()
    """Tokens before the first of them."""
    options: Mapping[str, Any] = field(default_factory=dict)

    def tokens(self, length: int) -> list[str]:
        """Return exactly so many tokens."""
        return [*self.start, *islice(cycle(self.unit), length - len(self.start))]


ADVERSARIAL = (
    # Candidates that never close, or close too late.
    Attack("openers", ("[",)),
    Attack("openers of every kind", ("[", "【", "［")),
    Attack("openers, four a token", ("[[[[",)),
    Attack("digits without a closer", ("1111",), ("[",)),
    Attack("list without a closer", ("7, ",), ("[",)),
    Attack("lists that break at the cap", ("[", *("1, ",) * 80, "1234567890")),
    Attack("nearly a marker", ("[1", ",,", "2]")),
    # Many markers, and what they are glued to.
    Attack("markers, one a token", ("[1]",)),
    Attack("markers, cut", ("[", "1", "]")),
    Attack("unknown numbers", ("word", " [", "99", "]", " and")),
    Attack("unknown numbers, dropped", ("word", " [", "99", "]"), (), {"unknown": "drop"}),
    Attack("unknown numbers, marked", ("word", " [", "99", "]"), (), {"unknown": "mark"}),
    Attack("markers removed", ("word", " ", "[1]", "  "), (), {"display": "remove"}),
    Attack("markers merged", ("[1]",), (), {"merge_adjacent": True}),
    Attack("chains of indices", ("x", *("[1]",) * 90, " ")),
    Attack("one chain of indices", ("[1]",), ("x",)),
    Attack("chains of words", ("Oslo", "[", "1", "]")),
    Attack("long glued words", (*("a_bc",) * 70, "[1]")),
    Attack("long addresses", ("http", "://", *("a/b.",) * 60, "[1]", " ")),
    Attack("parentheses before a bracket", (*("f(a)",) * 60, "[1]")),
    Attack("a sentence without end", ("word", " and", " or", " [1]")),
    # Contexts that never close.
    Attack("a stray backtick", ("word", " [1]"), ("`",)),
    Attack("stray backticks", ("`", " [1]", " ``", " x")),
    Attack("growing runs of backticks", ("`",)),
    Attack("dollars", ("$x", " [1]", " $")),
    Attack("a fence without end", ("x[0]", "``", "\n", "~~~"), ("```", "\n")),
    Attack("lines of fences", ("```", "\n")),
    Attack("deep list items", ("- ",)),
    Attack("backslashes", ("\\[", "1", "\\")),
    Attack("links without end", ("[", "1", "](", "(")),
    Attack("attributes without end", ('<a x="', "y[1]")),
    # Tags.
    Attack("less-than signs", ("<",), (), TAG_OPTIONS),
    Attack("unknown tags", ("<a", " "), (), TAG_OPTIONS),
    Attack("half a tag", ("<answe",), (), TAG_OPTIONS),
    Attack("a tag's attribute without end", ('<answer x="',), (), TAG_OPTIONS),
    Attack("sections", ("<thinking>", "a [1]", "</thinking>"), (), TAG_OPTIONS),
    Attack("a section without end", ("</thinkin", " [1] <"), ("<thinking>",), TAG_OPTIONS),
    # Cuts and lengths.
    Attack("one character a token", tuple("Words of one character a token [1] `x`. ")),
    Attack("empty tokens", ("", "a", "")),
    Attack("surrogates and nulls", ("\ud800", "\0", "[1]", "\udfff")),
    Attack("wide characters", ("答案", "是", "【1】", "。")),
)

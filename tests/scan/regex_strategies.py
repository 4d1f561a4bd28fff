"""Random patterns and texts for the regex engine, for Hypothesis and for the fuzzer alike."""

import random
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from hypothesis import strategies as st

from streamcite.scan.regex_tree import LOOKS as LOOKS_OF_TREE
from streamcite.scan.regex_tree import REPEATS as REPEATS_OF_TREE
from streamcite.scan.regex_tree import Node, SubPattern, children, ops, parse_any

T = TypeVar("T")


class Source(Protocol):
    """Where choices come from: Hypothesis' draws, or a random generator."""

    def choice(self, options: Sequence[T], /) -> T: ...

    def randint(self, least: int, most: int, /) -> int: ...


class Drawn:
    """Choices that Hypothesis can shrink."""

    def __init__(self, draw: Callable[[st.SearchStrategy[object]], object]) -> None:
        self._draw = draw

    def choice(self, options: Sequence[T], /) -> T:
        return options[self.randint(0, len(options) - 1)]

    def randint(self, least: int, most: int, /) -> int:
        number = self._draw(st.integers(least, most))
        assert isinstance(number, int)
        return number


ATOMS = ["a", "b", "a", "b", r"\[", r"\]", "1", "é", "s", "K", r"\n", "."]
CLASSES = [
    *("[ab]", "[^a]", r"\d", r"\w", r"\s", r"[^\n]", r"[^\]]", "[a-c1]", r"\W", "[^ab]", "[éÉ]"),
    *(r"[^\s\S]", r"[\s\S]", r"\D", r"\S", r"[^\W\d]"),
]
REPEATS = ["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}", "{,2}", "{0}", "{1}"]
LENGTHS = [0, 1, 1, 2, 2, 2, 3, 3]
ANCHORS = ["^", "$", r"\b", r"\B", r"\A", r"\Z"]
LOOKS = ["(?=", "(?!", "(?<=", "(?<!"]
FLAGS = ["", "", "", "(?i)", "(?s)", "(?m)", "(?im)", "(?ms)", "(?a)", "(?ai)"]
SCOPES = ["(?i:", "(?s:", "(?m:", "(?-i:", "(?:"]
MARKERS = [
    r"\[(\d+)\]",
    r"\[\d+(?:(?:,\s*|\s+)\d+)*,?\s*\]",
    r"\^(\d+)",
    r"\[(\d+)\](?!\()",
    r"(?<!\w)\[(\d+)\]",
    r"\[\[(\d+)\]\]|\[(?:\d+)\]",
    r"\[(\d+)\](?:\([^)\s]*\))?",
    r"[^\n]+$",
    r"(?m)^\[(\d+)\]:",
    r"\[(\d+)\]\b",
    r"a.*b|a",
    r"\[[^\]]*\]",
    r"\[(\d+)\](?:, ?\[\d+\])*",
]
TEXTS = [
    *("a", "b", "ab", "aab", "[", "]", "[1]", "1", "][", "12", ", ", "(", ")", "^", " ", "\n"),
    *("é", "É", "S", "ſ", "k", "K", "\u0301", "[[1]]", "[1](", ":", "c", "B", "A", "_", "٣"),
]

SAMPLES: dict[object, str] = {ops.CATEGORY_DIGIT: "1٣", ops.CATEGORY_SPACE: " \n"}
# `re` itself takes exponential time on some of the patterns.
LONGEST_TEXT = 16


class Grammar:
    """Writes one random pattern with at most one group."""

    def __init__(self, source: Source, *, assertions: bool = True) -> None:
        self._source = source
        self._assertions = assertions
        self._groups = 1

    def pattern(self) -> str:
        if self._source.randint(0, 11) == 0:
            return self._source.choice(MARKERS)
        return self._source.choice(FLAGS) + self._choice(3)

    def _choice(self, depth: int) -> str:
        branches = 1 if self._source.randint(0, 2) else self._source.randint(2, 3)
        return "|".join(self._sequence(depth) for _ in range(branches))

    def _sequence(self, depth: int) -> str:
        return "".join(self._item(depth) for _ in range(self._source.choice(LENGTHS)))

    def _item(self, depth: int) -> str:
        kind = self._source.randint(0, 9)
        if kind == 0 and self._assertions:
            return self._assertion()
        body = self._group(depth) if kind <= 3 and depth > 0 else self._character()
        if self._source.randint(0, 2):
            return body
        return body + self._source.choice(REPEATS) + self._source.choice(["", "", "?"])

    def _character(self) -> str:
        return self._source.choice(self._source.choice([ATOMS, ATOMS, CLASSES]))

    def _group(self, depth: int) -> str:
        if self._groups and self._source.randint(0, 2) == 0:
            self._groups = 0
            return f"({self._choice(depth - 1)})"
        return f"{self._source.choice([*SCOPES, '(?:', '(?:'])}{self._choice(depth - 1)})"

    def _assertion(self) -> str:
        if self._source.randint(0, 1):
            return self._source.choice(ANCHORS)
        body = self._source.choice([self._character(), self._character(), r"\s|$", "[ab]|^"])
        return f"{self._source.choice(LOOKS)}{body})"


def random_text(source: Source, pattern: str, most: int = 8) -> str:
    """Text of biased fragments, and of pieces that the pattern could match."""
    tree = parse_any(pattern)
    fragments = [source.choice(TEXTS) for _ in range(source.randint(1, 4))]
    parts = list[str]()
    for _ in range(source.randint(0, most)):
        if source.randint(0, 2):
            parts.append(source.choice(fragments))
        else:
            sample = sample_of(source, tree)
            parts.append(sample[source.choice([0, 0, 0, 1]) : len(sample) - source.randint(0, 1)])
    return "".join(parts)[:LONGEST_TEXT]


def sample_of(source: Source, tree: SubPattern) -> str:
    """Text that a tree would match if its assertions, flags and negated classes held."""
    return "".join(_sample(source, node) for node in tree.data)


def _sample(source: Source, node: Node) -> str:
    operator, argument = node
    if operator is ops.LITERAL:
        return chr(argument)
    if operator is ops.IN:
        return _member(source, source.choice(argument))
    if operator in REPEATS_OF_TREE:
        least, most, body = argument
        rounds = source.randint(least, max(least, min(most, least + 2)))
        return "".join(sample_of(source, body) for _ in range(rounds))
    below = children(node)
    if operator in LOOKS_OF_TREE or not below:
        return "" if operator is ops.AT else source.choice("ab1]")
    return sample_of(source, source.choice(below))


def _member(source: Source, member: Node) -> str:
    kind, argument = member
    if kind is ops.LITERAL:
        return chr(argument)
    if kind is ops.RANGE:
        return chr(source.randint(argument[0], min(argument[1], argument[0] + 9)))
    return source.choice(SAMPLES.get(argument, "a1 "))


def random_cut(source: Source, text: str) -> list[str]:
    """The text in chunks, some of them empty."""
    style = source.randint(0, 3)
    if style < 2:
        return list(text) if style else [text]
    chunks = list[str]()
    while text:
        size = source.randint(0, 4)
        chunks.append(text[:size])
        text = text[size:]
    return chunks


@st.composite
def patterns(draw: st.DrawFn, *, assertions: bool = True) -> str:
    """Patterns, not all of them valid."""
    return Grammar(Drawn(draw), assertions=assertions).pattern()


@st.composite
def chunked_texts(draw: st.DrawFn, pattern: str) -> list[str]:
    """Texts for a pattern, in chunks."""
    source = Drawn(draw)
    return random_cut(source, random_text(source, pattern))


def seeded(seed: int) -> random.Random:
    """A source of choices for a fuzzer."""
    return random.Random(seed)  # noqa: S311 - no secrets here

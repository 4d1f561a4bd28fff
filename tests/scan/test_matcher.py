"""The streaming search: what `re.finditer` finds, as early as it is certain."""

import re
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from streamcite.errors import PatternError
from streamcite.scan import regex_table
from streamcite.scan.matcher import Matcher
from streamcite.scan.program import ACM_PATTERN, Program, compile_pattern
from tests.fuzz.fuzz_regex import run
from tests.scan.regex_oracles import (
    UNCAPPED,
    certain,
    check_cap,
    check_matcher,
    streamed,
    texts,
    whole,
)
from tests.scan.regex_strategies import chunked_texts, patterns

NUMBER = r"\[(\d+)\]"
DOUBLED = r"\[\[\d+\]\]|\[\d+\]"
LINKED = r"\[\d+\](?:\([^)\s]*\))?"
CHAIN = r"\[\d+\](?:, ?\[\d+\])*"
SOURCE = r"【(?:\d+):(\d+)†source】"

# Pattern, text, the matches.
CASES = [
    (NUMBER, "[12", []),
    (NUMBER, "a][1][2]b", ["[1]", "[2]"]),
    (NUMBER, "[[1]]", ["[1]"]),
    (DOUBLED, "[[1]]", ["[[1]]"]),
    (DOUBLED, "[[1] x", ["[1]"]),
    (DOUBLED, "[[[1]]]", ["[[1]]"]),
    (NUMBER, "[" * 50 + "7]", ["[7]"]),
    (NUMBER, "[" * 300, []),
    (LINKED, "[1](not a link", ["[1]"]),
    (LINKED, "[1](u)[2](", ["[1](u)", "[2]"]),
    (LINKED, "[1](a[2](b)", ["[1](a[2](b)"]),
    (LINKED, "[1]([2] [3]", ["[1]", "[2]", "[3]"]),
    (CHAIN, "[1], [2], x", ["[1], [2]"]),
    (r"\^(\d+)", "x^12", ["^12"]),
    (r"ab|a", "a", ["a"]),
    (r"a|ab", "ab", ["a"]),
    (SOURCE, "【4:0†【4:1†source】", ["【4:1†source】"]),
    (r"\(see (\d+)\)", "(see (see 1)", ["(see 1)"]),
    (r"aab", "aaab", ["aab"]),
    (r"[^\n]+$", "line1\n", ["line1"]),
    (r"[^\n]+$", "line1\n\n", []),
    (r"(?m)[^\n]+$", "one\ntwo\n\n", ["one", "two"]),
    (r"(?m)^\[(\d+)\]:", "x [1]: a\n[1]: b", ["[1]:"]),
    (r"(?<!\w)\[(\d+)\](?!\()", "a[1] [2]( [3]", ["[3]"]),
    (r"\[(\d+)\]\b", "[1][2]a", ["[2]"]),
    (r"\b\d+\b", "a1 12 3", ["12", "3"]),
    (NUMBER, "[１２] [٣] [²]", ["[１２]", "[٣]"]),
    (NUMBER, "\u200b[1]\u0301[2]\ud800", ["[1]", "[2]"]),
    (ACM_PATTERN, "[1,2, 3 4,] [,1] [1,,2]", ["[1,2, 3 4,]"]),
    (r"(?i)ſ+", "sSſ", ["sSſ"]),
    (r"$\n", "a\n\n", ["\n"]),
    (r"a(?=\s|$)", "a ab a", ["a", "a"]),
]

each_case = pytest.mark.parametrize(("pattern", "text", "expected"), CASES)


def found(pattern: str, chunks: list[str]) -> list[str]:
    """The text of each match."""
    text = "".join(chunks)
    return [text[start:end] for start, end, _ in streamed(compile_pattern(pattern), chunks)]


@each_case
def test_a_text_that_comes_whole(pattern: str, text: str, expected: list[str]) -> None:
    """The table is what `re` finds, and what a matcher finds."""
    assert expected == [match[0] for match in re.finditer(pattern, text)]
    assert expected == found(pattern, [text])


@each_case
def test_a_text_that_comes_in_characters(pattern: str, text: str, expected: list[str]) -> None:
    """The same, one character at a time with empty chunks between them."""
    assert expected == found(pattern, [part for character in text for part in (character, "")])


@each_case
def test_a_text_that_is_cut_twice(pattern: str, text: str, expected: list[str]) -> None:
    """The same, at every cut into three chunks."""
    places = range(min(len(text), 60) + 1)

    for left, right in combinations(places, 2):
        assert expected == found(pattern, [text[:left], text[left:right], text[right:]])


@given(st.data())
def test_a_random_pattern_finds_what_finditer_finds(data: st.DataObject) -> None:
    """Spans and groups, whatever the pattern, the text and the cut."""
    pattern = data.draw(patterns())

    check_matcher(accepted(pattern), data.draw(chunked_texts(pattern)))


@given(st.data(), st.integers(1, 8))
def test_a_cap_is_a_window(data: st.DataObject, cap: int) -> None:
    """At each start, the pattern is matched in a window of the cap's length."""
    pattern = data.draw(patterns())

    check_cap(accepted(pattern), data.draw(chunked_texts(pattern)), cap)


def accepted(pattern: str) -> Program:
    """Compile; a refused pattern is no example."""
    try:
        return compile_pattern(pattern)
    except PatternError:
        assume(False)
        raise


def test_many_random_patterns() -> None:
    """The fuzzer finds no difference in its first runs."""
    refused, compared = run(seed=0, runs=8_000)

    assert 0 < refused < compared


PROMPT = [
    r"\[(1+)\]",
    r"\[1+\](?:\[\[)?",
    r"\[\[1\]\]|\[1\]",
    r"1+",
    r"1+?",
    r"(?:1|\[1)\]?",
    r"\[[^\]]*\]",
    r"1.*\]|1",
    r"\[1[^\s\S]|\]",
    r"\[1\](?!\[)",
    r"(?<!1)\[",
    r"1\b",
    r"(?m)1$",
    r"\]\Z",
]


@pytest.mark.parametrize("pattern", PROMPT)
def test_a_match_is_reported_as_soon_as_it_is_certain(pattern: str) -> None:
    """Neither later, nor earlier, and text is held only while a match may start in it."""
    program, tails = compile_pattern(pattern), texts("[]1", 4)

    for text in texts("[]1", 4):
        matcher = Matcher(program, max_length=UNCAPPED)
        reported = [(match.start, match.end) for part in text for match in matcher.feed(part)]
        matches, start = certain(pattern, text, tails)
        assert [match[:2] for match in matches] == reported, text
        assert start == matcher.held_from, text


@st.composite
def small_patterns(draw: st.DrawFn) -> str:
    """Patterns whose every open way to match is at most four characters long."""
    atoms = st.sampled_from(["a", "b", ".", "[ab]", "a*", "a+", "b?", "a*?", "b+?", "a??", ".*"])
    branches = st.lists(atoms, min_size=1, max_size=3).map("".join)
    return draw(st.lists(branches, min_size=1, max_size=2).map("|".join))


@given(small_patterns(), st.text("ab", max_size=6))
def test_a_random_pattern_reports_as_soon_as_it_is_certain(pattern: str, text: str) -> None:
    """The same for small patterns of any kind, by trying every continuation."""
    matcher = Matcher(accepted(pattern), max_length=UNCAPPED)

    reported = [(match.start, match.end) for part in text for match in matcher.feed(part)]

    matches, start = certain(pattern, text, texts("ab", 4))
    assert [match[:2] for match in matches] == reported
    assert start == matcher.held_from


def test_a_match_says_where_it_is() -> None:
    """Offsets count all text fed, text that was skipped included."""
    matcher = Matcher(compile_pattern(r"\[(\d+)\]"), max_length=99)
    matcher.skip("ab")

    [match] = [*matcher.feed("c["), *matcher.feed("12"), *matcher.feed("]")]

    assert (match.start, match.end, match.text) == (3, 7, "[12]")
    assert (match.group, match.group_start, match.group_end) == ("12", 4, 6)


@pytest.mark.parametrize("pattern", [r"(a)?b", r"(a)?b\b"])
def test_a_group_may_take_no_part(pattern: str) -> None:
    """The group is None then, and its place too."""
    matcher = Matcher(compile_pattern(pattern), max_length=99)

    [match] = [*matcher.feed("b"), *matcher.close()]

    assert (match.group, match.group_start, match.group_end) == (None, None, None)


def test_idle_text_is_passed_over() -> None:
    """While idle, `search` finds nothing in text that begins no match."""
    matcher = Matcher(compile_pattern(r"(?<!\w)\[1\]"), max_length=99)

    assert (matcher.idle, matcher.search("ab")) == (True, None)
    matcher.skip("ab")
    matcher.skip("")

    assert (matcher.position, matcher.held_from, matcher.idle) == (2, 2, True)
    assert matcher.search("[") is not None
    assert matcher.feed("[1]") == matcher.close() == []


def test_a_thread_ends_idleness() -> None:
    """Text is held from the bracket on, until it dies or is a match."""
    matcher = Matcher(compile_pattern(r"\[1\]"), max_length=99)

    matcher.feed("ab[1")

    assert (matcher.position, matcher.held_from, matcher.idle) == (4, 2, False)
    assert matcher.feed("x") == []
    assert (matcher.held_from, matcher.idle) == (5, True)


def test_an_empty_text_decides_nothing() -> None:
    """An empty chunk is no end."""
    matcher = Matcher(compile_pattern(r"a\b"), max_length=99)
    matcher.feed("a")

    assert matcher.feed("") == []
    assert [match.text for match in matcher.close()] == ["a"]


def test_the_end_comes_once() -> None:
    """Closing again finds nothing more."""
    matcher = Matcher(compile_pattern("a+"), max_length=99)
    matcher.feed("xa")

    assert [match.text for match in matcher.close()] == ["a"]
    assert matcher.close() == []
    assert (matcher.idle, matcher.held_from) == (True, 2)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"\[[^\]]*\]", "[ some prose [1]"),
        (r"\[[^\]]*\](?!\()", "[ some prose [1]"),
        (r"a.*b|a", "axxxxxxxb"),
        (r"a[^b]*b|c", "aacyzb"),
        (r"a[^b]*b\b|c", "aacyzb"),
        (r"\[\d+(?:, \d+)*\]", "[1, 2, 3] [4]"),
    ],
)
def test_a_long_candidate_hides_no_short_match(pattern: str, text: str) -> None:
    """What dies of its length gives way to what began inside it."""
    program = compile_pattern(pattern)

    check_cap(program, list(text), 5)
    check_cap(program, [text], 5)


def test_a_cap_that_no_match_exceeds_changes_nothing() -> None:
    """The result is that of `re.finditer`."""
    text = "a [1], [22] and [333"

    assert whole(r"\[(\d+)\]", text) == streamed(compile_pattern(r"\[(\d+)\]"), list(text), 4)


# Pattern, a text that is repeated: the worst known for each kind of search.
LONG = [
    (NUMBER, "["),
    (NUMBER, "[1"),
    (NUMBER, "some prose [1], "),
    (ACM_PATTERN, "[1, "),
    (r"\d+", "12"),
    (r"[^\n]+$", "a line\n"),
    (r"(?<!\w)\[(\d+)\](?!\()", "[1]( "),
    (r"(?:a|aa)+b", "a b"),
    (r"\[(?:(\d+),?\s*)+\]", "[2019, 2020, 2021 and "),
]


@pytest.mark.parametrize(("pattern", "piece"), LONG)
def test_work_grows_with_the_text(pattern: str, piece: str) -> None:
    """Twice the text is twice the work, even one character at a time."""
    once, twice = steps(pattern, piece, 2_000), steps(pattern, piece, 4_000)

    assert once <= 2_000 * 12
    assert twice <= once * 2 + 100


@pytest.mark.parametrize("pattern", [r"\[[^\]]*\]", r"a.*b|\[", r"\[[^\]]*\](?!\()"])
def test_work_is_bounded_by_text_times_cap(pattern: str) -> None:
    """The worst patterns rescan, and no deeper than the cap."""
    cap, length = 50, 2_000

    assert steps(pattern, "[a", length, cap) <= length * cap * 4


def steps(pattern: str, piece: str, length: int, cap: int = 256) -> int:
    """How much work a text takes, one character at a time."""
    matcher = Matcher(compile_pattern(pattern), max_length=cap)
    for character in (piece * length)[:length]:
        matcher.feed(character)
        assert matcher.position - matcher.held_from <= cap + 1
    matcher.close()
    return matcher.steps


def test_many_scripts_do_not_fill_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is dropped when it is full, and what is open goes on."""
    monkeypatch.setattr(regex_table, "MAX_SIZE", 9)
    program = compile_pattern(r"\[(\w+)\] ?")
    text = "[ab] [cd][ef]" + "".join(map(chr, range(0x4E00, 0x4E80))) + "[gh] [ij"

    check_matcher(program, list(text))

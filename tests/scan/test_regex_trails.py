"""Searching again by way of trails: the same result, in time that grows with the text only."""

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from streamcite.errors import PatternError
from streamcite.scan import regex_trails
from streamcite.scan.matcher import Matcher, RegexMatch
from streamcite.scan.program import Program, compile_pattern
from tests.scan.regex_strategies import Drawn, patterns, random_cut, seeded

# Pattern, and a text that is repeated: what is open grows too old at every character, or a match
# is decided long after its end.
LONG = [
    (r"a*(\d+)", "a"),
    (r"\s*\[(\d+)\]", " "),
    (r"\w+ \[(\d+)\]", "a"),
    (r"(?:ab)*\[(\d+)\]", "ab"),
    (r".*\[(\d+)\]", "some prose [1 "),
    (r'"[^"]*\[(\d+)\]', '"ab [1'),
    (r'"[^"]*\[(\d+)\]', '"' + "[1" * 5_000),
    (r"(?:\w{1,20} )*\[(\d+)\]", "some words and others "),
    (r"(?:aaa)*\[(\d+)\]", "a"),
    (r"a.*b|a", "a"),
    (r"\[(\d+)\](?:\([^)]*\))?", "[1]("),
    (r"\[(\d+)\](?:\([^)\n]*\))?", "[1](" * 500 + "\n"),
]

# The same with conditions, whose steps are visits to instructions.
CONDITIONAL = [
    (r"\ba*(\d+)", "a"),
    (r"(?<!x)\s*\[(\d+)\](?!\()", " "),
    (r"\w+ \[(\d+)\](?!\()", "a"),
    (r"(?<!\w)[\w ]*\[(\d+)\]", "some words here "),
    (r"\[(\d+)\](?:\([^)]*\))?(?!x)", "[1]("),
]

# At most so many steps for a character of the text; the threshold is in it.
STEPS = regex_trails.SHORT + 8
CONDITIONAL_STEPS = 60

CAPS = [8, 12, 64, 256, 1_000, 4_096]


def work(pattern: str, text: str, cap: int) -> float:
    """How many steps a character takes, in random chunks."""
    source, matcher, place = seeded(cap), Matcher(compile_pattern(pattern), max_length=cap), 0
    while place < len(text):
        size = source.randint(1, 9)
        matcher.feed(text[place : place + size])
        assert matcher.position - matcher.held_from <= cap + 1
        place += size
    matcher.close()
    return matcher.steps / len(text)


@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize(("pattern", "piece"), LONG)
def test_work_does_not_grow_with_the_longest_match(pattern: str, piece: str, cap: int) -> None:
    """A character costs a few steps, however much is open."""
    assert work(pattern, (piece * 10_000)[:10_000], cap) <= STEPS


@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize(("pattern", "piece"), CONDITIONAL)
def test_nor_with_conditions(pattern: str, piece: str, cap: int) -> None:
    """The same for patterns that have no table."""
    assert work(pattern, (piece * 10_000)[:10_000], cap) <= CONDITIONAL_STEPS


def reports(
    program: Program, chunks: list[str], cap: int
) -> list[tuple[list[RegexMatch], int, bool]]:
    """What a matcher says after each chunk: matches, where held text begins, and idleness."""
    matcher = Matcher(program, max_length=cap)
    said = [(matcher.feed(chunk), matcher.held_from, matcher.idle) for chunk in chunks]
    return [*said, (matcher.close(), matcher.held_from, matcher.idle)]


def check_trails(program: Program, chunks: list[str], cap: int, most: int) -> None:
    """A matcher that uses trails wherever it can says what one says that has none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamcite.scan.matcher.SHORT", 10**9)
        expected = reports(program, chunks, cap)
        patch.setattr("streamcite.scan.matcher.SHORT", 0)
        patch.setattr(regex_trails, "SHORT", 0)
        patch.setattr(regex_trails, "MAX_TRAILS", most)
        assert expected == reports(program, chunks, cap)


# Captures that begin before and after the place where a trail is met, and kinds that take turns.
CAPTURING = [
    *(r"a*b*c", r"(?:ab)*c", r"(?:aa)*b", r"(?:aaa|b)*c", r"a(?:a|b)*(c)", r"(?:(a)|b)*c"),
    *(r"a.*b|a", r"a+?(b*)c?c", r"(a*)(?:b|a)*c", r"[ab]*?(b)c|a", r"(?:a|(b))+c", r"a\b.*c|b"),
    *(r"(?<!b)a[ab]*c", r"(?:a(?!b)|b)*c", r"(?m)^a*b|[ab]+$", r".+$\n?", r"(?:a|b$)+c"),
    *(r"(a|b)*a[ab]c|a", r"[ab]*(?:a[ab]{2,4})?(c)", r"a(?:[ab]{3})*c|b"),
]


@given(st.data(), st.integers(3, 12), st.integers(1, 3))
def test_trails_change_nothing(data: st.DataObject, cap: int, most: int) -> None:
    """Matches, groups, and when they come, with small caps over a small alphabet."""
    pattern = data.draw(st.sampled_from(CAPTURING) | patterns())
    text = data.draw(st.text("aabbc1[ \n", max_size=50) | st.text("ab", max_size=50))
    try:
        program = compile_pattern(pattern)
    except PatternError:
        assume(False)

    check_trails(program, random_cut(Drawn(data.draw), text), cap, most)


@pytest.mark.parametrize("pattern", CAPTURING)
def test_trails_change_nothing_in_many_texts(pattern: str) -> None:
    """The same for texts that a random generator writes."""
    source, program = random.Random(pattern), compile_pattern(pattern)  # noqa: S311 - no secrets

    for _ in range(100):
        text = "".join(source.choices("aaabbb c\n", k=source.randint(5, 60)))
        check_trails(program, random_cut(source, text), source.randint(3, 12), 2)


@pytest.mark.parametrize("most", [1, 2, 8])
def test_more_kinds_than_trails(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Where each kind has a trail the work is bounded; otherwise the result is the same."""
    monkeypatch.setattr(regex_trails, "MAX_TRAILS", most)

    assert (work(r"(?:a{7})*\[(\d+)\]", "a" * 3_000, 512) <= STEPS) is (most == 8)
    check_trails(compile_pattern(r"(?:a{7})*(a|b)"), list("aaab" * 40), 30, most)


def kept(matcher: Matcher) -> list[regex_trails._Trail]:
    """The trails of a matcher."""
    return [] if matcher._trails is None else matcher._trails._trails


def test_trails_are_short_and_forgotten() -> None:
    """They cover what is held, and none is left when nothing is."""
    matcher = Matcher(compile_pattern(r"a*(\d+)"), max_length=50)

    for _ in range(1_000):
        matcher.feed("a")
        trails = kept(matcher)
        assert all(len(trail._states) <= 2 * 52 for trail in trails)

    assert len(kept(matcher)) == 1
    assert matcher.feed("\n") == []
    assert (kept(matcher), matcher.idle) == ([], True)


def test_wide_states_are_kept_rarely() -> None:
    """A trail has hardly more threads than places."""
    matcher = Matcher(compile_pattern(r"(?:[^\]]{0,40}\.)*\[(\d+)\]"), max_length=300)
    matcher.feed("prose. And " * 40)

    assert kept(matcher)
    for trail in kept(matcher):
        assert sum(map(len, trail._threads)) <= len(trail._threads) + 50

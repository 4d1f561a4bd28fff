"""What single tokens do around the matches of a pattern, and of which patterns that is known."""

import pytest

from streamcite.scan.pattern_steps import PatternSteps, may_have_steps
from streamcite.scan.patterns import PatternPlace, read_reference_pattern
from streamcite.scan.program import compile_pattern
from streamcite.scan.tables import MAX_KNOWN_LENGTH


def make_steps(pattern: str, max_length: int = 4_096) -> PatternSteps:
    """Make steps that share no memory with those of other tests."""
    place = PatternPlace(read_reference_pattern(pattern, False), max_length, "", trims=False)
    assert isinstance(place.steps, PatternSteps)
    return place.steps


@pytest.mark.parametrize(("pattern", "known"), [
    (r"\[(\d+)\]", True),
    (r"(?i)【x?(\d)】", True),
    (r"\d(\d)", True),
    (r"[^\w\s](\d)", True),
    # A letter or a blank begins nearly every token.
    (r"x\[(\d+)\]", False),
    (r"[^\d](\d)", False),
    (r"\s?\[(\d+)\]", False),
    # What stands around a match has a say.
    (r"\[(\d+)\]$", False),
    (r"\[(\d+)\](?!\()", False),
    (r"(?<!x)\[(\d+)\]", False),
])  # fmt: skip
def test_patterns_with_steps(pattern: str, known: bool) -> None:
    """Tokens always do the same where a match asks for its own text only, and begins seldom."""
    assert may_have_steps(compile_pattern(pattern)) is known


@pytest.mark.parametrize(("token", "head", "marker", "body", "held"), [
    (" [", " ", None, "", "["),
    (" [1", " ", None, "", "[1"),
    ("a [1].", "a ", "[1]", ".", None),
    ("[1] [", "", "[1]", " ", "["),
    ("a [x] [", "a [x] ", None, "", "["),
    ("[x", "[x", None, "", None),
])  # fmt: skip
def test_a_token_behind_plain_text(
    token: str, head: str, marker: str | None, body: str, held: str | None
) -> None:
    """It shows what is decided, completes a match, and holds what may become one."""
    step = make_steps(r"\[(\d+)\]").begin(token)

    assert step is not None
    assert (step.head, step.marker, step.body) == (head, marker, body)
    assert (step.held.text if step.held else None) == held


def test_two_matches_in_a_token_go_the_long_way() -> None:
    """A step completes one marker at most."""
    assert make_steps(r"\[(\d+)\]").begin("[1][2]") is None


def test_what_goes_on_is_remembered() -> None:
    """What a token does behind a match so far is kept with that."""
    steps = make_steps(r"\[(\d+)\]")
    opened = steps.begin(" [")
    assert opened is not None
    assert opened.held is not None

    steps.go_on(opened.held, "12")
    assert list(opened.held.passed) == ["12"]


def test_no_long_text_is_remembered() -> None:
    """What is remembered outlives its stream, and may be anybody's text."""
    steps, long = make_steps(r"\[([^\]]*)\]"), "x" * MAX_KNOWN_LENGTH
    opened = steps.begin("[")
    assert opened is not None
    assert opened.held is not None

    assert steps.begin(f"[{long}") is None
    assert steps.go_on(opened.held, long) is None
    assert opened.held.passed == {}


def test_a_marker_is_read_by_its_text() -> None:
    """The number is that of the group, wherever it stood in the text."""
    assert make_steps(r"\[(?:(\d)\d|\d)\]").marker("[12]").items == ((1, 1),)

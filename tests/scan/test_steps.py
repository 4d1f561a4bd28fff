"""What single tokens do around simple markers, and that little of it is remembered."""

import pytest

from streamcite.options import CiteOptions
from streamcite.scan import steps as module
from streamcite.scan.scanners import text_place
from streamcite.scan.steps import MAX_HELD, BracketSteps, Held, Step, judge_word


def make_steps(max_length: int = MAX_HELD, *, alone: bool = True) -> BracketSteps:
    place = text_place(CiteOptions())
    assert place is not None
    return BracketSteps(place.search, max_length, alone=alone)


def shown(step: Step | None) -> tuple[str, str | None, str, str] | None:
    """Return what a step shows, cites and holds."""
    if step is None:
        return None
    return (step.head, step.marker, step.body, "" if step.held is None else step.held.text)


BEGINNINGS = [
    ("word", None),
    (" [", (" ", None, "", "[")),
    ("[", ("", None, "", "[")),
    ("so [1", ("so ", None, "", "[1")),
    (" [1]", (" ", None, "", "[1]")),
    (" [1].", (" ", "[1]", ".", "")),
    (" [1] [", (" ", "[1]", " ", "[")),
    (" [1][2", (" ", "[1]", "", "[2")),
    (" 【1】", (" ", "【1】", "", "")),
    (" [x", (" [x", None, "", "")),
    (" [1](", None),
    (" [1]:", None),
    ("`a [", None),
    (" [1] `", None),
    (" [1]a[", None),
    (" [1][2]", (" ", "[1]", "", "[2]")),
    (" [1][2] a", None),
    (" [1][^", (" ", "[1]", "[^", "")),
    (" [1] [x", (" ", "[1]", " [x", "")),
    (" [1][[[", None),
    (" [[[", (" [", None, "", "[[")),
    (" [[1]x", (" [", "[1]", "x", "")),
    (" [a 【1】 b", (" [a ", "【1】", " b", "")),
    (" [a] b", None),
    (" [a`", None),
    (" [a\nb", None),
    (" [" + "1, " * MAX_HELD, None),
]


@pytest.mark.parametrize(("token", "expected"), BEGINNINGS)
def test_begin(token: str, expected: object) -> None:
    """A token behind a blank shows what is sure and holds what may be a marker; nothing is lost."""
    step = make_steps().begin(token)

    assert shown(step) == expected
    assert step is None or step.text == token


OTHERS = [
    (" [1].", (" ", "[1]", ".", "")),
    (" [1", (" ", None, "", "[1")),
    (" [x", None),
    (" [1] [x", None),
    (" [1][^", None),
]


@pytest.mark.parametrize(("token", "expected"), OTHERS)
def test_beside_other_grammars(token: str, expected: object) -> None:
    """What is no marker of this grammar may be one of another, so that the scanner decides."""
    assert shown(make_steps(alone=False).begin(token)) == expected


BEHIND_WORD = [
    ("[1].", ("", None, "", "[1].")),
    ("[1]. S", ("", "[1]", ". S", "")),
    ("[1].x", None),
    ("[1] = 2", None),
    ("[1][", None),
]


@pytest.mark.parametrize(("token", "expected"), BEHIND_WORD)
def test_behind_a_word(token: str, expected: object) -> None:
    """There what follows the marker decides, and a little more of it must come."""
    step = make_steps().begin(token)

    assert (None if step is None else shown(step.behind_word)) == expected


def held(steps: BracketSteps, token: str) -> Held:
    step = steps.begin(token)
    assert step is not None
    assert step.held is not None
    return step.held


def test_go_on() -> None:
    """A marker is read on from where it was left."""
    steps = make_steps()
    opener = held(steps, " [")
    number = steps.go_on(opener, "1")
    assert number is not None
    assert number.held is not None

    assert shown(steps.go_on(number.held, "].")) == ("", "[1]", ".", "")
    assert shown(steps.go_on(number.held, "]")) == ("", None, "", "[1]")
    assert shown(steps.go_on(number.held, "x")) == ("[1x", None, "", "")
    assert shown(steps.go_on(number.held, "x [")) == ("[1x ", None, "", "[")


def test_what_only_holds_is_remembered_as_its_place() -> None:
    """A token that makes what is held longer leads to that place; any other has a step."""
    steps = make_steps()
    opener = held(steps, " [")
    steps.go_on(opener, "1")
    number = opener.passed["1"]
    assert isinstance(number, Held)
    steps.go_on(number, "].")
    steps.go_on(number, " x [")

    assert number.text == "[1"
    assert isinstance(number.passed["]."], Step)
    assert isinstance(number.passed[" x ["], Step)


# What is held, what follows, and whether that alone says it is text.
FOLLOWING = [
    (" [", "the", True),
    (" 【", "the", True),
    (" [", "]", True),
    (" [", "the\n", False),
    (" [", "1", False),
    (" [", " the", False),
    (" [[", "the", False),
    (" [1", "the", False),
]


@pytest.mark.parametrize(("token", "following", "is_text"), FOLLOWING)
def test_text_behind_an_opener(token: str, following: str, is_text: bool) -> None:
    """A lone opener is no marker's where its grammar knows nothing that begins so."""
    assert held(make_steps(), token).is_text_before(following) is is_text


def test_text_behind_an_opener_beside_other_grammars() -> None:
    """There it may be another's."""
    assert not held(make_steps(alone=False), " [").is_text_before("the")


def test_whole_marker_takes_words() -> None:
    """Behind a whole marker any word shows that it was one; a parenthesis may make it a link."""
    whole = held(make_steps(), " [1]")

    assert whole.takes(" word")
    assert not whole.takes("(")
    assert not held(make_steps(), " [1").takes("1")


def test_cap() -> None:
    """What is as long as the bound is left to the scanner."""
    assert make_steps(4).begin(" [123") is None
    assert make_steps(4).begin(" [12") is not None


def test_steps_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process remembers no more than its bound, whatever the streams bring."""
    monkeypatch.setattr(module, "MAX_STEPS", 8)
    steps = make_steps()
    opener = held(steps, " [")

    sizes = []
    for number in range(8 * 3 + 1):
        steps.go_on(opener, str(number))
        sizes.append(len(opener.passed))

    assert sizes == [*range(1, 9)] * 3 + [1]


@pytest.mark.parametrize(
    ("word", "verdict"),
    [("capital", True), ("so,", False), ("a_b", None), ("https://e.com/a", None), ("f(x)", None)],
)
def test_word(word: str, verdict: bool | None) -> None:
    """A word lets what follows decide, punctuation does not, and code is the scanner's."""
    assert judge_word(word) is verdict

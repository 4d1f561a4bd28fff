"""The answer that `pattern` picks out of the reply."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite.errors import PatternError
from streamcite.scan.extraction import Extraction
from streamcite.scan.timed import Allowance
from streamcite.spans import Marker, Outside, Span, Text


def marker(text: str) -> Marker:
    """Return a marker."""
    return Marker(text, "bracket", ())


def extract(pattern: str, spans: list[Span]) -> list[Span]:
    """Return the spans that a pattern lets pass, adjacent text merged."""
    stage = Extraction(pattern, Allowance())
    passed = [each for span in spans for each in stage.feed([span])] + stage.close()
    merged: list[Span] = []
    for span in passed:
        if isinstance(span, Text) and merged and isinstance(merged[-1], Text):
            merged[-1] = Text(merged[-1].text + span.text)
        else:
            merged.append(span)
    return merged


def test_markers_inside_and_outside() -> None:
    """Text outside the answer is left out; markers there are known as such."""
    spans: list[Span] = [Text("x "), marker("[1]"), Text(" A: y "), marker("[2]"), Text("z")]

    assert extract("A: (.*)", spans) == [
        Outside(marker("[1]")),
        Text("y "),
        marker("[2]"),
        Text("z"),
    ]


def test_answer_streams() -> None:
    """What no continuation takes back is passed on at once."""
    stage = Extraction("A: (.*)", Allowance())

    assert [stage.feed([Text(piece)]) for piece in ("x A", ": ", "y", "z")] == [
        [],
        [],
        [Text("y")],
        [Text("z")],
    ]
    assert (stage.held, stage.close(), stage.problem) == ("", [], None)


def test_no_match() -> None:
    """Without a match there is no answer text."""
    stage = Extraction("A: (.*)", Allowance())
    stage.feed([Text("nothing")])

    assert stage.close() == []
    assert stage.problem == ("pattern-not-found", "finds nothing in the reply")


def test_texts_of_their_own() -> None:
    """The pattern is looked for in each text, and one match is enough."""
    stage = Extraction("^A: (.*)$", Allowance())

    passed = []
    for text in ("A: y", "z", "A: x"):
        passed += stage.feed([Text(text)]) + stage.close()
        stage.begin()
    assert (passed, stage.problem) == ([Text("y"), Text("x")], None)


def test_part_of_a_marker() -> None:
    """A marker that the answer begins or ends in is no marker of it."""
    assert extract(r"\d.*", [Text("a "), marker("[1]"), Text(" b")]) == [
        Text("1]"),
        Outside(marker("[1]")),
        Text(" b"),
    ]


@pytest.mark.parametrize("pattern", ["(", "(a)(b)", r"(a)(b)\1"])
def test_refused(pattern: str) -> None:
    """An invalid pattern, or one with two groups, is refused."""
    with pytest.raises(PatternError):
        Extraction(pattern, Allowance())


PATTERNS = ["b(.*)", "(?s)b(.*?)c", "[^\n]+$", "a|ab", r"(b)\1", "b+(?=c)", "(a*)", "(?:b(a))?c"]


@given(st.sampled_from(PATTERNS), st.lists(st.sampled_from([*"abc\n"]), max_size=12).map("".join))
def test_search(pattern: str, text: str) -> None:
    """In single characters the text that passes is what `re.search` picks."""
    match = re.search(pattern, text)
    expected = ""
    if match is not None:
        took_part = match.re.groups > 0 and match[1] is not None
        expected = match[1] if took_part else match[0]

    passed = extract(pattern, [Text(character) for character in text])
    assert "".join(span.text for span in passed if isinstance(span, Text)) == expected

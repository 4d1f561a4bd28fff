"""The answer text: what `re.search` selects, shown as soon as nothing can take it back."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from streamcite.errors import PatternError
from streamcite.scan.extract import Extractor
from streamcite.scan.program import Program, compile_pattern
from streamcite.scan.timed import Allowance
from tests.scan.regex_oracles import check_extractor, check_provisional, committed, selected, texts
from tests.scan.regex_strategies import chunked_texts, patterns

# Pattern, text, the answer.
CASES = [
    (r"(?s)Answer: (.*)", "Thought.\nAnswer: a\nb", "a\nb"),
    (r"Answer: (.*)", "Answer: a\nAnswer: b", "a"),
    (r"Answer: (.*)", "No such thing", None),
    (r"[^\n]+$", "one\ntwo\n", "two"),
    (r"(?s)<a>(.*?)</a>", "x<a>y</a>z</a>", "y"),
    (r"(?s)<a>(.*?)</a>", "x<a>y</", None),
    (r"(?:(a)|b)", "cb", "b"),
    (r"(?:(a)|b)+", "abab", "a"),
    (r"(a*)", "baa", ""),
    (r"(?<=:) ?(\w+)", "a: b c", "b"),
    (r"$", "a\n", ""),
    (r"\B", "", "" if re.search(r"\B", "") else None),
    (r"a(?=b)", "aab", "a"),
    (r"(?m)^> (.*)$", "a\n> b\n> c", "b"),
]

each_case = pytest.mark.parametrize(("pattern", "text", "expected"), CASES)


def extractor_for(pattern: str) -> Extractor:
    """An extractor for an answer pattern."""
    return Extractor(compile_pattern(pattern, allow_empty=True))


def shown(extractor: Extractor, chunks: list[str]) -> list[str]:
    """What is beyond recall at each chunk, and at the end."""
    return committed(extractor, chunks)


@each_case
def test_the_answer_is_what_search_selects(pattern: str, text: str, expected: str | None) -> None:
    """Whole, one character at a time, and at every cut into two chunks."""
    cuts = [[text], list(text), *([text[:at], "", text[at:]] for at in range(len(text)))]

    for chunks in cuts:
        extractor = extractor_for(pattern)
        assert (expected or "") == "".join(shown(extractor, chunks))
        assert (expected is None) == (extractor.span is None)


@each_case
def test_the_table_is_that_of_re(pattern: str, text: str, expected: str | None) -> None:
    """The expected answers are those of `re` itself."""
    span = selected(re.search(pattern, text))

    assert expected == (None if span is None else text[slice(*span)])


@given(st.data())
def test_a_random_pattern_selects_what_search_selects(data: st.DataObject) -> None:
    """The span, the text shown, and what is provisional at each step."""
    pattern = data.draw(patterns())
    program = accepted(pattern)
    chunks = data.draw(chunked_texts(pattern))

    check_extractor(program, chunks)
    check_provisional(program, chunks)


def accepted(pattern: str) -> Program:
    """Compile; a refused pattern is no example."""
    try:
        return compile_pattern(pattern, allow_empty=True)
    except PatternError:
        assume(False)
        raise


# Pattern, chunks, what is shown at each of them and at the end.
PROMPT = [
    (r"(?s)Answer: (.*)", ["Thus. Answ", "er: ", "a ", "b"], ["", "", "a ", "b", ""]),
    (r"Answer: (.*)", ["Answer: a", "b\nc", "d"], ["a", "b", "", ""]),
    (r"(?s)Answer: .*", ["x Answer: a", "b"], ["Answer: a", "b", ""]),
    (r"(?s)<a>(.*?)</a>", ["<a>b", "c</", "a>d"], ["", "", "bc", ""]),
    (r"[^\n]+$", ["one\n", "two"], ["", "", "two"]),
    (r"(?:(a),?)+", ["a,", "a"], ["", "", "a"]),
    (r"a(b*)c?", ["ab", "b", "c", "b"], ["b", "b", "", "", ""]),
    (r"x(a*)b|x", ["xa", "a", "b"], ["", "", "aa", ""]),
    (r"(ab)|a", ["a", "b"], ["a", "b", ""]),
]


@pytest.mark.parametrize(("pattern", "chunks", "expected"), PROMPT)
def test_text_is_shown_once_it_is_beyond_recall(
    pattern: str, chunks: list[str], expected: list[str]
) -> None:
    """Not before, and not later."""
    assert expected == shown(extractor_for(pattern), chunks)


COMMITTED = [
    r"\[(1*?)(?:1[1\]]*\[|\])",
    r"(?:\[(1))+",
    r"(1\])|1",
    r"\[?(?:(1)1*\]|11)",
    r"(?:\[(1*))",
    r"\[(1*)\]?",
    r"1+",
    r"(?:\[1|\[)(\]?)",
    r"(1*?)\]|1",
    r"1(?!\])",
    r"1*$",
]


@pytest.mark.parametrize("pattern", COMMITTED)
def test_committed_text_begins_every_answer(pattern: str) -> None:
    """Whatever follows, the answer starts where the committed text starts, and goes on as far."""
    for text in texts("[]1", 4):
        extractor = extractor_for(pattern)
        extractor.feed(text)
        for tail in texts("[]1", 3) if extractor.committed_span is not None else []:
            final = selected(re.search(pattern, text + tail))
            assert final is not None
            assert extractor.committed_span is not None
            start, end = extractor.committed_span
            assert final[0] == start <= end <= final[1], (text, tail)


def test_the_spans_grow_with_the_answer() -> None:
    """`committed_span` while it streams, `span` once it is decided."""
    extractor = extractor_for(r"Answer: (.*)")

    extractor.feed("Answer: a")
    assert (extractor.committed_span, extractor.span) == ((8, 9), None)

    extractor.feed("b\n")
    assert extractor.committed_span == extractor.span == (8, 10)


# Pattern, text, what the answer has before the end beside what is beyond recall.
UNCOMMITTED = [
    (r"(?s)<a>(.*?)</a>", "x<a>yz", "yz"),
    (r"(?s)<a>(.*?)</a>", "x<a>yz</a", "yz"),
    (r"(?s)<a>(.*?)</a>", "x<a>yz</a>", ""),
    (r"(?s)<a>(.*?)</a>", "x<", ""),
    (r"[^\n]+$", "one\ntw", "tw"),
    (r"[^\n]+$", "one\n", "one"),
    (r"a+b", "aa", "aa"),
    (r"(?:(a),?)+", "a,a", "a"),
    (r"a(b*)c?", "ab", ""),
    ("b", "aa", ""),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), UNCOMMITTED)
def test_the_best_candidate_is_provisional(pattern: str, text: str, expected: str) -> None:
    """What the answer would be now, else what may become it, but for what is beyond recall."""
    extractor = extractor_for(pattern)

    extractor.feed(text)

    assert extractor.uncommitted == expected


def test_no_answer() -> None:
    """Nothing was found, and nothing will be."""
    extractor = extractor_for("b")
    extractor.feed("aa")

    extractor.close()

    assert (extractor.uncommitted, extractor.span, extractor.committed_span) == ("", None, None)


# Pattern that cannot be streamed, text, the answer.
AT_END = [
    (r"(?s)(['\"]).*?\1", "say 'a' or 'b'", "'"),
    (r"x(?P<y>y)?(?=ab)", "xab", "x"),
    (r"(?:a*?)*b", "caab", "aab"),
    (r"(?>a+)b", "c", None),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), AT_END)
def test_what_cannot_be_streamed_is_shown_at_the_end(
    pattern: str, text: str, expected: str | None
) -> None:
    """Nothing is shown before, and then what `re.search` selects."""
    extractor = Extractor.at_end(pattern, Allowance())

    parts = shown(extractor, list(text))

    assert parts == [""] * len(text) + [expected or ""]
    assert (expected is None) == (extractor.span is None)
    assert extractor.steps == 0


def test_nothing_is_provisional_before_the_end() -> None:
    """What `re` alone can find is not looked for while text comes."""
    extractor = Extractor.at_end(r"(a)\1", Allowance())
    extractor.feed("aa")

    assert (extractor.uncommitted, extractor.committed_span) == ("", None)
    extractor.close()
    assert (extractor.uncommitted, extractor.committed_span) == ("", (0, 1))


def test_no_mode_takes_an_invalid_pattern() -> None:
    """It is refused like any other."""
    with pytest.raises(PatternError, match="unterminated"):
        Extractor.at_end("(a", Allowance())


def test_text_after_the_answer_is_ignored() -> None:
    """The first match ends the search, and closing again adds nothing."""
    extractor = extractor_for(r"\[(\d)\]")

    assert shown(extractor, ["[1]", "[2]"]) == ["1", "", ""]
    assert extractor.committed_span == extractor.span == (1, 2)


# Pattern, and a piece of the text.
LONG = [
    (r"(?s)Answer: (.*)", "Answer: a\n"),
    (r"(?s)<a>(.*?)</a>", "<a>b"),
    (r"[^\n]+$", "a line\n"),
    (r"(?s)Answer: (.*)", "no such thing "),
    (r"a.*b|a", "a"),
    (r"(?:x*)\Z", "x"),
]


@pytest.mark.parametrize(("pattern", "piece"), LONG)
def test_work_grows_with_the_text(pattern: str, piece: str) -> None:
    """Twice the text is twice the work, even one character at a time, and without a cap."""
    once, twice = steps(pattern, piece, 2_000), steps(pattern, piece, 4_000)

    assert once <= 2_000 * 12
    assert twice <= once * 2 + 100


def steps(pattern: str, piece: str, length: int) -> int:
    """How much work a text takes, one character at a time."""
    extractor = extractor_for(pattern)
    for character in (piece * length)[:length]:
        extractor.feed(character)
    extractor.close()
    return extractor.steps

"""Recognition from the start of a text, one character at a time."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from streamcite.errors import PatternError
from streamcite.scan.automaton import DEAD, MAX_CELLS, Automaton
from streamcite.scan.program import ACM_PATTERN, compile_pattern
from tests.scan.regex_oracles import check_automaton, texts
from tests.scan.regex_strategies import chunked_texts, patterns

PATTERNS = [
    r"\[(1+)\]",
    ACM_PATTERN,
    r"\[\[1\]\]|\[1\]",
    r"[1\]]{2,3}?",
    r"(?:\[|\[1)(?:\]|1\]\]?)",
    r"\[1[^\s\S]|1",
]


def state_after(automaton: Automaton, text: str) -> int:
    """Feed a text from the start."""
    state = automaton.start
    for character in text:
        state = automaton.step(state, character)
    return state


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_short_text_is_judged_as_by_fullmatch(pattern: str) -> None:
    """`accepts` is `re.fullmatch`; `live` and `DEAD` say whether a continuation matches."""
    automaton, compiled = Automaton(compile_pattern(pattern)), re.compile(pattern)
    tails = texts("[]1", 4)

    for text in texts("[]1", 3):
        state = state_after(automaton, text)
        matching = [tail for tail in tails if compiled.fullmatch(text + tail)]
        assert automaton.accepts(state) == ("" in matching), text
        assert automaton.live(state) == any(matching), text
        assert (state == DEAD) == (not matching), text


@given(st.data())
def test_a_random_pattern_accepts_what_fullmatch_accepts(data: st.DataObject) -> None:
    """The same, for any pattern without assertions."""
    pattern = data.draw(patterns(assertions=False))
    try:
        program = compile_pattern(pattern, allow_empty=True)
    except PatternError:
        assume(False)

    assume(not program.has_assertions)

    check_automaton(program, "".join(data.draw(chunked_texts(pattern))))


def test_a_dead_state_stays_dead() -> None:
    """Nothing follows from `DEAD`."""
    automaton = Automaton(compile_pattern("ab"))

    state = automaton.step(DEAD, "a")

    assert (state, automaton.accepts(state), automaton.live(state)) == (DEAD, False, False)


def test_a_state_survives_the_loss_of_the_cache() -> None:
    """More characters than the cache has room for change nothing."""
    automaton = Automaton(compile_pattern(r"\[\D+\]"))
    inside = state_after(automaton, "[a")

    after = state_after(automaton, "[" + "".join(map(chr, range(0x4E00, 0x4E00 + MAX_CELLS + 9))))

    assert inside == after
    assert automaton.accepts(automaton.step(inside, "]"))

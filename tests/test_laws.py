"""The seven laws over generated answers, cuts and options."""

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamcite import (
    Chunk,
    Citer,
    Document,
    FinalAnswer,
    GeneratedAnswer,
    PartialAnswer,
    StreamciteError,
    cite_text,
)
from tests import laws
from tests.strategies import (
    FRAGMENTS,
    OPTIONS,
    PATTERN_OPTIONS,
    answers,
    cuts,
    generate,
    options,
    short_answers,
    token_streams,
)
from tests.transcripts import documents, feedings, play, random_cut, run

ALL_OPTIONS = (*OPTIONS, *PATTERN_OPTIONS)
# Near a small cap a marker may still fit although no ending of it does.
ROOMY = [chosen for chosen in OPTIONS if "max_marker_length" not in chosen]
TAGGED = [chosen for chosen in ROOMY if "extract_xml_tags" in chosen]
# An answer pattern may have to hold the whole reply.
STREAMED = [chosen for chosen in ALL_OPTIONS if "pattern" not in chosen]

# The laws are worth more examples than other properties; all cuts of one text are thousands.
MANY = settings(max_examples=6 * settings().max_examples)
FEW = settings(max_examples=max(20, settings().max_examples // 6))


@MANY
@given(answers(), options(ALL_OPTIONS), cuts())
def test_any_cut(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Law 1: where a reply is cut changes nothing but where its deltas are cut."""
    laws.check_any_cut(text, chosen, source)


@MANY
@given(answers(), options(ALL_OPTIONS), cuts())
def test_live_stream(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Laws 1 and 2: the live stream says what the engine says, however the text comes."""
    for items in feedings(text, source):
        asyncio.run(laws.check_live(items, chosen))


@MANY
@given(token_streams(), options(ALL_OPTIONS))
def test_live_tokens(items: list[str], chosen: dict[str, Any]) -> None:
    """Laws 1 and 2: tokens as models cut them take short cuts, to the same end."""
    asyncio.run(laws.check_live(items, chosen))


@FEW
@given(short_answers(), options(ALL_OPTIONS))
def test_every_cut(text: str, chosen: dict[str, Any]) -> None:
    """Law 1: of a text of up to twelve characters every cut there is gives the same."""
    laws.check_every_cut(text, chosen)


@MANY
@given(answers(), options(ALL_OPTIONS), cuts())
def test_batch(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Law 2: the stream's answer is that of the whole reply."""
    laws.check_batch(random_cut(text, source), chosen)


@MANY
@given(answers(), options([*filter(laws.is_lossless, ALL_OPTIONS)]), cuts())
def test_lossless(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Law 3: shown, held and lifted text together are the reply, after every item."""
    laws.check_lossless(random_cut(text, source), chosen)


@MANY
@given(answers(), options(ALL_OPTIONS), cuts())
def test_failing_source(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Law 3: a source that fails loses nothing; its answer is marked incomplete."""
    laws.check_error_close(random_cut(text, source), chosen)


@MANY
@given(answers(), options(ALL_OPTIONS), cuts())
def test_no_take_back(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Law 4: all deltas and citations that were emitted stand in the final answer."""
    laws.check_no_take_back(random_cut(text, source), chosen)


@MANY
@given(answers(8), options(ALL_OPTIONS), cuts())
def test_partial_answers(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Law 4: each answer so far is a beginning of the final one."""
    laws.check_partial_answers(random_cut(text, source), chosen)


@MANY
@given(answers(), options(STREAMED))
def test_bounded_hold(text: str, chosen: dict[str, Any]) -> None:
    """Law 5: what is held is never longer than the longest marker."""
    laws.check_bounded_hold(text, chosen)


@MANY
@given(answers(5), options(ROOMY))
def test_least_held(text: str, chosen: dict[str, Any]) -> None:
    """Law 5: what is held may still become two different things."""
    laws.check_least_held(text[:30], chosen)


@MANY
@given(answers(5), options(TAGGED))
def test_least_held_tags(text: str, chosen: dict[str, Any]) -> None:
    """Law 5: the same for tags."""
    laws.check_least_held_tags(text[:30], chosen)


@MANY
@given(answers(4), options(OPTIONS), st.integers(1, 60))
def test_linear(text: str, chosen: dict[str, Any], times: int) -> None:
    """Law 6: a repeated text costs a bounded number of steps per character."""
    laws.check_linear(text * times, chosen)


@MANY
@given(st.text(st.characters(), max_size=60), options(ALL_OPTIONS), cuts())
def test_any_text(text: str, chosen: dict[str, Any], source: random.Random) -> None:
    """Law 7: no text makes the engine raise, whatever characters it is made of."""
    transcript = run(random_cut(text, source), documents=laws.DOCUMENTS, **chosen)

    assert transcript.answer.meta["all_messages"] == [text]


BROKEN = {
    "lone surrogates": "\ud800[1]\udfff" * 50,
    "NUL": "\x00[1\x00]",
    "digits": "[" + "1" * 100_000 + "]",
    "zeros": "[" + "0" * 100_000 + "1]",
    "openers": "[" * 10_000,
    "closers": "]" * 10_000,
    "backticks": "".join("`" * length + " [1] " for length in range(1, 120)),
    "tags": "<think>" * 3_000 + "</think>" * 3_000,
    "quotes": "<think a='" * 2_000,
    "dollars": "$" * 9_999 + "[1]",
    "escapes": "\\" * 9_999 + "[1]",
    "superscripts": "[²] [①] [１²]",
    "blanks": "x" + " " * 20_000 + "[1]",
    "combining marks": "[1" + "\u0301" * 5_000 + "]",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("chosen", [OPTIONS[0], OPTIONS[4], OPTIONS[9], OPTIONS[27]], ids=str)
def test_broken_text(name: str, chosen: dict[str, Any]) -> None:
    """Law 7: no text is so broken that the engine raises, and none is lost."""
    answer = cite_text(BROKEN[name], documents=laws.DOCUMENTS, **chosen)

    assert answer.meta["all_messages"] == [BROKEN[name]]


def test_misuse_says_what_to_do() -> None:
    """Law 7: feeding a closed reply is misuse, and raises an error of the library's own."""
    citer = Citer()
    citer.close()

    with pytest.raises(StreamciteError, match="make a new Citer"):
        citer.feed("x")
    with pytest.raises(StreamciteError, match="closed"):
        citer.close()


@MANY
@given(answers(8), cuts())
def test_late_documents(text: str, source: random.Random) -> None:
    """Law 4: documents that come late add updates, and change no text that was shown."""
    late, early = documents(3), documents(0)
    citer = Citer(documents=early)
    events = []
    for place, item in enumerate(random_cut(text, source)):
        events += citer.add_documents(late[: place + 1])
        events += citer.feed(Chunk() if item is None else item)
    events += [*citer.add_documents(late), *citer.close()]

    partials = [event for event in events if isinstance(event, PartialAnswer)]
    known = {
        citation.id: citation
        for event in partials
        for citation in (*event.citations, *event.updates)
    }
    answer = citer.build_final([]).answer
    assert "".join(event.delta for event in partials) == answer.data == text
    assert {citation.id: citation for citation in answer.citations} == known


@MANY
@given(answers(8), cuts())
def test_late_or_early(text: str, source: random.Random) -> None:
    """Documents that come late are cited as if they had been there from the start."""
    citer = Citer()
    for item in random_cut(text, source):
        citer.feed(Chunk() if item is None else item)
    citer.add_documents(documents(3))
    late = citer.close()[-1]

    early = cite_text(text, documents=documents(3))
    assert isinstance(late, FinalAnswer)
    assert _cited(late.answer) == _cited(early)


def _cited(answer: GeneratedAnswer) -> tuple[object, ...]:
    """Return what an answer cites, but for what goes by when a citation came.

    That is its name, and its claim: a marker that was unknown was part of the next one's.
    """
    citations = [
        replace(citation, id="", claim_start=None, claim_end=None) for citation in answer.citations
    ]
    return answer.data, answer.documents, citations


def test_partial_answers_of_merged_markers() -> None:
    """Law 4, where a blank is shown before the removed marker behind it is known to be whole."""
    chosen: dict[str, Any] = {"display": "remove", "unknown": "drop", "merge_adjacent": True}

    laws.check_partial_answers(["a\n\t[１][", ""], chosen)


@pytest.mark.parametrize("kind", FRAGMENTS, ids="markers pieces words code contexts tags".split())
def test_generated_answers_reach_everything(kind: list[str]) -> None:
    """Most fragments of each kind stand in some of five hundred generated answers."""
    source = random.Random(1)  # noqa: S311  # texts, no secrets
    texts = "\f".join(generate(source) for _ in range(500))

    assert sum(fragment in texts for fragment in kind) > 0.9 * len(kind)


def test_events_are_causal() -> None:
    """Law 4: what is emitted depends on nothing that comes later."""
    text = "a [1] b `c [2]` d [3](u) <think>e [1]</think> f $x[1]$ g [2"
    chosen: dict[str, Any] = {"extract_xml_tags": ("think",), "documents": [Document(content="D")]}
    whole = [event for events in play(Citer(**chosen), text) for event in events]

    for end in range(len(text)):
        citer = Citer(**chosen)
        begun = [event for character in text[:end] for event in citer.feed(character)]
        assert begun == whole[: len(begun)]

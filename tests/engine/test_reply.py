"""A reply the whole way through its stages."""

import pytest

from streamcite import (
    AnswerEvent,
    Chunk,
    Citer,
    PartialAnswer,
    SectionEnded,
    SectionStarted,
    cite_text,
)
from streamcite.errors import InputError, StateError
from streamcite.options import OptionKeywords
from tests.transcripts import Item, Run, documents, run


def partials(events: list[AnswerEvent]) -> list[PartialAnswer]:
    """Return the partial answers among events."""
    return [event for event in events if isinstance(event, PartialAnswer)]


def test_one_partial_per_section_run() -> None:
    """Around a tag, an item makes one partial for each stretch of text."""
    citer = Citer(extract_xml_tags="think")

    events = citer.feed("a<think b='c'>d</think>e")
    assert events == [
        PartialAnswer(0, None, 0, "a"),
        SectionStarted(0, "think", {"b": "c"}),
        PartialAnswer(0, "think", 0, "d"),
        SectionEnded(0, "think"),
        PartialAnswer(0, None, 1, "e"),
    ]


def test_unclosed_section_is_incomplete() -> None:
    """A section that the reply leaves open is ended, and said to be incomplete."""
    steps = run(["<think>a"], extract_xml_tags="think").steps

    assert steps[-1] == SectionEnded(0, "think", complete=False)


def test_start_in_a_section() -> None:
    """A section that is open from the start is announced before its text."""
    steps = run(["a</think>b"], extract_xml_tags="think", start_in="think").steps

    assert steps[0] == SectionStarted(0, "think", {})
    assert [getattr(step, "text", None) for step in steps] == [None, "a", None, "b"]


def test_answer_tag() -> None:
    """The answer text is the content of the answer tag, all its occurrences joined."""
    text = "x<answer>a [1]</answer>y<answer>b [2]</answer>z"
    answer = run(
        [text], documents=documents(3), extract_xml_tags="answer", answer_tag="answer"
    ).answer

    assert answer.data == "a [1]b [2]"
    assert [(each.start, each.section) for each in answer.citations] == [
        (2, "answer"),
        (7, "answer"),
    ]
    assert [document.id for document in answer.documents] == ["d1", "d2"]


def test_missing_answer_tag() -> None:
    """Without the answer tag the text outside all tags is the answer, and a warning says so."""
    answer = run(["just [1]"], documents=documents(1), extract_xml_tags="a", answer_tag="a").answer

    assert answer.data == "just [1]"
    assert [warning.code for warning in answer.warnings] == ["missing-answer-tag"]


def test_reasoning_channel() -> None:
    """Reasoning is a section of its own; tags in it are text, citations in it do not count."""
    items: list[Item] = [
        Chunk("hm <t> [1]", channel="reasoning"),
        Chunk(" x", channel="reasoning"),
        "so [2]",
    ]
    transcript = run(items, documents=documents(3), extract_xml_tags="t")

    assert transcript.answer.data == "so [2]"
    assert transcript.answer.sections == {"reasoning": ["hm <t> [1] x"]}
    assert [each.section for each in transcript.citations] == ["reasoning", None]
    assert [document.id for document in transcript.answer.documents] == ["d2"]


def test_late_documents_while_reasoning() -> None:
    """Documents that came late are told of with the next chunk, of whatever channel that is."""
    citer = Citer()
    citer.feed("so [1]")
    citer.feed(" ")
    citer.sources.add(["D"])

    events = citer.feed(Chunk("hm", channel="reasoning"))

    assert [getattr(event, "updates", ()) != () for event in events] == [True, False, False]


def test_reasoning_inside_a_marker() -> None:
    """Reasoning between the pieces of a marker does not break it, nor what is held."""
    items: list[Item] = ["see [", Chunk("hm", channel="reasoning"), "1] x"]
    answer = run(items, documents=documents(1)).answer

    assert answer.data == "see [1] x"
    assert len(answer.citations) == 1


def test_finish_reason_and_usage() -> None:
    """What the generator says beside its text comes into the final event and the meta."""
    usage = {"total_tokens": 3}
    items = [Chunk("a", meta={"model": "m"}), Chunk(finish_reason="stop"), Chunk(usage=usage)]
    (final,) = run(items, meta={"mine": 1}).finals

    assert final.finish_reason == "stop"
    assert {key: final.answer.meta[key] for key in ("model", "usage", "mine")} == {
        "model": "m",
        "usage": usage,
        "mine": 1,
    }


def test_users_objects_are_not_changed() -> None:
    """The documents and the meta that a user gave stay as they were."""
    given, meta = documents(2), {"k": "v"}
    before = [document.model_copy(deep=True) for document in given]

    answer = run(["x [1]"], documents=given, meta=meta).answer
    assert (given, meta) == (before, {"k": "v"})
    assert answer.documents[0].meta["source_index"] == 1


def test_late_documents_update() -> None:
    """A number that was unknown is reported once its document came, with its place."""
    citer = Citer(documents=documents(1))
    citer.feed("x [2] y")

    (event,) = citer.add_documents(documents(2)[1:])
    assert isinstance(event, PartialAnswer)
    (update,) = event.updates
    assert (event.delta, update.marker, update.start) == ("", "[2]", 2)


def test_prompt_and_query() -> None:
    """The question and the prompt are part of the answer."""
    answer = run(["a"], query="Why?", prompt="P").answer

    assert (answer.query, answer.meta["prompt"]) == ("Why?", "P")


def test_adjacent_markers_at_the_end_share_their_claim() -> None:
    """What is resolved at the end stands for the same words as what is resolved live."""
    text = "One [1][2] and more."

    answer = cite_text(text, documents=["a", "b"], reference_pattern=r"\[(\d+)\]", when="at_end")
    assert [(each.claim_start, each.claim_end) for each in answer.citations] == [(0, 3)] * 2


def test_merged_markers_keep_their_warnings() -> None:
    """A marker that joins the one before it still says what no document has."""
    answer = cite_text("[1, 99][1, 98]", documents=["a"], merge_adjacent=True)

    unknown = [warning.message.rpartition(" ")[2] for warning in answer.warnings]
    assert unknown == ["99", "98"]


def test_a_citation_is_announced_before_it_is_updated() -> None:
    """Merging holds no marker that a late document may still change."""
    citer = Citer(documents=["a", "b"], merge_adjacent=True)

    first, late = citer.feed("x [1-3] "), citer.add_documents(["c"])
    shown = [each.id for event in partials(first) for each in event.citations]
    updated = [each.id for event in partials(late) for each in event.updates]
    assert shown == updated == ["c1"]


MESSAGES: list[tuple[OptionKeywords, str]] = [
    ({}, "ab [1] `c` [1, [2"),
    ({"display": "remove"}, "ab [1] c  "),
    ({"merge_adjacent": True}, "ab [1][2] c [1]["),
    ({"markers": ("bracket", "key")}, "ab [1] [cite:d1"),
    ({"extract_xml_tags": "think"}, "ab<think> [1] c</think> d [1] <th"),
    ({"reference_pattern": r"\[(\d+)\]"}, "ab [1] c [2"),
    ({"pattern": "(?s)b.*"}, "ab [1] c"),
]


@pytest.mark.parametrize(("options", "text"), MESSAGES)
@pytest.mark.parametrize("size", [1, 3])
def test_messages_so_far(options: OptionKeywords, text: str, size: int) -> None:
    """The answer so far has all of the reply in its messages, what is held included."""
    citer = Citer(documents=documents(2), **options)
    for start in range(0, len(text), size):
        events = citer.feed(text[start : start + size])
        for event in partials(events):
            assert event.answer.meta["all_messages"] == [text[: start + size]]


def test_messages_while_the_model_reasons() -> None:
    """What the model thinks is no part of its message, whatever is held of either."""
    citer = Citer(documents=documents(2))
    citer.feed("a [1")
    *_, event = citer.feed(Chunk("b [1] [", channel="reasoning"))

    assert isinstance(event, PartialAnswer)
    assert event.answer.meta["all_messages"] == ["a [1"]


# A pattern, replies with sections of the answer tag, and what each section shows.
PICKED_SECTIONS = [
    ("(?s)b.*$", "<a>ab</a>", ["b"]),
    ("(?s)b.*$", "a<a>ab [1].</a>c<a>d</a>e<a>fbg", ["b [1].", "", "bg"]),
    ("(?s)b.*$", "<a>b [1", ["b [1"]),
    ("b(.*)", "<a>ab</a><a>b [1]</a>", ["", " [1]"]),
    ("b(.*)", "<a>a</a> b [1]", [""]),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), PICKED_SECTIONS)
@pytest.mark.parametrize("size", [1, 100])
def test_a_pattern_in_the_answer_tag(
    pattern: str, text: str, expected: list[str], size: int
) -> None:
    """It reads each such section for itself, and all it picks comes before the section ends."""
    items = [text[start : start + size] for start in range(0, len(text), size)]
    transcript = run(
        items, documents=documents(1), pattern=pattern, extract_xml_tags="a", answer_tag="a"
    )

    shown: list[str] = []
    for step in transcript.steps:
        if isinstance(step, SectionStarted):
            shown.append("")
        elif isinstance(step, Run) and step.section == "a":
            shown[-1] += step.text
    assert shown == transcript.answer.sections["a"] == expected


def test_an_answer_that_is_picked_out_is_held() -> None:
    """With a pattern the text waits for its end, and what it would be is known meanwhile."""
    citer = Citer(documents=["a"], pattern=r"Answer: (.*) Done")

    assert citer.feed("Hm. Answer: so it [1") == []
    assert (citer.held, citer.provisional) == ("Hm. Answer: so it [1", "so it ")
    assert [each.delta for each in partials(citer.feed("] is"))] == []
    assert [each.delta for each in partials(citer.feed(" Done"))] == ["so it [1] is"]


def test_chunks_are_of_one_reply() -> None:
    """The chunk of another reply is refused, and what came before it is kept."""
    citer = Citer(documents=documents(1))
    citer.feed(Chunk("a [1", reply=1))
    with pytest.raises(InputError, match="this chunk is of reply 0"):
        citer.feed(Chunk("b", reply=0))
    with pytest.raises(InputError, match="this chunk is of reply 0"):
        citer.feed(Chunk(finish_reason="length"))
    citer.feed(Chunk("].", reply=1))
    citer.feed(Chunk(reply=0, usage={"total_tokens": 3}))
    citer.close()

    assert citer.final.data == "a [1]."


def test_final_is_for_closed_replies() -> None:
    """Until the reply is closed there is no final answer."""
    with pytest.raises(StateError, match="close the citer first"):
        _ = Citer().final

"""AnswerBuilder: the same as Haystack's, save for the differences listed here."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest
from haystack import Document, Pipeline
from haystack.components.builders import AnswerBuilder as HaystackAnswerBuilder
from haystack.dataclasses import ChatMessage, ChatRole, GeneratedAnswer, TextContent

import streamcite
from streamcite.errors import OptionsError, PatternError, StreamciteError
from streamcite.events import FinalAnswer
from streamcite.haystack import (
    AnswerBuilder,
    CitedAnswer,
    DeepsetAnswerBuilder,
)
from tests.haystack.answer_cases import PLAIN, ROWS, Case, random_case

RANDOM_CASES = 400


def documents(count: int) -> list[Document]:
    """Make documents that differ in all that Haystack's have."""
    return [
        Document(content=f"Text {n}", meta={"name": f"d{n}"}, score=n / 10, embedding=[float(n)])
        for n in range(1, count + 1)
    ]


def outcome(builder: Any, case: Case) -> Any:
    """Return what a run gives, in a form to compare, or where and how it fails."""
    stage = "init"
    given = None if case.documents is None else documents(case.documents)
    try:
        made = builder(**case.init)
        stage = "run"
        answers = made.run(query="q", replies=case.replies, documents=given, **case.run)["answers"]
    except Exception as error:
        return (stage, kind(error))
    return [
        (a.data, a.query, [d.to_dict(flatten=False) for d in a.documents], a.meta) for a in answers
    ]


def kind(error: Exception) -> str:
    bases = (PatternError, ValueError, TypeError, AttributeError)
    return next((base.__name__ for base in bases if isinstance(error, base)), type(error).__name__)


def cites(*numbers: int) -> Callable[[Any], bool]:
    """Return a test for an answer with these documents."""
    return lambda found: (
        isinstance(found, list)
        and [each["meta"]["source_index"] for each in found[0][2]] == list(numbers)
    )


def refused(stage: str) -> Callable[[Any], bool]:
    """Return a test for a pattern refused at this stage."""
    return lambda found: bool(found == (stage, "PatternError"))


DIFFERENCES: dict[str, tuple[Callable[[Any], bool], str]] = {
    # case: (what ours does, why)
    "pattern: two groups": (refused("init"), "the same error, as a PatternError"),
    "pattern: two named groups": (refused("init"), "the same error, as a PatternError"),
    "pattern: two groups at run": (refused("run"), "the same error, as a PatternError"),
    "reference: brackets in the match": (cites(), "there a ValueError at run"),
    "reference: two groups": (refused("init"), "there a TypeError at the first match"),
    "reference: two groups, no match": (refused("init"), "there an error at the first match"),
    "reference: a group that took no part": (cites(), "there a ValueError at run"),
    "reference: empty match": (refused("init"), "there a ValueError at run"),
    "reference: invalid": (refused("init"), "there at run"),
    "reference: invalid, no documents": (refused("init"), "there never found out"),
    "reference: too many digits": (cites(2), "there a ValueError at run"),
    "reference: a word": (cites(), "there a pattern that no number comes of"),
    "reference: acm": (cites(1, 2, 3, 4, 5), "there a pattern that matches nothing here"),
    "reference: a word in it": (cites(1), "there a ValueError at run"),
    "reference: superscript": (cites(), "there a ValueError at run"),
    "reference: signs": (cites(3), "there +2 and 1_0 are numbers too"),
    "range: a list that is not expanded": (cites(), "there a ValueError at run"),
    "range: [1-2147483648]": (cites(5), "more than nine digits are no number"),
    "range: [1-2147483648], own pattern": (cites(5), "more than nine digits are no number"),
}
"""Every row in which we differ on purpose; see docs/haystack.md."""


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_a_row_is_haystacks(case: Case) -> None:
    """Each row gives what Haystack's AnswerBuilder gives, or what the table says."""
    reference = outcome(HaystackAnswerBuilder, case)
    found = outcome(AnswerBuilder, case)

    if reference == ("run", "ValueError") and case.name.startswith("range: "):
        assert isinstance(found, list)  # nothing that a model writes may raise
    elif case.name in DIFFERENCES:
        assert found != reference
        assert DIFFERENCES[case.name][0](found), found
    else:
        assert found == reference


def test_the_table_names_rows() -> None:
    """No listed difference is that of a row that is gone."""
    assert DIFFERENCES.keys() - {case.name for case in ROWS} == set()


@pytest.mark.parametrize("seed", range(RANDOM_CASES))
def test_a_random_case_is_haystacks(seed: int) -> None:
    """What Haystack answers, ours does, whatever the replies, documents, flags and patterns."""
    case = random_case(seed)

    reference = outcome(HaystackAnswerBuilder, case)
    found = outcome(AnswerBuilder, case)

    if reference == ("run", "ValueError"):
        assert isinstance(found, list)  # nothing that a model writes may raise
    else:
        assert found == reference


STREAMED = [
    case
    for case in map(random_case, range(RANDOM_CASES))
    if case.documents and case.init["reference_pattern"] and not case.run
]


@pytest.mark.parametrize("cut", [1, 2, 3, 7])
@pytest.mark.parametrize("case", STREAMED, ids=lambda case: case.name)
def test_the_stream_says_what_the_builder_says(case: Case, cut: int) -> None:
    """A reply in pieces, with the same options, ends in the builder's text and documents."""
    reply = case.replies[-1]
    citer = streamcite.Citer(documents=documents(case.documents or 0), **case.init)
    for start in range(0, len(reply), cut):
        citer.feed(reply[start : start + cut])

    final = citer.close()[-1]

    data, _, cited, _ = outcome(AnswerBuilder, case)[-1]
    assert isinstance(final, FinalAnswer)
    assert final.answer.data == data
    assert indices(final.answer) == [each["meta"]["source_index"] for each in cited]


def indices(answer: Any) -> list[int]:
    """List the numbers of an answer's documents."""
    return [document.meta["source_index"] for document in answer.documents]


def build(reply: Any, /, *, count: int = 10, **init: Any) -> CitedAnswer:
    """Return the answer of one reply."""
    answers = AnswerBuilder(**init).run(query="q", replies=[reply], documents=documents(count))
    answer = answers["answers"][0]
    assert isinstance(answer, CitedAnswer)
    return answer


def test_an_answer_is_haystacks_answer() -> None:
    """What comes out is a GeneratedAnswer wherever Haystack asks for one."""
    assert isinstance(build("x"), GeneratedAnswer)


def test_citations_come_in_text_order_with_their_places() -> None:
    """Haystack's set of numbers loses both; here each citation stands where it is."""
    answer = build("b [3] a [1]", reference_pattern=PLAIN)

    places = [(each.marker, each.start, each.source_indices) for each in answer.citations]
    assert places == [("[3]", 2, (3,)), ("[1]", 8, (1,))]


@pytest.mark.parametrize("only", [True, False])
def test_an_unknown_number_is_a_warning_in_every_mode(only: bool) -> None:
    """Haystack logs it in one mode only."""
    answer = build("[99] [1]", reference_pattern=PLAIN, return_only_referenced_documents=only)

    assert [each.code for each in answer.warnings] == ["unknown-source"]


LOGGED: list[tuple[str, dict[str, Any], str]] = [
    ("[99] [99]", {"reference_pattern": PLAIN}, "Document index '99' referenced in Generator out"),
    ("[98-99] x", {"markers": "bracket"}, "Document index '98-99' referenced in Generator out"),
    ("<ref id='my doc'/> x", {"markers": "key"}, "Document key 'my doc' referenced in Generator"),
]


@pytest.mark.parametrize(("reply", "options", "message"), LOGGED)
def test_what_is_unknown_is_logged_once(
    reply: str, options: dict[str, Any], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says what Haystack's says of numbers, and the whole of a key."""
    with caplog.at_level(logging.WARNING):
        build(reply, **options)

    assert caplog.text.count(message) == caplog.text.count("Document ") == 1


def test_an_exponential_pattern_is_linear() -> None:
    """The regex behind `acm` takes a day in `re` for 40 unclosed digits."""
    answer = build("[" + "1" * 5000 + "x [2]", reference_pattern=r"\[(?:(\d+),?\s*)+\]")

    assert indices(answer) == [2]


def test_all_text_parts_of_a_message_are_read() -> None:
    """Haystack reads the first one; the stream showed them all."""
    parts = [TextContent("one [1]"), TextContent(" two [2]")]
    message = ChatMessage(ChatRole.ASSISTANT, parts)

    answer = build(message, reference_pattern=PLAIN)

    assert (answer.data, indices(answer)) == ("one [1] two [2]", [1, 2])


def test_markers_switch_on_the_grammar() -> None:
    """With `markers`, ranges are read, code is no citation, and meta has `_references`."""
    answer = build("a [1–3] `b[4]`", markers="bracket")

    assert indices(answer) == [1, 2, 3]
    assert [each["document_position"] for each in answer.meta["_references"]] == [1, 2, 3]


def test_a_reference_pattern_takes_the_place_of_markers() -> None:
    """The one of the run is used as it is, and meta is Haystack's."""
    builder = AnswerBuilder(markers="bracket")

    answer = builder.run("q", ["a (2)"], None, documents(3), None, r"\((\d)\)")["answers"][0]

    assert (indices(answer), answer.meta) == ([2], {"all_messages": ["a (2)"]})


BOTH: tuple[Callable[[], object], ...] = (
    lambda: AnswerBuilder(markers="bracket", reference_pattern="acm"),
    lambda: DeepsetAnswerBuilder(reference_pattern="acm", options={"markers": ["caret"]}),
)


@pytest.mark.parametrize("make", BOTH)
def test_a_component_has_markers_or_a_pattern(make: Callable[[], object]) -> None:
    """Given both, one would be ignored; they are refused as `CiteOptions` refuses them."""
    with pytest.raises(OptionsError, match="takes the place of markers"):
        make()


@pytest.mark.parametrize("nothing", [None, [], ""])
def test_no_markers_contradict_nothing(nothing: list[str] | str | None) -> None:
    """A pattern may stand beside markers that are none, as `to_dict` writes them."""
    assert indices(build("a [2]", reference_pattern="acm", markers=nothing)) == [2]


def test_any_option_can_be_given_by_name() -> None:
    """`options` takes what has no parameter of its own."""
    answer = build("a [1].", reference_pattern=PLAIN, options={"display": "remove"})

    assert answer.data == "a."


def test_an_option_is_given_once() -> None:
    """What has a parameter is refused in `options`."""
    with pytest.raises(OptionsError, match="pattern is a parameter"):
        AnswerBuilder(options={"pattern": "x"})


def test_a_pattern_for_whole_replies_is_used_on_them() -> None:
    """A builder has the whole reply, so that it takes patterns that cannot be streamed."""
    with pytest.raises(PatternError):
        streamcite.Citer(reference_pattern=r"(?<=ref )\d+")

    assert indices(build("ref 1, see 2", reference_pattern=r"(?<=ref )\d+")) == [1]


def test_run_async_gives_the_same() -> None:
    """Both ways of running share one engine."""
    builder = AnswerBuilder(reference_pattern=PLAIN)
    arguments: Any = {"query": "q", "replies": ["a [2]"], "documents": documents(3)}

    assert asyncio.run(builder.run_async(**arguments)) == builder.run(**arguments)


def test_the_documents_given_stay_as_they_are() -> None:
    """Answers hold copies, with all that the original holds."""
    given = documents(2)

    answer = AnswerBuilder().run(query="q", replies=["x"], documents=given)["answers"][0]

    assert given == documents(2)
    assert answer.documents[0].embedding == [1.0]


def test_metas_that_do_not_fit_are_our_error() -> None:
    """The error is a ValueError as in Haystack, and one of streamcite's."""
    with pytest.raises(StreamciteError, match=r"replies \(1\), and metadata \(2\) must match"):
        AnswerBuilder().run(query="q", replies=["x"], meta=[{}, {}])


def test_two_groups_are_refused_in_haystacks_words() -> None:
    """Haystack's own tests search the error for them."""
    with pytest.raises(PatternError, match="contains multiple capture groups"):
        AnswerBuilder(pattern=r"Answer: (.*), (.*)")


def spell(citation: streamcite.Citation) -> str:
    """A display function that can be written down in YAML."""
    return str(citation.source_indices)


@pytest.mark.parametrize("builder", [AnswerBuilder, DeepsetAnswerBuilder])
def test_yaml_comes_back(builder: Any) -> None:
    """Options survive it, a display function among them."""
    pipeline = Pipeline()
    options = {"display": spell, "max_marker_length": 99}
    pipeline.add_component("answers", builder(reference_pattern="acm", options=options))
    text = pipeline.dumps()

    loaded = Pipeline.loads(text, allowed_modules=["streamcite", "tests"])

    data = {"query": "q", "replies": ["a [1]"], "documents": documents(1)}
    assert loaded.dumps() == text
    assert loaded.run({"answers": data})["answers"]["answers"][0].data == "a (1,)"


def test_a_meta_may_have_keys_of_any_type() -> None:
    """Haystack lets it; the copy has the same ones."""
    meta: Any = {1: "a"}
    given = [Document(content="x", meta=meta)]

    answer = AnswerBuilder().run(query="q", replies=["x"], documents=given)["answers"][0]

    assert answer.documents[0].meta == {1: "a", "source_index": 1}


@pytest.mark.parametrize(
    "init",
    [
        {"pattern": "("},
        {"reference_pattern": "("},
        {"reference_pattern": "(a)(b)", "options": {"when": "at_end"}},
    ],
)
def test_a_pattern_that_means_nothing_is_refused_when_it_is_made(init: dict[str, Any]) -> None:
    """Not in the middle of a run, and by one kind of error."""
    with pytest.raises(PatternError):
        AnswerBuilder(**init)

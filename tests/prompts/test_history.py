"""Past answers in a prompt: without citations, or with those of today's numbers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite import cite_text
from streamcite.answers import Citation, Document, GeneratedAnswer
from streamcite.errors import TemplateError
from streamcite.haystack.conversions import to_haystack_answer
from streamcite.prompts import restore_citations, strip_citations
from streamcite.sources import Sources
from tests.strategies import answers

DOCUMENTS = [
    Document("Rome", id="r", meta={"url": "https://e.com/r", "file_name": "r.pdf"}),
    Document("Paris", id="p", meta={"file_name": "p.pdf"}),
    Document("Bonn", id="b", meta={"url": "https://e.com/b"}),
]
TEXT = "Bonn [3] is old [1][3]. Paris lies on a river. [2, 3]"


def shown(citation: Citation) -> str:
    """Display a citation as a web page might."""
    return f"<sup>{citation.id}</sup>"


def hidden(citation: Citation) -> str:
    """Display a citation as nothing."""
    return ""


DISPLAYS: tuple[dict[str, Any], ...] = (
    *({"display": mode} for mode in ("keep", "remove", "link", "renumber", shown, hidden)),
    {"display": "remove", "merge_adjacent": True},
    {"display": "renumber", "merge_adjacent": True},
    {"display": "remove", "unknown": "mark"},
    {"display": "link", "unknown": "drop"},
)
each_display = pytest.mark.parametrize("display", DISPLAYS[:6], ids=lambda given: str(given))


def cite(text: str, sources: Sources | None = None, **options: Any) -> GeneratedAnswer:
    return cite_text(text, sources=sources or Sources(DOCUMENTS), **options)


def cited(answer: GeneratedAnswer) -> list[str | None]:
    """Name the documents that an answer cites, in the order of its text."""
    references = [each for citation in answer.citations for each in citation.references]
    return [each.document_id for each in references if each.resolved]


@each_display
def test_citations_are_stripped(display: dict[str, Any]) -> None:
    """However it was shown, the text is the one that no marker was in."""
    expected = "Bonn is old. Paris lies on a river."

    assert strip_citations(cite(TEXT, **display)) == expected


@each_display
def test_citations_are_restored(display: dict[str, Any]) -> None:
    """However it was shown, the markers are those that the model wrote."""
    assert restore_citations(cite(TEXT, **display)) == TEXT


SPACED = st.lists(
    st.sampled_from(
        (
            *("[1]", "[2]", "[9]", "[1][2]", "a", "B c", ".", ")", "`x`", "<answer>", "</answer>"),
            *(" ", "  ", " " * 40, "\t", "\n", "\u3000"),
        )
    ),
    max_size=12,
).map("".join)
READINGS: tuple[dict[str, Any], ...] = (
    {},
    {"merge_adjacent": True},
    {"unknown": "mark"},
    {"unknown": "drop"},
    {"extract_xml_tags": "answer", "answer_tag": "answer"},
    {"pattern": "(?s)a(.*)"},
    {"reference_pattern": r"\s*\[(\d+)\]"},
)


@given(
    answers() | SPACED,
    st.sampled_from(READINGS),
    st.sampled_from(("keep", "link", "renumber", "remove", shown)),
)
def test_stripping_is_what_remove_shows(text: str, reading: dict[str, Any], display: Any) -> None:
    """A text that is stripped later is the text from which markers were removed at once."""
    removed = cite(text, display="remove", **reading)

    assert strip_citations(cite(text, display=display, **reading)) == removed.data


@pytest.mark.parametrize("text", [
    "a" + " " * 40 + "[1].", "[1]" + " " * 40 + "b", "a [1]\n" + " " * 40, "a \t[1] [2]\t.",
    "<answer>a [1]</answer><answer>b</answer>", "<answer>[1]</answer><answer> b [2]</answer>",
])  # fmt: skip
def test_as_many_blanks_go_with_a_marker_as_remove_takes(text: str) -> None:
    """More than a few are a layout, and the contents of tags are parted."""
    tags: Any = {"extract_xml_tags": "answer", "answer_tag": "answer"} if "<" in text else {}

    removed = cite(text, display="remove", **tags)
    assert strip_citations(cite(text, **tags)) == removed.data


@pytest.mark.parametrize("text", [
    "a  <t></t>[1]", "a <t>x</t> [1] b", "a [1] <t>x</t> [2]. b", "a [1]<t>x</t> b", "[1]<t></t> b",
])  # fmt: skip
def test_nothing_but_blanks_differs_beside_a_tag(text: str) -> None:
    """Where a tag was lifted out, the text does not tell which blanks were beside it."""
    removed = cite(text, display="remove", extract_xml_tags="t")
    stripped = strip_citations(cite(text, extract_xml_tags="t"))

    assert "".join(stripped.split()) == "".join(removed.data.split())


@given(answers(), st.sampled_from(DISPLAYS))
def test_nothing_raises(text: str, display: dict[str, Any]) -> None:
    """Broken markdown, lone surrogates and half markers are text."""
    answer = cite(text, **display)

    assert isinstance(strip_citations(answer), str)
    assert isinstance(restore_citations(answer, Sources(DOCUMENTS[1:])), str)


# Prose as models write it. The strategies of other tests break every rule of markdown, and there
# a claim's end may lie in code.
MARKERS = (
    "[1]",
    "[2]",
    "[1, 3]",
    "[1-3]",
    "[1][2]",
    "[1] [3]",
    "[[2]]",
    "【1】",
    "[3], [1]",
    "[9]",
)
WORDS = (
    *("Rome is nice", "the *bold* claim", "**Rome**", "`f(x)`", "$x^2$", "Foo()", "(a b)", '"c"'),
    *(
        "a [link](https://e.com/x)",
        "see https://e.com/a",
        "3.5 million",
        "日本は島国",
        "e.g. x",
        "#1",
    ),
)
FORMS = ("{w} {m}{e}", "{w}{e} {m}", "{w}{m}{e}", "{m} {w}{e}", "({w} {m}){e}", "{w}{e}")
BLOCKS = (
    *("{s} {t}", "- {s}\n- {t}", "# {s}", "```py\nx[1]\n```\n{s}", "> {s}", "1. {s}\n   {t}"),
    *("| a | {s} |\n|---|---|\n| b | {t} |", "```\nx\n```\n\n[2]", "{s}\n{t}"),
)


@st.composite
def prose(draw: st.DrawFn) -> str:
    """Generate paragraphs, lists, tables and code with citations in all usual places."""

    def sentence() -> str:
        words = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)))
        marker, end = draw(st.sampled_from(MARKERS)), draw(st.sampled_from((".", "!", ":", "")))
        return draw(st.sampled_from(FORMS)).format(w=words, m=marker, e=end)

    blocks = draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=4))
    return "\n\n".join(block.format(s=sentence(), t=sentence()) for block in blocks)


@given(prose(), st.sampled_from(DISPLAYS))
def test_restored_citations_are_read_again(text: str, display: dict[str, Any]) -> None:
    """Read on the same sources, a restored answer cites the same documents in the same order."""
    answer = cite(text, **display)

    restored = restore_citations(answer, Sources(DOCUMENTS))

    assert cited(cite(restored)) == cited(answer)


GLUED = st.lists(
    st.sampled_from(
        (
            *("【1】", "［2］", "[3]", "【1】【2】", "[9]", " ", "\n", "rows", "f()", "x.y"),
            *("[", "(", "{", "<", "‹", "“", "「", "【", "›", ":", ".", "www.a", "https://e.com/a"),
        )
    ),
    max_size=8,
).map("".join)


@given(GLUED, st.sampled_from(DISPLAYS))
def test_no_citation_is_lost_behind_an_opening_sign(text: str, display: dict[str, Any]) -> None:
    """Where `[` would be an index, part of an address or a definition, a blank parts it."""
    answer = cite(text, **display)
    now = iter(cited(cite(restore_citations(answer, Sources(DOCUMENTS)))))

    # A blank may part others from what they were glued to.
    assert all(each in now for each in cited(answer))


LOST = {
    "rows[【1】 x": "rows[ [1] x",
    "rows【9】[【1】": "rows[ [1]",
    "f()[【1】": "f()[ [1]",
    "([【1】": "([[1]",
    "www.a‹【1】›": "www.a‹ [1]›",
    "日本（【1】）": "日本（[1]）",
    "a\n【1】: b": "a\n[1] : b",
    "a 【1】: b": "a [1]: b",
    "[9][1]: b": "[1] : b",
    "[99] [1]: b": "[1] : b",
}


@pytest.mark.parametrize(("text", "expected"), LOST.items())
def test_a_marker_is_parted_where_it_would_be_lost(text: str, expected: str) -> None:
    """Square brackets are guarded where others are not, and elsewhere nothing comes between."""
    answer = cite(text, unknown="drop")

    assert restore_citations(answer) == expected
    assert cited(cite(expected)) == cited(answer)


BEHIND_LEFT_OUT = {
    "[1][2]: b": "[1] : b",
    "[1] [2]: b": "[1] : b",
    "【1】【2】(b)": "[1] (b)",
    "【1】【2】b": "[1] b",
    "【1】【2】": "[1]",
    "a 【1】【2】: b": "a [1]: b",
}


@pytest.mark.parametrize(("text", "expected"), BEHIND_LEFT_OUT.items())
def test_a_marker_is_parted_from_what_comes_to_stand_behind_it(text: str, expected: str) -> None:
    """Where the next citation is left out, what counts is the text behind that."""
    rome = DOCUMENTS[:1]
    restored = restore_citations(cite(text), Sources(rome))

    assert restored == expected
    assert cited(cite(restored, Sources(rome))) == ["r"]


def test_markers_that_followed_one_another_do_so_again() -> None:
    """Nothing parts them, whatever their numbers are today."""
    assert restore_citations(cite("a [1][2] b"), Sources(DOCUMENTS[1::-1])) == "a [2][1] b"


@given(prose())
def test_a_stripped_answer_cites_nothing(text: str) -> None:
    """No marker is left, and none arises where one was."""
    assert cited(cite(strip_citations(cite(text)))) == []


@given(prose(), st.permutations(DOCUMENTS))
def test_numbers_of_then_mean_the_same_documents_now(text: str, order: list[Document]) -> None:
    """A register that numbers the documents otherwise gets markers with its own numbers."""
    answer, sources = cite(text), Sources(["another", *order])

    restored = restore_citations(answer, sources)

    assert cited(cite(restored, sources)) == cited(answer)


def test_numbers_go_on_from_turn_to_turn() -> None:
    """A register that is carried over numbers new documents on, and keeps what it knows."""
    sources = Sources(DOCUMENTS[:2])
    first = cite("Rome [1].", sources, display="renumber")

    numbers = sources.add([DOCUMENTS[2], DOCUMENTS[0]])

    assert (numbers, restore_citations(first, sources)) == ([3, 1], "Rome [1].")
    assert cited(cite("Bonn [3], Rome [1].", sources)) == ["b", "r"]


def test_an_answer_brings_its_documents() -> None:
    """Where no register was kept, the documents of past answers make one."""
    past = GeneratedAnswer.from_dict(cite("Bonn [3].").to_dict())
    sources = Sources(past.documents)

    assert restore_citations(past, sources) == "Bonn [1]."


def test_a_document_that_is_gone_is_not_cited() -> None:
    """What the register does not know, the model must not be shown as a source."""
    assert restore_citations(cite(TEXT), Sources(DOCUMENTS[2:])) == (
        "Bonn [1] is old [1]. Paris lies on a river. [1]"
    )


def test_a_document_that_stands_twice_keeps_its_place() -> None:
    """Of two places with the same document, the one that was cited is cited."""
    sources = Sources([*DOCUMENTS[:2], DOCUMENTS[0]])

    assert restore_citations(cite("Rome [3].", sources), sources) == "Rome [3]."


def test_unknown_numbers_are_left_out() -> None:
    """A number that meant nothing then may mean a document now."""
    answer = cite("Rome [9]. Paris [2, 9].", unknown="mark")

    assert restore_citations(answer) == "Rome. Paris [2]."


GRAMMARS = {
    "caret": "Rome [^1, ^2].",
    "label": "Rome [Sources 1, 2].",
    "key": "Rome [cite:r][cite:p].",
    "filename": "Rome [r.pdf][p.pdf].",
}


@pytest.mark.parametrize(("grammar", "expected"), GRAMMARS.items())
def test_citations_are_written_in_a_grammar(grammar: str, expected: str) -> None:
    """Markers take the form that the prompt asks for, whatever it was."""
    sources = Sources(DOCUMENTS)
    answer = cite("Rome [1, 2].", sources)

    assert restore_citations(answer, sources, grammar=grammar) == expected


def test_keys_need_the_sources() -> None:
    """What a document is called is not in the answer."""
    with pytest.raises(TemplateError, match="'key' cites by what a document is called: give so"):
        restore_citations(cite(TEXT), grammar="key")


def test_a_model_may_count_from_0() -> None:
    """`index_base` is that of the options."""
    answer = cite("Rome [0]. Bonn [2].", index_base=0, display="renumber")

    assert answer.data == "Rome [1]. Bonn [2]."
    assert restore_citations(answer, index_base=0) == "Rome [0]. Bonn [2]."


def test_a_long_range_becomes_several_markers() -> None:
    """A list of more numbers than a marker may hold is read again all the same."""
    sources = Sources(map(str, range(500)))
    answer = cite("All [1-500].", sources, display="remove")

    restored = restore_citations(answer, sources)

    assert cited(cite(restored, sources)) == cited(answer)


SECTIONS: dict[str, Any] = {"extract_xml_tags": ["thinking", "answer"], "answer_tag": "answer"}


@pytest.mark.parametrize("display", ["keep", "remove"])
def test_the_answer_text_may_be_a_section(display: str) -> None:
    """Citations of other sections have no place in the text."""
    reply = "<thinking>Is it [1]?</thinking><answer>It is [2].</answer>"
    answer = cite(reply, display=display, **SECTIONS)

    assert (strip_citations(answer), restore_citations(answer)) == ("It is.", "It is [2].")


SAME = (
    ("<thinking>It is.</thinking>It is [1].", {"extract_xml_tags": ["thinking"]}),
    ("It is [2].<answer>It is [1].</answer>", SECTIONS),
    ("<thinking>It is [3].</thinking><answer>It is [1].</answer>", SECTIONS),
    ("<thinking>It is [3].</thinking>It is [1].", SECTIONS),
)


@pytest.mark.parametrize("display", ["keep", "remove"])
@pytest.mark.parametrize(("reply", "options"), SAME)
def test_sections_may_say_the_same(reply: str, options: Any, display: str) -> None:
    """The answer's section is known by its name."""
    answer = cite(reply, display=display, **options)

    assert (strip_citations(answer), restore_citations(answer)) == ("It is.", "It is [1].")


def test_an_answer_may_be_added_to() -> None:
    """Its citations stay where they are, in a section too."""
    answer = cite("<answer>It is [2].</answer>", **SECTIONS)
    answer.data += " (By a machine.)"

    assert restore_citations(answer, ["x", DOCUMENTS[0]]) == "It is. (By a machine.)"
    assert restore_citations(answer, DOCUMENTS[1:]) == "It is [1]. (By a machine.)"


@pytest.mark.parametrize("display", ["keep", "remove", hidden])
def test_only_citations_of_the_picked_text_are_restored(display: Any) -> None:
    """Those before and behind what the pattern picks stay out, whether markers are shown or not."""
    text = "It may be [1].\nAnswer: Bonn [3].\nOr [2]"
    answer = cite(text, display=display, pattern=r"Answer: (.*)")

    assert restore_citations(answer) == "Bonn [3]."


def test_text_that_a_pattern_leaves_out_stays_out() -> None:
    """A citation that stood elsewhere is not put into the answer."""
    answer = cite("It may be [1].\nAnswer: Bonn [3].", pattern=r"Answer: (.*)")

    assert restore_citations(answer) == "Bonn [3]."


def test_answers_of_haystack_are_read() -> None:
    """The answer of `streamcite.haystack` is as good."""
    answer: Any = to_haystack_answer(cite(TEXT, display="link"))

    assert restore_citations(answer) == TEXT


def test_documents_are_as_good_as_a_register() -> None:
    """They are numbered by position, as everywhere."""
    answer = cite("Bonn [1].")
    (cited,) = answer.documents

    assert restore_citations(answer, ["another", cited]) == "Bonn [2]."


def test_what_has_no_citations_is_refused() -> None:
    """The error says which answers have them."""
    answer: Any = Document("x")

    with pytest.raises(TemplateError, match="Document holds no citations: give an answer of cite"):
        strip_citations(answer)


def test_a_marker_behind_code_has_a_line_of_its_own() -> None:
    """On the line of a fence it would be code."""
    answer = cite("```\nx\n```\n[1]", display="remove")

    assert restore_citations(answer) == "```\nx\n```\n[1]\n"


def test_a_glued_marker_becomes_no_index() -> None:
    """A blank parts a marker from a word that would make it code, and from what makes a link."""
    answer = cite("items【1】(new)", display="keep")

    assert restore_citations(answer) == "items [1] (new)"

"""What the model is told is what the grammar reads."""

from typing import Any, cast

import pytest

import streamcite
from streamcite.answers import Document
from streamcite.errors import TemplateError
from streamcite.prompts import citation_example, citation_instructions, load, shield
from streamcite.prompts.chat import ChatPromptBuilder
from streamcite.prompts.forms import FORMS, write_marker
from streamcite.prompts.instructions import LANGUAGES, document_marker, document_reference
from streamcite.sources import NumberedDocument, Sources

each_grammar = pytest.mark.parametrize("grammar", FORMS)
each_language = pytest.mark.parametrize("language", LANGUAGES)

FILES = ("report.pdf", "notes.txt", "table.csv")


def documents(grammar: str) -> list[Document]:
    """Return three documents that the grammar's examples cite."""
    references = citation_example(grammar).references
    return [
        Document(f"text {n}", id=f"{grammar}-{n}", meta={"citation_key": key, "file_name": name})
        for n, (key, name) in enumerate(zip(references, FILES, strict=True))
    ]


def cited(text: str, grammar: Any) -> list[tuple[int, ...]]:
    """Return the numbers that each citation of a text resolves to."""
    answer = streamcite.cite_text(text, documents=documents(grammar), markers=grammar)
    return [citation.source_indices for citation in answer.citations]


def expected(grammar: str) -> list[tuple[int, ...]]:
    """Return what one marker and several cite: together, or as markers side by side."""
    adjacent = citation_example(grammar).several.count(citation_example(grammar).one) > 0
    return [(1,), (1,), (3,)] if adjacent else [(1,), (1, 3)]


@each_language
@each_grammar
def test_the_instructions_own_examples_are_read(grammar: str, language: str) -> None:
    """Every marker shown in the instructions, and nothing else in them, is a citation."""
    text = citation_instructions(grammar, language)

    assert cited(text, grammar) == expected(grammar) * 2


@each_grammar
def test_a_prompts_example_is_read(grammar: str) -> None:
    """The answer of the few-shot prompt cites the documents of its example."""
    builder = ChatPromptBuilder(load("few_shot"))
    (system, _) = builder.run(query="?", documents=[], grammar=grammar)["prompt"]

    answer = str(system.text).split("<example>")[1].rsplit("\n\n", 1)[1].split("\n")[0]

    assert sorted(cited(answer, grammar)) == sorted(expected(grammar))


@each_grammar
def test_what_a_document_is_shown_with_cites_it(grammar: Any) -> None:
    """The marker of a document, in a reply, resolves to that document."""
    sources = Sources(documents(grammar))
    reply = " ".join(f"word {document_marker(each, grammar)}." for each in sources.numbered())

    assert cited(reply, grammar) == [(1,), (2,), (3,)]


@each_language
def test_the_languages_differ(language: str) -> None:
    """No language's file is a copy of another's."""
    others = [citation_instructions("bracket", other) for other in LANGUAGES if other != language]

    assert citation_instructions("bracket", language) not in others


@each_grammar
def test_the_instructions_hold_the_example(grammar: str) -> None:
    """One marker and several are shown twice each: as the form, and in a sentence."""
    example = citation_example(grammar)

    text = citation_instructions(grammar, "en")

    assert text.count(example.several) == 2
    assert text.replace(example.several, "").count(example.one) == 2


@pytest.mark.parametrize("language", ["de-AT", "DE", "de_CH"])
def test_a_region_is_left_aside(language: str) -> None:
    """A language with a region is that language."""
    assert citation_instructions("bracket", language) == citation_instructions("bracket", "de")


@pytest.mark.parametrize(("grammar", "language", "message"), [
    ("bracket", "tlh", "no instructions in the language 'tlh'; there are de, en"),
    ("brackets", "en", "no grammar is called 'brackets'"),
])  # fmt: skip
def test_what_is_unknown_is_named(grammar: str, language: str, message: str) -> None:
    """A wrong grammar or language lists the right ones."""
    with pytest.raises(TemplateError, match=message):
        citation_instructions(grammar, language)


@pytest.mark.parametrize("grammar", [["caret", "bracket"], ("caret",), None])
@pytest.mark.parametrize("name", ["rag", "few_shot", "agent"])
def test_a_prompt_takes_one_grammar(name: str, grammar: object) -> None:
    """What `markers=` takes beside a name is refused, and the error says what to give."""
    values: dict[str, Any] = {"query": "?", "documents": [], "messages": [], "grammar": grammar}

    with pytest.raises(TemplateError, match=r"line \d+: grammar is a \w+: .*give one name"):
        ChatPromptBuilder(load(name)).run(**values)


def test_a_language_is_a_name() -> None:
    """Anything else is told as an unknown one."""
    with pytest.raises(TemplateError, match=r"no instructions in the language \['de'\]"):
        citation_instructions("bracket", cast(str, ["de"]))


REFERENCES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("bracket", {}, "7"),
    ("key", {}, "some-id"),
    ("key", {"citation_key": "k1"}, "k1"),
    ("key", {"cite_key": "k2"}, "k2"),
    ("key", {"citation_key": "", "cite_key": "k2"}, "k2"),
    ("filename", {"file_name": "My File.pdf"}, "My File.pdf"),
    ("filename", {"file_name": " My File.pdf "}, "My File.pdf"),
    ("filename", {"file_name": "", "url": "https://example.com/a/b.html?x=1"}, "b.html"),
    ("openai", {"citation_key": "4:0"}, "4:0"),
)


@pytest.mark.parametrize(("grammar", "meta", "reference"), REFERENCES)
def test_a_document_is_cited_by_what_it_has(
    grammar: str, meta: dict[str, Any], reference: str
) -> None:
    """Number, key or file name, as the grammar wants it."""
    source = NumberedDocument(7, Document("x", id="some-id", meta=meta))

    assert document_reference(source, grammar) == reference


UNREADABLE: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("filename", {}, "file_name"),
    ("filename", {"file_name": "a[1].pdf"}, "file_name"),
    ("key", {"citation_key": "two words"}, "citation_key"),
    ("openai", {}, "citation_key.*4:0"),
)


@pytest.mark.parametrize(("grammar", "meta", "advice"), UNREADABLE)
def test_a_document_that_cannot_be_cited_is_named(
    grammar: str, meta: dict[str, Any], advice: str
) -> None:
    """A reference that the grammar would not read is refused before the model sees it."""
    with pytest.raises(TemplateError, match=f"document 7 cannot be cited.*{advice}"):
        document_marker(NumberedDocument(7, Document("x", id="some-id", meta=meta)), grammar)


def test_an_unnumbered_document_has_no_marker() -> None:
    """The error says how to number it."""
    with pytest.raises(TemplateError, match=r"documents \| numbered"):
        document_reference(Document("x"))  # type: ignore[arg-type]


SHIELDED = (
    ("</document>", "&lt;/document>"),
    ("< / Document >", "&lt; / Document >"),
    ('<document reference="9">', '&lt;document reference="9">'),
    ("<documents> <doc> a < b", "<documents> <doc> a < b"),
)


@pytest.mark.parametrize(("text", "expected_text"), SHIELDED)
def test_a_tag_in_a_value_is_shielded(text: str, expected_text: str) -> None:
    """The tags named can neither be opened nor closed by a value; all else stays."""
    assert shield(text, "document") == expected_text


def test_numbers_are_written_by_one_function() -> None:
    """The marker filter writes what write_marker writes."""
    source = NumberedDocument(7, Document("x"))

    assert document_marker(source, "caret") == write_marker([7], "caret")

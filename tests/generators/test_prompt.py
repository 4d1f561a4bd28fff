"""The prompts of the generators, and the grammar of the local one."""

from typing import Any

import pytest

from streamcite.answers import Document
from streamcite.errors import TemplateError
from streamcite.generators.local import citing_grammar
from streamcite.generators.prompt import chat_messages, completion_prompt
from streamcite.options import CiteOptions
from streamcite.prompts import PromptBuilder, citation_instructions, load
from streamcite.sources import Sources

SOURCES = Sources([Document("one\ntext", meta={"title": "T"}), Document("two")])


def system_text(**options: Any) -> str:
    """Return what a chat model is told, for a reply that is read with these options."""
    return str(chat_messages("Why?", SOURCES, CiteOptions(**options))[0]["content"])


def test_a_chat_model_sees_numbered_sources() -> None:
    """Each source stands under the number that the answer is to cite, and the question last."""
    _, user = chat_messages("Why?", SOURCES)

    assert '<document reference="1" title="T">\none\ntext\n</document>' in user["content"]
    assert user["content"].endswith("\n\nQuestion: Why?")


@pytest.mark.parametrize("grammar", ["bracket", "caret", "label", "key"])
def test_a_chat_model_is_told_how_it_will_be_read(grammar: str) -> None:
    """Instructions are those of the grammar that looks for the markers."""
    assert citation_instructions(grammar) in system_text(markers=grammar)


def test_with_a_pattern_it_is_told_the_usual_one() -> None:
    """A pattern of the user's own cannot be put into words."""
    assert citation_instructions("bracket") in system_text(reference_pattern="acm")


@pytest.mark.parametrize("tags", [(), ("thinking", "answer")])
def test_without_a_grammar_it_is_told_of_no_citations(tags: tuple[str, ...]) -> None:
    """Where nothing is read as a citation, none is asked for."""
    text = system_text(markers=(), extract_xml_tags=tags)

    assert text
    assert "cit" not in text.lower()


def test_a_chat_model_is_told_of_sections() -> None:
    """Whoever extracts the two sections of the ready prompt gets that prompt."""
    text = system_text(extract_xml_tags=("thinking", "answer"), answer_tag="answer")

    assert "First <thinking>" in text


def test_sources_without_a_file_cannot_be_cited_as_one() -> None:
    """The error says what a document needs."""
    with pytest.raises(TemplateError, match="give it meta"):
        system_text(markers="filename")


def test_a_base_model_gets_the_text_to_go_on_from() -> None:
    """It is the ready one."""
    expected = PromptBuilder(load("completion")).run(query="Why?", documents=SOURCES)["prompt"]

    assert completion_prompt("Why?", SOURCES) == expected


def test_without_a_grammar_a_base_model_sees_no_citations() -> None:
    """Neither the examples nor the sources have markers, nor is a number asked for."""
    prompt = completion_prompt("Why?", SOURCES, None)

    assert prompt.startswith("Each answer uses only the sources above it.\n\nSource Tidal power: ")
    assert "in the Bay of Fundy, where the water rises by up to 16 metres.\n" in prompt
    assert prompt.endswith("\nSource two\nSource T: one text\nQuestion: Why?\nAnswer:")
    assert "[" not in prompt


def test_half_a_character_is_not_sent() -> None:
    """A document may hold what has no UTF-8; a question mark stands for it."""
    sources = Sources(["one\ud83d"])

    assert "one?" in chat_messages("Why?", sources)[-1]["content"]
    assert "one?" in completion_prompt("Why?", sources)


def test_the_grammar_names_the_markers() -> None:
    """Only documents that there are can be cited, and none where none is to be."""
    assert '(" [^1]" | " [^2]") "."' in citing_grammar(["[^1]", "[^2]"])
    assert r'(" [\"a\".md]") "."' in citing_grammar(['["a".md]'])
    assert '{20,180} "."' in citing_grammar([])

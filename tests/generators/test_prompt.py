"""The prompts of the generators, and the grammar of the local one."""

from streamcite.answers import Document
from streamcite.generators.local import citing_grammar
from streamcite.generators.prompt import chat_messages, completion_prompt
from streamcite.sources import Sources

SOURCES = Sources([Document("one\ntext", meta={"title": "T"}), Document("two " * 500)])


def test_a_chat_model_sees_numbered_sources() -> None:
    """Each source stands on one line, with the number that the answer is to cite."""
    [_, user] = chat_messages("Why?", SOURCES)

    lines = user["content"].splitlines()

    assert lines[0] == "Source [1] T: one text"
    assert lines[1].startswith("Source [2] two two")
    assert lines[-1] == "Question: Why?"


def test_a_base_model_sees_examples_first() -> None:
    """The best source stands last, long ones are cut, and the answer is left open."""
    lines = completion_prompt("Why\nso?", SOURCES).splitlines()

    assert lines[-3:] == ["Source [1] T: one text", "Question: Why so?", "Answer:"]
    assert len(lines[-4]) < 450


def test_the_grammar_names_the_numbers() -> None:
    """Only documents that there are can be cited."""
    assert 'number ::= "1" | "2" | "3"' in citing_grammar(3)

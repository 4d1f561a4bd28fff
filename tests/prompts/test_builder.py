"""PromptBuilder: what is beyond Haystack's, and what its users touch beside run()."""

import copy
import logging
import pickle
from typing import Any

import pytest

from streamcite.errors import TemplateError
from streamcite.prompts import ChatPromptBuilder, PromptBuilder
from streamcite.prompts.builder import names_documents
from streamcite.sources import Sources

NUMBERED = (
    "{% for source in sources.numbered() %}[{{ source.number }}] {{ source.content }} {% endfor %}"
)


def render(template: str, **values: Any) -> str:
    return PromptBuilder(template).run(**values)["prompt"]


def test_sources_number_the_documents() -> None:
    """A template shows each document under its number in Sources."""
    assert render(NUMBERED, sources=Sources(["Berlin.", "Paris."])) == "[1] Berlin. [2] Paris. "


def test_numbers_go_on_when_documents_come_later() -> None:
    """A document added later has the next number in the next prompt."""
    sources = Sources(["Berlin."])
    sources.add(["Paris."])

    assert render(NUMBERED, sources=sources) == "[1] Berlin. [2] Paris. "


def test_meta_is_read_with_a_dot() -> None:
    """A document's meta entries are attributes in a template."""
    documents = [{"content": "x", "meta": {"title": "Seine"}}]

    assert (
        render("{% for s in d | numbered %}{{ s.meta.title }}{% endfor %}", d=documents) == "Seine"
    )


@pytest.mark.parametrize("name", ["documents", "sources", "existing_documents"])
def test_documents_may_be_absent(name: str) -> None:
    """Where nothing has been retrieved yet, a documents variable renders as nothing."""
    assert render("{% for d in " + name + " %}{{ d }}{% endfor %}.") == "."


def test_documents_are_required_where_they_are_listed() -> None:
    """A list of required variables is taken at its word."""
    builder = PromptBuilder("{{ documents }}", required_variables=["documents"])

    with pytest.raises(TemplateError, match=r"Missing required input variables .*: documents"):
        builder.run()


def test_other_names_hold_no_documents() -> None:
    """Only documents, sources and names that end in _documents may be absent."""
    names = ("document", "docs", "query", "documents_text", "my_documents")

    assert [name for name in names if names_documents(name)] == ["my_documents"]


def test_variables_are_sorted() -> None:
    """The inferred variables come in one order, without those that the template sets."""
    assert PromptBuilder("{{ b }}{{ a }}{% set c = 1 %}{{ c }}").variables == ["a", "b"]


def test_none_required_is_said_aloud(caplog: pytest.LogCaptureFixture) -> None:
    """required_variables=None makes all optional, and logs that it does."""
    with caplog.at_level(logging.WARNING):
        PromptBuilder("{{ a }}", required_variables=None)

    assert "all 1 variables are optional" in caplog.text


def test_an_empty_list_is_silent(caplog: pytest.LogCaptureFixture) -> None:
    """required_variables=[] makes all optional and logs nothing."""
    PromptBuilder("{{ a }}", required_variables=[])

    assert caplog.text == ""


def test_a_run_time_template_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same template given to run() again is not compiled again."""
    builder = PromptBuilder("")
    first = builder._compiled("{{ a }}")

    assert builder._compiled("{{ a }}") is first


def test_an_own_filter_serves() -> None:
    """A filter put into the environment works in templates given to run()."""
    builder = PromptBuilder("")
    builder.environment.filters["twice"] = lambda text: text * 2

    assert builder.run("{{ 'ab' | twice }}") == {"prompt": "abab"}


DICTS: list[dict[str, Any]] = [
    {"template": "{{ a }}"},
    {"template": "{{ a }}", "required_variables": ["a"], "variables": ["a", "b"]},
    {"template": "{{ a }}", "required_variables": [], "variables": None},
]


@pytest.mark.parametrize("parameters", DICTS)
def test_a_builder_survives_its_dictionary(parameters: dict[str, Any]) -> None:
    """from_dict(to_dict()) makes a builder with the same parameters."""
    written = PromptBuilder(**parameters).to_dict()

    assert PromptBuilder.from_dict(written).to_dict() == written
    assert parameters.items() <= written["init_parameters"].items()


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # our own bytes


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_a_copy_does_the_same(copied: Any) -> None:
    """Servers copy what they run for each request, or send it to another process."""
    builder = PromptBuilder("{{ x | upper }}")
    builder.run(x="a")

    assert copied(builder).run(x="b") == builder.run(x="b") == {"prompt": "B"}


def test_a_dictionary_of_haystack_is_read() -> None:
    """What Haystack's PromptBuilder wrote, even without required_variables, makes a builder."""
    kind = "haystack.components.builders.prompt_builder.PromptBuilder"

    made = PromptBuilder.from_dict({"type": kind, "init_parameters": {"template": "{{ a }}"}})

    assert made.run(a=1) == {"prompt": "1"}


@pytest.mark.parametrize(
    "data", [{}, {"type": "x.Other", "init_parameters": {}}, {"type": "PromptBuilder"}]
)
def test_a_foreign_dictionary_is_refused(data: dict[str, Any]) -> None:
    """The dictionary of something else is no builder."""
    with pytest.raises(TemplateError, match="expected the dictionary of a PromptBuilder"):
        PromptBuilder.from_dict(data)


@pytest.mark.parametrize("given", ["docs", "document", "Documents"])
def test_a_misspelled_name_of_documents(given: str, caplog: pytest.LogCaptureFixture) -> None:
    """Documents may be missing, but not by mistake: the model would be shown none."""
    text = PromptBuilder("{{ documents }} {{ query }}")
    chat = ChatPromptBuilder("{% message role='user' %}{{ documents }}a{% endmessage %}")
    values = {"query": "q", given: ["a"]}
    text.run(template_variables=values)
    chat.run(template_variables=values)

    assert caplog.text.count("did you mean 'documents'?") == 2


def test_a_name_that_the_template_does_not_have(caplog: pytest.LogCaptureFixture) -> None:
    """Values for other templates may be given too, and those of another template are its own."""
    builder = PromptBuilder("{{ documents }}")

    assert builder.run(answer="x", documents="a") == {"prompt": "a"}
    assert builder.run(template="{{ docs }}", docs="b") == {"prompt": "b"}
    assert not caplog.text

"""What Haystack and its users do with components: connect, copy, pickle, write and load them."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import haystack.components.builders as theirs
import pytest
from haystack import Document, Pipeline
from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator, OpenAIChatGenerator
from haystack.components.joiners import AnswerJoiner
from haystack.dataclasses import ChatMessage, GeneratedAnswer
from haystack.utils import Secret
from haystack.utils.base_serialization import (
    _deserialize_value_with_schema,
    _serialize_value_with_schema,
)

import streamcite.haystack as ours
from streamcite import Citation
from streamcite.haystack import AnswerBuilder, CitingChatGenerator, DeepsetAnswerBuilder

DOCS = [Document(id=f"d{n}", content=f"Text {n}", meta={"k": f"k{n}"}) for n in range(1, 4)]
REPLY = ChatMessage.from_assistant("<t>x</t>a [2]", meta={"usage": {"total_tokens": 3}})


def star(citation: Citation) -> str:
    """A display function that can be written down."""
    return "*"


def generator(**options: Any) -> CitingChatGenerator:
    return CitingChatGenerator(MockChatGenerator(responses=REPLY), options=options)


def sockets(component: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the types and defaults of what can be connected."""
    given = component.__haystack_input__._sockets_dict
    made = component.__haystack_output__._sockets_dict
    return (
        {name: (socket.type, socket.default_value) for name, socket in given.items()},
        {name: socket.type for name, socket in made.items()},
    )


PAIRS = (
    (theirs.AnswerBuilder(), AnswerBuilder()),
    (theirs.PromptBuilder("{{ a }}"), ours.PromptBuilder("{{ a }}")),
    (theirs.ChatPromptBuilder(), ours.ChatPromptBuilder()),
    (OpenAIChatGenerator(api_key=Secret.from_token("none")), generator()),
)


@pytest.mark.parametrize(("their", "our"), PAIRS, ids=lambda each: type(each).__name__)
def test_all_that_connects_to_haystacks_connects(their: Any, our: Any) -> None:
    """Inputs and outputs are Haystack's, in name, type and default; there may be more."""
    for theirs_, ours_ in zip(sockets(their), sockets(our), strict=True):
        assert theirs_ == {name: ours_[name] for name in theirs_}


def answers(component: Any) -> Any:
    """Run a component that makes answers, or one that makes prompts."""
    if isinstance(component, CitingChatGenerator):
        return component.run("q", documents=DOCS)["answers"]
    if isinstance(component, AnswerBuilder | DeepsetAnswerBuilder):
        return component.run("q", [REPLY], documents=DOCS)["answers"]
    return component.run(a="x")


BLOCK = "{% message role='user' %}{{ a }}{% endmessage %}"
MAKERS: dict[str, Callable[[], Any]] = {
    "AnswerBuilder": lambda: AnswerBuilder(reference_pattern="acm"),
    "AnswerBuilder, a function": lambda: AnswerBuilder(
        markers="bracket", options={"display": star}
    ),
    "DeepsetAnswerBuilder": lambda: DeepsetAnswerBuilder(reference_pattern="acm"),
    "CitingChatGenerator": lambda: generator(display="renumber"),
    "PromptBuilder": lambda: ours.PromptBuilder("{{ a }}"),
    "ChatPromptBuilder, text": lambda: ours.ChatPromptBuilder(BLOCK),
    "ChatPromptBuilder": lambda: ours.ChatPromptBuilder([ChatMessage.from_user("{{ a }}")]),
}


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # our own bytes


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": pickled,
}


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", MAKERS)
def test_a_copy_does_the_same(name: str, copied: str) -> None:
    """Before its first run and after it."""
    component = MAKERS[name]()

    before = answers(COPIES[copied](component))
    expected = answers(component)

    assert before == expected == answers(COPIES[copied](component))


def test_a_copied_callback_is_the_same_callback() -> None:
    """Haystack copies the inputs of a run, and the copy would hear nothing."""
    live = ours.CitingCallback(print)

    assert copy.deepcopy({"live": live})["live"] is live


OPTIONS: tuple[dict[str, Any], ...] = (
    *({"display": mode} for mode in ("remove", "link", "renumber", star)),
    {"unknown": "mark", "merge_adjacent": True},
    {"extract_xml_tags": ("t",), "answer_tag": "t", "start_in": "t"},
    {"extract_xml_tags": ["t"], "tag_aliases": {"u": "t"}},
    {"guards": frozenset({"code", "math", "url"}), "labels": ("Quelle", "Source")},
    {"index_base": 0, "max_marker_length": 64, "keys_by_first_use": True},
)
TUPLE: Any = ("key", "bracket")  # which is no list, but as good
WITH_OPTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "AnswerBuilder": lambda options: AnswerBuilder(markers=TUPLE, options=options),
    "CitingChatGenerator": lambda options: generator(
        markers={"key", "bracket"}, last_message_only=True, **options
    ),
    "DeepsetAnswerBuilder": lambda options: DeepsetAnswerBuilder(
        "a.*", extract_xml_tags=TUPLE, options={"markers": ("bracket",)}
        | {key: value for key, value in options.items() if "tag" not in key and key != "start_in"}
    ),
}  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_every_option_survives_yaml(name: str, options: dict[str, Any]) -> None:
    """As plain YAML, which is the same every time."""
    component = WITH_OPTIONS[name](options)
    pipeline = Pipeline()
    pipeline.add_component("it", component)
    text = pipeline.dumps()

    loaded = Pipeline.loads(text, allowed_modules=["streamcite", "tests"])

    assert "!!" not in text
    assert loaded.dumps() == text
    assert answers(loaded.get_component("it")) == answers(component)


def test_an_agent_survives_yaml() -> None:
    """With its generator and the hook that tells it of documents."""
    schema = {"found": {"type": list[Document]}}
    hooks: Any = {"before_llm": [ours.AgentDocuments("found")]}
    pipeline = Pipeline()
    pipeline.add_component(
        "agent", Agent(chat_generator=generator(), state_schema=schema, hooks=hooks)
    )
    text = pipeline.dumps()

    loaded = Pipeline.loads(text, allowed_modules=["streamcite"])

    assert loaded.dumps() == text
    agent: Any = loaded.get_component("agent")
    assert agent.hooks["before_llm"][0].key == "found"


@pytest.mark.parametrize("component", [
    generator(), ours.ChatPromptBuilder([ChatMessage.from_user("x")]), AnswerBuilder(),
])  # fmt: skip
def test_loading_changes_no_dictionary(component: Any) -> None:
    """A configuration may be loaded twice."""
    pipeline = Pipeline()
    pipeline.add_component("it", component)
    data = pipeline.to_dict()["components"]["it"]
    before = json.dumps(data)

    if hasattr(type(component), "from_dict"):
        type(component).from_dict(data)

    assert json.dumps(data) == before


def test_answers_go_where_haystacks_go() -> None:
    """Joined, written, read, copied and put into a snapshot, they keep their citations."""
    (answer,) = answers(MAKERS["AnswerBuilder"]())

    assert AnswerJoiner().run([[answer], [answer]])["answers"] == [answer, answer]
    assert copy.deepcopy(answer) == pickled(answer) == answer
    assert ours.CitedAnswer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer
    assert GeneratedAnswer.from_dict(answer.to_dict()).data == answer.data


def test_answers_can_be_put_into_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Haystack loads them from there if it may load streamcite."""
    monkeypatch.setenv("HAYSTACK_DESERIALIZATION_ALLOWLIST", "streamcite.*")
    found = answers(MAKERS["AnswerBuilder"]())

    written = _serialize_value_with_schema({"answers": found})

    assert _deserialize_value_with_schema(written) == {"answers": found}


@pytest.mark.parametrize("runs_async", [False, True])
@pytest.mark.asyncio
async def test_a_pipeline_of_ours_runs(runs_async: bool) -> None:
    """Prompt, generator and builder, copied as servers copy their pipelines."""
    pipeline = Pipeline()
    pipeline.add_component("prompt", ours.ChatPromptBuilder(BLOCK))
    pipeline.add_component("llm", MockChatGenerator(responses=REPLY))
    pipeline.add_component("answers", AnswerBuilder("(?s)</t>(.*)", "acm"))
    pipeline.connect("prompt.prompt", "llm.messages")
    pipeline.connect("llm.replies", "answers.replies")
    pipeline = copy.deepcopy(pipeline)
    inputs = {"prompt": {"a": "q"}, "answers": {"query": "q", "documents": DOCS}}

    result = await pipeline.run_async(inputs) if runs_async else pipeline.run(inputs)

    (answer,) = result["answers"]["answers"]
    assert (answer.data, answer.documents[0].id) == ("a [2]", "d2")
    assert answer.meta["usage"] == {"total_tokens": 3}


class Strict:
    """A generator that tells what it was asked."""

    def run(self, messages: list[ChatMessage], **inputs: Any) -> dict[str, Any]:
        return {"replies": [ChatMessage.from_assistant(str(inputs))]}


def test_strict_tools_are_passed_on() -> None:
    """As to OpenAI's generator."""
    citing = CitingChatGenerator(Strict())

    assert citing.run("q", tools_strict=True)["replies"][0].text == "{'tools_strict': True}"

"""DeepsetAnswerBuilder: what deepset documents, what is decided here, and its pipelines."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from haystack import Document
from haystack.dataclasses import ChatMessage, GeneratedAnswer

from streamcite.errors import InputError, OptionsError
from streamcite.haystack import DeepsetAnswerBuilder, load_deepset_pipeline

DOCS = [Document(id="820e15", content="Berlin is the capital of Germany.", score=0.87)]
CLAIM = "Berlin is the capital of Germany[1]."


def build(reply: Any, *, run: dict[str, Any] | None = None, **init: Any) -> GeneratedAnswer:
    """Return the answer of one reply."""
    arguments = {"query": "q", "replies": [reply], "documents": DOCS, **(run or {})}
    answer = DeepsetAnswerBuilder(**init).run(**arguments)["answers"][0]
    assert isinstance(answer, GeneratedAnswer)
    return answer


def test_acm_finds_every_number_of_a_marker() -> None:
    """deepset's page has this example."""
    docs = [Document(content=str(number)) for number in range(3)]

    answer = build("answer[1, 2]", reference_pattern="acm", run={"documents": docs})

    assert [each.meta["source_index"] for each in answer.documents] == [1, 2]


def test_an_entry_of_references_says_who_grounds_what() -> None:
    """The keys are those that deepset's user interface reads."""
    entry = {
        "answer_start_idx": 0,
        "answer_end_idx": 32,
        "doc_start_idx": 0,
        "doc_end_idx": 33,
        "document_id": "820e15",
        "document_position": 1,
        "label": "grounded",
        "score": 0.87,
    }

    assert build(CLAIM, reference_pattern="acm").meta["_references"] == [entry]


@pytest.mark.parametrize(
    ("init", "run", "references"),
    [
        ({"reference_pattern": "acm"}, {}, []),
        ({}, {"reference_pattern": "acm"}, []),
        ({"options": {"markers": "bracket"}}, {}, []),
        ({}, {}, None),
        ({"reference_pattern": "acm"}, {"documents": None}, None),
    ],
)
def test_references_are_a_list_wherever_they_are_read(
    init: dict[str, Any], run: dict[str, Any], references: list[Any] | None
) -> None:
    """Empty if there are none; absent if nothing is read."""
    assert build("No marker.", run=run, **init).meta.get("_references") == references


def test_tags_go_into_meta() -> None:
    """meta holds the first occurrence; the text is what is left."""
    answer = build("<a>one</a>text<a>two</a>", extract_xml_tags=["a", "b"])

    assert (answer.data, answer.meta["a"], "b" in answer.meta) == ("text", "one", False)


def test_pattern_sees_the_text_outside_the_tags() -> None:
    """Tags are lifted first."""
    answer = build("<a>Answer: no</a>Answer: yes", extract_xml_tags=["a"], pattern="Answer: (.*)")

    assert answer.data == "yes"


def test_a_marker_in_a_tag_has_no_entry() -> None:
    """What has no place in the answer text grounds nothing in it."""
    answer = build("<a>x [1]</a>y", extract_xml_tags=["a"], reference_pattern="acm")

    assert (answer.meta["_references"], answer.documents) == ([], [])


@pytest.mark.parametrize("name", ["prompt", "all_messages", "_references"])
def test_meta_keeps_its_own_keys(name: str) -> None:
    """A tag of such a name is refused at construction."""
    with pytest.raises(OptionsError, match=name):
        DeepsetAnswerBuilder(extract_xml_tags=[name])


def test_the_prompt_goes_into_meta() -> None:
    """A text as it is, messages as dictionaries; absent if none was given."""
    messages = [ChatMessage.from_user("q")]

    found = [
        build("x", run={"prompt": prompt}).meta.get("prompt") for prompt in ("p", messages, None)
    ]

    assert found == ["p", [messages[0].to_dict()], None]


def test_it_reads_generators_and_chat_generators() -> None:
    """A text and a message give the same answer, but for the message's meta."""
    message = ChatMessage.from_assistant(CLAIM, meta={"model": "m"})

    text, chat = (build(reply, reference_pattern="acm") for reply in (CLAIM, message))

    assert (text.data, text.documents) == (chat.data, chat.documents)
    assert chat.meta["model"] == "m"


def test_run_async_gives_the_same() -> None:
    """Both ways of running share one engine."""
    builder = DeepsetAnswerBuilder(reference_pattern="acm")
    arguments: Any = {"query": "q", "replies": [CLAIM], "documents": DOCS}

    assert asyncio.run(builder.run_async(**arguments)) == builder.run(**arguments)


PIPELINE = """
components:
  prompt_builder:
    type: haystack.components.builders.prompt_builder.PromptBuilder
    init_parameters:
      template: "{% for d in documents %}Document[{{ loop.index }}]: {{ d.content }}{% endfor %}"
  answer_builder:
    type: deepset_cloud_custom_nodes.augmenters.deepset_answer_builder.DeepsetAnswerBuilder
    init_parameters:
      reference_pattern: acm
      extract_xml_tags: [thinking]
connections:
- sender: prompt_builder.prompt
  receiver: answer_builder.prompt
max_runs_per_component: 100
metadata: {}
inputs:
  query: [answer_builder.query]
outputs:
  answers: answer_builder.answers
"""


def test_a_pipeline_of_the_platform_runs_here() -> None:
    """deepset's YAML, inputs and outputs included, loads and answers."""
    pipeline = load_deepset_pipeline(PIPELINE)

    data = {"query": "q", "replies": [CLAIM], "documents": DOCS}
    answer = pipeline.run(data)["answer_builder"]["answers"][0]

    assert answer.documents[0].id == "820e15"
    assert answer.meta["prompt"] == "Document[1]: Berlin is the capital of Germany."


def test_a_pipeline_is_read_from_a_file(tmp_path: Path) -> None:
    """A path is a file, and so is a str that looks like one; any other str is YAML."""
    file = tmp_path / "pipeline.yaml"
    file.write_text(PIPELINE, "utf-8")

    loaded = {load_deepset_pipeline(source).dumps() for source in (file, str(file), PIPELINE)}

    assert len(loaded) == 1


@pytest.mark.parametrize("source", ["nope.yaml", "a/Nope.YML", r"C:\nope.yaml", Path("nope")])
def test_a_missing_file_is_told(source: str | Path) -> None:
    """The path of no file is not taken for YAML."""
    with pytest.raises(InputError, match=r"ope.*: there is no such file"):
        load_deepset_pipeline(source)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A folder and a file of another kind are no YAML."""
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe")

    for source in (tmp_path, tmp_path / "binary.yaml"):
        with pytest.raises(InputError, match="give a YAML file in UTF-8"):
            load_deepset_pipeline(source)


def test_a_type_that_only_the_platform_has_is_named() -> None:
    """The error lists them, and how to replace them."""
    broken = PIPELINE.replace("haystack.components.builders", "deepset_cloud_custom_nodes.other")

    with pytest.raises(InputError, match=r"other\.prompt_builder\.PromptBuilder.*types="):
        load_deepset_pipeline(broken)


def test_further_types_can_be_replaced() -> None:
    """`types` maps old names to new."""
    broken = PIPELINE.replace("haystack.components.builders", "deepset_cloud_custom_nodes.other")
    types = {
        "deepset_cloud_custom_nodes.other.prompt_builder.PromptBuilder": (
            "streamcite.haystack.prompt_builders.PromptBuilder"
        )
    }

    assert "answer_builder" in load_deepset_pipeline(broken, types=types).graph


@pytest.mark.parametrize("text", ["", "a: 1", "components: [1]", "- 1", "a: b.yaml"])
def test_what_is_no_pipeline_is_refused(text: str) -> None:
    """The error says what is missing."""
    with pytest.raises(InputError, match="components"):
        load_deepset_pipeline(text)

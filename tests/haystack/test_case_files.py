"""The case files of reference patterns, through Haystack's components."""

import inspect
from typing import Any

import pytest
from haystack.dataclasses import StreamingChunk

from streamcite.haystack import AnswerBuilder, CitingCallback, to_haystack_document
from tests.cases import Case, joined, load_cases


def init_of(options: dict[str, Any]) -> dict[str, Any]:
    """Return the builder's parameters for the options of a case file."""
    own = inspect.signature(AnswerBuilder.__init__).parameters.keys()
    further = {name: value for name, value in options.items() if name not in own}
    return {name: options[name] for name in options.keys() & own} | {"options": further}


CASE_FILES = [
    case
    for case in load_cases()
    if case.id.startswith(("parity-", "regex-")) and "error" not in case.expect and not case.added
]


@pytest.mark.parametrize("case", CASE_FILES, ids=lambda case: case.id)
def test_the_case_files_hold_for_the_builder(case: Case) -> None:
    """What the engine says live of a reference pattern, the builder says of the reply."""
    given = [to_haystack_document(document) for document in case.documents]
    builder = AnswerBuilder(**init_of(case.options))

    answer = builder.run(query="q", replies=[case.text], documents=given)["answers"][0]

    cited = [each.meta["source_index"] for each in answer.documents if each.meta.get("referenced")]
    assert answer.data == joined(case.expect.get("data", case.text))
    assert cited == case.expect.get("cited", cited)


@pytest.mark.parametrize("case", CASE_FILES, ids=lambda case: case.id)
def test_the_case_files_hold_for_the_callback(case: Case) -> None:
    """All chunks together are the text of the answer, whatever the pattern."""
    chunks: list[StreamingChunk] = []
    given = [to_haystack_document(document) for document in case.documents]
    live = CitingCallback(chunks.append, documents=given, **case.options)
    for text in filter(None, case.chunks):
        live.callback(StreamingChunk(str(text)))

    answer = live.finish()[0]

    assert "".join(chunk.content for chunk in chunks) == answer.data
    assert answer.data == joined(case.expect.get("data", case.text))

"""Inputs with right outcomes, under every cut that their rows allow."""

import json
from collections import Counter
from typing import Any

import pytest

from streamcite import StreamciteError
from tests.cases import (
    FOLDER,
    Case,
    Outcome,
    described,
    joined,
    load_cases,
    recuts,
    run_case,
    start,
    work,
)

# Characters examined per character of text: each is read once, and once more where it stood in
# a candidate that died or in inline code that was none.
MAX_STEPS_PER_CHARACTER = 4

RUNNABLE = [case for case in load_cases() if "error" not in case.expect]
REFUSED = [case for case in load_cases() if "error" in case.expect]


def having(key: str) -> list[Case]:
    """Return the cases that expect something of this kind."""
    return [case for case in RUNNABLE if key in case.expect]


def cases(given: list[Case]) -> pytest.MarkDecorator:
    """Run a test over these cases."""
    return pytest.mark.parametrize("case", given, ids=[case.id for case in given])


def observed(outcome: Outcome, expect: dict[str, Any]) -> dict[str, Any]:
    """Return of an outcome what an expectation speaks of, whatever the cuts."""
    answer = outcome.transcript.answer
    found: dict[str, Any] = {}
    if "data" in expect:
        found["data"] = answer.data
    if "cited" in expect:
        found["cited"] = [
            document.meta["source_index"]
            for document in answer.documents
            if document.meta.get("referenced", True)
        ]
    if "citations" in expect:
        likes = expect["citations"]
        likes = likes + [{"marker": ""}] * (len(answer.citations) - len(likes))
        found["citations"] = [
            described(citation, like)
            for citation, like in zip(answer.citations, likes, strict=False)
        ]
    if "sections" in expect:
        found["sections"] = {
            name: texts
            for name, texts in answer.sections.items()
            if name in expect["sections"] or name != outcome.answer_section
        }
    if "complete" in expect:
        found["complete"] = outcome.transcript.finals[0].complete
    return found


def wanted(expect: dict[str, Any]) -> dict[str, Any]:
    """Return an expectation in the form of `observed`."""
    keys = ("data", "cited", "citations", "sections", "complete")
    found = {key: expect[key] for key in keys if key in expect}
    if "data" in found:
        found["data"] = joined(found["data"])
    if "sections" in found:
        found["sections"] = {name: texts for name, texts in found["sections"].items() if texts}
    return found


def glimpses(outcome: Outcome, expect: dict[str, Any]) -> list[str]:
    """Return what was visible of the texts that no reader may see."""
    final = outcome.transcript.answer.data
    data = joined(expect["data"]) if "data" in expect else None
    return [
        text
        for text in expect.get("never_visible", [])
        if any(shown.endswith(text) for shown in outcome.visible)
        or ((data is None or text not in data) and text in final)
    ]


def test_all_kinds_are_there() -> None:
    """Every case has an id of its own, and its file's name in it."""
    ids = Counter(case.id for case in load_cases())
    kinds = {path.stem for path in FOLDER.glob("*.jsonl")}

    assert max(ids.values()) == 1
    assert {name.rpartition("-")[0] for name in ids} == kinds


@cases(RUNNABLE)
def test_given_chunks(case: Case) -> None:
    """A case gives what it says, in the chunks that it says."""
    outcome = run_case(case, case.chunks)

    assert wanted(case.expect) == observed(outcome, case.expect)
    assert glimpses(outcome, case.expect) == []


@cases([case for case in RUNNABLE if case.any_cut])
def test_any_cut(case: Case) -> None:
    """A case gives the same however its text is cut: whole, char by char, at every place."""
    for chunks in recuts(case):
        outcome = run_case(case, chunks)

        assert wanted(case.expect) == observed(outcome, case.expect), chunks
        assert glimpses(outcome, case.expect) == [], chunks


@cases(having("visible_after"))
def test_visible_after(case: Case) -> None:
    """After each chunk, what is decided is visible, and nothing else is."""
    expected = case.expect["visible_after"]

    outcome = run_case(case, case.chunks)

    assert expected == {index: outcome.visible[int(index)] for index in expected}


@cases(having("max_seconds"))
def test_bounded_work(case: Case) -> None:
    """A hostile text costs a bounded number of steps per character."""
    assert work(case) <= MAX_STEPS_PER_CHARACTER * len(case.text)


@cases(REFUSED)
def test_refused(case: Case) -> None:
    """Options without a meaning are refused when the engine is built."""
    with pytest.raises(StreamciteError):
        start(case)


def test_files_are_plain_json_lines() -> None:
    """The case files hold one JSON object per line, so that any tool can read them."""
    for path in FOLDER.glob("*.jsonl"):
        lines = path.read_text("utf-8").rstrip("\n").split("\n")

        assert all(isinstance(json.loads(line), dict) for line in lines)

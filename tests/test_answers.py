"""Documents, citations and answers as a user meets them."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from streamcite import (
    AnswerWarning,
    Citation,
    Document,
    GeneratedAnswer,
    Reference,
    StreamciteError,
)
from streamcite.errors import DocumentError
from streamcite.sources import Sources

META = {"title": "T"}
DOCUMENT = Document(content="text", id="x", meta=META)
# Whatever users' frameworks call a document, and what it is read as.
SHAPES: list[tuple[object, Document]] = [
    ("text", Document(content="text")),
    (DOCUMENT, DOCUMENT),
    ({"content": "text", "id": "x", "meta": META}, DOCUMENT),
    ({"page_content": "text", "metadata": META, "id": "x"}, DOCUMENT),
    ({"text": "text", "metadata": META, "node_id": "x"}, DOCUMENT),
    (SimpleNamespace(content="text", id="x", meta=META), DOCUMENT),
    (SimpleNamespace(page_content="text", id="x", metadata=META), DOCUMENT),
    (SimpleNamespace(text="text", id_="x", metadata=META), DOCUMENT),
    (
        SimpleNamespace(node=SimpleNamespace(text="text", id_="x", metadata=META), score=0.5),
        DOCUMENT.model_copy(update={"score": 0.5}),
    ),
    ({"content": "text", "score": 2}, Document(content="text", score=2)),
    ({"content": "text", "id": 0}, Document(content="text", id="0")),
    ({"content": "text", "id": "", "id_": None, "node_id": "x"}, Document(content="text", id="x")),
]


@pytest.mark.parametrize(("given", "expected"), SHAPES, ids=str)
def test_document_of(given: object, expected: Document) -> None:
    """A document is read from whatever a user's framework calls one."""
    assert Document.of(given) == expected


@pytest.mark.parametrize("given", [3, None, object(), {"body": "x"}, b"bytes"], ids=repr)
def test_no_document(given: object) -> None:
    """What has no text is refused, and the message says what is read."""
    with pytest.raises(DocumentError, match=r"give a streamcite\.Document"):
        Document.of(given)


LONG = "x" * 10_000
# What has the shape of a document and another type in a field, and what is said of it.
WRONG = [
    ({"content": 5, "title": LONG}, "dict: content: Input should be a valid string"),
    ({"content": LONG, "meta": 5}, "dict: meta: this is no mapping; give one, such as {'title'"),
    (SimpleNamespace(text=LONG, score="high"), "SimpleNamespace: score: Input should be a valid"),
]


@pytest.mark.parametrize(("given", "reason"), WRONG, ids=range(len(WRONG)))
def test_a_field_of_another_type_is_named(given: object, reason: str) -> None:
    """The error says what was given and which field is wrong, on one short line."""
    with pytest.raises(DocumentError, match=f"cannot read a document from {reason}") as caught:
        Document.of(given)

    assert len(str(caught.value)) < 150
    assert "\n" not in str(caught.value)


def test_document_id_is_a_hash() -> None:
    """Without an id a document is named by its content and meta, the same in every run."""
    ids = [
        Document(content=text, meta=meta).id for text, meta in (("a", {}), ("b", {}), ("a", META))
    ]

    assert len(set(ids)) == 3
    assert Document(content="a").id == ids[0]


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_a_blank_id_is_none(blank: str) -> None:
    """It names nothing, and `<ref id=" "/>` would cite it."""
    hashed = Document("a").id

    assert Document("a", id=blank).id == hashed
    assert Document.of({"content": "a", "id": blank}).id == hashed
    assert Document.of(SimpleNamespace(text="a", id=blank, node_id="n")).id == "n"
    assert Sources([Document("a", id=blank)]).number_of_key(blank) is None


def test_document_keeps_its_id() -> None:
    """An id that is given stays."""
    assert Document(content="a", id="mine").id == "mine"


def test_documents_refuse_unknown_fields() -> None:
    """A misspelt field is refused."""
    with pytest.raises(ValidationError):
        Document(content="a", matadata={})


def test_source_indices() -> None:
    """A citation's numbers are those of its resolved references, in order of writing."""
    references = (
        Reference(source_index=3, document_id="c"),
        Reference(source_index=9, resolved=False),
        Reference(resolved=False, key="k"),
        Reference(source_index=1, document_id="a"),
    )

    assert Citation(id="c1", marker="[3, 9, 1]", references=references).source_indices == (3, 1)


def answer(**changes: Any) -> GeneratedAnswer:
    """Return an answer with something in every field."""
    values: dict[str, Any] = {
        "data": "Paris [1].",
        "query": "Where?",
        "documents": [DOCUMENT],
        "meta": {"model": "m"},
        "citations": [
            Citation(id="c1", marker="[1]", references=(Reference(source_index=1),), start=6, end=9)
        ],
        "section": "answer",
        "sections": {"think": ["a", "b"]},
        "warnings": [AnswerWarning(code="unknown-source", message="[9]", position=3)],
    }
    return GeneratedAnswer(**(values | changes))


def test_answer_round_trip() -> None:
    """An answer is the same after it was written as a dictionary and read back."""
    assert GeneratedAnswer.from_dict(answer().to_dict()) == answer()


def test_answer_is_json() -> None:
    """An answer is the same after it was written as JSON and read back."""
    text = answer().model_dump_json()

    assert GeneratedAnswer.model_validate_json(text) == answer()


class Number:
    """A number as numpy has them."""

    def tolist(self) -> float:
        """Return it as Python has it."""
        return 0.5


class Broken:
    """What fails to say what it is."""

    def __repr__(self) -> str:
        raise OSError("gone")


LOOP: list[Any] = []
LOOP.append(LOOP)
DEEP: list[Any] = []
for _ in range(10_000):
    DEEP = [DEEP]

ANY_META: list[tuple[Any, Any]] = [
    (1, 1),
    (date(2026, 1, 2), "2026-01-02"),
    (Number(), 0.5),
    ({"deep": [Number(), {1: Number()}]}, {"deep": [0.5, {"1": 0.5}]}),
    (KeyError("a"), "'a'"),
    (b"\xff", "b'\\xff'"),
    (Number, repr(Number)),
    (LOOP, "[[...]]"),
    (Broken(), "<Broken>"),
    (DEEP, "<list>"),
]


@pytest.mark.parametrize(("value", "written"), ANY_META)
def test_meta_of_any_kind_is_written(value: Any, written: Any) -> None:
    """What JSON does not know is written as what it stands for, or as text."""
    given = answer(documents=[Document("a", meta={"x": value})], meta={"y": value})

    for read in (given.to_dict(), json.loads(given.model_dump_json())):
        assert (read["documents"][0]["meta"]["x"], read["meta"]["y"]) == (written, written)
    assert given.documents[0].meta["x"] is value


def test_answer_refuses_unknown_fields() -> None:
    """An answer of another version is refused, and not read in part."""
    with pytest.raises(ValidationError):
        GeneratedAnswer.from_dict(answer().to_dict() | {"more": 1})


def test_citations_are_frozen() -> None:
    """A citation that was emitted cannot be changed."""
    with pytest.raises((ValidationError, AttributeError)):
        answer().citations[0].marker = "[2]"  # type: ignore[misc]  # that is the point


def test_root_of_errors() -> None:
    """A document's error is one of the library's own, and a TypeError."""
    assert issubclass(DocumentError, StreamciteError)
    assert issubclass(DocumentError, TypeError)


def test_trusted_is_the_validated_one() -> None:
    """What the engine makes is a citation like any other: of its class, frozen, and equal."""
    reference = Reference.trusted(1, "d1")
    made = Citation.trusted("c1", "[1]", None, 0, 2, 5, 0, 1, (reference,), "1")

    given = Reference(source_index=1, document_id="d1")
    assert made == Citation("c1", "[1]", None, 0, 2, 5, 0, 1, (given,), "1")
    assert type(made) is Citation
    assert type(reference) is Reference
    for copied in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):  # noqa: S301  # ours
        assert copied == made
        assert hash(copied) == hash(made)
    with pytest.raises(FrozenInstanceError):
        made.id = "c2"  # type: ignore[misc]  # that it is frozen is what is tested


# A score, and what JSON shows for it.
SCORES = [
    (0.5, 0.5),
    (2, 2.0),
    (None, None),
    (float("nan"), None),
    (float("inf"), None),
    (float("-inf"), None),
    ("high", None),
]


@pytest.mark.parametrize(("score", "written"), SCORES)
def test_a_score_that_is_no_number_is_null(score: object, written: float | None) -> None:
    """JSON has no word for it, and an answer must not be lost for it."""
    document = Document("a").model_copy(update={"score": score})

    assert document.model_dump(mode="json")["score"] == written
    assert json.loads(document.model_dump_json())["score"] == written


def test_meta_without_a_number_is_null() -> None:
    """What is not a number in a meta, however deep, is null in JSON."""
    meta = {"a": float("nan"), "b": [{"c": float("inf")}, 1.5]}
    written = {"a": None, "b": [{"c": None}, 1.5]}

    assert GeneratedAnswer(meta=meta).to_dict()["meta"] == written
    assert json.loads(Document("a", meta=meta).model_dump_json())["meta"] == written

"""The whole answer: its documents, its meta, its entries for deepset's interface."""

import pickle
from typing import Any

import pytest
from pydantic import PrivateAttr

from streamcite import Document, GeneratedAnswer, cite_text

DOCUMENTS = [
    Document(content=f"text {name}", id=name, meta={"k": name}, score=number / 10)
    for number, name in enumerate("abc", start=1)
]


def answer(reply: str, **options: Any) -> GeneratedAnswer:
    """Return the answer of a reply, with three documents."""
    return cite_text(reply, documents=DOCUMENTS, **options)


def numbers(found: GeneratedAnswer) -> list[tuple[str, int, bool | None]]:
    """Return id, number and mark of the documents of an answer."""
    return [
        (each.id, each.meta["source_index"], each.meta.get("referenced"))
        for each in found.documents
    ]


def test_only_referenced_documents() -> None:
    """An answer has the documents it cites, by ascending number, each once."""
    assert numbers(answer("x [3] y [1] z [3]")) == [("a", 1, True), ("c", 3, True)]


def test_all_documents() -> None:
    """If all documents are wanted, each says whether it is cited."""
    found = answer("x [2]", return_only_referenced_documents=False)

    assert numbers(found) == [("a", 1, False), ("b", 2, True), ("c", 3, False)]


class _Page(Document):
    """A user's own kind of document."""

    page: int = 0
    _seen: bool = PrivateAttr(default=False)


@pytest.mark.parametrize("document", [Document("a", id="a"), _Page(content="a", page=3)], ids=repr)
def test_documents_are_copies_in_all_they_can_do(document: Document) -> None:
    """What an answer holds is what `model_copy` makes, whatever class it is of."""
    (found,) = cite_text("x [1]", documents=[document]).documents
    expected = document.model_copy(update={"meta": {"source_index": 1, "referenced": True}})

    assert found == expected
    assert found.__getstate__() == expected.__getstate__()
    assert found.model_copy(deep=True) == pickle.loads(pickle.dumps(found)) == expected  # noqa: S301  # its own
    assert document.meta == {}


def test_markers_outside_the_answer_do_not_count() -> None:
    """A marker in text that `pattern` leaves out cites nothing in the answer."""
    found = answer("Hm [1]. Answer: x [2] y", pattern="Answer: (.*)")

    assert numbers(found) == [("b", 2, True)]


@pytest.mark.parametrize("display", ["keep", "remove"])
def test_a_marker_outside_the_answer_has_no_claim_in_it(display: Any) -> None:
    """It stands for nothing that is shown, nor is it a reference of the answer's text."""
    text = "Hm [1]. Answer: x [2] y\nOr [3]"
    found = answer(text, pattern="Answer: (.*)", display=display)

    assert [each.claim_end for each in found.citations] == [None, 1, None]
    assert [each["document_position"] for each in found.meta["_references"]] == [2]


@pytest.mark.parametrize(("text", "section"), [
    ("<t>x</t><a>x</a>", "a"), ("<t>x</t>x", None), ("<a></a>", "a"),
])  # fmt: skip
def test_an_answer_names_its_section(text: str, section: str | None) -> None:
    """Two texts may be the same; only one of them is the answer."""
    found = answer(text, extract_xml_tags=["t", "a"], answer_tag="a")

    assert found.section == section


def test_no_markers() -> None:
    """Where no references are read, all documents are listed, and none says it is cited."""
    assert numbers(answer("x [2]", markers=())) == [("a", 1, None), ("b", 2, None), ("c", 3, None)]


def test_documents_are_copies() -> None:
    """The caller's documents are never changed."""
    found = answer("x [1]")
    found.documents[0].meta["mine"] = True

    assert DOCUMENTS[0].meta == {"k": "a"}
    assert found.documents[0].meta["k"] == "a"


def test_meta() -> None:
    """The meta holds the caller's entries, the reply, the prompt and the tags."""
    found = answer("<t>one</t>x<t>two</t>", extract_xml_tags="t", meta={"mine": 1}, prompt="Prompt")

    assert found.meta["all_messages"] == ["<t>one</t>x<t>two</t>"]
    assert {key: found.meta[key] for key in ("mine", "prompt", "t")} == {
        "mine": 1,
        "prompt": "Prompt",
        "t": "one",
    }
    assert found.sections == {"t": ["one", "two"]}


def test_references_for_deepset() -> None:
    """Each citation of the answer text and document makes an entry of `_references`."""
    (first, second, third) = answer("It rains [1, 3]. It pours [2].").meta["_references"]

    assert first == {
        "answer_start_idx": 0,
        "answer_end_idx": 8,
        "doc_start_idx": 0,
        "doc_end_idx": 6,
        "document_id": "a",
        "document_position": 1,
        "label": "grounded",
        "score": 0.1,
    }
    assert [each["document_id"] for each in (second, third)] == ["c", "b"]


def test_citations_in_sections_do_not_count() -> None:
    """A document that only a section cites is not referenced."""
    found = answer("<t>[1]</t> x [2]", extract_xml_tags="t")

    assert [each.id for each in found.documents] == ["b"]
    assert [each.section for each in found.citations] == ["t", None]
    assert [each["document_id"] for each in found.meta["_references"]] == ["b"]


def test_pattern_references_count_anywhere() -> None:
    """With a reference pattern, references outside the answer text count as well."""
    found = answer(
        "see [1] <a>x [2]</a>",
        reference_pattern=r"\[(\d+)\]",
        extract_xml_tags="a",
        answer_tag="a",
    )

    assert found.data == "x [2]"
    assert [each.id for each in found.documents] == ["a", "b"]

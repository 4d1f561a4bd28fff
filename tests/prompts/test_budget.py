"""Which documents fit, with the numbers that they have."""

import sys
from itertools import permutations
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from streamcite.answers import Document
from streamcite.errors import DocumentError, MissingExtraError, TemplateError
from streamcite.prompts import estimate_tokens, fit, numbered, tiktoken_counter
from streamcite.prompts.budget import ELLIPSIS
from streamcite.sources import NumberedDocument, Sources

TEXTS = ["one two three", "a", "four five six seven"]


def shown(sources: list[NumberedDocument]) -> list[tuple[int, str]]:
    return [(source.number, source.content) for source in sources]


FITS: tuple[tuple[dict[str, Any], list[int]], ...] = (
    ({"characters": 100}, [1, 2, 3]),
    ({"characters": 0}, []),
    ({"characters": 13}, [1]),
    ({"characters": 14}, [1, 2]),
    ({"characters": 20}, [1, 2]),
    ({"characters": 12}, [2]),
    ({"characters": 20, "overhead": 6}, [1]),
    ({"tokens": 5}, [1, 2]),
    ({"tokens": 4, "count": lambda text: len(text.split())}, [1, 2]),
    ({"tokens": 8, "count": lambda text: len(text.split())}, [1, 2, 3]),
)


@pytest.mark.parametrize(("budget", "numbers"), FITS)
def test_what_does_not_fit_is_left_out(budget: dict[str, Any], numbers: list[int]) -> None:
    """Documents are taken in order; one too long is passed over, and the others keep theirs."""
    assert [source.number for source in fit(TEXTS, **budget)] == numbers


CUTS: tuple[tuple[int, list[Any]], ...] = (
    (13, [(1, "one two three")]),
    (12, [(1, "one two […]")]),
    (11, [(1, "one two […]")]),
    (9, [(1, "one […]")]),
    (4, []),
    (22, [(1, "one two three"), (2, "a"), (3, "four […]")]),
)


@pytest.mark.parametrize(("characters", "expected"), CUTS)
def test_the_first_that_is_too_long_is_cut(characters: int, expected: list[Any]) -> None:
    """truncate=True cuts between words, within the budget, and takes nothing behind it."""
    assert shown(fit(TEXTS, characters=characters, truncate=True)) == expected


def test_text_without_blanks_is_cut_where_the_budget_ends() -> None:
    """Chinese, or one long word, has no place between words."""
    assert shown(fit(["柏林是德国的首都"], characters=7, truncate=True)) == [(1, "柏林是 […]")]


def test_the_best_may_come_first() -> None:
    """by="score" serves the highest score first and shows the documents in their order."""
    documents = [Document("low", score=0.1), Document("none"), Document("top", score=0.9)]

    found = fit(documents, characters=6, by="score")

    assert [source.number for source in found] == [1, 3]


def test_the_documents_given_stay() -> None:
    """A cut document is a copy with the same id and meta."""
    document = Document("one two three", meta={"a": 1})

    (cut,) = fit([document], characters=9, truncate=True)

    assert document.content == "one two three"
    assert (cut.id, cut.meta) == (document.id, {"a": 1})


@given(
    st.lists(st.text("ab \n柏🙂", max_size=30), max_size=8),
    st.integers(0, 80),
    st.booleans(),
    st.sampled_from(["tokens", "characters"]),
)
def test_no_budget_is_exceeded(texts: list[str], budget: int, truncate: bool, unit: str) -> None:
    """Whatever the documents: the sum stays within the budget, and numbers are the old ones."""
    found = fit(texts, truncate=truncate, **{unit: budget})  # type: ignore[arg-type]

    measure = len if unit == "characters" else estimate_tokens
    assert sum(measure(source.content) for source in found) <= budget
    for source in found:
        assert texts[source.number - 1].startswith(source.content.removesuffix(ELLIPSIS).rstrip())


@pytest.mark.parametrize(
    "budget", [{}, {"tokens": 1, "characters": 1}, {"tokens": -1}, {"tokens": "9"}]
)
def test_a_budget_is_one_number(budget: dict[str, Any]) -> None:
    """No budget, two of them, or a negative one is an error."""
    with pytest.raises(TemplateError, match="give tokens= or characters="):
        fit(TEXTS, **budget)


def test_numbers_come_from_the_register() -> None:
    """With sources= a known document keeps its number and a new one gets the next."""
    sources = Sources([Document("a", id="a"), Document("b", id="b")])

    found = numbered([Document("b", id="b"), Document("c", id="c")], sources)

    assert [source.number for source in found] == [2, 3]


NUMBERED: tuple[tuple[Any, list[int]], ...] = (
    (None, []),
    ("", []),
    ([], []),
    (["x", "x"], [1, 2]),
    (Sources(["x"]), [1]),
    ([NumberedDocument(7, Document("x"))], [7]),
    ((text for text in ["x"]), [1]),
)


@pytest.mark.parametrize(("documents", "numbers"), NUMBERED, ids=repr)
def test_documents_of_any_form_are_numbered(documents: Any, numbers: list[int]) -> None:
    """Nothing, Sources, numbered documents and any iterable of documents are understood."""
    assert [source.number for source in numbered(documents)] == numbers


A, B, C = (Document(name, id=name) for name in "abc")
SWAPPED = [NumberedDocument(2, A), NumberedDocument(1, B), C]
MIXED = [NumberedDocument(2, A), NumberedDocument(5, B), C, "x", Document("copy", id="a")]


@pytest.mark.parametrize("order", list(permutations(MIXED)))
@pytest.mark.parametrize("after", [0, 7])
def test_a_mix_is_counted_on(order: list[Any], after: int) -> None:
    """What has a number keeps it, in every order; what is new never gets that of another."""
    found = dict(zip(map(id, order), numbered(order, after=after), strict=True))

    numbers = [found[id(each)].number for each in MIXED]
    assert (numbers[:2], numbers[4]) == ([2, 5], 2)
    assert sorted(numbers[2:4]) == [max(5, after) + 1, max(5, after) + 2]
    assert found[id(MIXED[0])] is MIXED[0]


@pytest.mark.parametrize("order", list(permutations(MIXED)))
def test_a_register_numbers_a_mix(order: list[Any]) -> None:
    """Each number is that of the register, which keeps those that it gave out."""
    sources = Sources([C, A, B, A])
    kept = NumberedDocument(4, Document("a […]", id="a"))

    found = numbered([*order, kept], sources)

    assert all(sources[each.number].id == each.id for each in found)
    assert found[-1] is kept
    assert {each.id: each.number for each in reversed(found)} | {"a": 2} == {
        "a": 2, "b": 3, "c": 1, Document("x").id: 5,
    }  # fmt: skip


def test_a_register_may_take_over_another() -> None:
    """Its numbers are those of the register that was asked for."""
    sources = Sources([A])

    assert [each.number for each in numbered(Sources([B, A]), sources)] == [2, 1]


def test_numbers_that_collide_are_refused() -> None:
    """Lists that were numbered apart would make `[1]` mean two documents."""
    with pytest.raises(TemplateError, match="two documents have the number 1: number all of them"):
        fit([*numbered([A]), *numbered([B])], characters=9)


@pytest.mark.parametrize("order", list(permutations(SWAPPED)))
@pytest.mark.parametrize("by", ["position", "score"])
def test_what_fits_stays_in_its_order(order: list[Any], by: Any) -> None:
    """Also where that is not the order of the numbers."""
    found = fit(order, characters=9, by=by)

    assert found == numbered(order)


@pytest.mark.parametrize("documents", ["text", 7, object(), {"content": "x"}, b"x", A, MIXED[0]])
def test_one_thing_is_no_list_of_documents(documents: Any) -> None:
    """A text in the place of documents is a mistake, not a document per letter."""
    with pytest.raises(TemplateError, match="a list of documents"):
        numbered(documents)


def test_a_wrong_document_is_named() -> None:
    """A list of something else says what a document is."""
    with pytest.raises(DocumentError, match="cannot read a document from int"):
        numbered([7])


ESTIMATES = (
    ("", 0),
    ("a", 1),
    ("The capital of Germany is Berlin, on the Spree.", 12),
    ("Größe", 2),
    ("柏林是德国的首都", 8),
    ("🙂", 1),
    ("\ud800", 1),
)


@pytest.mark.parametrize(("text", "tokens"), ESTIMATES)
def test_tokens_are_estimated(text: str, tokens: int) -> None:
    """A quarter per ASCII character, half per other letter, one per character of Chinese."""
    assert estimate_tokens(text) == tokens


def test_tiktoken_counts_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The counter is the length of what tiktoken encodes, special tokens read as text."""
    bytewise = tiktoken.Encoding(
        "bytes",
        pat_str=".",
        mergeable_ranks={bytes([byte]): byte for byte in range(256)},
        special_tokens={"<|end|>": 256},
    )
    monkeypatch.setattr(tiktoken, "get_encoding", {"o200k_base": bytewise}.__getitem__)

    assert tiktoken_counter()("ü<|end|>") == 9


@pytest.mark.parametrize("name", ["x", 5, []])
def test_an_encoding_that_tiktoken_lacks_is_named(name: Any) -> None:
    """With those that it has."""
    with pytest.raises(TemplateError, match=r"no encoding is called .*; there are .*o200k_base"):
        tiktoken_counter(name)


def test_without_tiktoken_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact counter says what to install."""
    monkeypatch.setitem(sys.modules, "tiktoken", None)

    with pytest.raises(MissingExtraError, match=r"streamcite\[tiktoken\]"):
        tiktoken_counter()

"""The register of numbers."""

from typing import Any

import pytest

from streamcite import Document, Sources
from streamcite.errors import DocumentError
from streamcite.sources import file_names


def named(*ids: str) -> list[Document]:
    """Return documents with these ids."""
    return [Document(content=f"text of {name}", id=name) for name in ids]


def test_numbers_by_position() -> None:
    """The documents given at first are numbered by position, doubles included."""
    sources = Sources(named("a", "b", "a"))

    assert len(sources) == 3
    assert [document.id for document in sources] == ["a", "b", "a"]
    assert sources.number_of("a") == 1


def test_later_documents_keep_known_numbers() -> None:
    """A document that is added under a known id keeps its number; a new one gets the next."""
    sources = Sources(named("a", "b"))

    assert sources.add(named("b", "c", "a", "c")) == [2, 3, 1, 3]
    assert len(sources) == 3


@pytest.mark.parametrize("number", [0, -1, 3, 10**12])
def test_no_such_number(number: int) -> None:
    """No number counts from the end, and none is invented."""
    sources = Sources(named("a", "b"))

    assert number not in sources
    with pytest.raises(IndexError, match="there are 2"):
        sources[number]


def test_get_by_number() -> None:
    """A source has the number that the prompt shows, from 1."""
    sources = Sources(named("a", "b"))

    assert (sources[1].id, sources[2].id) == ("a", "b")
    assert 2 in sources
    assert "2" not in sources


def test_numbered() -> None:
    """For prompts each document comes with its number."""
    (first, second) = Sources(named("a", "b")).numbered()

    assert (first.number, first.document.id) == (1, "a")
    assert (second.number, second.content, second.id) == (2, "text of b", "b")
    assert (second.meta, second.score) == ({}, None)


def test_any_document_shape() -> None:
    """Whatever `Document.of` reads can be a source, and nothing else."""
    assert [document.content for document in Sources(["a", {"content": "b"}])] == ["a", "b"]
    with pytest.raises(DocumentError):
        Sources([3])


def test_those_before_a_bad_one_are_numbered() -> None:
    """A value that is no document stops the adding there."""
    sources = Sources()

    with pytest.raises(DocumentError):
        sources.add(["a", 3, "b"])
    assert [document.content for document in sources] == ["a"]


KEYED = [
    Document(content="1", id="x", meta={"citation_key": "4:0", "mine": "m1"}),
    Document(content="2", id="4:0", meta={"mine": 7}),
    Document(content="3", id="z", meta={"cite_key": "k3"}),
    Document(content="4", id="e", meta={"cite_key": "", "mine": " "}),
]


@pytest.mark.parametrize(
    ("key", "fields", "number"),
    [
        ("4:0", ("citation_key",), 1),
        ("4:0", ("mine",), 2),
        ("m1", ("mine",), 1),
        ("7", ("mine",), 2),
        ("k3", ("citation_key", "cite_key"), 3),
        ("z", ("mine",), 3),
        ("nope", ("mine", "citation_key"), None),
        ("", ("cite_key", "mine"), None),
        (" ", ("cite_key", "mine"), None),
    ],
)
def test_number_of_key(key: str, fields: tuple[str, ...], number: int | None) -> None:
    """A key is looked for in the given entries of the meta, then among the ids."""
    assert Sources(KEYED).number_of_key(key, fields) == number


def test_keys_of_late_documents() -> None:
    """A key that was looked for in vain is found once its document came."""
    sources = Sources(KEYED[:1])

    assert sources.number_of_key("k3") is None
    sources.add(KEYED[2:])
    assert sources.number_of_key("k3") == 2


@pytest.mark.parametrize(
    ("meta", "names"),
    [
        ({"file_name": "Report.PDF"}, ["report.pdf"]),
        ({"file_path": "a/b\\My File.txt"}, ["my file.txt"]),
        ({"url": "https://e.com/x/a%20b.pdf?p=1#x"}, ["a b.pdf"]),
        ({"url": "https://e.com/x%2Fa.md"}, ["x/a.md"]),
        ({"url": "a.md"}, ["a.md"]),
        ({"file_name": " a.pdf "}, ["a.pdf"]),
        ({"file_name": 3, "url": None}, []),
        ({"file_name": "", "file_path": "a/b/", "url": "https://e.com/"}, []),
        ({"file_name": " ", "url": "https://e.com/%20"}, []),
    ],
)
def test_file_names(meta: dict[str, Any], names: list[str]) -> None:
    """A document may be cited by the last part of its path or address, in any case."""
    assert list(file_names(meta)) == names


def test_number_of_file() -> None:
    """A file's name leads to its document, whatever its case."""
    sources = Sources([Document(content="a", meta={"file_name": "Straße.pdf"})])

    assert sources.number_of_file("STRASSE.pdf") == 1
    assert sources.number_of_file("other.pdf") is None


def test_repr_is_short() -> None:
    """A register with thousands of texts prints as its count."""
    assert repr(Sources(named("a", "b"))) == "Sources(2 documents)"

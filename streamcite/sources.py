"""The register that owns the numbers: which document is `[3]`."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from streamcite.answers import Document

__all__ = ["NumberedDocument", "Sources"]

# meta keys that name a document for `markers="key"` and `markers="openai"`, beside its id.
DEFAULT_KEY_FIELDS = ("citation_key", "cite_key")


class NumberedDocument(NamedTuple):
    """A document with the number that the prompt shows."""

    number: int
    document: Document

    @property
    def content(self) -> str:
        """The document's text."""
        return self.document.content

    @property
    def id(self) -> str:
        """The document's id."""
        return self.document.id

    @property
    def meta(self) -> dict[str, Any]:
        """The document's meta."""
        return self.document.meta

    @property
    def score(self) -> float | None:
        """The document's score."""
        return self.document.score


class Sources:
    """Numbers documents from 1, and keeps the numbers for as long as it lives.

    The documents given here are numbered by position, doubles included, as a prompt's loop
    shows them. Those added later keep the number of a known document with the same id.
    """

    def __init__(self, documents: Iterable[object] = ()) -> None:
        self._documents: list[Document] = []
        self._number_of_id: dict[str, int] = {}
        self._number_of_key: dict[tuple[str, str], int] = {}
        self._indexed = 0
        for value in documents:
            self._append(Document.of(value))

    def add(self, documents: Iterable[object]) -> list[int]:
        """Number further documents.

        Args:
            documents: Anything that `Document.of` accepts.

        Returns:
            The number of each, in order; a known id keeps its number.
        """
        numbers = []
        for value in documents:
            document = Document.of(value)
            known = self._number_of_id.get(document.id)
            numbers.append(self._append(document) if known is None else known)
        return numbers

    def _append(self, document: Document) -> int:
        self._documents.append(document)
        number = len(self._documents)
        self._number_of_id.setdefault(document.id, number)
        return number

    def __getitem__(self, number: int) -> Document:
        """Return the document with this number; IndexError for any other, 0 and below too."""
        if not 1 <= number <= len(self._documents):
            raise IndexError(f"no source has the number {number}; there are {len(self)}")
        return self._documents[number - 1]

    def __len__(self) -> int:
        return len(self._documents)

    def __iter__(self) -> Iterator[Document]:
        return iter(self._documents)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and 1 <= number <= len(self._documents)

    def __repr__(self) -> str:
        return f"Sources({len(self._documents)} documents)"

    def numbered(self) -> list[NumberedDocument]:
        """Return every document with its number, in order, as a prompt shows them."""
        return [NumberedDocument(*pair) for pair in enumerate(self._documents, start=1)]

    def number_of(self, document_id: str) -> int | None:
        """Return the number of the document with this id, or None."""
        return self._number_of_id.get(document_id)

    def number_of_key(self, key: str, fields: Iterable[str] = DEFAULT_KEY_FIELDS) -> int | None:
        """Return the number of the document that a key marker means, or None.

        Args:
            key: What the model wrote: `ab-1` of `[cite:ab-1]`, `4:0` of `【4:0†source】`.
            fields: Names of meta entries that hold such keys; the id is tried last.
        """
        self._index_keys(fields := tuple(fields))
        for field in fields:
            if (number := self._number_of_key.get((field, key))) is not None:
                return number
        return self._number_of_id.get(key)

    def number_of_file(self, name: str) -> int | None:
        """Return the number of the document with this file name, whatever its case, or None."""
        self._index_keys(())
        return self._number_of_key.get(("file name", name.casefold()))

    def _index_keys(self, fields: tuple[str, ...]) -> None:
        """Enter documents that came since the last look-up; each is read once per field."""
        fresh = tuple(field for field in fields if ("indexed", field) not in self._number_of_key)
        for field in fresh:
            self._number_of_key["indexed", field] = 0
            self._enter(field, 0, self._indexed)
        for kind, field in [key for key in self._number_of_key if key[0] == "indexed"]:
            assert kind
            self._enter(field, self._indexed, len(self._documents))
        for number in range(self._indexed + 1, len(self._documents) + 1):
            for name in file_names(self[number].meta):
                self._number_of_key.setdefault(("file name", name.casefold()), number)
        self._indexed = len(self._documents)

    def _enter(self, field: str, start: int, stop: int) -> None:
        for number in range(start + 1, stop + 1):
            if (value := self[number].meta.get(field)) is not None:
                self._number_of_key.setdefault((field, str(value)), number)


def file_names(meta: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names under which a model may cite a document as a file."""
    for field in ("file_name", "file_path", "url"):
        if isinstance(value := meta.get(field), str) and value:
            path = urlsplit(value).path if field == "url" else value.replace("\\", "/")
            name = unquote(PurePosixPath(path).name) if field == "url" else PurePosixPath(path).name
            if name:
                yield name

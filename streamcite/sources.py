"""The register that owns the numbers: which document is `[3]`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote

from streamcite.answers import Document, Meta
from streamcite.errors import DocumentError

__all__ = ["NumberedDocument", "Sources", "file_names", "keys_of", "names_of"]

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
    def meta(self) -> Meta:
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

    __slots__ = ("_by_field", "_by_file", "_documents", "_indexed", "_number_of_id", "size")

    def __init__(self, documents: Iterable[object] = ()) -> None:
        # A copy is no longer than it must be; a server has ten thousand of them.
        self._documents = [
            value if type(value) is Document else Document.of(value) for value in _each(documents)
        ].copy()
        self.size = len(self._documents)
        """How many documents there are; `len` says the same."""
        # Most answers never ask for a number by id or by key: the indices are made when one does.
        self._number_of_id: dict[str, int] | None = None
        self._indexed = 0
        self._by_field: dict[str, _KeyIndex] | None = None
        self._by_file: _KeyIndex | None = None

    @classmethod
    def joined(cls, sources: "Sources | None", documents: Iterable[object]) -> "Sources":
        """Return the register given, with the documents added; or a new one of them."""
        if sources is None:
            return cls(documents)
        if not isinstance(sources, Sources):
            raise DocumentError(
                f"sources is one {type(sources).__name__}; give a streamcite.Sources, or documents"
            )
        sources.add(documents)
        return sources

    def add(self, documents: Iterable[object]) -> list[int]:
        """Number further documents.

        Args:
            documents: Anything that `Document.of` accepts.

        Returns:
            The number of each, in order; a known id keeps its number.
        """
        numbers = []
        for value in _each(documents):
            document = Document.of(value)
            number = self.number_of(document.id)
            if number is None:
                self._documents.append(document)
                self.size = number = len(self._documents)
            numbers.append(number)
        return numbers

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
        if self._number_of_id is None:
            self._number_of_id = {}
        for document in self._documents[self._indexed :]:
            self._indexed += 1
            self._number_of_id.setdefault(document.id, self._indexed)
        return self._number_of_id.get(document_id)

    def number_of_key(self, key: str, fields: Iterable[str] = DEFAULT_KEY_FIELDS) -> int | None:
        """Return the number of the document that a key marker means, or None.

        Args:
            key: What the model wrote: `ab-1` of `[cite:ab-1]`, `4:0` of `【4:0†source】`.
            fields: Names of meta entries that hold such keys; the id is tried last.
        """
        if self._by_field is None:
            self._by_field = {}
        for field in fields:
            index = self._by_field.get(field)
            if index is None:
                index = self._by_field[field] = _KeyIndex(partial(_field_values, field))
            if (number := index.number_of(key, self._documents)) is not None:
                return number
        return self.number_of(key)

    def number_of_file(self, name: str) -> int | None:
        """Return the number of the document with this file name, whatever its case, or None."""
        if self._by_file is None:
            self._by_file = _KeyIndex(file_names)
        return self._by_file.number_of(name.casefold(), self._documents)


def _each(documents: Iterable[object] | None) -> Iterable[object]:
    """Refuse a single document where a list is meant; a str would be one per character."""
    if type(documents) is list or type(documents) is tuple:
        return documents  # as nearly always, and the look for the others takes a microsecond
    if documents is None:
        return ()
    if isinstance(documents, str | bytes | Mapping | Document) or not isinstance(
        documents, Iterable
    ):
        raise DocumentError(
            f"documents is one {type(documents).__name__}; give a list of documents"
        )
    return documents


class _KeyIndex:
    """Finds documents by something in their meta; each is read once, when first looked for."""

    __slots__ = ("_keys_of", "_numbers", "_read")

    def __init__(self, keys_of: Callable[[Mapping[str, object]], Iterable[str]]) -> None:
        self._keys_of = keys_of
        self._numbers: dict[str, int] = {}
        self._read = 0

    def number_of(self, key: str, documents: Sequence[Document]) -> int | None:
        for document in documents[self._read :]:
            self._read += 1
            for known in self._keys_of(document.meta):
                self._numbers.setdefault(known, self._read)
        return self._numbers.get(key)


def _field_values(field: str, meta: Mapping[str, object]) -> Iterator[str]:
    value = meta.get(field)
    # A blank one names nothing, or `<ref id=" "/>` would cite it.
    if value is not None and (key := str(value)).strip():
        yield key


def keys_of(document: Document, fields: Iterable[str]) -> Iterator[str]:
    """Yield the keys that a marker may call a document by: these meta entries, then the id."""
    for field in fields:
        yield from _field_values(field, document.meta)
    yield document.id


def names_of(document: Document, fields: Iterable[str]) -> Iterator[str]:
    """Yield all that a marker may call a document by, if these meta entries hold keys."""
    yield from keys_of(document, fields)
    yield from file_names(document.meta)


def file_names(meta: Mapping[str, object]) -> Iterator[str]:
    """Return the names, case folded, under which a model may cite a document as a file.

    None is empty: a site's start page has no file name, and `- [ ]` in a list cites nothing.
    """
    # The blanks around a name in brackets are no part of it either.
    names = (name.strip().casefold() for name in _last_parts(meta))
    return filter(None, names)


def _last_parts(meta: Mapping[str, object]) -> Iterator[str]:
    for field in ("file_name", "file_path"):
        if isinstance(value := meta.get(field), str):
            yield value.replace("\\", "/").rpartition("/")[2]
    if isinstance(url := meta.get("url"), str):
        path = re.split(r"[?#]", url.partition("://")[2] or url)[0]
        yield unquote(path.rpartition("/")[2])

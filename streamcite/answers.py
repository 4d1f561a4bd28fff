"""What a user gets: documents, references, citations and the answer that holds them."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.dataclasses import dataclass

from streamcite.errors import DocumentError
from streamcite.json_values import AS_JSON, Json, Meta, Score, described

__all__ = [
    "AnswerWarning",
    "Citation",
    "CitationFields",
    "Claim",
    "Document",
    "GeneratedAnswer",
    "Json",
    "Meta",
    "Reference",
    "citation_of",
]

# (text, meta) attribute names of Haystack, LangChain and LlamaIndex documents, in this order.
_DOCUMENT_SHAPES = (("content", "meta"), ("page_content", "metadata"), ("text", "metadata"))

# What frameworks write beside text and meta, and no reader wants to see.
_NOT_META = frozenset(
    "blob content dataframe embedding id id_ meta metadata node_id page_content score "
    "sparse_embedding text type".split()
)


class Document(BaseModel):
    """A source that a model was shown and may cite."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    content: str = ""
    """The text shown to the model."""
    id: str = ""
    """Unique name; a hash of content and meta if none is given, or a blank one."""
    meta: Annotated[Meta, AS_JSON] = Field(default_factory=dict)
    """Anything else: `title`, `url` and `file_name` are shown to readers."""
    score: Score | None = None
    """The retriever's score, higher is better."""

    def __init__(self, content: str = "", **data: object) -> None:
        super().__init__(content=content, **data)

    @model_validator(mode="after")
    def _identify(self) -> "Document":
        # A blank one names nothing, or `<ref id=" "/>` would cite it.
        if not self.id.strip():
            self.id = _content_hash(self.content, self.meta)
        return self

    @classmethod
    def of(cls, value: object) -> "Document":
        """Make a document of whatever a user's framework calls one.

        Args:
            value: A Document; an object with `content`/`meta` (Haystack), `page_content`/
                `metadata` (LangChain) or `text`/`metadata` (LlamaIndex); a scored node that
                holds one in `.node`; a mapping with such keys; or a plain str.

        Raises:
            DocumentError: The value has none of these shapes, or a field of another type.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str):
            return cls(content=value)
        fields = value if isinstance(value, Mapping) else _Attributes(value)
        for text_name, meta_name in _DOCUMENT_SHAPES:
            if fields.get(text_name, _attribute_missing) is not _attribute_missing:
                try:
                    return _from_fields(fields, text_name, meta_name)
                except (TypeError, ValueError) as error:
                    reason = f"{type(value).__name__}: {_reason(error)}"
                    raise DocumentError(f"cannot read a document from {reason}") from error
        if (node := fields.get("node")) is not None:
            found = cls.of(node)
            return found.model_copy(update={"score": fields.get("score", found.score)})
        raise DocumentError(
            f"cannot read a document from {type(value).__name__}: give a streamcite.Document, a "
            "str, a mapping with 'content', or an object with content/meta, "
            "page_content/metadata or text/metadata"
        )


class _Attributes:
    """Reads an object's attributes as a mapping is read."""

    def __init__(self, value: object) -> None:
        self._value = value

    def get(self, name: str, default: object = None) -> Any:
        return getattr(self._value, name, default)


_attribute_missing = object()


def _from_fields(fields: Any, text_name: str, meta_name: str) -> Document:
    names = (fields.get(name) for name in ("id", "id_", "node_id"))
    identity = next((name for name in names if name is not None and str(name).strip()), "")
    meta = fields.get(meta_name)
    if meta is None:
        meta = fields.get("meta") if meta_name == "metadata" else fields.get("metadata")
    named = {**_beside(fields), **dict(meta or {})}
    return Document(
        content=fields.get(text_name) or "",
        id=str(identity),
        meta={str(key): value for key, value in named.items()},
        score=fields.get("score"),
    )


def _reason(error: Exception) -> str:
    """Say which field is wrong, and how, without the document, which may be long."""
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    # That is all else that can go wrong.
    return "meta: this is no mapping; give one, such as {'title': …, 'url': …}"


def _beside(fields: object) -> dict[object, object]:
    """Return what a mapping says of a document beside its text: a title, a url."""
    if not isinstance(fields, Mapping):
        return {}
    return {
        key: value for key, value in fields.items() if key not in _NOT_META and value is not None
    }


def _content_hash(content: str, meta: Meta) -> str:
    """Name a document by what it says; ASCII JSON, so that lone surrogates cannot raise."""
    try:
        payload = json.dumps([content, meta], sort_keys=True, default=str)
    except Exception:  # keys of several types, or a meta that contains itself or cannot be read
        payload = json.dumps([content, described(meta)])
    return hashlib.sha256(payload.encode("ascii")).hexdigest()


Claim = tuple[int, int] | tuple[None, None]
"""Start and end of the text that a citation stands for, in the text as shown."""


# As pydantic dataclasses, this and `Citation` have a schema, and `trusted` makes one at the price
# of a plain object.
@dataclass(frozen=True, slots=True, config=ConfigDict(defer_build=True, extra="forbid"))
class Reference:
    """One document that a citation points to."""

    source_index: int | None = None
    """1-based number of the document in `Sources`; None for a key that no document has."""
    document_id: str | None = None
    """The document's id; None if unresolved."""
    resolved: bool = True
    """Whether there is such a document."""
    key: str | None = None
    """What the model wrote, for markers that cite by key and not by number."""

    @classmethod
    def trusted(cls, source_index: int, document_id: str, key: str | None = None) -> "Reference":
        """Make a resolved reference of fields that are known to be right; see `Citation`."""
        reference: Any = _UnfrozenReference()
        reference.source_index = source_index
        reference.document_id = document_id
        reference.resolved = True
        reference.key = key
        reference.__class__ = Reference
        frozen: Reference = reference
        return frozen


@dataclass(frozen=True, slots=True, config=ConfigDict(defer_build=True, extra="forbid"))
class Citation:
    """A marker resolved: its text, its place and its references."""

    id: str
    """Stable name within the reply: "c1", "c2", …"""
    marker: str
    """The text as the model wrote it."""
    section: str | None = None
    """The tag whose content holds the marker; None for the text outside all tags."""
    occurrence: int = 0
    """Which occurrence of that section, from 0."""
    start: int | None = None
    """First code point of the marker in the text as shown; None if it has no place there."""
    end: int | None = None
    """The code point behind it."""
    claim_start: int | None = None
    """First code point of the text that the citation stands for; None if no such text is shown."""
    claim_end: int | None = None
    """The code point behind that text."""
    references: tuple[Reference, ...] = ()
    """The documents, in the order the marker names them, each once."""
    number: str | None = None
    """What is displayed for it: "1", "1, 2"; None if it is not displayed as numbers."""

    @classmethod
    def trusted(
        cls,
        citation_id: str,
        marker: str,
        section: str | None,
        occurrence: int,
        start: int | None,
        end: int | None,
        claim_start: int | None,
        claim_end: int | None,
        references: tuple[Reference, ...],
        number: str | None,
    ) -> "Citation":
        """Make a citation of fields that are known to be right.

        Validation takes ten times as long, and in text with a citation in every sentence that
        would be a fifth of all work.
        """
        citation: Any = _UnfrozenCitation()
        citation.id = citation_id
        citation.marker = marker
        citation.section = section
        citation.occurrence = occurrence
        citation.start = start
        citation.end = end
        citation.claim_start = claim_start
        citation.claim_end = claim_end
        citation.references = references
        citation.number = number
        citation.__class__ = Citation
        frozen: Citation = citation
        return frozen

    def to_dict(self) -> Json:
        """Return the citation as JSON-ready values."""
        references = [_fields_of(reference) for reference in self.references]
        return {**_fields_of(self), "references": references}

    @property
    def source_indices(self) -> tuple[int, ...]:
        """Numbers of the documents that the citation resolves to, in order of writing."""
        return tuple(
            [
                reference.source_index
                for reference in self.references
                if reference.resolved and reference.source_index is not None
            ]
        )


_Place = int | None

CitationFields = tuple[
    str, str, str | None, int, _Place, _Place, _Place, _Place, tuple[Reference, ...], str | None
]
"""The fields of a citation, in the order in which `Citation.trusted` takes them."""


def citation_of(citing: Citation | CitationFields) -> Citation:
    """Return a citation, made now if these are only its fields."""
    return Citation.trusted(*citing) if isinstance(citing, tuple) else citing


def _fields_of(value: Reference | Citation) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


# Objects in the making; none leaves `trusted` as such. Calling a class without an `__init__` of
# its own, and plain assignment, is the cheapest way to make an object. Both assignment and
# deletion must be given, or the interpreter looks them up by name each time.


class _UnfrozenReference(Reference):
    __slots__ = ()
    __init__ = object.__init__
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


class _UnfrozenCitation(Citation):
    __slots__ = ()
    __init__ = object.__init__
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__


class AnswerWarning(BaseModel):
    """Something in the reply, or about it, that was not as expected."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")

    code: str
    """Stable name: unknown-source, unreadable-item, missing-answer-tag, …"""
    message: str
    """What happened, for people."""
    position: int | None = None
    """Code point in the text as shown, where it has a place there."""
    item: str | None = None
    """The number, range or key that means nothing, if it is about one."""


class GeneratedAnswer(BaseModel):
    """One reply as its reader sees it, with the documents it cites."""

    model_config = ConfigDict(defer_build=True, extra="forbid")

    data: str = ""
    """The answer text, after tags are lifted out and the display mode is applied."""
    query: str = ""
    """The user's question."""
    documents: list[Document] = Field(default_factory=list)
    """Copies in ascending `meta["source_index"]`; `meta["referenced"]` says which are cited."""
    meta: Annotated[Meta, AS_JSON] = Field(default_factory=dict)
    """Generator meta, `all_messages`, `prompt`, one key per extracted tag, `_references`."""
    citations: list[Citation] = Field(default_factory=list)
    """All citations in the order of the reply, those in sections included."""
    section: str | None = None
    """The tag whose content `data` is; None for the text outside all tags."""
    sections: dict[str, list[str]] = Field(default_factory=dict)
    """Content of each named tag, one entry per occurrence."""
    warnings: list[AnswerWarning] = Field(default_factory=list)
    """What could not be read or resolved."""

    def to_dict(self) -> Json:
        """Return the answer as JSON-ready values."""
        return self.model_dump(mode="json")

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> "GeneratedAnswer":
        """Read back what `to_dict` wrote."""
        return cls.model_validate(data)

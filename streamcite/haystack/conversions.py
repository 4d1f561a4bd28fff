"""Documents, answers and messages: Haystack's and streamcite's, both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import haystack.dataclasses as hs

from streamcite.answers import AnswerWarning, Citation, Document, GeneratedAnswer, Json
from streamcite.arguments import check_type, items_of
from streamcite.errors import DocumentError, InputError
from streamcite.prompts.messages import ChatMessage

__all__ = [
    "CitedAnswer",
    "documents_of",
    "from_haystack_answer",
    "from_haystack_document",
    "from_haystack_message",
    "message_text",
    "numbered_document",
    "to_haystack_answer",
    "to_haystack_document",
    "to_haystack_message",
]


@dataclass
class CitedAnswer(hs.GeneratedAnswer):
    """Haystack's `GeneratedAnswer`, with the citations that its text holds.

    It is one wherever Haystack expects one. Its dictionary is Haystack's, with the keys
    `citations`, `sections`, `warnings` and `section` added, which Haystack's own `from_dict`
    passes over.
    """

    citations: list[Citation] = field(default_factory=list)
    """All citations in the order of the reply, with their places."""
    sections: dict[str, list[str]] = field(default_factory=dict)
    """Content of each extracted tag, one entry per occurrence."""
    warnings: list[AnswerWarning] = field(default_factory=list)
    """What could not be read or resolved."""
    section: str | None = None
    """The tag whose content `data` is; None for the text outside all tags."""

    def to_dict(self) -> Json:
        """Return the answer as a flat dictionary."""
        return {
            **super().to_dict(),
            "citations": [citation.to_dict() for citation in self.citations],
            "sections": {name: list(texts) for name, texts in self.sections.items()},
            "warnings": [warning.model_dump(mode="json") for warning in self.warnings],
            "section": self.section,
        }

    @classmethod
    def from_dict(cls, data: Json) -> "CitedAnswer":
        """Read back what `to_dict`, or that of Haystack's `GeneratedAnswer`, wrote.

        Raises:
            InputError: It is the dictionary of no answer.
        """
        advice = "give the dictionary that an answer's to_dict wrote"
        check_type(data, Mapping, "data", advice)
        fields = data.get("init_parameters", data)
        check_type(fields, Mapping, "init_parameters", advice)
        if missing := sorted({"data", "query", "documents", "meta"} - set(fields)):
            raise InputError(f"an answer's dictionary lacks {', '.join(missing)}; {advice}")
        plain = hs.GeneratedAnswer.from_dict(data)
        return cls(
            data=plain.data,
            query=plain.query,
            documents=plain.documents,
            meta=plain.meta,
            citations=[Citation(**entry) for entry in data.get("citations", ())],
            sections={name: list(texts) for name, texts in data.get("sections", {}).items()},
            warnings=[AnswerWarning.model_validate(entry) for entry in data.get("warnings", ())],
            section=data.get("section"),
        )


_DOCUMENT_ADVICE = "give haystack.Document objects"


def documents_of(documents: object) -> list[hs.Document]:
    """Return the documents of a run; None for none.

    Raises:
        DocumentError: They are no list of Haystack's documents.
    """
    if documents is None:
        return []
    advice = f"{_DOCUMENT_ADVICE} in a list"
    return items_of(documents, hs.Document, "documents", advice, DocumentError)


def from_haystack_document(document: hs.Document) -> Document:
    """Return a Haystack document as streamcite's: text, id, meta and score.

    Raises:
        DocumentError: It is none.
    """
    check_type(document, hs.Document, "the document", _DOCUMENT_ADVICE, DocumentError)
    # Haystack lets the keys of a meta be of any type.
    meta = {str(key): value for key, value in (document.meta or {}).items()}
    return Document(document.content or "", id=document.id, meta=meta, score=document.score)


def to_haystack_document(document: Document) -> hs.Document:
    """Return a document as Haystack's.

    Raises:
        DocumentError: It is none of streamcite's.
    """
    advice = "give a streamcite.Document; streamcite.Document.of makes one of many things"
    check_type(document, Document, "the document", advice, DocumentError)
    return hs.Document(
        id=document.id, content=document.content, meta=dict(document.meta), score=document.score
    )


def numbered_document(document: Document, originals: Sequence[hs.Document]) -> hs.Document:
    """Return an answer's document as Haystack's, with all that the original holds.

    Args:
        document: A document of an answer, with `source_index` in its meta.
        originals: Haystack's documents in the order of their numbers; embeddings and such are
            taken from there.
    """
    number = document.meta.get("source_index")
    if not isinstance(number, int) or not 1 <= number <= len(originals):
        return to_haystack_document(document)
    original = originals[number - 1]
    meta = dict(original.meta or {})
    for key in ("source_index", "referenced"):
        if key in document.meta:
            meta[key] = document.meta[key]
    return replace(original, meta=meta)


def to_haystack_answer(
    answer: GeneratedAnswer,
    originals: Sequence[hs.Document] = (),
    meta: Mapping[str, object] | None = None,
) -> CitedAnswer:
    """Return an answer as Haystack's, with its citations.

    Args:
        answer: The answer.
        originals: Haystack's documents in the order of their numbers, if there are any.
        meta: The meta it gets; the answer's own if none is given.

    Raises:
        InputError: It is no answer, or its meta no mapping.
        DocumentError: The originals are none of Haystack's documents.
    """
    check_type(answer, GeneratedAnswer, "the answer", "give a streamcite.GeneratedAnswer")
    check_type(meta, Mapping | None, "meta", "give a dictionary")
    originals = documents_of(originals)
    return CitedAnswer(
        data=answer.data,
        query=answer.query,
        documents=[numbered_document(document, originals) for document in answer.documents],
        meta=dict(answer.meta if meta is None else meta),
        citations=list(answer.citations),
        sections={name: list(texts) for name, texts in answer.sections.items()},
        warnings=list(answer.warnings),
        section=answer.section,
    )


def from_haystack_answer(answer: hs.GeneratedAnswer) -> GeneratedAnswer:
    """Return a Haystack answer as streamcite's; messages in its meta become dictionaries.

    Raises:
        InputError: It is none.
    """
    check_type(answer, hs.GeneratedAnswer, "the answer", "give a GeneratedAnswer of Haystack's")
    meta = dict(answer.meta)
    if isinstance(messages := meta.get("all_messages"), list):
        meta["all_messages"] = [
            message.to_dict() if isinstance(message, hs.ChatMessage) else message
            for message in messages
        ]
    found = GeneratedAnswer(
        data=answer.data,
        query=answer.query,
        documents=[from_haystack_document(document) for document in answer.documents],
        meta=meta,
    )
    if isinstance(answer, CitedAnswer):
        found.citations = list(answer.citations)
        found.section = answer.section
        found.sections = {name: list(texts) for name, texts in answer.sections.items()}
        found.warnings = list(answer.warnings)
    return found


def from_haystack_message(message: hs.ChatMessage) -> ChatMessage:
    """Return a Haystack message as streamcite's."""
    return ChatMessage.of(message)


def to_haystack_message(message: ChatMessage) -> hs.ChatMessage:
    """Return a message as Haystack's.

    Raises:
        InputError: It is none of streamcite's.
    """
    advice = "give a ChatMessage of streamcite.prompts"
    check_type(message, ChatMessage, "the message", advice)
    return hs.ChatMessage.from_dict(message.to_dict())


def message_text(reply: object) -> str:
    """Return what a reply says: all text parts of a message, as a stream shows them."""
    return "".join(reply.texts) if isinstance(reply, hs.ChatMessage) else str(reply)

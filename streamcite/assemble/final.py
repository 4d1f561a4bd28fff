"""The whole answer of a reply, from what was shown and cited."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from streamcite.answers import AnswerWarning, Citation, Document, GeneratedAnswer, Meta
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["Facts", "build_answer"]

_set = object.__setattr__


# Not frozen: a frozen one takes three times as long to make, and nobody changes one.
@dataclass(slots=True)
class Facts:
    """All that an answer is built from."""

    data: str
    query: str
    options: CiteOptions
    sources: Sources
    citations: list[Citation]
    referenced: Set[int]
    sections: Mapping[str, list[str]]
    warnings: list[AnswerWarning]
    all_messages: list[str]
    generator_meta: Mapping[str, object]
    meta: Mapping[str, object]
    prompt: str | None
    answer_section: str | None
    """The section whose text `data` is; None for the text outside all tags."""


def build_answer(facts: Facts) -> GeneratedAnswer:
    """Return the answer; the caller's documents and meta are copied, never changed."""
    return GeneratedAnswer(
        data=facts.data,
        query=facts.query,
        documents=_documents(facts),
        meta=_meta(facts),
        citations=facts.citations,
        section=facts.answer_section,
        sections={name: list(texts) for name, texts in facts.sections.items()},
        warnings=facts.warnings,
    )


def _documents(facts: Facts) -> list[Document]:
    parses = facts.options.parses_references
    only_referenced = parses and facts.options.return_only_referenced_documents
    return [
        _numbered(document, index, index in facts.referenced if parses else None)
        for index, document in enumerate(facts.sources, start=1)
        if not only_referenced or index in facts.referenced
    ]


def _numbered(document: Document, index: int, referenced: bool | None) -> Document:
    meta = {**document.meta, "source_index": index}
    if referenced is not None:
        meta["referenced"] = referenced
    if type(document) is not Document:
        return document.model_copy(update={"meta": meta})
    # What `model_copy` does takes half as long without its look at what a class may add.
    copied = Document.__new__(Document)
    _set(copied, "__dict__", {**document.__dict__, "meta": meta})
    _set(copied, "__pydantic_fields_set__", {*document.model_fields_set, "meta"})
    _set(copied, "__pydantic_extra__", None)
    _set(copied, "__pydantic_private__", None)
    return copied


def _meta(facts: Facts) -> Meta:
    meta: Meta = {**facts.generator_meta, **facts.meta}
    # The answers of a stream share it: of n replies there would be n lists of n.
    meta["all_messages"] = facts.all_messages
    if facts.prompt is not None:
        meta["prompt"] = facts.prompt
    meta.update({name: texts[0] for name, texts in facts.sections.items() if texts})
    if facts.options.parses_references and len(facts.sources):
        meta["_references"] = _references(facts)
    return meta


def _references(facts: Facts) -> list[dict[str, object]]:
    """Return what deepset's user interface reads: one entry per citation and document."""
    # Removed markers stood in the answer text too, and have a claim there.
    removed = facts.options.display == "remove"
    templates: dict[int, dict[str, object]] = {}
    found: list[dict[str, object]] = []
    for citation in facts.citations:
        place = citation.claim_start if removed else citation.start
        if citation.section != facts.answer_section or place is None:
            continue
        # As `source_indices` has them; asking that would take half as long again.
        for reference in citation.references:
            index = reference.source_index
            if index is None or not reference.resolved:
                continue
            template = templates.get(index)
            if template is None:
                template = templates[index] = _template(facts.sources[index], index)
            entry = template.copy()
            entry["answer_start_idx"] = citation.claim_start
            entry["answer_end_idx"] = citation.claim_end
            found.append(entry)
    return found


def _template(document: Document, index: int) -> dict[str, object]:
    return {
        "answer_start_idx": None,
        "answer_end_idx": None,
        "doc_start_idx": 0,
        "doc_end_idx": len(document.content),
        "document_id": document.id,
        "document_position": index,
        "label": "grounded",
        "score": document.score,
    }

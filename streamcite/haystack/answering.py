"""Whole replies in, answers out: what the builders and the generator share."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from haystack import logging
from haystack.dataclasses import ChatMessage, Document
from haystack.utils import deserialize_callable, serialize_callable

from streamcite.answers import GeneratedAnswer, Meta
from streamcite.arguments import check_type, items_of
from streamcite.assemble.display import Numbering
from streamcite.chunks import Chunk
from streamcite.engine.citer import Citer
from streamcite.errors import InputError, OptionsError, PatternError
from streamcite.haystack.conversions import (
    CitedAnswer,
    documents_of,
    from_haystack_document,
    message_text,
    to_haystack_answer,
)
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = [
    "Patterns",
    "build_answers",
    "check_expands",
    "check_options",
    "engine_meta",
    "load_options",
    "prompt_text",
    "store_options",
    "store_value",
]

logger = logging.getLogger(__name__)

# Options of different runs that stay compiled; a pipeline is run with a few patterns.
_KEPT_OPTIONS = 32


def check_options(keywords: dict[str, Any]) -> CiteOptions:
    """Return options that a `Citer` accepts.

    Raises:
        OptionsError: They have no meaning.
        PatternError: A pattern cannot be streamed.
    """
    _check_pattern(keywords.get("pattern"), "pattern")
    _check_groups(keywords.get("pattern") or "")
    options = CiteOptions(**keywords)
    Citer(options=options)
    return options


def store_options(options: Mapping[str, object] | None) -> dict[str, Any] | None:
    """Return options as YAML can hold them; a function for `display` by its name."""
    if options is None:
        return None
    return {name: store_value(value) for name, value in options.items()}


def store_value(value: object) -> object:
    """Return a value of an option as YAML can hold it; names of a set in the same order always."""
    if callable(value):
        return serialize_callable(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


_OPTIONS_ADVICE = "give a dictionary of options by name, such as {'display': 'remove'}"


def load_options(options: Mapping[str, object] | None) -> dict[str, Any]:
    """Return options with the function that `display` names; no built-in mode has a dot.

    Raises:
        OptionsError: They are no mapping, or a function's name means none.
    """
    check_type(options, Mapping | None, "options", _OPTIONS_ADVICE, OptionsError)
    for name in options or ():
        check_type(name, str, "a name in options", _OPTIONS_ADVICE, OptionsError)
    loaded: dict[str, Any] = dict(options or {})
    if isinstance(display := loaded.get("display"), str) and "." in display:
        loaded["display"] = deserialize_callable(display)
    return loaded


def check_expands(expands: object) -> None:
    """Refuse what says neither yes nor no.

    Raises:
        OptionsError: It is another type.
    """
    name = "expand_reference_ranges"
    check_type(expands, bool | None, name, "give True or False", OptionsError)


def _check_pattern(pattern: object, name: str) -> None:
    advice = "give a regular expression as a str"
    check_type(pattern, str | None, name, advice, OptionsError)


def _check_groups(pattern: str) -> None:
    """Refuse two groups in Haystack's words; what is no regex is refused by the engine."""
    try:
        groups = re.compile(pattern).groups
    except re.error:
        return
    if groups > 1:
        message = "it contains multiple capture groups; write all but one as (?:…)"
        raise PatternError(message, pattern=pattern)


class Patterns:
    """What an answer builder was made with, and the options that each run makes of it.

    Args:
        pattern: Picks the answer text out of a reply.
        reference_pattern: Finds the references.
        named: Further options that the component has a parameter for.
        options: Any other options, by name.

    Raises:
        OptionsError: One of them has no meaning, is given twice, or contradicts another.
        PatternError: A pattern cannot be used.
    """

    def __init__(
        self,
        pattern: str | None,
        reference_pattern: str | None,
        named: Mapping[str, object],
        options: Mapping[str, object] | None,
    ) -> None:
        further = load_options(options)
        _check_pattern(pattern, "pattern")
        _check_pattern(reference_pattern, "reference_pattern")
        if doubled := sorted(further.keys() & {"pattern", "reference_pattern", *named}):
            raise OptionsError(
                f"options: {', '.join(doubled)} is a parameter of the component; give it there"
            )
        if reference_pattern and (named.get("markers") or further.get("markers")):
            raise OptionsError(
                "reference_pattern takes the place of markers; give the component one of the two"
            )
        self._given = (pattern, reference_pattern, named, options)
        self._pattern = pattern
        self._reference_pattern = reference_pattern
        self._keywords = {**named, **further}
        self._make: Callable[..., CiteOptions] = lru_cache(_KEPT_OPTIONS)(self._make_anew)
        if pattern or reference_pattern or self._keywords:
            self.options(None, None, True)

    def __reduce__(self) -> tuple[type["Patterns"], tuple[object, ...]]:
        # What stays compiled is no part of a copy.
        return (Patterns, self._given)

    def options(
        self,
        pattern: str | None,
        reference_pattern: str | None,
        parses: bool,
        expands: bool | None = None,
    ) -> CiteOptions:
        """Return the options of a run.

        Args:
            pattern: The run's own pattern; one that is empty does not count, as in Haystack.
            reference_pattern: The same for references.
            parses: Whether there are documents that could be referenced.
            expands: Whether ranges are expanded; None for what the component was made with.

        Raises:
            OptionsError: One of them is of another type.
            PatternError: A pattern cannot be used.
        """
        _check_pattern(pattern, "pattern")
        _check_pattern(reference_pattern, "reference_pattern")
        check_expands(expands)
        return self._make(
            pattern or self._pattern,
            reference_pattern or self._reference_pattern or None,
            parses,
            expands,
        )

    def _make_anew(
        self,
        pattern: str | None,
        reference_pattern: str | None,
        parses: bool,
        expands: bool | None,
    ) -> CiteOptions:
        keywords: dict[str, Any] = {**self._keywords, "pattern": pattern}
        if expands is not None:
            keywords["expand_reference_ranges"] = expands
        if not parses or reference_pattern is None:
            keywords.pop("when", None)
            if not parses:
                keywords["markers"] = ()
            return check_options(keywords)
        keywords.pop("markers", None)
        return _with_references(keywords, reference_pattern)


def _with_references(keywords: dict[str, Any], reference_pattern: str) -> CiteOptions:
    """Return options with a reference pattern; one that only a whole reply can be searched for
    is searched for there, since a builder has the whole reply."""
    keywords["reference_pattern"] = reference_pattern
    try:
        return check_options(keywords)
    except PatternError as error:
        if "when" in keywords:
            raise
        try:
            return check_options({**keywords, "when": "at_end"})
        except OptionsError:
            raise error from None


def build_answers(
    *,
    query: str,
    replies: Sequence[object],
    meta: Sequence[Mapping[str, object]] | None,
    documents: Sequence[Document] | None,
    options: CiteOptions,
    added_meta: Callable[[GeneratedAnswer], Mapping[str, object]],
    streamed_as: Callable[[object], GeneratedAnswer | None] = lambda reply: None,
    numbering: Numbering | None = None,
) -> list[CitedAnswer]:
    """Return an answer for each reply, or for the last one with `last_message_only`.

    Args:
        query: The question.
        replies: Texts or messages.
        meta: Entries for each answer's meta; they win over those of its message.
        documents: What the model was shown, in that order.
        options: How markers are found and shown.
        added_meta: Returns what else goes into an answer's meta.
        streamed_as: Returns the answer that a reply was shown as; it is not cited again.
        numbering: The numbers by first use that were shown already.

    Raises:
        InputError: There are not as many metas as replies, or one of these is something else.
        DocumentError: One of the documents is none of Haystack's.
    """
    documents = documents_of(documents)
    replies = _replies_of(replies)
    advice = "give a list of one dictionary for each reply"
    metas = items_of(meta, Mapping, "meta", advice) if meta else [{}] * len(replies)
    if len(metas) != len(replies):
        raise InputError(
            f"Number of replies ({len(replies)}), and metadata ({len(metas)}) must match. "
            "Give one meta for each reply, or none."
        )
    first = max(len(replies) - 1, 0) if options.last_message_only else 0
    sources = Sources(map(from_haystack_document, documents))
    numbering = numbering or Numbering()
    answers = []
    for reply, given in list(zip(replies, metas, strict=True))[first:]:
        answer = streamed_as(reply)
        if answer is None:
            citer = Citer(query=query, sources=sources, options=options, numbering=numbering)
            answer = _cite(citer, reply)
        _log_unknown(answer)
        own = reply.meta if isinstance(reply, ChatMessage) else {}
        merged = {**own, **given, "all_messages": replies, **added_meta(answer)}
        answers.append(to_haystack_answer(answer, documents, merged))
    return answers


def _replies_of(replies: object) -> Sequence[object]:
    # What is a list stays this list, since an answer's meta holds it.
    if isinstance(replies, list | tuple):
        return replies
    return items_of(replies, object, "replies", "give a list of texts or ChatMessages")


def _cite(citer: Citer, reply: object) -> GeneratedAnswer:
    if isinstance(reply, ChatMessage) and reply.reasoning is not None:
        citer.feed(Chunk(reply.reasoning.reasoning_text, channel="reasoning"))
    citer.feed(Chunk(message_text(reply)))
    citer.finish()
    return citer.build_final([]).answer


def _log_unknown(answer: GeneratedAnswer) -> None:
    unknown = [
        warning.item
        for warning in answer.warnings
        if warning.code == "unknown-source" and warning.item is not None
    ]
    for item in dict.fromkeys(unknown):
        # Of numbers and ranges, Haystack's words; it knows no keys.
        if item.replace("-", "").isdecimal():
            logger.warning(
                "Document index '{index}' referenced in Generator output is out of range. "
                "The answer's warnings say where.",
                index=item,
            )
        else:
            logger.warning(
                "Document key '{key}' referenced in Generator output is that of no document. "
                "The answer's warnings say where.",
                key=item,
            )


def engine_meta(answer: GeneratedAnswer, options: CiteOptions) -> Meta:
    """Return what streamcite itself has to say in an answer's meta: references and tags."""
    names = ("_references", "prompt", *options.extract_xml_tags)
    return {name: answer.meta[name] for name in names if name in answer.meta}


def prompt_text(prompt: str | Sequence[ChatMessage] | None) -> Meta:
    """Return the entry of an answer's meta for the prompt; messages become dictionaries.

    Raises:
        InputError: It is neither a text nor a list of messages.
    """
    if prompt is None:
        return {}
    if isinstance(prompt, str):
        return {"prompt": prompt}
    advice = "give the prompt as a str, or as a list of ChatMessages"
    messages = items_of(prompt, ChatMessage, "prompt", advice)
    return {"prompt": [message.to_dict() for message in messages]}

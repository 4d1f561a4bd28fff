"""Whole replies, through the same engine as streams."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

from streamcite.answers import GeneratedAnswer
from streamcite.assemble.display import Numbering
from streamcite.engine.citer import Citer
from streamcite.errors import DocumentError, InputError
from streamcite.options import CiteOptions, OptionKeywords, resolve_options
from streamcite.sources import Sources

__all__ = ["cite_replies", "cite_text"]


def cite_text(
    text: str,
    *,
    query: str = "",
    documents: Iterable[object] = (),
    sources: Sources | None = None,
    meta: Mapping[str, object] | None = None,
    prompt: str | None = None,
    options: CiteOptions | None = None,
    **keywords: Unpack[OptionKeywords],
) -> GeneratedAnswer:
    """Cite a whole reply: what the stream would end with.

    Args and errors are those of `Citer`.
    """
    if not isinstance(text, str):
        raise InputError(
            f"cite_text takes one str, not {type(text).__name__}; for several replies there is "
            "cite_replies(), for a stream cite()"
        )
    return cite_replies(
        [text],
        query=query,
        documents=documents,
        sources=sources,
        meta=None if meta is None else [meta],
        prompt=prompt,
        options=options,
        **keywords,
    )[0]


def cite_replies(
    replies: Iterable[str],
    *,
    query: str = "",
    documents: Iterable[object] = (),
    sources: Sources | None = None,
    meta: Sequence[Mapping[str, object]] | None = None,
    prompt: str | None = None,
    options: CiteOptions | None = None,
    **keywords: Unpack[OptionKeywords],
) -> list[GeneratedAnswer]:
    """Cite several whole replies to one query.

    Each answer's meta holds all of them, in `all_messages`, so stored replies to different
    queries do not belong in one call: give them to `cite_text` one by one.

    Args:
        replies: The texts.
        documents: What the model was shown, in that order; all replies share them.
        meta: One mapping per reply, or None.

    Other args and errors are those of `Citer`.

    Returns:
        One answer per reply; only the last one's with `last_message_only`.
    """
    options = resolve_options(options, keywords)
    texts = _texts(replies)
    metas = _metas(meta, len(texts))
    _check_flat(documents)
    sources = Sources.joined(sources, documents)
    numbering = Numbering()
    citers = [
        Citer(
            query=query,
            sources=sources,
            meta=each,
            prompt=prompt,
            options=options,
            reply=index,
            numbering=numbering,
        )
        for index, each in enumerate(metas)
    ]
    for citer, text in zip(citers, texts, strict=True):
        citer.feed(text)
        citer.finish()
    chosen = citers[-1:] if options.last_message_only else citers
    return [citer.build_final(texts).answer for citer in chosen]


def _texts(replies: object) -> list[str]:
    if isinstance(replies, str):
        raise InputError("cite_replies takes a list of texts; for one text use cite_text()")
    if isinstance(replies, bytes | Mapping) or not isinstance(replies, Iterable):
        raise InputError(f"replies is a {type(replies).__name__}; give a list of texts")
    texts = list(replies)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(
                f"replies[{place}] is a {type(text).__name__}; give the text of each reply, a str"
            )
    return texts


def _metas(meta: object, count: int) -> list[Mapping[str, object]]:
    """Return one meta per reply; what each must be, its `Citer` says."""
    if not meta:
        return [{}] * count
    if isinstance(meta, str | bytes | Mapping) or not isinstance(meta, Iterable):
        raise InputError(f"meta is a {type(meta).__name__}; give a list of one mapping per reply")
    metas = list(meta)
    if len(metas) != count:
        raise InputError(
            f"there are {count} replies and {len(metas)} meta; give one mapping per reply"
        )
    return metas


def _check_flat(documents: object) -> None:
    """Refuse a list of documents per reply."""
    if isinstance(documents, Sequence) and any(isinstance(each, list) for each in documents):
        raise DocumentError(
            "documents holds lists; give one flat list of documents, which all replies share; for "
            "replies with documents of their own call cite_text() once for each"
        )

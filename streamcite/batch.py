"""Whole replies, through the same engine as streams."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack

from streamcite.answers import GeneratedAnswer
from streamcite.assemble.display import Numbering
from streamcite.engine import Citer
from streamcite.errors import InputError
from streamcite.options import CiteOptions, OptionKeywords, resolve_options
from streamcite.sources import Sources

__all__ = ["cite_replies", "cite_text"]


def cite_text(
    text: str,
    *,
    query: str = "",
    documents: Iterable[object] = (),
    sources: Sources | None = None,
    meta: Mapping[str, Any] | None = None,
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
    meta: Sequence[Mapping[str, Any]] | None = None,
    prompt: str | None = None,
    options: CiteOptions | None = None,
    **keywords: Unpack[OptionKeywords],
) -> list[GeneratedAnswer]:
    """Cite several whole replies to one query; each answer's meta holds all of them.

    Args:
        replies: The texts.
        meta: One mapping per reply, or None.

    Other args and errors are those of `Citer`.

    Returns:
        One answer per reply; only the last one's with `last_message_only`.
    """
    if isinstance(replies, str):
        raise InputError("cite_replies takes a list of texts; for one text use cite_text()")
    options = resolve_options(options, keywords)
    texts = list(replies)
    metas = [{}] * len(texts) if not meta else list(meta)
    if len(metas) != len(texts):
        raise InputError(f"there are {len(texts)} replies and {len(metas)} meta; give one each")
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
    return [citer.final(texts).answer for citer in chosen]

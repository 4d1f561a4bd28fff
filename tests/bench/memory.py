"""What an open stream keeps: bytes beside its text, its text, and objects the collector sees."""

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from statistics import median
from typing import Any

import streamcite
from tests.bench.corpora import corpus, documents
from tests.bench.timing import passing, source

__all__ = ["containers", "open_streams", "text"]

_DOCUMENTS = documents()
_KB = 1_024


def _cite(tokens: AsyncIterator[str]) -> AsyncIterator[Any]:
    return aiter(streamcite.cite(tokens, documents=_DOCUMENTS))


def open_streams(quick: bool) -> Mapping[str, float]:
    """Measure streams that wait in the midst of their answer, less bare generators that do."""
    count, read = (100, 20) if quick else (500, 20)
    tokens = corpus("plain", 1_000)
    _bytes_of(_cite, tokens, 5, read)
    own = _bytes_of(_cite, tokens, count, read) - _bytes_of(passing, tokens, count, read)
    of_text = count * len("".join(tokens[:read]))
    return {"memory of an open stream": (own - of_text) / count / _KB}


def text(quick: bool) -> Mapping[str, float]:
    """Measure what long answers keep, their tokens new strings as those of an SDK are."""
    found: dict[str, float] = {}
    for length in (2_000, 20_000 if quick else 200_000):
        tokens = corpus("free", length)
        size = len("".join(tokens))
        # Once for what a process remembers of all its streams.
        _bytes_of(_cite, tokens, 1, length - 1, fresh=True)
        kept = _bytes_of(_cite, tokens, 1, length - 1, fresh=True)
        aim, gate = 1.2 * size + 8 * _KB, 2 * size + 12 * _KB
        found[f"  {length:,} tokens"] = (kept - aim) / (gate - aim)
    return {"memory of text, between aim 0 and gate 1": max(found.values()), **found}


def _bytes_of(
    make: Callable[[AsyncIterator[str]], AsyncIterator[Any]],
    tokens: Sequence[str],
    count: int,
    read: int,
    *,
    fresh: bool = False,
) -> int:
    """Return what so many streams keep after so many tokens."""
    tokens_of = _fresh if fresh else source

    async def measure() -> int:
        streams = []
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(count):
            stream = make(tokens_of(tokens))
            for _ in range(read):
                await anext(stream)
            streams.append(stream)
        gc.collect()
        kept = tracemalloc.get_traced_memory()[0] - before
        for stream in streams:
            await stream.aclose()  # type: ignore[attr-defined]  # all are generators
        return kept

    tracemalloc.start()
    try:
        return asyncio.run(measure())
    finally:
        tracemalloc.stop()


async def _fresh(tokens: Sequence[str]) -> AsyncIterator[str]:
    for token in tokens:
        yield f"{token} "[:-1]


def containers(quick: bool) -> Mapping[str, float]:
    """Count what the collector tracks while the stream waits for its source, per token.

    There are no citations in the text, which may well be kept; medians of a hundred tokens are
    compared, since an open candidate is an object too: of the last, and of those in the middle,
    when what a stream makes once has been made.
    """
    tokens = corpus("free", 600 if quick else 2_000)
    counts: list[int] = []

    async def counting() -> AsyncIterator[str]:
        for token in tokens:
            counts.append(len(gc.get_objects()))
            yield token

    async def run() -> None:
        async for _ in _cite(counting()):
            pass

    asyncio.run(run())
    middle = len(tokens) // 2
    grown = median(counts[-100:]) - median(counts[middle : middle + 100])
    return {"containers kept per token": round(grown / (middle - 100), 3)}

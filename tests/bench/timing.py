"""How things are timed: candidates in turn, in one process, in processor time."""

import asyncio
import gc
import math
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import contextmanager
from statistics import median
from time import process_time
from typing import Any

import streamcite
from tests.bench.corpora import documents

__all__ = [
    "Samples",
    "cited",
    "exponent",
    "fed",
    "in_turn",
    "own_heap_only",
    "passed_through",
    "passing",
    "ratio",
    "source",
]

Samples = Mapping[str, Sequence[float]]
"""Seconds of each round, by candidate."""

_DOCUMENTS = documents()


async def source(tokens: Sequence[str]) -> AsyncIterator[str]:
    """Yield the tokens, as a generator that never waits does."""
    for token in tokens:
        yield token


async def passing(items: AsyncIterable[str]) -> AsyncIterator[str]:
    """Yield what comes: the least that a stage of a pipeline can do."""
    async for item in items:
        yield item


async def _drained(make: Callable[[], AsyncIterable[Any]]) -> float:
    start = process_time()
    async for _ in make():
        pass
    return process_time() - start


def passed_through(tokens: Sequence[str]) -> Callable[[], Awaitable[float]]:
    """Return the measuring of a bare pass-through generator."""
    return lambda: _drained(lambda: passing(source(tokens)))


def cited(tokens: Sequence[str], options: Mapping[str, Any]) -> Callable[[], Awaitable[float]]:
    """Return the measuring of a whole cited stream, its making and its end included."""
    return lambda: _drained(
        lambda: streamcite.cite(source(tokens), documents=_DOCUMENTS, **options)
    )


def fed(tokens: Sequence[str], options: Mapping[str, Any]) -> Callable[[], Awaitable[float]]:
    """Return the measuring of a `Citer`, without any async."""

    async def measure() -> float:
        start = process_time()
        citer = streamcite.Citer(documents=_DOCUMENTS, **options)
        feed = citer.feed
        for token in tokens:
            feed(token)
        citer.close()
        return process_time() - start

    return measure


def in_turn(candidates: Mapping[str, Callable[[], Awaitable[float]]], rounds: int) -> Samples:
    """Measure every candidate once per round, the collector running as in production."""
    samples: dict[str, list[float]] = {name: [] for name in candidates}

    async def measure() -> None:
        for candidate in candidates.values():
            await candidate()
        for _ in range(rounds):
            for name, candidate in candidates.items():
                samples[name].append(await candidate())

    gc.collect()
    asyncio.run(measure())
    return samples


@contextmanager
def own_heap_only() -> Iterator[None]:
    """Let the collector see nothing of what stood before.

    Its full walks come with the citations that an answer keeps, and would else go through the
    objects of every library that other rows of the table have imported.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def ratio(samples: Samples, upper: str, lower: str) -> float:
    """Return how much longer one takes than the other: the median of the rounds' ratios."""
    pairs = zip(samples[upper], samples[lower], strict=True)
    return median(above / below for above, below in pairs)


def exponent(short: float, long: float, times: float) -> float:
    """Return e of time = length ** e, from two lengths, one of which is `times` the other."""
    return math.log(long / short) / math.log(times)

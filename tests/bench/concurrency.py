"""Many streams on one event loop, each token a trip around the loop."""

import asyncio
import gc
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from time import process_time
from typing import Any

import streamcite
from streamcite.events import event_adapter
from tests.bench.corpora import corpus, documents
from tests.bench.timing import passing, ratio

__all__ = ["many_streams"]

_DOCUMENTS = documents()

# What a server with so many streams may set, as the page on events advises.
SELDOM = 50_000


def many_streams(quick: bool) -> Mapping[str, float]:
    """Measure 1,000 and 10,000 streams at once: bare, typed, and written as SSE JSON.

    Beside that stands what the most streams take where the collector comes seldom.
    """
    tokens_each = 30 if quick else 200
    found: dict[str, float] = {}
    for count in (1_000, 10_000):
        samples = _measure(count, tokens_each, 1 if quick else 5)
        name = f"{count:,} streams"
        found[f"{name}, typed / pass-through"] = ratio(samples, "typed", "bare")
        found[f"{name}, SSE JSON / pass-through"] = ratio(samples, "json", "bare")
    found["10,000 streams, SSE JSON"] = 10_000 * tokens_each / median(samples["json"])
    with _seldom_collected():
        samples = _measure(10_000, tokens_each, 1 if quick else 3)
    name = f"  10,000 streams, collector at {SELDOM:,}"
    found[f"{name}: typed / pass-through"] = ratio(samples, "typed", "bare")
    found[f"{name}: SSE JSON / pass-through"] = ratio(samples, "json", "bare")
    return found


@contextmanager
def _seldom_collected() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _measure(count: int, tokens_each: int, rounds: int) -> dict[str, list[float]]:
    tokens = corpus("standard", 20_000)
    starts = range(0, len(tokens) - tokens_each, 97)
    texts = [tokens[start : start + tokens_each] for start in starts]
    samples: dict[str, list[float]] = {"bare": [], "typed": [], "json": []}
    for _ in range(rounds):
        for name, consume in (("bare", _bare), ("typed", _typed), ("json", _json)):
            gc.collect()
            samples[name].append(asyncio.run(_all_at_once(count, texts, consume)))
    return samples


async def _all_at_once(
    count: int, texts: Sequence[Sequence[str]], consume: Callable[[AsyncIterable[str]], Any]
) -> float:
    start = process_time()
    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(consume(_trips(texts[number % len(texts)])))
    return process_time() - start


async def _trips(tokens: Sequence[str]) -> AsyncIterator[str]:
    """Yield each token after one trip around the loop, as one that comes from a socket."""
    for token in tokens:
        await asyncio.sleep(0)
        yield token


async def _bare(tokens: AsyncIterable[str]) -> None:
    async for _ in passing(tokens):
        pass


async def _typed(tokens: AsyncIterable[str]) -> None:
    async for _ in streamcite.cite(tokens, documents=_DOCUMENTS):
        pass


async def _json(tokens: AsyncIterable[str]) -> None:
    write = event_adapter().dump_json
    async for event in streamcite.cite(tokens, documents=_DOCUMENTS):
        b"data: %b\n\n" % write(event)

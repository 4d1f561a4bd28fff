"""aiostream operators: `cite`, `merge` and `throttle`.

aiostream is GPL-3.0-or-later and runs on asyncio only. So it is an extra, and this is the one
module that imports it; see the README's remarks on licences.
"""

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Mapping
from dataclasses import replace
from typing import Unpack

from streamcite.errors import MissingExtraError, OptionsError

try:
    from aiostream import pipable_operator, stream, streamcontext
except ImportError as error:
    raise MissingExtraError("aiostream", "aiostream") from error

from streamcite.events import AnswerEvent, PartialAnswer
from streamcite.options import CiteOptions, OptionKeywords
from streamcite.sources import Sources
from streamcite.stream import cite as cite_stream

__all__ = ["cite", "merge", "throttle"]


@pipable_operator
async def cite(
    source: AsyncIterable[object],
    *,
    query: str = "",
    documents: Iterable[object] = (),
    sources: Sources | None = None,
    meta: Mapping[str, object] | None = None,
    prompt: str | None = None,
    options: CiteOptions | None = None,
    **keywords: Unpack[OptionKeywords],
) -> AsyncIterator[AnswerEvent]:
    """Cite a token stream live: `streamcite.cite` as an operator.

    Stops with the source; reads an item only when an event is asked for.
    """
    async with (
        streamcontext(source) as streamer,
        cite_stream(
            streamer,
            query=query,
            documents=documents,
            sources=sources,
            meta=meta,
            prompt=prompt,
            options=options,
            **keywords,
        ) as answer,
    ):
        async for event in answer:
            yield event


@pipable_operator
async def merge(
    source: AsyncIterable[AnswerEvent], *more_sources: AsyncIterable[AnswerEvent]
) -> AsyncIterator[AnswerEvent]:
    """Merge several live answers into one stream, each event as soon as it comes.

    Replies are numbered anew, in the order in which they first appear, so that no two answers
    share a number. Stops when all sources have; the first error ends the others.
    """
    numbers: dict[tuple[int, int], int] = {}
    tagged = [_tag(index, each) for index, each in enumerate((source, *more_sources))]
    async with streamcontext(stream.merge(*tagged)) as streamer:
        async for index, event in streamer:
            reply = numbers.setdefault((index, event.reply), len(numbers))
            yield event if reply == event.reply else _renumbered(event, reply)


async def _tag(
    index: int, source: AsyncIterable[AnswerEvent]
) -> AsyncGenerator[tuple[int, AnswerEvent], None]:
    async with streamcontext(source) as streamer:
        async for event in streamer:
            yield index, event


def _renumbered(event: AnswerEvent, reply: int) -> AnswerEvent:
    if not isinstance(event, PartialAnswer):
        return replace(event, reply=reply)
    return PartialAnswer(
        reply, event.section, event.offset, event.delta, event.citations, event.updates
    ).with_view_of(event)


@pipable_operator
async def throttle(
    source: AsyncIterable[AnswerEvent], interval: float
) -> AsyncIterator[AnswerEvent]:
    """Let through at most one partial answer per interval and reply, and lose nothing.

    Deltas, citations and updates that come sooner are joined into the next one. All other
    events pass at once, behind the text that came before them. The first partial is not late.

    Args:
        interval: Seconds between two partial answers of a reply.

    Raises:
        OptionsError: The interval is no number of seconds.
    """
    _check_seconds(interval)
    waiting: dict[int, PartialAnswer] = {}
    due: dict[int, float] = {}
    loop = asyncio.get_running_loop()
    async with streamcontext(source) as streamer:
        upcoming: asyncio.Task[AnswerEvent] | None = None
        try:
            while True:
                if upcoming is None:
                    upcoming = asyncio.ensure_future(anext(streamer))
                soonest = min((due[reply] for reply in waiting), default=None)
                timeout = None if soonest is None else max(soonest - loop.time(), 0)
                await asyncio.wait({upcoming}, timeout=timeout)
                if upcoming.done():
                    finished, upcoming = upcoming, None
                    failure = finished.exception()
                    if failure is None:
                        passing = _admit(finished.result(), waiting, due, loop.time())
                    else:
                        passing = _drain(waiting)
                    for event in passing:
                        yield event
                    if isinstance(failure, StopAsyncIteration):
                        return
                    if failure is not None:
                        raise failure
                now = loop.time()
                for reply in [reply for reply in waiting if due[reply] <= now]:
                    due[reply] = now + interval
                    yield waiting.pop(reply)
        finally:
            if upcoming is not None:
                upcoming.cancel()
                await asyncio.wait({upcoming})


def _check_seconds(interval: object) -> None:
    if not isinstance(interval, int | float) or not 0 <= interval < math.inf:
        raise OptionsError(f"interval={interval!r} is no number of seconds; give 0.05, for example")


def _admit(
    event: AnswerEvent,
    waiting: dict[int, PartialAnswer],
    due: dict[int, float],
    now: float,
) -> list[AnswerEvent]:
    """Keep a partial answer for later; return what cannot wait."""
    before = waiting.get(event.reply)
    if not isinstance(event, PartialAnswer):
        return [*_drain(waiting, event.reply), event]
    if before is not None and before.section != event.section:
        waiting[event.reply] = event
        return [before]
    waiting[event.reply] = event if before is None else _joined(before, event)
    due.setdefault(event.reply, now)
    return []


def _drain(waiting: dict[int, PartialAnswer], reply: int | None = None) -> list[AnswerEvent]:
    replies = list(waiting) if reply is None else [reply] if reply in waiting else []
    return [waiting.pop(each) for each in replies]


def _joined(first: PartialAnswer, second: PartialAnswer) -> PartialAnswer:
    return PartialAnswer(
        first.reply,
        first.section,
        first.offset,
        first.delta + second.delta,
        first.citations + second.citations,
        first.updates + second.updates,
    ).with_view_of(second)

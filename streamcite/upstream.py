"""What a stream is read from: what it may be, and how it is opened and closed."""

import inspect
import logging
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Iterable,
    Mapping,
)
from typing import Any

from streamcite.errors import InputError

__all__ = ["Source", "check_source", "close_both", "close_source", "give_turn", "open_source"]

_log = logging.getLogger("streamcite")

# A plain iterable never waits, so the loop gets a turn after this many of its items.
SYNC_BATCH = 64
# How long a source may take to close, in seconds. Nothing cancels that, or a task that is cancelled
# would leave its source open; so it must not take for ever.
CLOSE_TIMEOUT = 5

# How streams are opened that are none before, by the method that says so; the last one counts.
OPENED_WITH = {"__enter__": "with", "__aenter__": "async with"}

Source = AsyncIterable[Any] | Iterable[Any] | Awaitable[AsyncIterable[Any]]
"""What a live stream is read from; which items it may have, `cite` says."""


def check_source(source: object) -> None:
    """Refuse what is no stream, and what only looks like one.

    Raises:
        InputError: It is one of these.
    """
    if isinstance(source, AsyncIterable):
        return
    if isinstance(source, str | bytes):
        raise InputError("cite() takes a stream of text; for one whole text use cite_text()")
    if not (_has_items(source) or inspect.isawaitable(source)):
        raise _unknown(source)


def _has_items(source: object) -> bool:
    """Say whether a source is an iterable; an item of an SDK would give the names of its fields."""
    is_item = isinstance(source, str | bytes | Mapping) or hasattr(type(source), "model_fields")
    return isinstance(source, Iterable) and not is_item


def _unknown(source: object) -> InputError:
    way_out = "give an async or plain iterable of str, bytes or SDK items"
    if hasattr(type(source), "model_fields"):
        way_out = "it is one whole item; ask the client for a stream, as with stream=True"
    for method, statement in OPENED_WITH.items():
        if hasattr(type(source), method):
            way_out = f"open it first, with `{statement}`, and give what that returns"
    if inspect.isroutine(source):
        way_out = "call it first, and give what it returns"
    return InputError(f"cannot stream from {type(source).__name__}: {way_out}")


async def open_source(source: Source) -> tuple[Source, AsyncIterator[Any]]:
    """Return the source itself, awaited if need be, and the iterator over it.

    Raises:
        InputError: What was awaited is no stream.
    """
    # In this order: aiostream's streams are awaitable too, and futures are iterable.
    if not isinstance(source, AsyncIterable) and inspect.isawaitable(source):
        source = await source
    if isinstance(source, AsyncIterable):
        return source, aiter(source)
    if _has_items(source):
        return source, _paced(source)
    raise _unknown(source)


async def _paced(items: Iterable[Any]) -> AsyncGenerator[Any, None]:
    """Yield from an iterable that never waits, and let the loop turn now and then."""
    for count, item in enumerate(items, start=1):
        yield item
        if count % SYNC_BATCH == 0:
            await give_turn()


async def give_turn() -> None:
    """Let the event loop turn once."""
    # Loaded here, as below: most streams come to their end without anyio, and all load this file.
    from anyio.lowlevel import checkpoint

    await checkpoint()


async def close_both(iterator: object, source: object) -> None:
    """Close an iterator, and what it came from if that is something else."""
    await close_source(iterator)
    if source is not iterator:
        await close_source(source)


async def close_source(source: object) -> None:
    """Close a source, whatever its kind calls that, even when this task is cancelled."""
    if inspect.isasyncgen(source) and source.ag_frame is None:
        return  # it has ended; the shield alone would cost as much as forty tokens
    closer = getattr(source, "aclose", None) or getattr(source, "close", None)
    if closer is None:
        return
    import anyio

    with anyio.move_on_after(CLOSE_TIMEOUT, shield=True) as closing_time:
        # What a source says while it closes must not take the place of why it failed.
        try:
            closing = closer()
            if inspect.isawaitable(closing):
                await closing
        except Exception:
            _log.warning("the source failed to close", exc_info=True)
    if closing_time.cancelled_caught:
        _log.warning("the source did not close within %d s; it is left as it is", CLOSE_TIMEOUT)

"""The aiostream operators; these run on asyncio only."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest
from aiostream import stream

from streamcite import AnswerEvent, FinalAnswer, PartialAnswer, SectionStarted
from streamcite.errors import OptionsError
from streamcite.operators import cite, merge, throttle
from tests.transcripts import Transcript, documents, run, transcribe

pytestmark = pytest.mark.asyncio

TOKENS = ["Paris ", "[", "1", "] ", "and ", "Rome [2]", "."]


class Tokens:
    """A token stream that says whether it was closed, and how far it was read."""

    def __init__(self, items: Iterable[object], *, error: Exception | None = None) -> None:
        self._items = iter(items)
        self._error = error
        self.closed = 0
        self.read = 0

    def __aiter__(self) -> "Tokens":
        return self

    async def __anext__(self) -> object:
        await asyncio.sleep(0)
        for item in self._items:
            self.read += 1
            return item
        if self._error is not None:
            raise self._error
        raise StopAsyncIteration

    async def aclose(self) -> None:
        self.closed += 1


async def collect(source: Any) -> list[AnswerEvent]:
    """Return all events of a pipe."""
    async with source.stream() as streamer:
        return [event async for event in streamer]


async def collect_into(events: list[AnswerEvent], source: Any) -> None:
    """Add the events of a pipe that may fail."""
    async with source.stream() as streamer:
        async for event in streamer:
            events.append(event)  # noqa: PERF401  # what comes before an error counts


def by_reply(events: list[AnswerEvent]) -> dict[int, Transcript]:
    """Return a transcript of each reply."""
    return {
        reply: transcribe(event for event in events if event.reply == reply)
        for reply in {event.reply for event in events}
    }


async def test_cite_in_a_pipe() -> None:
    """The operator gives what `streamcite.cite` gives."""
    pipe = stream.iterate(TOKENS) | cite.pipe(documents=documents(2))

    assert transcribe(await collect(pipe)) == run(TOKENS, documents=documents(2))


async def test_cite_takes_options() -> None:
    """The options of the library are the operator's."""
    pipe = stream.iterate(TOKENS) | cite.pipe(documents=documents(2), display="remove", query="Q")
    final = (await collect(pipe))[-1]

    assert isinstance(final, FinalAnswer)
    assert (final.answer.data, final.answer.query) == ("Paris and Rome.", "Q")


async def test_cite_is_lazy() -> None:
    """No more is read than what was asked for, and leaving closes the source."""
    tokens = Tokens(["a", "b", "c"])
    async with (stream.iterate(tokens) | cite.pipe()).stream() as streamer:
        async for _ in streamer:
            break

    assert (tokens.read, tokens.closed) == (1, 1)


async def test_cite_passes_errors_on() -> None:
    """A source that fails gives what was held, an incomplete answer and its own error."""
    tokens, events = Tokens(["a [1"], error=OSError("lost")), list[AnswerEvent]()
    with pytest.raises(OSError, match="lost"):
        await collect_into(events, stream.iterate(tokens) | cite.pipe())

    assert isinstance(events[-1], FinalAnswer)
    assert (events[-1].answer.data, events[-1].complete) == ("a [1", False)


async def test_merge() -> None:
    """Two answers become one stream, in which no two share a number."""
    pipes = [
        stream.iterate([name, " [1]"]) | cite.pipe(documents=documents(1)) for name in ("a", "b")
    ]
    found = by_reply(await collect(merge(*pipes)))

    assert sorted(found) == [0, 1]
    assert sorted(each.answer.data for each in found.values()) == ["a [1]", "b [1]"]


async def test_merge_does_not_wait() -> None:
    """An answer that is slow holds no other up."""

    async def slow() -> AsyncIterator[str]:
        yield "slow"
        await done.wait()
        yield "!"

    done = asyncio.Event()
    order: list[str] = []
    pipe = merge(stream.iterate(slow()) | cite.pipe(), stream.iterate(["fast"]) | cite.pipe())
    async with pipe.stream() as streamer:
        async for event in streamer:
            if isinstance(event, FinalAnswer):
                order.append(event.answer.data)
                done.set()

    assert order == ["fast", "slow!"]


async def test_merged_partials_keep_their_answer() -> None:
    """A partial that was numbered anew still gives the answer so far."""
    pipes = [stream.iterate([name]) | cite.pipe(query=name) for name in ("a", "b")]
    partials = [event for event in await collect(merge(*pipes)) if isinstance(event, PartialAnswer)]

    assert {event.delta: event.answer.query for event in partials} == {"a": "a", "b": "b"}


async def test_merge_ends_with_the_first_error() -> None:
    """The first source that fails ends the others, and all are closed."""

    async def endless() -> AsyncIterator[str]:
        try:
            yield "x"
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    closed: list[bool] = []

    failing = Tokens([], error=OSError("lost"))
    with pytest.raises(OSError, match="lost"):
        await collect(
            merge(stream.iterate(endless()) | cite.pipe(), stream.iterate(failing) | cite.pipe())
        )

    assert (failing.closed, closed) == (1, [True])


async def test_throttle_loses_nothing() -> None:
    """However long the interval, all text, citations and other events come, in order."""
    items = ["<t>a [1]", " b</t>c", " [2]", " d"]
    options: dict[str, Any] = {"documents": documents(2), "extract_xml_tags": "t"}
    for interval in (0, 0.001, 60):
        pipe = stream.iterate(items) | cite.pipe(**options) | throttle.pipe(interval)
        assert transcribe(await collect(pipe)) == run(items, **options)


async def test_throttle_joins_partials() -> None:
    """Partials that come within an interval are joined into one."""
    pipe = stream.iterate(["a"] * 100) | cite.pipe() | throttle.pipe(60)
    events = await collect(pipe)

    assert [event.kind for event in events] == ["partial", "partial", "final"]
    assert [event.delta for event in events if isinstance(event, PartialAnswer)] == ["a", "a" * 99]


async def test_throttled_partials_keep_their_answer() -> None:
    """A joined partial gives the answer as it stood behind its last part."""
    pipe = stream.iterate(["a", "b", "c"]) | cite.pipe() | throttle.pipe(60)
    events = await collect(pipe)

    answers = [event.answer.data for event in events if isinstance(event, PartialAnswer)]
    assert answers == ["a", "abc"]


async def test_throttle_does_not_wait_for_the_next() -> None:
    """A joined partial comes when its interval is over, even if nothing more comes."""

    async def pausing() -> AsyncIterator[str]:
        yield "a"
        yield "b"
        await shown.wait()
        yield "c"

    shown = asyncio.Event()
    text = ""
    async with (stream.iterate(pausing()) | cite.pipe() | throttle.pipe(0.001)).stream() as events:
        async for event in events:
            text += event.delta if isinstance(event, PartialAnswer) else ""
            if text == "ab":
                shown.set()

    assert text == "abc"


async def test_throttle_counts_each_reply() -> None:
    """Each reply of a merged stream has an interval of its own."""
    pipes = [stream.iterate([name] * 3) | cite.pipe() for name in ("a", "b")]
    found = by_reply(await collect(merge(*pipes) | throttle.pipe(60)))

    assert sorted(each.answer.data for each in found.values()) == ["aaa", "bbb"]
    assert [each.shown for each in found.values()] == [each.answer.data for each in found.values()]


async def test_throttle_shows_text_before_a_section() -> None:
    """A section event is not held, and comes behind the text before it."""
    pipe = stream.iterate(["a", "b<t>", "c</t>"]) | cite.pipe(extract_xml_tags="t")
    events = await collect(pipe | throttle.pipe(60))
    place = events.index(SectionStarted(0, "t", {}))

    assert transcribe(events[:place]).shown == "ab"


async def test_throttle_passes_errors_on() -> None:
    """What was joined so far is not lost when the source fails."""
    tokens, events = Tokens(["a", "b", "c"], error=OSError("lost")), list[AnswerEvent]()
    with pytest.raises(OSError, match="lost"):
        await collect_into(events, stream.iterate(tokens) | cite.pipe() | throttle.pipe(60))

    assert transcribe(events).shown == "abc"


@pytest.mark.parametrize("interval", [-1, float("nan"), float("inf"), "0.1", None])
async def test_no_interval(interval: Any) -> None:
    """What is no number of seconds is refused."""
    with pytest.raises(OptionsError, match="number of seconds"):
        await collect(stream.iterate(["a"]) | cite.pipe() | throttle.pipe(interval))


async def test_throttle_closes_its_source() -> None:
    """Leaving a throttled stream closes what feeds it, while it waits too."""
    tokens = Tokens(["a", "b", "c"])
    async with (stream.iterate(tokens) | cite.pipe() | throttle.pipe(60)).stream() as streamer:
        async for _ in streamer:
            break

    assert tokens.closed == 1

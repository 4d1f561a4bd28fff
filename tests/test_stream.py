"""The live stream on asyncio and on trio: what comes out, and that every source is closed."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import Any

import anyio
import pytest
from anyio.abc import TaskGroup
from anyio.lowlevel import checkpoint

from streamcite import (
    AnswerEvent,
    AnswerStream,
    Chunk,
    Citer,
    FinalAnswer,
    PartialAnswer,
    SectionEnded,
    SectionStarted,
    cite,
)
from streamcite.assemble.shown_text import FOLD_LENGTH
from streamcite.errors import InputError, OptionsError, StateError
from streamcite.events import FreshPartial
from streamcite.inputs import register
from streamcite.stream import MAX_PIECE, UNHELD
from streamcite.upstream import SYNC_BATCH
from tests.transcripts import Transcript, documents, run, transcribe

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run each test of this file on both event loops."""
    return str(request.param)


class Source:
    """A stream that says whether it was closed, how far it was read, and may fail."""

    def __init__(self, items: Iterable[object], *, error: BaseException | None = None) -> None:
        self._items = iter(items)
        self._error = error
        self.closed = 0
        self.read = 0

    def __aiter__(self) -> "Source":
        return self

    async def __anext__(self) -> object:
        await checkpoint()
        for item in self._items:
            self.read += 1
            return item
        if self._error is not None:
            raise self._error
        raise StopAsyncIteration

    async def aclose(self) -> None:
        await checkpoint()
        self.closed += 1


async def collect(stream: AnswerStream) -> list[AnswerEvent]:
    """Return all events of a stream."""
    return [event async for event in stream]


async def collect_into(events: list[AnswerEvent], stream: AnswerStream) -> None:
    """Add the events of a stream that may fail."""
    async for event in stream:
        events.append(event)  # noqa: PERF401  # what comes before an error counts


async def fail_at_once(stream: AnswerStream) -> None:
    """Raise an error in the body of the loop."""
    async with stream as answer:
        async for _ in answer:
            raise ZeroDivisionError


async def arriving(items: list[Any], add: Callable[[list[Any]], object]) -> AsyncIterator[str]:
    """Yield tokens, and add the documents that stand among them."""
    for item in items:
        if isinstance(item, str):
            yield item
        else:
            add(item)


def text_of(events: Iterable[AnswerEvent]) -> str:
    """Return the deltas, joined."""
    return "".join(event.delta for event in events if isinstance(event, PartialAnswer))


async def test_quick_start() -> None:
    """Text comes as it is generated, citations with it, and the answer at the end."""
    shown, cited = "", []
    async with cite(Source(["Paris ", "[", "1", "]."]), documents=documents(2)) as answer:
        async for event in answer:
            if isinstance(event, PartialAnswer):
                shown += event.delta
                cited += [citation.marker for citation in event.citations]

    assert (shown, cited) == ("Paris [1].", ["[1]"])
    assert [document.id for document in answer.final.documents] == ["d1"]
    assert answer.finals == [answer.final]


SOURCES: list[tuple[str, Callable[[list[str]], Any]]] = [
    ("async iterator", Source),
    ("list", list),
    ("iterator", iter),
    ("generator", lambda items: (item for item in items)),
    ("bytes", lambda items: [item.encode() for item in items]),
    ("chunks", lambda items: [Chunk(item) for item in items]),
    ("bytearray", lambda items: [bytearray(item.encode()) for item in items]),
]


@pytest.mark.parametrize("make", [make for _, make in SOURCES], ids=[name for name, _ in SOURCES])
async def test_any_kind_of_source(make: Callable[[list[str]], Any]) -> None:
    """Async and plain iterables of str, bytes and chunks all give the same."""
    items = ["é [", "1", "] x"]
    events = await collect(cite(make(items), documents=documents(1)))

    assert transcribe(events) == run(items, documents=documents(1))


async def test_an_awaitable_source() -> None:
    """The source may have to be awaited, as SDK clients return it."""

    async def create() -> Source:
        await checkpoint()
        return source

    source = Source(["a"])
    assert text_of(await collect(cite(create()))) == "a"
    assert source.closed == 1


async def test_bytes_cut_inside_a_character() -> None:
    """Bytes may be cut anywhere, also inside a character and inside a marker."""
    body = "日本 😀 [1] é".encode()
    pieces = [body[place : place + 1] for place in range(len(body))]

    assert text_of(await collect(cite(pieces))) == body.decode()


async def test_broken_bytes() -> None:
    """Bytes that are no UTF-8 are replaced, at the end of the stream too."""
    assert text_of(await collect(cite([b"a\xff[", b"1]\xe6\x97"]))) == "a\ufffd[1]\ufffd"


async def test_a_registered_str_is_read() -> None:
    """A subclass of str that an adapter reads is asked for, however long; a str never is."""

    class Shout(str):
        __slots__ = ()

    forget = register(
        lambda item: isinstance(item, Shout),
        lambda item: [Chunk(str(item)[:2].upper())],
    )
    try:
        text = text_of(await collect(cite(["a", Shout("b"), Shout("cd" * MAX_PIECE), "e"])))
    finally:
        forget()

    assert text == "aBCDe"


MIXED: list[tuple[list[object], str]] = [
    ([b"a\xc3", "b", "c"], "a\ufffdbc"),
    (["a", "b", b"\xc3", "c", "d"], "ab\ufffdcd"),
    (["a [", b"\xc3", "1", "]."], "a [\ufffd1]."),
    (["a [", b"1\xc3", "", b"\xa9", "1", "]."], "a [1é1]."),
    (["a", b"\xc3", Chunk(usage={}), b"\xa9 [", "1", "]."], "aé [1]."),
    (["a", b"\xc3", Chunk("b", finish_reason="stop")], "a\ufffdb"),
]


@pytest.mark.parametrize(("items", "text"), MIXED)
async def test_bytes_among_text(items: list[object], text: str) -> None:
    """Half a character waits for bytes; if text comes instead, U+FFFD stands before it."""
    assert text_of(await collect(cite(items))) == text


async def test_empty_stream() -> None:
    """A stream of nothing has one answer, an empty one."""
    (event,) = await collect(cite(Source([])))

    assert isinstance(event, FinalAnswer)
    assert (event.answer.data, event.complete) == ("", True)


async def test_no_added_latency() -> None:
    """Each plain token comes out before the next one is asked for."""
    source = Source(["a", "b", "c"])

    counts = [(event.kind, source.read) async for event in cite(source)]

    assert counts == [("partial", 1), ("partial", 2), ("partial", 3), ("final", 3)]


NUMBERS = [f"{number} " for number in range(60)]


async def test_events_that_are_held_stay_as_they_are() -> None:
    """Events are used again when nobody holds them, so whoever holds one sees no change."""
    held = [
        (event.delta, event)
        async for event in cite(Source(NUMBERS), documents=documents(1))
        if isinstance(event, PartialAnswer) and event.delta.endswith(("1 ", "2 "))
    ]

    assert [delta for delta, _ in held] == [text for text in NUMBERS if text[-2:] in ("1 ", "2 ")]
    assert all(delta == event.delta for delta, event in held)
    assert all(event.answer.data.endswith(delta) for delta, event in held)


async def test_events_that_are_used_again_name_their_section() -> None:
    """An event that nobody holds any more is none of the section that follows."""
    tokens = ["a ", "b ", "<t>", "c ", "d ", "</t>", "e ", "f "]

    told = [
        (event.section, event.delta)
        async for event in cite(Source(tokens * 2), extract_xml_tags="t")
        if isinstance(event, PartialAnswer)
    ]
    outside, inside = [(None, "a "), (None, "b ")], [("t", "c "), ("t", "d ")]
    assert told == [*outside, *inside, (None, "e "), (None, "f ")] * 2


async def test_a_queue_keeps_its_events() -> None:
    """What waits in a queue while the stream goes on is what was put there."""
    queue: deque[AnswerEvent] = deque(maxlen=5)

    async for event in cite(Source(NUMBERS), documents=documents(1)):
        queue.append(event)
    deltas = [event.delta for event in queue if isinstance(event, PartialAnswer)]
    assert deltas == NUMBERS[-4:]


@pytest.mark.skipif(UNHELD == 0, reason="this Python does not say who holds an object")
async def test_events_that_nobody_holds_are_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a reader that lets each event go, the stream makes no more than two."""
    made = 0

    def make() -> PartialAnswer:
        nonlocal made
        made += 1
        event: PartialAnswer = FreshPartial()
        return event

    monkeypatch.setattr("streamcite.stream.FreshPartial", make)
    async for event in cite(Source(["word "] * 60), documents=documents(1)):
        assert event.kind
    assert made == 2


async def test_back_pressure() -> None:
    """Nothing is read from the source that was not asked for."""
    source = Source(["a", "b", "c"])
    stream = cite(source)

    assert source.read == 0
    await anext(stream)
    await checkpoint()
    assert source.read == 1
    await stream.aclose()


async def test_one_str_is_no_stream() -> None:
    """A whole text given by mistake is refused, with the function to use instead."""
    with pytest.raises(InputError, match="cite_text"):
        cite("text")
    with pytest.raises(InputError, match="cite_text"):
        cite(b"text")


async def test_what_cannot_be_iterated() -> None:
    """A source of no kind is refused when it is read, by its name."""
    with pytest.raises(InputError, match="int"):
        await collect(cite(3))  # type: ignore[arg-type]  # that is the point


async def test_unknown_items() -> None:
    """An item that no adapter knows ends the stream with an error, after the text before it."""
    source, events = Source(["a", object()]), list[AnswerEvent]()
    with pytest.raises(InputError):
        await collect_into(events, cite(source))

    assert (text_of(events), source.closed) == ("a", 1)


async def test_bad_options_at_once() -> None:
    """Bad options raise where the stream is made, before anything is read."""
    with pytest.raises(OptionsError):
        cite(Source(["a"]), display="hide")  # type: ignore[arg-type]  # on purpose


async def test_source_is_closed_at_the_end() -> None:
    """A source that came to its end is closed."""
    source = Source(["a"])
    await collect(cite(source))

    assert source.closed >= 1


async def test_source_is_closed_on_a_break() -> None:
    """Leaving the loop inside the context closes the source, and emits nothing more."""
    source = Source(["a [", "1", "b"])
    async with cite(source) as answer:
        async for _ in answer:
            break

    assert (source.read, source.closed) == (1, 1)
    assert [event async for event in answer] == []
    with pytest.raises(StateError, match="not final yet"):
        _ = answer.final


async def test_source_is_closed_if_nothing_was_read() -> None:
    """A stream that is closed before it was started closes its source."""
    source = Source(["a"])
    async with cite(source):
        pass

    assert (source.read, source.closed) == (0, 1)


async def test_source_is_closed_when_the_user_fails() -> None:
    """An exception in the loop's body closes the source and passes on."""
    source = Source(["a", "b"])
    with pytest.raises(ZeroDivisionError):
        await fail_at_once(cite(source))

    assert source.closed == 1


async def test_failing_source() -> None:
    """What was held is delivered, then an incomplete answer, then the source's own exception."""
    source, events = Source(["deep [1"], error=OSError("lost")), list[AnswerEvent]()
    stream = cite(source, documents=documents(1))
    with pytest.raises(OSError, match="lost"):
        await collect_into(events, stream)

    final = events[-1]
    assert isinstance(final, FinalAnswer)
    assert (text_of(events), final.complete, source.closed) == ("deep [1", False, 1)
    assert stream.final == final.answer


async def test_failing_source_in_a_section() -> None:
    """A section that a failure leaves open is ended, and said to be incomplete."""
    events: list[AnswerEvent] = []
    stream = cite(Source(["<t>a"], error=OSError("lost")), extract_xml_tags="t")
    with pytest.raises(OSError, match="lost"):
        await collect_into(events, stream)

    assert events[-2] == SectionEnded(0, "t", complete=False)


async def forever(closed: list[bool]) -> AsyncIterator[str]:
    """Yield one token, wait for ever, and note the end."""
    try:
        yield "a ["
        await anyio.sleep_forever()
    finally:
        with anyio.CancelScope(shield=True):
            await checkpoint()
        closed.append(True)


async def test_cancellation() -> None:
    """A cancelled stream closes its source, and emits nothing more."""
    closed: list[bool] = []
    events = []

    with anyio.CancelScope() as scope:
        async with cite(forever(closed)) as answer:
            async for event in answer:
                events.append(event)
                scope.cancel()
    assert (text_of(events), closed) == ("a ", [True])


def generate(stop: str, closed: list[bool]) -> Iterator[str]:
    """Yield two tokens, or fail behind the first, and note the end."""
    try:
        yield "a"
        if stop == "error":
            raise OSError
        yield "b"
    finally:
        closed.append(True)


async def read(stream: AnswerStream, *, first_only: bool) -> None:
    """Read a stream to its end, or leave it at its first event."""
    async with stream as answer:
        async for _ in answer:
            if first_only:
                break


@pytest.mark.parametrize("stop", ["end", "break", "error"])
async def test_plain_generators_are_closed(stop: str) -> None:
    """A plain generator is closed on every path."""
    closed: list[bool] = []

    with pytest.raises(OSError) if stop == "error" else nullcontext():  # noqa: PT011  # its own
        await read(cite(generate(stop, closed)), first_only=stop == "break")
    assert closed == [True]


async def test_closing_twice() -> None:
    """Closing a stream again does nothing."""
    source = Source(["a"])
    stream = cite(source)
    await stream.aclose()
    await stream.aclose()

    assert source.closed == 1


async def wait() -> AsyncIterator[str]:
    """Wait for ever, with nothing to yield."""
    await anyio.sleep_forever()
    yield "a"


async def test_closing_while_another_task_reads() -> None:
    """Who would close a stream that another task waits for is told to cancel that task."""
    stream = cite(wait())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anext, stream)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(StateError, match="cancel that task"):
            await stream.aclose()
        tasks.cancel_scope.cancel()
    await stream.aclose()


async def leave(tasks: TaskGroup, error: type[Exception] | None) -> None:
    """Leave the body of a stream, in one way or the other, that another task waits for."""
    async with cite(wait()) as stream:
        tasks.start_soon(anext, stream)
        await anyio.wait_all_tasks_blocked()
        if error is not None:
            raise error


@pytest.mark.parametrize("error", [None, ZeroDivisionError])
async def test_leaving_while_another_task_reads(error: type[Exception] | None) -> None:
    """Why the body was left is not hidden by the task that still waits."""
    async with anyio.create_task_group() as tasks:
        with pytest.raises(error or StateError):
            await leave(tasks, error)
        tasks.cancel_scope.cancel()


async def test_final_before_the_end() -> None:
    """An answer that is not final yet says so."""
    stream = cite(["a", "b"])
    await anext(stream)

    with pytest.raises(StateError, match="iterate over all events"):
        _ = stream.finals
    await stream.aclose()


async def test_final_after_leaving_early() -> None:
    """Whoever left early has the answer so far from the last event, and is told so."""
    stream = cite(["a [1]. ", "b"], documents=["one"])
    event = await anext(stream)
    await stream.aclose()

    with pytest.raises(StateError, match="`answer` of the last partial event"):
        _ = stream.final
    assert isinstance(event, PartialAnswer)
    assert (event.answer.data, len(event.answer.documents)) == ("a [1]. ", 1)


async def turns_during(source: Any) -> int:
    """Return how often another task ran while a stream was read."""
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await checkpoint()
            turns += 1

    async with anyio.create_task_group() as group:
        group.start_soon(count)
        await checkpoint()
        before = turns
        await collect(cite(source, documents=documents(3)))
        found = turns - before
        group.cancel_scope.cancel()
    return found


async def test_one_huge_chunk() -> None:
    """A chunk of a megabyte with ten thousand markers lets other tasks run in between."""

    async def whole() -> AsyncIterator[str]:
        yield text

    text = ("word " * 20 + "[1] ") * 10_000
    assert await turns_during(whole()) >= len(text) // MAX_PIECE


async def test_plain_iterables_let_others_run() -> None:
    """A list never waits, so the stream does, now and then."""
    assert await turns_during(["a"] * SYNC_BATCH * 10) >= 9


async def test_a_huge_chunk_says_the_same() -> None:
    """A chunk that is taken in pieces gives the answer of the whole."""
    text = ("word " * 30 + "[1] `x[2]` ") * 300
    events = await collect(cite(Source([text]), documents=documents(3)))

    assert transcribe(events) == run([text], documents=documents(3))


async def test_documents_that_come_late() -> None:
    """Documents may be added while the stream runs; the next event tells what they resolve."""
    stream = cite(Source(["x [2] y", " z", " w"]), documents=documents(1))
    events: list[AnswerEvent] = []
    async for event in stream:
        events.append(event)
        if len(events) == 1:
            assert stream.add_documents(documents(2)) == [1, 2]

    second = events[1]
    assert isinstance(second, PartialAnswer)
    assert [update.marker for update in second.updates] == ["[2]"]
    assert [document.id for document in stream.final.documents] == ["d2"]


async def test_documents_from_within_the_source() -> None:
    """A tool call may add documents while its chunk is on the way."""

    async def search() -> AsyncIterator[str]:
        yield "a [1] "
        stream.add_documents(["new"])
        yield "b [1]"

    stream = cite(search())
    events = await collect(stream)
    answer = stream.final
    assert text_of(events) == answer.data == "a [1] b [1]"
    assert len(answer.citations) == 2


async def test_documents_at_the_very_end() -> None:
    """Documents that come with the last item still resolve what was shown."""

    async def search() -> AsyncIterator[str]:
        yield "a [1] b"
        stream.add_documents(["new"])

    stream = cite(search())
    events = await collect(stream)
    updates = [event.updates for event in events if isinstance(event, PartialAnswer)]
    assert [update.marker for update in updates[-1]] == ["[1]"]
    assert len(stream.final.documents) == 1


@pytest.mark.parametrize("source", [42, None, len, {"a": 1}])
async def test_no_stream(source: Any) -> None:
    """What cannot be streamed is refused at once, a mapping too: it would give its keys."""
    with pytest.raises(InputError, match="cannot stream from"):
        cite(source)


async def test_a_whole_item_is_no_stream() -> None:
    """One item of an SDK is refused, awaited or not, and the message says what to ask for."""
    item: Any = documents(1)[0]  # pydantic's models iterate over their fields

    async def create() -> Any:
        return item

    with pytest.raises(InputError, match="stream=True"):
        cite(item)
    with pytest.raises(InputError, match="stream=True"):
        await collect(cite(create()))


async def test_a_function_is_no_stream() -> None:
    """A generator function that was not called is refused, and the message says to call it."""
    with pytest.raises(InputError, match="function: call it first"):
        cite(collect)  # type: ignore[arg-type]  # on purpose


async def test_a_manager_is_no_stream() -> None:
    """What a client's `stream()` returns has to be opened, and the message says how."""

    @asynccontextmanager
    async def stream() -> AsyncIterator[Source]:
        yield Source(["a"])

    with pytest.raises(InputError, match="Manager: open it first, with `async with`"):
        cite(stream())  # type: ignore[arg-type]  # on purpose


async def test_a_manager_of_a_plain_stream_is_none_either() -> None:
    """That of a client without async is opened with another statement."""
    with pytest.raises(InputError, match="Manager: open it first, with `with`"):
        cite(contextmanager(generate)("end", []))  # type: ignore[arg-type]  # on purpose


async def test_documents_with_the_last_partial() -> None:
    """Whoever adds documents at each partial answer may do so at the one that ends the text."""
    stream = cite(Source(["a [1] b", " [2"]))
    updates = []
    async for event in stream:
        if isinstance(event, PartialAnswer):
            updates.append([update.marker for update in event.updates])
            if event.delta == "[2":
                stream.add_documents(["new"])

    assert updates == [[], [], [], ["[1]"]]
    assert len(stream.final.documents) == 1


def by_reply(events: list[AnswerEvent]) -> dict[int, Transcript]:
    """Return a transcript of each reply."""
    return {
        reply: transcribe(event for event in events if event.reply == reply)
        for reply in sorted({event.reply for event in events})
    }


async def test_interleaved_replies() -> None:
    """Choices of one request may be interleaved; each is a reply of its own."""
    items = [Chunk("a [", reply=1), Chunk("b [2", reply=0), Chunk("1] c", reply=1), Chunk("] d")]
    stream = cite(items, documents=documents(2))
    found = by_reply(await collect(stream))

    assert [each.answer.data for each in found.values()] == ["b [2] d", "a [1] c"]
    assert [final.data for final in stream.finals] == ["b [2] d", "a [1] c"]
    assert stream.finals[0].meta["all_messages"] == ["b [2] d", "a [1] c"]


async def test_agent_boundaries() -> None:
    """Behind a finish reason the next text is another message, and makes another reply."""
    items = [
        Chunk("let me look ["),
        Chunk(finish_reason="tool_calls"),
        Chunk("found [1]"),
        Chunk(finish_reason="stop"),
        Chunk(usage={"total_tokens": 7}),
    ]
    found = by_reply(await collect(cite(items, documents=documents(1))))

    assert [each.answer.data for each in found.values()] == ["let me look [", "found [1]"]
    reasons = [each.finals[0].finish_reason for each in found.values()]
    assert reasons == ["tool_calls", "stop"]
    assert found[1].answer.meta["usage"] == {"total_tokens": 7}


async def test_plain_text_behind_a_finish_reason() -> None:
    """Plain tokens behind a finished message belong to the next one."""
    items = [Chunk("a", finish_reason="tool_calls"), "b", " [1]", " c"]
    found = by_reply(await collect(cite(items, documents=documents(1))))

    assert [each.answer.data for each in found.values()] == ["a", "b [1] c"]


async def test_last_message_only() -> None:
    """If only the last message is wanted, the others are kept in `all_messages`."""
    items = [Chunk("a", finish_reason="tool_calls"), Chunk("b")]
    stream = cite(items, last_message_only=True)
    finals = [event for event in await collect(stream) if isinstance(event, FinalAnswer)]

    assert [final.answer.data for final in finals] == ["b"]
    assert stream.final.meta["all_messages"] == ["a", "b"]


async def test_reasoning_channel() -> None:
    """Reasoning makes a section, with events of its own."""
    items = [Chunk("hm", channel="reasoning"), Chunk("so")]
    kinds = [event.kind for event in await collect(cite(items))]
    (started, *_) = await collect(cite(items))

    assert kinds == ["section_started", "partial", "section_ended", "partial", "final"]
    assert started == SectionStarted(0, "reasoning", {})


async def test_items_without_text() -> None:
    """Role, usage and empty items between the pieces of a marker do not matter."""
    items = [Chunk(), "a [", "", Chunk(usage={}), "1", Chunk(""), "] b"]
    stream = cite(items, documents=documents(1))

    assert text_of(await collect(stream)) == "a [1] b"
    assert len(stream.final.citations) == 1


async def test_many_streams_at_once() -> None:
    """Streams that run at the same time do not mix, whatever they share."""

    async def read(number: int) -> None:
        stream = cite(Source([f"{number} [", "1", "] ", f"{number}"]), documents=documents(1))
        await collect(stream)
        found[number] = stream.final.data

    found: dict[int, str] = {}
    async with anyio.create_task_group() as group:
        for number in range(50):
            group.start_soon(read, number)

    assert found == {number: f"{number} [1] {number}" for number in range(50)}


async def test_a_stream_that_was_only_opened_is_closed() -> None:
    """Asking for the iterator reads nothing, and the source is closed all the same."""
    source = Source(["a"])

    stream = cite(source)
    aiter(stream)
    await stream.aclose()
    assert (source.read, source.closed) == (0, 1)


async def test_documents_after_the_end() -> None:
    """A document that comes when the answer is final is refused, not lost."""
    stream = cite(Source(["a [1]"]))
    await collect(stream)

    with pytest.raises(StateError, match="is final"):
        stream.add_documents(["late"])


async def test_empty_text_says_nothing() -> None:
    """An empty str begins no reply and ends no section, like an empty Chunk."""
    thought = [Chunk("a", channel="reasoning"), "", Chunk("b", channel="reasoning"), "c", ""]
    over = ["a [1].", Chunk(finish_reason="stop"), ""]

    first = await collect(cite(thought))
    second = await collect(cite(over))
    finals = [event.answer for event in (*first, *second) if isinstance(event, FinalAnswer)]
    assert [answer.sections for answer in finals] == [{"reasoning": ["ab"]}, {}]


@pytest.mark.parametrize("wrong", [{"text": "a", "reply": "0"}, {"text": "a", "usage": 5}])
async def test_malformed_chunks(wrong: dict[str, object]) -> None:
    """A chunk with fields of other types is refused, and what came before is kept."""
    events: list[AnswerEvent] = []

    with pytest.raises(InputError, match=r"a chunk's (reply|usage) is of type"):
        await collect_into(events, cite(["a", wrong]))
    assert isinstance(events[-1], FinalAnswer)
    assert (events[-1].complete, events[-1].answer.data) == (False, "a")


async def test_a_failing_close_hides_nothing() -> None:
    """The source's own error comes out, though its closing fails as well."""

    class Broken(Source):
        async def aclose(self) -> None:
            raise RuntimeError("while closing")

    with pytest.raises(OSError, match="lost"):
        await collect(cite(Broken(["a"], error=OSError("lost"))))


class Stuck(Source):
    """A source that does not close."""

    async def aclose(self) -> None:
        await anyio.sleep_forever()


async def test_a_close_without_end_is_left(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A source that does not close in time is left as it is, and the log says so."""
    monkeypatch.setattr("streamcite.upstream.CLOSE_TIMEOUT", 0)

    events = await collect(cite(Stuck(["a"])))

    assert [event.kind for event in events] == ["partial", "final"]
    assert "did not close within 0 s" in caplog.text


@pytest.fixture
def warm() -> None:
    """Let another stream find out what the tokens of the next test are."""
    known = Citer()
    for token in ("warm up", " [", "x"):
        known.feed(token)


HELD: list[Any] = ["A [5]", " B [2]", " C", " [", documents(3)[1:], "x", documents(5)[3:], " D"]


@pytest.mark.usefixtures("warm")
async def test_documents_that_come_while_text_is_held() -> None:
    """Their updates come first, whatever is known of the text that is held from other streams."""
    stream = cite(arriving(HELD, lambda new: stream.add_documents(new)), documents=documents(1))
    events = await collect(stream)

    updates = [each.marker for event in events for each in getattr(event, "updates", ())]
    found = [(each.id, each.marker) for each in stream.final.citations]
    assert (updates, found) == (["[2]", "[5]"], [("c2", "[5]"), ("c1", "[2]")])


async def test_the_next_reply_is_settled_as_often() -> None:
    """A reply that follows another is stored in blocks from its beginning."""
    items = [*[" abc"] * 3_000, Chunk(text="", finish_reason="stop"), *[" abc"] * 1_500]
    stream = cite(Source(items))
    async for _ in stream:
        assert stream._replies.main.shown.run.tell() < 2 * FOLD_LENGTH

    assert [len(answer.data) for answer in stream.finals] == [12_000, 6_000]

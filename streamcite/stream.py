"""The live stream: an async driver around `Citer`, which does no I/O itself."""

import inspect
import logging
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self, Unpack, cast

from streamcite.answers import GeneratedAnswer
from streamcite.assemble.shown_text import FOLD_LENGTH
from streamcite.engine.host import DECLINED
from streamcite.engine.replies import Replies
from streamcite.errors import StateError
from streamcite.events import AnswerEvent, FreshPartial
from streamcite.options import CiteOptions, OptionKeywords, resolve_options
from streamcite.scan.steps import Held, Step
from streamcite.sources import Sources
from streamcite.upstream import (
    Source,
    check_source,
    close_both,
    close_source,
    give_turn,
    open_source,
)

__all__ = ["AnswerStream", "cite"]

_log = logging.getLogger("streamcite")

# A text longer than this is taken in pieces, with a turn of the event loop after each: scanning
# 16,384 code points takes some milliseconds.
MAX_PIECE = 16_384

# How many references an event has that only `_drive` holds: its own and that of the call. As `zip`
# does with its tuples, it uses such an event again; the reader still holds the newest, so that two
# take turns. From 3.14 on CPython lends references without counting them, without the lock another
# thread may take one meanwhile, and other Pythons count nothing: there this is never met, and each
# token has an event of its own.
_COUNTS = sys.implementation.name == "cpython" and sys.version_info < (3, 14)
_IS_LOCKED = getattr(sys, "_is_gil_enabled", lambda: True)()
UNHELD = 2 if _COUNTS and _IS_LOCKED else 0
_count_references = getattr(sys, "getrefcount", lambda _: -1)


def cite(
    source: Source,
    *,
    query: str = "",
    documents: Iterable[object] = (),
    sources: Sources | None = None,
    meta: Mapping[str, object] | None = None,
    prompt: str | None = None,
    options: CiteOptions | None = None,
    **keywords: Unpack[OptionKeywords],
) -> "AnswerStream":
    """Cite a token stream live.

    Args:
        source: An async or plain iterable of str, bytes (UTF-8, cut anywhere), `Chunk`, OpenAI's
            chat or completion chunks or Responses events, or Haystack's StreamingChunk; or an
            awaitable of one. Of any other client give the text, or `streamcite.inputs.register`
            its items. A plain iterable must not wait, since it would stop the event loop. It is
            closed at the end.
        query: The user's question, for the answers.
        documents: What the model was shown, in that order; anything `Document.of` accepts.
        sources: A register of numbers to share; `documents` are added to it.
        meta: Entries for the answers' meta.
        prompt: The prompt, for the answers' meta.
        options: All options in one object, or
        **keywords: each by its name, as `CiteOptions` has them.

    Returns:
        An async iterator of events, which is an async context manager too.

    Raises:
        OptionsError: The options have no meaning.
        PatternError: A pattern cannot be streamed.
        DocumentError: A document has no text to read.
        InputError: The source cannot be iterated, or is one str.
    """
    check_source(source)
    chosen = resolve_options(options, keywords)
    numbered = Sources.joined(sources, documents)
    replies = Replies(numbered, chosen, query=query, meta=meta, prompt=prompt)
    return AnswerStream(source, replies)


class AnswerStream:
    """The events of a live answer.

    Pull-driven: it reads the source when it is asked for an event, so back-pressure and
    cancellation work as in any loop, and there is no task behind it.
    """

    __slots__ = ("_begun", "_events", "_finals", "_replies", "_source")

    def __init__(self, source: Source, replies: Replies) -> None:
        self._source = source
        self._replies = replies
        self._events = self._drive()
        self._begun = False
        self._finals: list[GeneratedAnswer] | None = None

    def __aiter__(self) -> AsyncIterator[AnswerEvent]:
        # The generator itself, so that a loop pays for no layer of ours.
        return self._events

    async def __anext__(self) -> AnswerEvent:
        return await self._events.__anext__()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self.aclose()
        except StateError:
            # Why the body was left counts for more, most of all if it was cancelled.
            if error is None:
                raise
            _log.warning("the stream is left, but another task still waits for its next event")

    async def aclose(self) -> None:
        """Stop: close the source, emit nothing more.

        Raises:
            StateError: Another task waits for the next event.
        """
        if inspect.isasyncgen(self._events) and self._events.ag_running:
            raise StateError("another task waits for the next event; to stop it, cancel that task")
        begun, self._begun = self._begun, True
        await self._events.aclose()
        # A generator that was never asked for anything has closed nothing.
        if not begun:
            await close_source(self._source)

    @property
    def sources(self) -> Sources:
        """The register of numbers.

        Add to it by `add_documents` of the stream, which tells with the next item what that
        resolves; of documents that the register itself was given it may be told later.
        """
        return self._replies.sources

    @property
    def finals(self) -> list[GeneratedAnswer]:
        """The answer of each reply.

        Raises:
            StateError: The stream has not ended.
        """
        if self._finals is None:
            raise StateError(
                "the answer is not final yet: iterate over all events first; where you left early, "
                "`answer` of the last partial event is the answer so far"
            )
        return list(self._finals)

    @property
    def final(self) -> GeneratedAnswer:
        """The last reply's answer.

        Raises:
            StateError: The stream has not ended.
        """
        return self.finals[-1]

    def add_documents(self, documents: Iterable[object]) -> list[int]:
        """Number documents that arrive while the answer streams.

        Markers shown before, whose number was unknown, come in `updates` of the next event.

        Returns:
            The number of each document; a known id keeps its number.

        Raises:
            DocumentError: One of them has no text to read; those before it are numbered.
            StateError: The stream has ended, and its answers are final.
        """
        if self._finals is not None:
            raise StateError("the answer is final; add documents while it streams")
        return self._replies.add_documents(documents)

    @property
    def provisional(self) -> str:
        """The text of the answer as it would be if it ended here; see `Citer.provisional`.

        Of several replies it is that of the last one under index 0, to which all plain text
        belongs.
        """
        return self._replies.main.provisional

    # The path of a known plain token stands in one frame, since a call costs a tenth of it. While
    # it waits for the source, the generator keeps nothing that the collector tracks but two events.
    async def _drive(self) -> AsyncGenerator[AnswerEvent, None]:
        """Read the source to its end."""
        replies, count, unheld = self._replies, _count_references, UNHELD
        iterator = last = spent = event = cast(Any, None)
        try:
            iterator = await self._begin()
            citer = replies.main
            stand, write, offset, fold_at = citer.stand, citer.write, 0, FOLD_LENGTH
            async for item in iterator:
                if type(item) is str:
                    known = citer.place
                    if item in known.texts or (
                        item and (step := known.passed.get(item)) is None and citer.learns(item)
                    ):
                        last, spent = spent, last
                        if count(last) != unheld:
                            last = FreshPartial()
                            last._stand = stand
                        last.offset = offset
                        last.delta = item
                        offset += write(item)
                        if offset >= fold_at:
                            citer.fold()
                            write, fold_at = citer.write, offset + FOLD_LENGTH
                        yield last
                        continue
                    if item and not replies.waits:
                        lane = citer.lane
                        if step.__class__ is Held and lane is not None:
                            citer.place = lane.holds = step
                            continue
                        citer.offset = offset
                        if step.__class__ is Step and lane is not None:
                            event = lane.take(citer, step)
                        else:
                            event = citer.take(item, step)
                        if event is not DECLINED:
                            if event is not None:
                                yield event
                            write, offset, event = citer.write, citer.offset, None
                            continue
                citer.offset = offset
                for piece in _pieces(item):
                    for event in replies.feed(piece):
                        yield event
                    event = None
                    if piece is not item:
                        await give_turn()
                if (citer := replies.main).stand is not stand:
                    stand, last, spent = citer.stand, None, None  # theirs is another
                write, offset, fold_at = citer.write, citer.offset, citer.fold_at
        except Exception:
            for event in self._end(complete=False):
                yield event
            raise
        else:
            for event in self._end(complete=True):
                yield event
        finally:
            await close_both(iterator, self._source)

    async def _begin(self) -> AsyncIterator[Any]:
        """Open the source, which the generator closes from now on."""
        self._begun = True
        self._source, iterator = await open_source(self._source)
        return iterator

    def _end(self, *, complete: bool) -> Iterator[AnswerEvent]:
        yield from self._replies.finish()
        # Documents that the reader added meanwhile count too.
        events, finals = self._replies.end(complete=complete)
        self._finals = [final.answer for final in finals]
        yield from events
        yield from finals


def _pieces(item: Any) -> Iterable[Any]:
    if type(item) is str and len(item) > MAX_PIECE:
        return [item[start : start + MAX_PIECE] for start in range(0, len(item), MAX_PIECE)]
    return (item,)

"""The replies of one stream: items of any kind in, events of every reply out."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from streamcite.assemble.display import Numbering
from streamcite.chunks import Chunk
from streamcite.engine import Citer
from streamcite.events import AnswerEvent, FinalAnswer
from streamcite.inputs import PlainDecoder, SurrogateJoiner, to_chunks
from streamcite.lane import NOTHING_KNOWN
from streamcite.options import CiteOptions
from streamcite.scan.context_rows import ANYTHING
from streamcite.sources import Sources

__all__ = ["Replies"]


class Replies:
    """The replies of one stream, each with its `Citer`."""

    __slots__ = (
        "_all",
        "_bytes",
        "_current",
        "_joiner",
        "_last_only",
        "_new_citer",
        "plain",
        "sources",
    )

    def __init__(
        self,
        sources: Sources,
        options: CiteOptions,
        *,
        query: str,
        meta: Mapping[str, Any] | None,
        prompt: str | None,
    ) -> None:
        self.sources = sources
        self._new_citer = partial(
            Citer,
            query=query,
            sources=sources,
            meta=meta,
            prompt=prompt,
            options=options,
            numbering=Numbering(),
        )
        self._last_only = options.last_message_only
        self._all: dict[int, Citer] = {}
        self._current: dict[int, Citer] = {}
        # Made when the first item that needs them comes.
        self._bytes: PlainDecoder | None = None
        self._joiner: SurrogateJoiner | None = None
        self.plain = self._new_citer()
        """The reply that items of plain text belong to; until one comes, it is none."""
        self.plain.search, self.plain.plain = ANYTHING, NOTHING_KNOWN

    def feed(self, item: Any) -> list[AnswerEvent]:
        """Take one stream item of any kind."""
        if isinstance(item, str):
            return self._feed_text(item)
        if isinstance(item, bytes | bytearray | memoryview):
            self._bytes = self._bytes or PlainDecoder()
            chunks = self._bytes.feed(bytes(item))
        else:
            self._joiner = joiner = self._joiner or SurrogateJoiner()
            chunks = [joiner.feed(chunk) for chunk in to_chunks(item)]
        if len(chunks) == 1:
            return self._feed_chunk(chunks[0])
        return [event for chunk in chunks for event in self._feed_chunk(chunk)]

    def _feed_text(self, text: str) -> list[AnswerEvent]:
        if self._current.get(0) is not self.plain or self.plain.finished:
            self.plain = self._citer_for(0)
        return self.plain.feed_slowly(text)

    def _feed_chunk(self, chunk: Chunk) -> list[AnswerEvent]:
        citer = self._current.get(chunk.reply)
        if citer is None or (citer.finished and chunk.text):
            citer = self._citer_for(chunk.reply)
        if citer.finished:
            citer.note(chunk)
            return []
        events = citer.feed_slowly(chunk)
        # What follows is another message: an agent's run goes on behind its tool calls.
        if chunk.finish_reason is not None:
            events.extend(citer.finish())
        return events

    def _citer_for(self, index: int) -> Citer:
        """Begin a reply: under the index of its choice, or after all others if that is taken."""
        number = index if index not in self._all else max(self._all) + 1
        citer = self.plain if number == 0 else self._new_citer(reply=number)
        self._all[number] = self._current[index] = citer
        if index == 0:
            self.plain = citer
        return citer

    def add_documents(self, documents: Iterable[object]) -> list[int]:
        """Number documents; the next item then tells every reply."""
        numbers = self.sources.add(documents)
        for citer in self._all.values():
            citer.search, citer.plain = ANYTHING, NOTHING_KNOWN
        return numbers

    def end(self, *, complete: bool) -> tuple[list[AnswerEvent], list[FinalAnswer]]:
        """End all replies."""
        events = [
            event
            for decoder in (self._bytes, self._joiner)
            if decoder is not None
            for chunk in decoder.close()
            for event in self._feed_chunk(chunk)
        ]
        if not self._all:
            self._citer_for(0)
        citers = [self._all[number] for number in sorted(self._all)]
        for citer in citers:
            events.extend(citer.refresh() if citer.finished else citer.finish())
        messages = [citer.raw for citer in citers]
        chosen = citers[-1:] if self._last_only else citers
        return events, [citer.final(messages, complete=complete) for citer in chosen]

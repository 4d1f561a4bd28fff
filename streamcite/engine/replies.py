"""The replies of one stream: items of any kind in, events of every reply out."""

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from streamcite.assemble.display import Numbering
from streamcite.chunks import Chunk
from streamcite.engine.citer import Citer
from streamcite.events import AnswerEvent, FinalAnswer
from streamcite.inputs import PlainDecoder, SurrogateJoiner
from streamcite.inputs.item_reader import ItemReader
from streamcite.options import CiteOptions
from streamcite.scan.tables import ANYTHING, NOTHING_KNOWN
from streamcite.sources import Sources

__all__ = ["Replies"]


class Replies:
    """The replies of one stream, each with its `Citer`."""

    __slots__ = (
        "_begun",
        "_bytes",
        "_early",
        "_first",
        "_further",
        "_highest",
        "_items",
        "_joiner",
        "_known_sources",
        "_meta",
        "_options",
        "_others",
        "_prompt",
        "_query",
        "main",
        "numbering",
        "sources",
        "waits",
    )

    def __init__(
        self,
        sources: Sources,
        options: CiteOptions,
        *,
        query: str,
        meta: Mapping[str, object] | None,
        prompt: str | None,
    ) -> None:
        self.sources = sources
        self._options = options
        self._query = query
        self._meta = meta
        self._prompt = prompt
        self.numbering = Numbering() if options.display == "renumber" else None
        """The numbers by first use that the replies share, if any are shown."""
        self._known_sources = sources.size
        # The reply that began first, and those after it, by number: most streams have one.
        self._first: Citer | None = None
        self._further: dict[int, Citer] | None = None
        self._highest = 0
        self._begun = False
        # The one that came last under each index but 0.
        self._others: dict[int, Citer] | None = None
        # What was said of replies that have not begun, by index.
        self._early: dict[int, list[Chunk]] | None = None
        # Made when the first item that needs them comes.
        self._bytes: PlainDecoder | None = None
        self._items: ItemReader | None = None
        self._joiner: SurrogateJoiner | None = None
        self.main = self._new_citer(0)
        """The reply that items of plain text belong to; until one comes, it is none."""
        self.main.search, self.main.place = ANYTHING, NOTHING_KNOWN
        self.waits = False
        """Whether an item ended in half a character, so that every item must come to `feed`."""

    def feed(self, item: object) -> list[AnswerEvent]:
        """Take one stream item of any kind, and tell every reply of documents that came."""
        if type(item) is str and not self.waits:
            events = self._refresh()
            return events + self._feed_text(item) if item else events
        chunks = self._read(item)
        self._joiner = joiner = self._joiner or SurrogateJoiner()
        whole = [each for chunk in chunks for each in joiner.feed(chunk)]
        self.waits = joiner.waits or (self._bytes is not None and self._bytes.waits)
        events = self._refresh()
        events += [event for chunk in whole for event in self._feed_chunk(chunk)]
        if self.waits:
            self.main.search, self.main.place = ANYTHING, NOTHING_KNOWN
        return events

    def _refresh(self) -> list[AnswerEvent]:
        """Say what later documents resolve, in every reply whose answer may still change."""
        if self.sources.size == self._known_sources:
            return []
        self._known_sources = self.sources.size
        return [event for citer in self._in_order() for event in citer.refresh()]

    def _read(self, item: object) -> list[Chunk]:
        if isinstance(item, bytes | bytearray | memoryview):
            self._bytes = self._bytes or PlainDecoder()
            return self._bytes.feed(bytes(item))
        self._items = items = self._items or ItemReader()
        chunks = items.read(item)
        # Half a character waits until its reply goes on in another way than with bytes, or ends.
        if self._bytes is not None and self._bytes.waits and any(map(_goes_on, chunks)):
            return [*self._bytes.close(), *chunks]
        return chunks

    def _feed_text(self, text: str) -> list[AnswerEvent]:
        if self._begun and not self.main.finished:
            return self.main.read(text)
        self.main = self._citer_for(0)
        return self.main.feed(text)

    def _feed_chunk(self, chunk: Chunk) -> list[AnswerEvent]:
        citer = self._citer_of(chunk.reply)
        if not chunk.text and chunk.finish_reason is None:
            self._note(chunk, citer)
            return []
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

    def _note(self, chunk: Chunk, citer: Citer | None) -> None:
        """Take a chunk that says nothing of the text; it begins no reply."""
        # Usage may come with the index 0 whatever that of the choices is.
        if citer is None and chunk.usage is not None:
            citer = self._last
        # Behind the end, what tells the model's name alone is how the next message begins.
        is_next = citer is not None and citer.finished and not (chunk.usage or chunk.citations)
        if citer is None or is_next:
            self._early = self._early or {}
            self._early.setdefault(chunk.reply, []).append(chunk)
            return
        self._note_early(chunk.reply, citer)
        citer.note(chunk)

    def _note_early(self, index: int, citer: Citer) -> None:
        """Let a reply note what was said under an index before it began."""
        for chunk in self._early.pop(index, ()) if self._early else ():
            citer.note(chunk)

    def _new_citer(self, number: int) -> Citer:
        return Citer(
            query=self._query,
            sources=self.sources,
            meta=self._meta,
            prompt=self._prompt,
            options=self._options,
            reply=number,
            numbering=self.numbering,
        )

    def _citer_of(self, index: int) -> Citer | None:
        """Return the reply under the index of its choice that came last; None if there is none."""
        if index == 0:
            return self.main if self._begun else None
        return self._others.get(index) if self._others else None

    def _citer_for(self, index: int) -> Citer:
        """Begin a reply: under the index of its choice, or after all others if that is taken."""
        number = self._highest + 1 if self._is_taken(index) else index
        self._highest = max(self._highest, number)
        citer = self.main if number == 0 else self._new_citer(number)
        if self._first is None:
            self._first = citer
        else:
            self._further = self._further or {}
            self._further[number] = citer
        self._note_early(index, citer)
        if index == 0:
            self.main, self._begun = citer, True
            citer.expect_text()
            return citer
        if self._others is None:
            self._others = {}
        self._others[index] = citer
        return citer

    def _is_taken(self, number: int) -> bool:
        if self._first is None:
            return False
        return number == self._first.reply or number in (self._further or ())

    @property
    def _last(self) -> Citer | None:
        """The reply that began last; None if none has."""
        return next(reversed(self._further.values())) if self._further else self._first

    def add_documents(self, documents: Iterable[object]) -> list[int]:
        """Number documents; the next item then tells every reply."""
        numbers = self.sources.add(documents)
        for citer in self._in_order():
            citer.search, citer.place = ANYTHING, NOTHING_KNOWN
        return numbers

    def finish(self) -> list[AnswerEvent]:
        """End the text of all replies; once it has ended, say what came with later documents."""
        # Whoever passes plain tokens by counts them for itself.
        self.main.offset = self.main.shown.length
        events: list[AnswerEvent] = []
        if self._bytes is not None or self._joiner is not None:
            events = [event for chunk in self._rest() for event in self._feed_chunk(chunk)]
        last = self._last or self._citer_for(0)
        for index in list(self._early or ()):
            self._note_early(index, self._citer_of(index) or last)
        for citer in self._in_order():
            events.extend(citer.refresh() if citer.finished else citer.finish())
        return events

    def _rest(self) -> Iterator[Chunk]:
        """Yield what the end of the stream completes: parts of characters without the others."""
        joiner = self._joiner or SurrogateJoiner()
        for chunk in self._bytes.close() if self._bytes is not None else ():
            yield from joiner.feed(chunk)
        yield from joiner.close()
        self._bytes = self._joiner = None

    def end(self, *, complete: bool) -> tuple[list[AnswerEvent], list[FinalAnswer]]:
        """End all replies and build their answers."""
        events, citers = self.finish(), self._in_order()
        messages = [citer.raw for citer in citers]
        chosen = citers[-1:] if self._options.last_message_only else citers
        finals = [
            citer.build_final(messages, complete=complete or citer.is_over) for citer in chosen
        ]
        return events, finals

    def _in_order(self) -> list[Citer]:
        if self._first is None:
            return []
        if self._further is None:
            return [self._first]
        return sorted([self._first, *self._further.values()], key=attrgetter("reply"))


def _goes_on(chunk: Chunk) -> bool:
    """Say whether a chunk goes on with the reply of plain text, or ends it."""
    return chunk.reply == 0 and bool(chunk.text or chunk.finish_reason)

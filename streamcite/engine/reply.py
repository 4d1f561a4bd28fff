"""One reply, every text of it on the whole way: tags, scanner, resolver, assembler, events."""

from collections.abc import Mapping

from streamcite.answers import Citation, GeneratedAnswer, citation_of
from streamcite.assemble.assembler import Assembler
from streamcite.assemble.display import Numbering
from streamcite.assemble.shown import Shown
from streamcite.chunks import Chunk
from streamcite.engine.reply_warnings import warnings_of
from streamcite.engine.rewriting import partial_of
from streamcite.engine.strand import Strand
from streamcite.errors import InputError, StateError
from streamcite.events import (
    AnswerEvent,
    FinalAnswer,
    PartialAnswer,
    SectionEnded,
    SectionStarted,
    Stand,
)
from streamcite.options import CiteOptions
from streamcite.resolve import Resolver
from streamcite.scan.scanners import make_allowance, make_extraction, make_tag_scanner
from streamcite.sources import Sources
from streamcite.spans import Located, Marker, Outside, Span, TagClosed, TagOpened, Text

__all__ = ["Reply"]

# The section in which a generator's reasoning channel is shown.
_REASONING = "reasoning"


class Reply:
    """What was shown of one reply so far, and what it still waits for.

    `Citer` feeds it; it has no way in of its own.

    Args:
        options: How it is cited.
        sources: The register of numbers; it may grow.
        numbering: Numbers by first use, to share with other replies.
        reply: Which reply of its stream this is, from 0.
        query, meta, prompt: For the answer.
    """

    __slots__ = (
        "_allowance",
        "_answer",
        "_aside",
        "_assembler",
        "_chunks_of",
        "_events",
        "_final",
        "_finish_reason",
        "_known_resolver",
        "_known_sources",
        "_outer",
        "_strand",
        "_tags",
        "finished",
        "options",
        "shown",
        "sources",
        "stand",
    )

    def __init__(
        self,
        options: CiteOptions,
        sources: Sources,
        numbering: Numbering | None,
        reply: int,
        *,
        query: str,
        meta: Mapping[str, object] | None,
        prompt: str | None,
    ) -> None:
        self.options = options
        self.sources = sources
        """The register of numbers; it may grow while the reply streams."""
        self.finished = False
        """Whether the reply's text has come to its end."""
        self.shown: Shown
        """The text that plain tokens belong to."""
        self.stand = Stand(reply, None)
        """What the events of plain tokens have in common."""
        self._finish_reason: str | None = None
        self._final: FinalAnswer | None = None
        self._known_resolver: Resolver | None = None
        self._known_sources = len(sources)
        self._assembler = Assembler(
            options, sources, numbering, query=query, meta=meta, prompt=prompt
        )
        self._tags = make_tag_scanner(options)
        self._allowance = make_allowance(options)
        # The reply that all chunks are of, by the number they give.
        self._chunks_of: int | None = None
        self._answer: Strand | None = None
        self._aside: Strand | None = None
        # None while there is none: a server has ten thousand answers open.
        self._events: list[AnswerEvent] | None = None
        self._outer = self._new_strand(self._assembler.outer)
        self._follow(self._outer)

    @property
    def _resolver(self) -> Resolver:
        if self._known_resolver is None:
            self._known_resolver = Resolver(self.sources, self.options)
        return self._known_resolver

    def _new_strand(self, shown: Shown) -> Strand:
        holds_answer = shown.section in (None, self.options.answer_tag)
        extraction = make_extraction(self.options, self._allowance) if holds_answer else None
        simple = shown.direct and not (
            extraction or self._tags or self._assembler.keeps_raw or shown.section
        )
        return Strand(self.options, shown, extraction, self._allowance, simple=simple)

    def _follow(self, strand: Strand) -> None:
        """Let all that comes be part of this text."""
        self._strand = strand
        self.shown = strand.shown
        self.stand = Stand(self.reply, strand.shown.section, view=self._assembler)
        if self._aside is None:
            self._assembler.holder = strand

    @property
    def reply(self) -> int:
        """Which reply of its stream this is, from 0."""
        return self.stand.reply

    @property
    def held(self) -> str:
        """Text received that is not shown yet."""
        return self._strand.held + (self._tags.held if self._tags is not None else "")

    @property
    def provisional(self) -> str:
        """The answer text as it would be if the reply ended here.

        With `pattern` it may hold text that is not shown yet, since a continuation could take
        it back; its markers stand there as the model wrote them.
        """
        strand = self._answer or self._outer
        waiting = strand.extraction.provisional if strand.extraction is not None else ""
        return strand.shown.text + waiting

    def _read(self, text: str) -> None:
        """Let a text go the whole way."""
        if self.sources.size != self._known_sources:
            self._refresh()
        strand = self._strand
        if strand.simple:
            spans = strand.scanner.feed(text)
            if len(spans) == 1 and spans[0].__class__ is Text:
                visible = spans[0].text
                self._add(partial_of(self.stand, self.shown.keep(visible), visible, ()))
            elif spans:
                self._show(spans)
                self._emit()
            return
        if self._aside is not None:
            self._end_reasoning()
            strand = self._strand
        if self._assembler.keeps_raw:
            self._assembler.receive(text)
        if self._tags is None:
            self._take_spans(strand.scanner.feed(text))
        else:
            self._take_tags(self._tags.feed(text))
        self._emit()

    def note(self, chunk: Chunk) -> None:
        """Take what a chunk says beside its text; it may come when the text is over.

        Raises:
            InputError: Its text or its end is that of another reply than the text before it.
        """
        says = bool(chunk.text) or chunk.finish_reason is not None
        if says and self._chunks_of not in (None, chunk.reply):
            raise InputError(
                f"this chunk is of reply {chunk.reply}, those before it are of reply "
                f"{self._chunks_of}: make a Citer for each reply, or give the stream to cite()"
            )
        self._chunks_of = chunk.reply if says else self._chunks_of
        self._assembler.note(chunk)

    def _take_spans(self, spans: list[Span]) -> None:
        extraction = self._strand.extraction
        if extraction is not None:
            spans = extraction.feed(spans)
        if not spans:
            return
        if len(spans) == 1 and spans[0].__class__ is Text:
            self.shown.write(spans[0].text)
        else:
            self._show(spans)

    def _show(self, spans: list[Span]) -> None:
        shown = self.shown
        located = []
        for span in spans:
            if span.__class__ is Text:
                shown.write(span.text)
            elif span.__class__ is Marker:
                shown.cite(span, self._resolver.resolve(span))
            elif isinstance(span, Outside):
                shown.cite_outside(span.marker, self._resolver.resolve(span.marker))
            elif isinstance(span, Located):
                located.append((span, self._resolver.resolve(span.marker)))
        if located:
            shown.cite_shown(located)

    def _take_tags(self, spans: list[Span]) -> None:
        for span in spans:
            if span.__class__ is Text:
                self._take_spans(self._strand.scanner.feed(span.text))
            elif span.__class__ is TagOpened:
                self._end_strand()
                self._enter(span.name)
                self._add(SectionStarted(self.reply, span.name, dict(span.attributes)))
            elif isinstance(span, TagClosed):
                self._end_strand()
                self._follow(self._outer)
                self._add(SectionEnded(self.reply, span.name, span.complete))

    def _enter(self, section: str) -> None:
        shown = self._assembler.open(section)
        if section != self.options.answer_tag:
            self._follow(self._new_strand(shown))
            return
        if self._answer is None:
            self._answer = self._new_strand(shown)
        else:
            self._answer.begin_anew()
        self._follow(self._answer)

    def _end_strand(self) -> None:
        """End the current stretch of text; a tag or the end of the reply follows."""
        strand = self._strand
        scanner = strand.maybe_scanner
        self._take_spans([] if scanner is None else scanner.close())
        # Text outside all tags is one, whatever stands in between.
        if strand.extraction is not None and (strand is not self._outer or self.finished):
            self._show(strand.extraction.close())
        self.shown.close()
        self._emit()

    def _reason(self, text: str) -> None:
        """Show text of the reasoning channel, in a section of its own."""
        if self.sources.size != self._known_sources:
            self._refresh()
        if self._aside is None:
            self._aside = self._strand
            self._follow(self._new_strand(self._assembler.open(_REASONING)))
            self._add(SectionStarted(self.reply, _REASONING))
        self._take_spans(self._strand.scanner.feed(text))
        self._emit()

    def _end_reasoning(self) -> None:
        assert self._aside is not None
        self._end_strand()
        self._follow(self._aside)
        self._aside = None
        self._add(SectionEnded(self.reply, _REASONING))

    def _emit(self, updates: tuple[Citation, ...] = ()) -> None:
        """Make an event of what became visible, if anything did."""
        shown, stand = self.shown, self.stand
        text, citations = shown.take()
        if updates:
            named = self._assembler.ledger.named
            news = (tuple(map(citation_of, citations)), updates)
            stand = Stand(self.reply, stand.section, *news, self._assembler, named)
            self._add(PartialAnswer.at(stand, shown.settled - len(text), text))
        elif text or citations:
            self._add(partial_of(stand, shown.settled - len(text), text, citations))

    def _add(self, event: AnswerEvent) -> None:
        if self._events is None:
            self._events = []
        self._events.append(event)

    def _refresh(self) -> None:
        known, self._known_sources = self._known_sources, len(self.sources)
        ledger = self._assembler.ledger
        updates: list[Citation] = []
        for marker in ledger.due(self._resolver.arrivals(known)):
            updates.extend(ledger.update(marker, self._resolver.resolve(marker)))
        if updates:
            self._emit(tuple(updates))

    def _end(self) -> None:
        """Show what is held and end open sections."""
        if self._aside is not None:
            self._end_reasoning()
        if self.sources.size != self._known_sources:
            self._refresh()
        if self._tags is not None:
            self._take_tags(self._tags.close())
        self.finished = True
        self._end_strand()

    @property
    def raw(self) -> str:
        """The reply as the model wrote it, tags and all."""
        return self._assembler.raw

    def check_open(self) -> None:
        """Refuse to change an answer that is final.

        Raises:
            StateError: It is.
        """
        if self._final is not None:
            raise StateError("this reply is closed; its answer cannot change any more")

    @property
    def final(self) -> GeneratedAnswer:
        """The final answer.

        Raises:
            StateError: The reply is not closed.
        """
        if self._final is None:
            raise StateError("the answer is not final yet: close the citer first")
        return self._final.answer

    def build_final(self, all_messages: list[str], *, complete: bool = True) -> FinalAnswer:
        """Build the final event.

        Args:
            all_messages: The text of every reply of the stream.
            complete: Whether the source came to its end.
        """
        if self._final is None:
            found = warnings_of(self.options, self._outer, self._answer, self._tags)
            answer = self._assembler.build(all_messages, found)
            self._final = FinalAnswer(self.reply, answer, complete, self._finish_reason)
        return self._final

"""One reply, without I/O: text and chunks in, events out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from streamcite.answers import AnswerWarning, GeneratedAnswer
from streamcite.assemble.display import Numbering, Renderer
from streamcite.assemble.final import Facts, build_answer
from streamcite.assemble.ledger import Ledger
from streamcite.assemble.shown import Shown
from streamcite.chunks import Chunk
from streamcite.errors import InputError, StateError
from streamcite.events import (
    AnswerEvent,
    FinalAnswer,
    PartialAnswer,
    PartialDraft,
    SectionEnded,
    SectionStarted,
)
from streamcite.options import CiteOptions, resolve_options
from streamcite.resolve import Resolver
from streamcite.scan.contexts import ANYTHING
from streamcite.scan.extraction import Extraction
from streamcite.scan.scanners import (
    Scanner,
    make_extraction,
    make_scanner,
    make_tag_scanner,
    pattern_warnings,
)
from streamcite.sources import Sources
from streamcite.spans import Located, Marker, Outside, Span, TagClosed, TagOpened, Text

__all__ = ["REASONING", "Citer", "cite_replies", "cite_text"]

# The section in which a generator's reasoning channel is shown.
REASONING = "reasoning"

_new = object.__new__


class _Strand:
    """A stretch of text: its scanner, what was shown of it, and what picks the answer out."""

    __slots__ = ("extraction", "scanner", "shown")

    def __init__(self, scanner: Scanner, shown: Shown, extraction: Extraction | None) -> None:
        self.scanner = scanner
        self.shown = shown
        self.extraction = extraction


class Citer:
    """Cites one reply: feed it text as it comes, and close it at the end.

    Args:
        query: The user's question, for the answer.
        documents: What the model was shown, in that order; anything `Document.of` accepts.
        sources: A register of numbers to share; `documents` are added to it.
        meta: Entries for the answer's meta.
        prompt: The prompt, for the answer's meta.
        options: All options in one object, or
        **keywords: each by its name, as `CiteOptions` has them.

    Raises:
        OptionsError: The options have no meaning.
        PatternError: A pattern cannot be streamed.
        DocumentError: A document has no text to read.
    """

    def __init__(
        self,
        *,
        query: str = "",
        documents: Iterable[object] = (),
        sources: Sources | None = None,
        meta: Mapping[str, Any] | None = None,
        prompt: str | None = None,
        options: CiteOptions | None = None,
        reply: int = 0,
        numbering: Numbering | None = None,
        **keywords: Any,
    ) -> None:
        self.options = options = resolve_options(options, keywords)
        if sources is None:
            sources = Sources(documents)
        else:
            sources.add(documents)
        self.sources = sources
        """The register of numbers; it may grow while the reply streams."""
        self.reply = reply
        """Which reply of its stream this is, from 0."""
        self.search: Callable[[str], object]
        """Finds nothing in a plain text, which changes no state and may be shown as it is."""
        self._query = query
        self._meta = dict(meta or {})
        self._prompt = prompt
        self._generator_meta: dict[str, Any] = {}
        self._finish_reason: str | None = None
        self._resolver = Resolver(sources, options)
        self._known_sources = len(sources)
        self._renderer = Renderer(options, sources, numbering or Numbering())
        self._ledger = Ledger(numbers_late=options.display == "keep")
        self._tags = make_tag_scanner(options)
        self._outer = self._strand = self._new_strand(None)
        self._answer: _Strand | None = None
        self._answer_cuts: list[int] = []
        self._sections: dict[str, list[Shown]] = {}
        self._aside: _Strand | None = None
        self._raw: list[str] | None = [] if _rewrites(options) else None
        self._events: list[AnswerEvent] = []
        self._warnings: list[AnswerWarning] = []
        self.finished = False
        """Whether the reply's text has come to its end."""
        self._final: FinalAnswer | None = None
        self._set_search()

    def _new_strand(self, section: str | None, occurrence: int = 0) -> _Strand:
        shown = Shown(section, self.options, self._renderer, self._ledger, occurrence)
        holds_answer = section is None or section == self.options.answer_tag
        extraction = make_extraction(self.options) if holds_answer else None
        return _Strand(make_scanner(self.options), shown, extraction)

    # Feeding ----------------------------------------------------------------------------------

    def feed(self, item: str | Chunk) -> list[AnswerEvent]:
        """Take the next piece of the reply and return what it makes visible.

        Raises:
            StateError: The reply is closed.
            InputError: The item is neither a str nor a Chunk.
        """
        if item.__class__ is str and self.search(item) is None:
            if not item:
                return []
            shown = self._strand.shown
            event = _new(PartialDraft)
            event.kind = "partial"
            event.reply = self.reply
            event.section = shown.section
            event.offset = shown.length
            event.delta = item
            event.citations = event.updates = ()
            event._view = self
            event.__class__ = PartialAnswer
            shown.parts.append(item)
            if len(shown.parts) > MAX_PARTS:
                self.fold()
            return [event]
        return self.feed_slowly(item)

    def feed_slowly(self, item: str | Chunk) -> list[AnswerEvent]:
        """Take an item that `search` found something in, or that is a Chunk."""
        if self.finished:
            raise StateError("this reply is closed; make a new Citer for the next one")
        if isinstance(item, str):
            self._feed_text(item)
        elif isinstance(item, Chunk):
            self._feed_chunk(item)
        else:
            raise InputError(
                f"Citer.feed takes a str or a streamcite.Chunk, not {type(item).__name__}; "
                "streamcite.cite() reads SDK items"
            )
        return self._take_events()

    def fold(self) -> None:
        """Store plain tokens as one text; it keeps a long answer near the size of its text."""
        strand = self._strand
        run = strand.shown.settle()
        if run:
            strand.scanner.skip(run)
            if self._tags is not None and self._aside is None:
                self._tags.skip(run)
            if self._raw is not None and self._aside is None:
                self._raw.append(run)

    @property
    def shown(self) -> Shown:
        """The text that plain tokens belong to."""
        return self._strand.shown

    @property
    def held(self) -> str:
        """Text received that is not shown yet."""
        tags = self._tags.held if self._tags is not None else ""
        strand = self._strand
        waiting = strand.extraction.held if strand.extraction is not None else ""
        return strand.shown.held + waiting + strand.scanner.held + tags

    @property
    def provisional(self) -> str:
        """The answer text as it would be if the reply ended here.

        With `pattern` it may hold text that is not shown yet, since a continuation could take
        it back; it is markup and all, as the model wrote it.
        """
        strand = self._answer or self._outer
        waiting = strand.extraction.provisional if strand.extraction is not None else ""
        return strand.shown.text + waiting

    def _feed_text(self, text: str) -> None:
        self.fold()
        if self._aside is not None:
            self._end_reasoning()
        if len(self.sources) != self._known_sources:
            self._refresh()
        if self._raw is not None:
            self._raw.append(text)
        if self._tags is None:
            self._scan(text)
        else:
            self._take_tags(self._tags.feed(text))
        self._emit()

    def _feed_chunk(self, chunk: Chunk) -> None:
        self.note(chunk)
        if chunk.text:
            if chunk.channel == "reasoning":
                self._feed_reasoning(chunk.text)
            else:
                self._feed_text(chunk.text)
        if chunk.finish_reason is not None:
            self._finish_reason = self._generator_meta["finish_reason"] = chunk.finish_reason

    def note(self, chunk: Chunk) -> None:
        """Take what a chunk says beside its text; it may come when the text is over."""
        facts = self._generator_meta
        facts.update(chunk.meta)
        if chunk.usage is not None:
            facts["usage"] = dict(chunk.usage)
        if chunk.citations:
            facts.setdefault("native_citations", []).extend(map(dict, chunk.citations))

    def _scan(self, text: str) -> None:
        self._take_spans(self._strand.scanner.feed(text))

    def _take_spans(self, spans: list[Span]) -> None:
        extraction = self._strand.extraction
        self._show(spans if extraction is None else extraction.feed(spans))

    def _show(self, spans: list[Span]) -> None:
        shown = self._strand.shown
        for span in spans:
            if isinstance(span, Text):
                shown.write(span.text)
            elif isinstance(span, Marker):
                shown.cite(span, self._resolver.resolve(span))
            elif isinstance(span, Outside):
                shown.cite_outside(span.marker, self._resolver.resolve(span.marker))
        shown.cite_shown(
            [
                (span.marker, self._resolver.resolve(span.marker), span.back)
                for span in spans
                if isinstance(span, Located)
            ]
        )

    # Sections ---------------------------------------------------------------------------------

    def _take_tags(self, spans: list[Span]) -> None:
        for span in spans:
            if isinstance(span, Text):
                self._scan(span.text)
            elif isinstance(span, TagOpened):
                self._open_section(span)
            elif isinstance(span, TagClosed):
                self._close_section(span)

    def _open_section(self, tag: TagOpened) -> None:
        self._end_strand()
        known = self._sections.setdefault(tag.name, [])
        if tag.name != self.options.answer_tag:
            self._strand = self._new_strand(tag.name, len(known))
            known.append(self._strand.shown)
        else:
            if self._answer is None:
                self._answer = self._new_strand(tag.name)
            self._strand = self._answer
            self._answer_cuts.append(self._answer.shown.length)
        self._events.append(SectionStarted(self.reply, tag.name, dict(tag.attributes)))

    def _close_section(self, tag: TagClosed) -> None:
        self._end_strand()
        self._strand = self._outer
        self._events.append(SectionEnded(self.reply, tag.name, tag.complete))

    def _end_strand(self) -> None:
        """End the current stretch of text; a tag or the end of the reply follows."""
        self._take_spans(self._strand.scanner.close())
        self._strand.shown.close()
        self._emit()

    def _feed_reasoning(self, text: str) -> None:
        self.fold()
        if self._aside is None:
            known = self._sections.setdefault(REASONING, [])
            self._aside = self._strand
            self._strand = self._new_strand(REASONING, len(known))
            known.append(self._strand.shown)
            self._events.append(SectionStarted(self.reply, REASONING))
        self._scan(text)
        self._emit()

    def _end_reasoning(self) -> None:
        assert self._aside is not None
        self._end_strand()
        self._strand, self._aside = self._aside, None
        self._events.append(SectionEnded(self.reply, REASONING))

    # Events -----------------------------------------------------------------------------------

    def _emit(self, updates: tuple[Any, ...] = ()) -> None:
        """Make an event of what became visible, if anything did."""
        shown = self._strand.shown
        delta = shown.take()
        if delta is None:
            if not updates:
                return
            event = PartialAnswer(self.reply, shown.section, shown.length, "", (), updates)
        else:
            event = PartialAnswer(
                self.reply, shown.section, delta.offset, delta.text, delta.citations, updates
            )
        object.__setattr__(event, "_view", self)
        self._events.append(event)

    def _take_events(self) -> list[AnswerEvent]:
        self._set_search()
        events, self._events = self._events, []
        return events

    def _set_search(self) -> None:
        strand = self._strand
        tags = self._tags
        busy = self.finished or self._aside is not None or strand.extraction is not None
        if busy or not strand.shown.idle or not (tags is None or tags.idle):
            self.search = ANYTHING
        elif strand.shown.trims:
            self.search = _or_trailing_blank(strand.scanner.search)
        else:
            self.search = strand.scanner.search

    # Documents --------------------------------------------------------------------------------

    def add_documents(self, documents: Iterable[object]) -> list[AnswerEvent]:
        """Number further documents; return the citations that become resolved by them.

        Raises:
            DocumentError: One of them has no text to read; those before it are numbered.
        """
        self.sources.add(documents)
        return self.refresh()

    def refresh(self) -> list[AnswerEvent]:
        """Return what documents that were added to `sources` resolve."""
        if self._final is not None:
            raise StateError("this reply is closed; its answer cannot change any more")
        self.fold()
        self._refresh()
        return self._take_events()

    def _refresh(self) -> None:
        self._known_sources = len(self.sources)
        updates = []
        for marker in self._ledger.waiting():
            updates.extend(self._ledger.update(marker, self._resolver.resolve(marker)))
        if updates:
            self._emit(tuple(updates))

    # The end ----------------------------------------------------------------------------------

    def close(self, *, error: BaseException | None = None) -> list[AnswerEvent]:
        """End the reply; the last event is its `FinalAnswer`.

        Args:
            error: Why the source failed, if it did; the answer is then marked incomplete.

        Raises:
            StateError: The reply is closed already.
        """
        events = self.finish()
        raw = self.raw
        return [*events, self.final([raw], complete=error is None)]

    def finish(self) -> list[AnswerEvent]:
        """Show what is held and end open sections; `final` then builds the answer."""
        if self.finished:
            raise StateError("this reply is closed already")
        self.fold()
        if self._aside is not None:
            self._end_reasoning()
        if len(self.sources) != self._known_sources:
            self._refresh()
        if self._tags is not None:
            self._take_tags(self._tags.close())
        self._end_strand()
        for strand in (self._outer, self._answer):
            if strand is not None and strand.extraction is not None:
                self._strand = strand
                self._show(strand.extraction.close())
                strand.shown.close()
                self._emit()
        self.finished = True
        return self._take_events()

    @property
    def raw(self) -> str:
        """The reply as the model wrote it."""
        return self._outer.shown.text if self._raw is None else "".join(self._raw)

    def final(self, all_messages: Sequence[str], *, complete: bool = True) -> FinalAnswer:
        """Build the final event.

        Args:
            all_messages: The text of every reply of the stream.
            complete: Whether the source came to its end.
        """
        if self._final is None:
            answer = self._build(self._data(), self._ledger.citations, all_messages)
            self._final = FinalAnswer(self.reply, answer, complete, self._finish_reason)
        return self._final

    def _data(self) -> str:
        return (self._answer or self._outer).shown.text

    def view(self, event: PartialAnswer) -> GeneratedAnswer:
        """Build the answer as it stood after an event."""
        answer = (self._answer or self._outer).shown
        data, citations = answer.text, self._ledger.citations
        if event.section == answer.section:
            end = event.offset + len(event.delta)
            data = data[:end]
            citations = [
                citation
                for citation in citations
                if citation.section != answer.section
                or citation.end is None
                or citation.end <= end
            ]
        return self._build(data, citations, [self.raw])

    def _build(
        self, data: str, citations: Sequence[Any], all_messages: Sequence[str]
    ) -> GeneratedAnswer:
        options = self.options
        section = self._answer.shown.section if self._answer else None
        counting = {section} if options.reference_pattern is None else {section, None}
        return build_answer(
            Facts(
                data=data,
                query=self._query,
                options=options,
                sources=self.sources,
                citations=list(citations),
                referenced=self._ledger.referenced(counting),
                sections=self._section_texts(),
                warnings=[*self._ledger.warnings(), *self._own_warnings()],
                all_messages=all_messages,
                generator_meta=self._generator_meta,
                meta=self._meta,
                prompt=self._prompt,
                answer_section=section,
            )
        )

    def _section_texts(self) -> dict[str, list[str]]:
        texts = {name: [shown.text for shown in known] for name, known in self._sections.items()}
        tag = self.options.answer_tag
        if self._answer is not None and tag is not None:
            text, cuts = self._answer.shown.text, self._answer_cuts
            ends = [*cuts[1:], len(text)]
            texts[tag] = [text[start:end] for start, end in zip(cuts, ends, strict=True)]
        return texts

    def _own_warnings(self) -> Iterator[AnswerWarning]:
        options = self.options
        if options.answer_tag is not None and self._answer is None:
            message = f"the reply has no <{options.answer_tag}>; the text outside all tags is used"
            yield AnswerWarning(code="missing-answer-tag", message=message)
        extraction = (self._answer or self._outer).extraction
        if self.finished and extraction is not None and not extraction.found:
            message = f"pattern {options.pattern!r} finds nothing in the reply"
            yield AnswerWarning(code="pattern-not-found", message=message)
        yield from pattern_warnings(options, self._outer.scanner)


# Plain tokens are folded when there are this many: 128 tokens of four characters cost 8 KB
# before and 0.6 KB after.
MAX_PARTS = 128


def _rewrites(options: CiteOptions) -> bool:
    """Say whether the text shown outside all tags may differ from the reply."""
    return bool(
        options.display != "keep"
        or options.extract_xml_tags
        or options.pattern is not None
        or options.unknown == "drop"
        or "private" in options.markers
    )


def _or_trailing_blank(search: Callable[[str], object]) -> Callable[[str], object]:
    """Return a search that finds blanks at the end too, which a removed marker may take."""

    def search_or_blank(text: str) -> object:
        return search(text) or (text[-1:] in " \t" and text) or None

    return search_or_blank


def cite_text(
    text: str,
    *,
    query: str = "",
    documents: Iterable[object] = (),
    sources: Sources | None = None,
    meta: Mapping[str, Any] | None = None,
    prompt: str | None = None,
    options: CiteOptions | None = None,
    **keywords: Any,
) -> GeneratedAnswer:
    """Cite a whole reply: what the stream would end with.

    Args and errors are those of `Citer`.
    """
    return cite_replies(
        [text],
        query=query,
        documents=documents,
        sources=sources,
        meta=None if meta is None else [meta],
        prompt=prompt,
        options=options,
        **keywords,
    )[0]


def cite_replies(
    replies: Iterable[str],
    *,
    query: str = "",
    documents: Iterable[object] = (),
    sources: Sources | None = None,
    meta: Sequence[Mapping[str, Any]] | None = None,
    prompt: str | None = None,
    options: CiteOptions | None = None,
    **keywords: Any,
) -> list[GeneratedAnswer]:
    """Cite several whole replies to one query; each answer's meta holds all of them.

    Args:
        replies: The texts.
        meta: One mapping per reply, or None.

    Other args and errors are those of `Citer`.

    Returns:
        One answer per reply; only the last one's with `last_message_only`.
    """
    options = resolve_options(options, keywords)
    texts = list(replies)
    metas = [{}] * len(texts) if not meta else list(meta)
    if len(metas) != len(texts):
        raise InputError(f"there are {len(texts)} replies and {len(metas)} meta; give one each")
    if sources is None:
        sources = Sources(documents)
    else:
        sources.add(documents)
    numbering = Numbering()
    citers = [
        Citer(
            query=query,
            sources=sources,
            meta=each,
            prompt=prompt,
            options=options,
            reply=index,
            numbering=numbering,
        )
        for index, each in enumerate(metas)
    ]
    for citer, text in zip(citers, texts, strict=True):
        citer.feed(text)
        citer.finish()
    chosen = citers[-1:] if options.last_message_only else citers
    return [citer.final(texts).answer for citer in chosen]

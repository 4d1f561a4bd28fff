"""The short cuts of one reply: known text and simple markers at once, all else the whole way."""

from collections.abc import Callable, Iterable, Mapping
from typing import Unpack

from streamcite.assemble.display import Numbering
from streamcite.assemble.shown_text import FOLD_LENGTH
from streamcite.chunks import Chunk
from streamcite.driver import LEFT, Left
from streamcite.errors import InputError, StateError
from streamcite.events import AnswerEvent, FreshPartial, PartialAnswer
from streamcite.lane import Lane, takes_lane
from streamcite.options import CiteOptions, OptionKeywords, resolve_options
from streamcite.reply import Reply
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.places import Place
from streamcite.scan.scanners import Scanner
from streamcite.scan.steps import Step
from streamcite.scan.tables import (
    ANYTHING,
    NOTHING_KNOWN,
    TEXT_HELD,
    KnownTexts,
    or_blank_at_end,
)
from streamcite.sources import Sources
from streamcite.strand import Strand

__all__ = ["Citer"]


class Citer(Reply):
    """Cites one reply: feed it text as it comes, and close it at the end.

    Args:
        query: The user's question, for the answer.
        documents: What the model was shown, in that order; anything `Document.of` accepts.
        sources: A register of numbers to share; `documents` are added to it.
        meta: Entries for the answer's meta.
        prompt: The prompt, for the answer's meta.
        reply: Which reply of its stream this is, from 0.
        numbering: Numbers by first use, to share with other replies.
        options: All options in one object, or
        **keywords: each option by its name, as `CiteOptions` has them.

    Raises:
        OptionsError: The options have no meaning.
        PatternError: A pattern cannot be streamed.
        DocumentError: A document has no text to read.
    """

    __slots__ = ("_fold_at", "lane", "offset", "plain", "search", "write")

    def __init__(
        self,
        *,
        query: str = "",
        documents: Iterable[object] = (),
        sources: Sources | None = None,
        meta: Mapping[str, object] | None = None,
        prompt: str | None = None,
        options: CiteOptions | None = None,
        reply: int = 0,
        numbering: Numbering | None = None,
        **keywords: Unpack[OptionKeywords],
    ) -> None:
        # It calls `_follow`, which sets `lane` and `write`.
        super().__init__(
            resolve_options(options, keywords),
            Sources.joined(sources, documents),
            numbering,
            reply,
            query=query,
            meta=meta,
            prompt=prompt,
        )
        self.search: Callable[[str], object]
        """Finds nothing in a plain text, which changes no state and may be shown as it is."""
        self.plain: KnownTexts
        """Some texts in which `search` finds nothing, so that it need not be asked."""
        self.lane: Lane | None
        """The short cut for simple markers, where there is one."""
        self.offset: int
        """Code points of the present text that were shown."""
        self.write: Callable[[str], int]
        """Stores a plain token, and returns how long it is."""
        self._fold_at: int
        self.expect_text()

    def _follow(self, strand: Strand) -> None:
        super()._follow(strand)
        self.lane = self._assembler.holder = strand.lane
        if self.lane is not None:
            self.lane.forget()
        self.write = strand.shown.run.write

    def feed(self, item: str | Chunk) -> list[AnswerEvent]:
        """Take the next piece of the reply and return what it makes visible.

        Raises:
            StateError: The reply is closed.
            InputError: The item is neither a str nor a Chunk, or is of another reply.
        """
        if item.__class__ is not str:
            return self.feed_slowly(item)
        known = self.plain
        if item in known.texts or (
            item and (step := known.passed.get(item)) is None and self.learns(item)
        ):
            event: PartialAnswer = FreshPartial()
            event._stand = self.stand
            event.offset = offset = self.offset  # type: ignore[misc]  # as in its `at`
            event.delta = item  # type: ignore[misc]  # as in its `at`
            self.offset = offset = offset + self.write(item)
            if offset >= self._fold_at:
                self.fold()
                self._fold_at = offset + FOLD_LENGTH
            return [event]
        taken = self.take(item, step) if item else LEFT
        if taken is LEFT:
            return self.feed_slowly(item)
        return [] if taken is None else [taken]

    def learns(self, text: str) -> bool:
        """Say whether a text of which nothing is known is plain; if so, more is known now."""
        return not self.search(text) and self.plain.learn(text)

    def take(self, token: str, step: object) -> PartialAnswer | Left | None:
        """Take a text that is not plain, if what it does is known or can be read at once.

        Args:
            token: The text.
            step: What is known of it at this place: where it leads, or a lane's step.

        Returns:
            The event it makes; None if all of it is held; LEFT if it must be fed slowly.
        """
        if self.plain is NOTHING_KNOWN:
            return LEFT  # a scanner holds text, or documents came
        if self._tags is not None and "<" in token:
            return LEFT  # it may be a tag, whatever it is to the scanner
        lane = self.lane
        if lane is not None and lane.place is not None:
            return lane.go_on(self, lane.place, token, step)
        if isinstance(step, KnownTexts):
            return self._pass(token, step)
        if step is None:
            place = self.plain.before(token[0], self.shown.run)
            if place is not None:
                return self._go_on_at(place, token)
        if lane is None and self._strand.may_lane and self.plain.in_text:
            lane = self._open_lane()
        if lane is None:
            return LEFT
        return lane.take(self, step) if isinstance(step, Step) else lane.begin(self, token)

    @property
    def scanner(self) -> Scanner:
        """The scanner of the text that plain tokens belong to."""
        return self._strand.scanner

    def _open_lane(self) -> Lane | None:
        strand = self._strand
        strand.may_lane = False
        if isinstance(plain := self.plain, Place) and takes_lane(self.options):
            lane = Lane(strand.shown, plain, self._resolver, self.options)
            self.lane = strand.lane = self._assembler.holder = lane
        return self.lane

    def _go_on_at(self, place: KnownTexts, token: str) -> PartialAnswer | Left | None:
        """Take a token before which the text turns out to stand at another place."""
        step = place.passed.get(token)
        if step is None and (
            token in place.texts or (not place.search(token) and place.learn(token))
        ):
            return self._pass(token, place)
        self._move_to(place, token)
        return self.take(token, step)

    def _move_to(self, place: KnownTexts, token: str) -> None:
        """Let the text go on at a place that a token leads to, or that it stands at itself."""
        if place.fenced is not self.plain.fenced:
            scanner = self.scanner
            assert isinstance(scanner, MarkdownScanner)  # no other knows of fences
            scanner.cross(token, self.shown.run.tell(), fenced=place.fenced)
        self._strand.go_to(place)
        self.plain, self.search = place, place.search

    def _pass(self, text: str, following: KnownTexts) -> PartialAnswer:
        """Show a text that has to do with contexts only, as is known from before."""
        self._move_to(following, text)
        event: PartialAnswer = FreshPartial.at(self.stand, self.offset, text)
        self.offset += self.write(text)
        if self.shown.run.tell() >= FOLD_LENGTH:
            self.fold()
        return event

    def pass_opener(self, text: str) -> PartialAnswer | Left:
        """Show a text whose first opener begins no marker; LEFT if that is not all there is."""
        following = self.plain.past(text)
        # What new documents resolve is to come first.
        if following is None or self.sources.size != self._known_sources:
            return LEFT
        return self._pass(text, following)

    def feed_slowly(self, item: str | Chunk) -> list[AnswerEvent]:
        """Take a text that is neither plain nor for the lane, or a Chunk."""
        if self.finished:
            raise StateError("this reply is closed; make a new Citer for the next one")
        if isinstance(item, str):
            if not item:
                return []
            following: object = None
            if self.lane is not None:
                item, following = self._leave(self.lane, item)
            # What new documents resolve, and blanks that are held, are to come first.
            if (
                isinstance(following, KnownTexts)
                and self.shown.idle
                and self.sources.size == self._known_sources
            ):
                return [self._pass(item, following)]
            self._feed_text(item)
            return self._conclude()
        if isinstance(item, Chunk):
            return self._feed_chunk(item)
        raise InputError(
            f"Citer.feed takes a str or a streamcite.Chunk, not {type(item).__name__}; feed it "
            "each chunk of streamcite.inputs.to_chunks(item), or for bytes of a PlainDecoder there"
        )

    def _leave(self, lane: Lane, token: str) -> tuple[str, object]:
        """Leave the lane with a token.

        Returns:
            The text that was not shown yet, and where it leads if that is known.
        """
        if lane.place is not None:
            text = lane.leave(token)
            self.plain = self._strand.plain
            if self._tags is not None and "<" in token:
                return text, None  # as in `take`
            return text, self.plain.passed.get(text)
        return token, None

    def fold(self, rest: str = "") -> None:
        """Store plain tokens as one text; the scanner passes a rest with them, shown otherwise."""
        run = self.shown.settle() + rest
        if run:
            self.write = self.shown.run.write
            self._strand.skip(run)
            if self.lane is not None:
                self.lane.note(self, run)
            if self._strand.simple or self._aside is not None:
                return
            if self._assembler.keeps_raw:
                self._assembler.receive(run)
            if self._tags is not None:
                self._tags.skip(run)

    @property
    def held(self) -> str:
        """Text received that is not shown yet."""
        return super().held + (self.lane.held if self.lane is not None else "")

    def _feed_chunk(self, chunk: Chunk) -> list[AnswerEvent]:
        self.note(chunk)
        if chunk.finish_reason is not None:
            self._finish_reason = chunk.finish_reason
            self._assembler.note_finish(chunk.finish_reason)
        if not chunk.text:
            return []
        if chunk.channel == "answer":
            return self.feed(chunk.text)
        self.fold()
        if self._aside is None:
            self._leave_lane()
        self._reason(chunk.text)
        return self._conclude()

    def _feed_text(self, text: str) -> None:
        if self.shown.run.tell():
            self.fold()
        if self.lane is not None and self._tags is None:
            self.lane.note(self, text)
        elif self.lane is not None:
            self.lane.forget()  # the tags have yet to say what is part of this text
        self._read(text)

    def _leave_lane(self, token: str = "") -> None:
        """Let the scanner decide what the lane holds, and what follows it."""
        if self.lane is not None:
            token = self.lane.leave(token)
        if token:
            self._feed_text(token)

    def _conclude(self) -> list[AnswerEvent]:
        """Look for plain text anew, and return what was made visible."""
        self.expect_text()
        return self._take_events()

    def expect_text(self) -> None:
        """Find out which texts are plain where the text stands now, all of it being settled."""
        strand, tags, shown = self._strand, self._tags, self.shown
        self.offset = shown.settled
        self._fold_at = self.offset + FOLD_LENGTH
        holds = self.lane is not None and self.lane.place is not None
        if strand.simple and not self.finished and not holds:
            self.search, self.plain = strand.search, strand.plain
            return
        self.plain = NOTHING_KNOWN
        busy = self.finished or self._aside is not None or strand.extraction is not None
        if busy or holds or not (tags is None or tags.idle):
            self.search = ANYTHING
        elif not shown.idle:
            self.search = ANYTHING
            if self.lane is not None and strand.plain.in_text:
                self.plain = TEXT_HELD
        elif shown.trims and not strand.plain.trims:
            self.search = or_blank_at_end(strand.search)
        else:
            self.search = search = strand.search
            if search is not ANYTHING:
                self.plain = strand.plain

    def add_documents(self, documents: Iterable[object]) -> list[AnswerEvent]:
        """Number further documents; return the citations that become resolved by them.

        Raises:
            DocumentError: One of them has no text to read; those before it are numbered.
            StateError: The reply is closed.
        """
        self.check_open()
        self.sources.add(documents)
        return self.refresh()

    def refresh(self) -> list[AnswerEvent]:
        """Return what documents that were added to `sources` resolve."""
        self.check_open()
        if self.sources.size == self._known_sources:
            return []
        self.fold()
        self._refresh()
        return self._conclude()

    def close(self, *, error: BaseException | None = None) -> list[AnswerEvent]:
        """End the reply; the last event is its `FinalAnswer`.

        Args:
            error: Why the source failed, if it did; the answer is then marked incomplete.

        Raises:
            StateError: The reply is closed already.
        """
        events = self.finish()
        return [*events, self.build_final([self.raw], complete=error is None)]

    def finish(self) -> list[AnswerEvent]:
        """Show what is held and end open sections; `build_final` then builds the answer.

        Raises:
            StateError: The reply is closed already.
        """
        if self.finished:
            raise StateError("this reply is closed already")
        self.fold()
        self._leave_lane()
        self._end()
        return self._conclude()

"""One reply as its user drives it: fed piece by piece, and closed at the end."""

from collections.abc import Iterable, Mapping
from typing import Unpack

from streamcite.assemble.display import Numbering
from streamcite.assemble.shown_text import FOLD_LENGTH
from streamcite.chunks import Chunk
from streamcite.engine.host import DECLINED
from streamcite.engine.short_cuts import ShortCuts
from streamcite.errors import InputError, StateError
from streamcite.events import AnswerEvent, FreshPartial, PartialAnswer
from streamcite.options import CiteOptions, OptionKeywords, resolve_options
from streamcite.sources import Sources

__all__ = ["Citer"]


class Citer(ShortCuts):
    """Cites one reply: feed it text as it comes, and close it at the end.

    Args:
        query: The user's question, for the answer.
        documents: What the model was shown, in that order; anything `Document.of` accepts.
        sources: A register of numbers to share; `documents` are added to it.
        meta: Entries for the answer's meta.
        prompt: The prompt, for the answer's meta.
        reply: Which reply of its stream this is, from 0.
        numbering: The numbers by first use that the replies of one stream share; `cite` gives it.
        options: All options in one object, or
        **keywords: each option by its name, as `CiteOptions` has them.

    Raises:
        OptionsError: The options have no meaning.
        PatternError: A pattern cannot be streamed.
        DocumentError: A document has no text to read.
    """

    __slots__ = ()

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
        super().__init__(
            resolve_options(options, keywords),
            Sources.joined(sources, documents),
            numbering,
            reply,
            query=query,
            meta=meta,
            prompt=prompt,
        )
        self.expect_text()

    def feed(self, item: str | Chunk | None) -> list[AnswerEvent]:
        """Take the next piece of the reply and return what it makes visible.

        Args:
            item: Its text, or a chunk; None is a delta without text, as many SDKs have it.

        Raises:
            StateError: The reply is closed.
            InputError: The item is neither a str nor a Chunk, or is of another reply.
        """
        if item.__class__ is not str:
            return self.feed_slowly(item)
        known = self.place
        if item in known.texts or (
            item and (step := known.passed.get(item)) is None and self.learns(item)
        ):
            event: PartialAnswer = FreshPartial()
            event._stand = self.stand
            event.offset = offset = self.offset  # type: ignore[misc]  # as in its `at`
            event.delta = item  # type: ignore[misc]  # as in its `at`
            self.offset = offset = offset + self.write(item)
            if offset >= self.fold_at:
                self.fold()
                self.fold_at = offset + FOLD_LENGTH
            return [event]
        taken = self.take(item, step) if item else DECLINED
        if taken is DECLINED:
            return self.feed_slowly(item)
        return [] if taken is None else [taken]

    def feed_slowly(self, item: str | Chunk | None) -> list[AnswerEvent]:
        """Take a text that is neither plain nor for the lane, a Chunk, or nothing."""
        if self.finished:
            raise StateError("this reply is closed; make a new Citer for the next one")
        if item is None or isinstance(item, str):
            return self.read(item) if item else []
        if isinstance(item, Chunk):
            return self._feed_chunk(item)
        raise InputError(
            f"Citer.feed takes a str or a streamcite.Chunk, not {type(item).__name__}; feed it "
            "each chunk of streamcite.inputs.to_chunks(item), or for bytes of a PlainDecoder there"
        )

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

    @property
    def is_over(self) -> bool:
        """Whether the generator said why it stopped."""
        return self._finish_reason is not None

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
        self._end_lane()
        self.fold()  # `raw` has the run of the current text only, and an open section ends here
        self._end()
        return self._conclude()

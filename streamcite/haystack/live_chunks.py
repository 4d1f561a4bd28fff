"""A generator's chunks in, chunks of what the reader sees out."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock

from haystack.dataclasses import ComponentInfo, Document, StreamingChunk

from streamcite.answers import Citation, GeneratedAnswer, Json
from streamcite.arguments import check_type
from streamcite.assemble.display import Numbering
from streamcite.engine.replies import Replies
from streamcite.errors import StateError
from streamcite.events import AnswerEvent, PartialAnswer
from streamcite.haystack.conversions import (
    CitedAnswer,
    documents_of,
    from_haystack_document,
    to_haystack_answer,
)
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["LiveChunks", "check_chunk", "is_cited"]


class LiveChunks:
    """Turns a generator's chunks into chunks of what the reader sees.

    Text that may still become a marker or a tag is held; text of a section comes in
    `meta["section_text"]`, so that what prints `content` prints the answer only.
    """

    def __init__(
        self,
        options: CiteOptions,
        *,
        query: str = "",
        documents: Sequence[Document] = (),
        component_info: ComponentInfo | None = None,
    ) -> None:
        self._originals = documents_of(documents)
        self._sources = Sources(map(from_haystack_document, self._originals))
        self._options = options
        self._replies = Replies(self._sources, options, query=query, meta=None, prompt=None)
        self._component_info = component_info
        self._last = StreamingChunk("")
        # A display function runs while it is held, and may add documents.
        self._lock = RLock()
        self._reads = False
        self._starts = False
        """Whether a block of text has begun of which nothing was shown."""
        self._ended = False

    def feed(self, chunk: StreamingChunk) -> list[StreamingChunk]:
        """Return the chunks that this one makes visible, itself among them if it is no text.

        Raises:
            InputError: It is no chunk of Haystack's.
            StateError: It brings text, and the stream has ended; or a display function gives it.
        """
        check_chunk(chunk)
        with self._reading():
            if self._ended:
                return [self._named(_without_text(chunk))]
            events = self._replies.feed(chunk)
            self._last = chunk
            self._starts |= chunk.start and bool(chunk.content)
            found = self._chunks_of(events, chunk)
        if chunk.reasoning:
            # It says its text itself; news are citations in it, and what was held of the answer.
            news = [each for each in found if each.content or is_cited(each)]
            return [*news, self._named(chunk)]
        if chunk.finish_reason is not None or not chunk.content:
            # The text is in the chunks before; the reason comes once, behind all of it.
            starts = chunk.start and not chunk.content
            return [*found, self._named(replace(chunk, content="", start=starts))]
        return found

    def add_documents(self, documents: Iterable[Document]) -> list[int]:
        """Number documents that come while the text streams; those known keep their number."""
        given = documents_of(documents)
        with self._lock:
            numbers = self._replies.add_documents(map(from_haystack_document, given))
            for number, document in zip(numbers, given, strict=True):
                if number > len(self._originals):
                    self._originals.append(document)
        return numbers

    def end(self, *, complete: bool = True) -> tuple[list[StreamingChunk], list[GeneratedAnswer]]:
        """Return what was held, and the answers.

        Raises:
            StateError: A display function calls it.
        """
        with self._reading():
            self._ended = True
            events, finals = self._replies.end(complete=complete)
            return self._chunks_of(events, self._last), [final.answer for final in finals]

    def cited(self, answer: GeneratedAnswer) -> CitedAnswer:
        """Return an answer as Haystack's, with all that its documents hold."""
        return to_haystack_answer(answer, self._originals)

    @property
    def numbering(self) -> Numbering | None:
        """The numbers by first use that were shown, to go on with; None if none are."""
        return self._replies.numbering

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Let one call read: not another thread's, nor one from within."""
        with self._lock:
            if self._reads:
                raise StateError(
                    "a display function gave a chunk to the stream that calls it, or ended it: "
                    "there it may add documents; leave all else to the run"
                )
            self._reads = True
            try:
                yield
            finally:
                self._reads = False

    def _named(self, chunk: StreamingChunk) -> StreamingChunk:
        """Return a chunk that passes, with the name of the component if there is one."""
        if self._component_info is None:
            return chunk
        return replace(chunk, component_info=self._component_info)

    def _chunks_of(self, events: list[AnswerEvent], chunk: StreamingChunk) -> list[StreamingChunk]:
        return [
            self._chunk_of(event, chunk) for event in events if isinstance(event, PartialAnswer)
        ]

    def _chunk_of(self, event: PartialAnswer, chunk: StreamingChunk) -> StreamingChunk:
        meta = dict(chunk.meta)
        is_answer = event.section in (None, self._options.answer_tag)
        if not is_answer:
            meta |= {"section": event.section, "section_text": event.delta}
        if event.citations:
            meta["citations"] = [each.to_dict() for each in event.citations]
        if event.updates:
            meta["updates"] = [each.to_dict() for each in event.updates]
        if changed := (*event.citations, *event.updates):
            meta["documents"] = self._documents_of(changed)
        content = event.delta if is_answer else ""
        starts = self._starts and bool(content)
        self._starts &= not starts
        # One copy for each token: it has of the chunk that came what is not its own.
        return replace(
            chunk,
            content=content,
            meta=meta,
            component_info=self._component_info or chunk.component_info,
            tool_calls=None,
            tool_call_result=None,
            start=starts,
            finish_reason=None,
            reasoning=None,
        )

    def _documents_of(self, citations: Iterable[Citation]) -> list[Json]:
        numbers = {number for each in citations for number in each.source_indices}
        return [
            {"source_index": number, **self._sources[number].model_dump(mode="json")}
            for number in sorted(numbers)
        ]


def _without_text(chunk: StreamingChunk) -> StreamingChunk:
    """Return what may come when the stream has ended: usage, such as OpenAI sends at last."""
    if chunk.content or chunk.reasoning:
        raise StateError(
            "text came when this stream had ended: finish it when the run has returned, not at a "
            "finish reason, and make a new CitingCallback for the next run"
        )
    return chunk


def check_chunk(chunk: object) -> None:
    """Refuse what is no chunk.

    Raises:
        InputError: It is none of Haystack's.
    """
    advice = "give StreamingChunks of Haystack's; for other streams there is streamcite.cite"
    check_type(chunk, StreamingChunk, "the chunk", advice)


def is_cited(chunk: StreamingChunk) -> bool:
    """Tell whether citations or news of them come with a chunk."""
    return bool(chunk.meta.get("citations") or chunk.meta.get("updates"))

"""A generator's chunks in, chunks of what the reader sees out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock

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
        self._lock = Lock()
        self._shown_numbers: dict[int, int] = {}
        self._starts = False
        """Whether a block of text has begun of which nothing was shown."""
        self._ended = False

    def feed(self, chunk: StreamingChunk) -> list[StreamingChunk]:
        """Return the chunks that this one makes visible, itself among them if it is no text.

        Raises:
            InputError: It is no chunk of Haystack's.
            StateError: It brings text, and the stream has ended.
        """
        check_chunk(chunk)
        if self._component_info is not None:
            chunk = replace(chunk, component_info=self._component_info)
        with self._lock:
            if self._ended:
                return [_without_text(chunk)]
            events = self._replies.feed(chunk)
            self._last = chunk
            self._starts |= chunk.start and bool(chunk.content)
            found = self._chunks_of(events, replace(chunk, finish_reason=None, start=False))
        if chunk.reasoning:
            # It says its text itself; only citations in it are news.
            return [*(each for each in found if is_cited(each)), chunk]
        if chunk.finish_reason is not None or not chunk.content:
            # The text is in the chunks before; the reason comes once, behind all of it.
            return [*found, replace(chunk, content="", start=chunk.start and not chunk.content)]
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
        """Return what was held, and the answers."""
        with self._lock:
            self._ended = True
            events, finals = self._replies.end(complete=complete)
            last = replace(
                self._last,
                content="",
                tool_calls=None,
                tool_call_result=None,
                reasoning=None,
                finish_reason=None,
                start=False,
            )
            return self._chunks_of(events, last), [final.answer for final in finals]

    def cited(self, answer: GeneratedAnswer) -> CitedAnswer:
        """Return an answer as Haystack's, with all that its documents hold."""
        return to_haystack_answer(answer, self._originals)

    @property
    def numbering(self) -> Numbering:
        """The numbers by first use that were shown, to go on with."""
        numbering = Numbering()
        for index in sorted(self._shown_numbers, key=self._shown_numbers.__getitem__):
            numbering.number(index)
        return numbering

    def _chunks_of(self, events: list[AnswerEvent], chunk: StreamingChunk) -> list[StreamingChunk]:
        plain = replace(chunk, tool_calls=None, tool_call_result=None, reasoning=None)
        return [
            self._chunk_of(event, plain) for event in events if isinstance(event, PartialAnswer)
        ]

    def _chunk_of(self, event: PartialAnswer, chunk: StreamingChunk) -> StreamingChunk:
        meta = dict(chunk.meta)
        is_answer = event.section in (None, self._options.answer_tag)
        if not is_answer:
            meta |= {"section": event.section, "section_text": event.delta}
        if event.citations:
            self._note_numbers(event.citations)
            meta["citations"] = [each.to_dict() for each in event.citations]
        if event.updates:
            meta["updates"] = [each.to_dict() for each in event.updates]
        if changed := (*event.citations, *event.updates):
            meta["documents"] = self._documents_of(changed)
        content = event.delta if is_answer else ""
        starts = self._starts and bool(content)
        self._starts &= not starts
        return replace(chunk, content=content, meta=meta, start=starts)

    def _note_numbers(self, citations: Iterable[Citation]) -> None:
        if self._options.display == "renumber":
            for each in citations:
                numbers = map(int, each.number.split(", ")) if each.number else ()
                self._shown_numbers.update(zip(each.source_indices, numbers, strict=False))

    def _documents_of(self, citations: Iterable[Citation]) -> list[Json]:
        numbers = {number for each in citations for number in each.source_indices}
        return [
            {"source_index": number, **_jsonable(self._sources[number].model_dump())}
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


def _jsonable(fields: Mapping[str, object]) -> Json:
    """Return fields as JSON has them; what JSON does not know becomes text."""
    copied: Json = json.loads(json.dumps(fields, default=str))
    return copied


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

"""Live citations in Haystack's stream: chunks in, chunks with citations out, by callback."""

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Unpack

from haystack.dataclasses import (
    ComponentInfo,
    Document,
    StreamingCallbackT,
    StreamingChunk,
)

from streamcite.answers import Citation, GeneratedAnswer, Json
from streamcite.assemble.display import Numbering
from streamcite.engine.replies import Replies
from streamcite.errors import StateError
from streamcite.events import AnswerEvent, PartialAnswer
from streamcite.haystack.conversions import CitedAnswer, from_haystack_document, to_haystack_answer
from streamcite.options import CiteOptions, OptionKeywords, resolve_options
from streamcite.sources import Sources

__all__ = [
    "CitationEvent",
    "CitingCallback",
    "LiveChunks",
    "as_callback",
    "chunk_items",
    "is_async",
    "pass_on",
    "pass_on_async",
]


@dataclass(frozen=True)
class CitationEvent:
    """Citations as an object of their own beside the text, for hayhooks to send."""

    citations: list[Json]
    """Those that became visible, as dictionaries of `streamcite.Citation`."""
    updates: list[Json]
    """Earlier ones whose documents are known by now."""
    documents: list[Json]
    """What they point at: `source_index`, `id`, `content`, `meta`, `score`."""
    section: str | None = None
    """The tag in which they stand; None for the answer text."""

    def to_event_dict(self) -> Json:
        """Return the event as JSON-ready values."""
        data = {
            "citations": self.citations,
            "updates": self.updates,
            "documents": self.documents,
            "section": self.section,
        }
        return {"type": "citations", "data": data}


def chunk_items(chunk: StreamingChunk) -> Iterator[StreamingChunk | CitationEvent]:
    """Yield a chunk's text and, as an object of its own, the citations in its meta.

    hayhooks sends the first as text and the second, by its `to_event_dict`, as an event.
    """
    cited = _is_cited(chunk)
    if chunk.content or not cited:
        yield chunk
    if cited:
        yield CitationEvent(
            citations=chunk.meta.get("citations", []),
            updates=chunk.meta.get("updates", []),
            documents=chunk.meta.get("documents", []),
            section=chunk.meta.get("section"),
        )


def _is_cited(chunk: StreamingChunk) -> bool:
    return bool(chunk.meta.get("citations") or chunk.meta.get("updates"))


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
        self._originals = list(documents)
        self._sources = Sources(map(from_haystack_document, documents))
        self._options = options
        self._replies = Replies(self._sources, options, query=query, meta=None, prompt=None)
        self._component_info = component_info
        self._last = StreamingChunk("")
        self._lock = Lock()
        self._shown_numbers: dict[int, int] = {}

    def feed(self, chunk: StreamingChunk) -> list[StreamingChunk]:
        """Return the chunks that this one makes visible, itself among them if it is no text."""
        if self._component_info is not None:
            chunk = replace(chunk, component_info=self._component_info)
        with self._lock:
            events = self._replies.feed(chunk)
            self._last = chunk
            found = self._chunks_of(events, replace(chunk, finish_reason=None, start=False))
        if chunk.reasoning:
            # It says its text itself; only citations in it are news.
            return [*(each for each in found if _is_cited(each)), chunk]
        if chunk.finish_reason is not None or not chunk.content:
            # The text is in the chunks before; the reason comes once, behind all of it.
            return [*found, replace(chunk, content="", start=False)]
        return found

    def add_documents(self, documents: Iterable[Document]) -> list[int]:
        """Number documents that come while the text streams; those known keep their number."""
        given = list(documents)
        with self._lock:
            numbers = self._replies.add_documents(map(from_haystack_document, given))
            for number, document in zip(numbers, given, strict=True):
                if number > len(self._originals):
                    self._originals.append(document)
        return numbers

    def end(self, *, complete: bool = True) -> tuple[list[StreamingChunk], list[GeneratedAnswer]]:
        """Return what was held, and the answers."""
        with self._lock:
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
        return replace(chunk, content=event.delta if is_answer else "", meta=meta)

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


def _jsonable(fields: Mapping[str, object]) -> Json:
    """Return fields as JSON has them; what JSON does not know becomes text."""
    copied: Json = json.loads(json.dumps(fields, default=str))
    return copied


def as_callback(live: LiveChunks, callback: StreamingCallbackT) -> StreamingCallbackT:
    """Return a function that passes on to a callback what `live` makes of each chunk.

    It is a plain function, or a coroutine function if the callback is one: Haystack tells the two
    apart, and leaves functions alone when it copies a run's inputs.
    """

    def cite_chunk(chunk: StreamingChunk) -> None:
        pass_on(live.feed(chunk), callback)

    async def cite_chunk_async(chunk: StreamingChunk) -> None:
        await pass_on_async(live.feed(chunk), callback)

    return cite_chunk_async if is_async(callback) else cite_chunk


def is_async(callback: StreamingCallbackT) -> bool:
    """Tell whether a callback must be awaited; objects with `async def __call__` must be too."""
    kinds = (callback, type(callback).__call__)
    return any(inspect.iscoroutinefunction(kind) for kind in kinds)


def pass_on(chunks: Iterable[StreamingChunk], callback: StreamingCallbackT) -> None:
    """Give chunks to a callback."""
    for chunk in chunks:
        callback(chunk)


async def pass_on_async(chunks: Iterable[StreamingChunk], callback: StreamingCallbackT) -> None:
    """Give chunks to a callback of any kind."""
    for chunk in chunks:
        if inspect.isawaitable(passed := callback(chunk)):
            await passed


class CitingCallback:
    """
    Adds live citations to a pipeline that stays as it is.

    Give `callback` to the generator, or the Agent, as its `streaming_callback`. Chunks arrive at
    the callback it was made with, citations in their meta. One object serves one run.

    ### Usage example

    ```python
    from haystack import Document
    from haystack.components.generators.chat import MockChatGenerator
    from streamcite.haystack import CitingCallback

    docs = [Document(content="Berlin is in Germany.")]
    live = CitingCallback(lambda chunk: print(chunk.content, end=""), documents=docs)
    generator = MockChatGenerator(responses="In Germany [1].")
    generator.run("Where is Berlin?", streaming_callback=live.callback)
    print(live.finish()[0].documents[0].content)
    # >> In Germany [1].Berlin is in Germany.
    ```

    :param callback:
        What receives the chunks: a function, a coroutine function, or an object that can be
        called as one of these. Haystack's copies of a run's inputs do not reach it.
    :param query:
        The question, for the answers.
    :param documents:
        What the model is shown, in that order.
    :param options:
        All options in one object, or
    :param keywords:
        each by its name, as `streamcite.CiteOptions` has them.
    """

    def __init__(
        self,
        callback: StreamingCallbackT,
        *,
        query: str = "",
        documents: Sequence[Document] = (),
        options: CiteOptions | None = None,
        **keywords: Unpack[OptionKeywords],
    ) -> None:
        self._target = callback
        self._live = LiveChunks(
            resolve_options(options, keywords), query=query, documents=documents
        )
        self.callback: StreamingCallbackT = as_callback(self._live, callback)
        """What Haystack calls: a function, or a coroutine function if the target is one."""
        self._ended = False

    def add_documents(self, documents: Iterable[Document]) -> list[int]:
        """
        Number documents that a tool found, while the run goes on.

        :param documents:
            The documents; one whose id is known keeps its number.
        :returns:
            Their numbers, for the tool to show to the model.
        """
        return self._live.add_documents(documents)

    def finish(self) -> list[CitedAnswer]:
        """
        End the stream: pass on what was held, and return the answer of each message.

        :raises StateError:
            The target is a coroutine function, or the stream has ended already.
        """
        if is_async(self._target):
            raise StateError("this callback is a coroutine function: await finish_async()")
        chunks, answers = self._end()
        pass_on(chunks, self._target)
        return list(map(self._live.cited, answers))

    async def finish_async(self) -> list[CitedAnswer]:
        """
        End the stream, for any kind of callback: see `finish`.

        :raises StateError:
            The stream has ended already.
        """
        chunks, answers = self._end()
        await pass_on_async(chunks, self._target)
        return list(map(self._live.cited, answers))

    def _end(self) -> tuple[list[StreamingChunk], list[GeneratedAnswer]]:
        if self._ended:
            raise StateError("this stream has ended; make a new CitingCallback for the next run")
        self._ended = True
        return self._live.end()

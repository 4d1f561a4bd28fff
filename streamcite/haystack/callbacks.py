"""Live citations in Haystack's stream, by callback."""

import inspect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Unpack

from haystack.dataclasses import Document, StreamingCallbackT, StreamingChunk

from streamcite.answers import GeneratedAnswer, Json
from streamcite.errors import InputError, StateError
from streamcite.haystack.conversions import CitedAnswer
from streamcite.haystack.live_chunks import LiveChunks, check_chunk, is_cited
from streamcite.options import CiteOptions, OptionKeywords, resolve_options

__all__ = [
    "CitationEvent",
    "CitingCallback",
    "as_async_callback",
    "as_callback",
    "check_callback",
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

    Raises:
        InputError: It is no chunk of Haystack's.
    """
    check_chunk(chunk)
    cited = is_cited(chunk)
    if chunk.content or not cited:
        yield chunk
    if cited:
        yield CitationEvent(
            citations=chunk.meta.get("citations", []),
            updates=chunk.meta.get("updates", []),
            documents=chunk.meta.get("documents", []),
            section=chunk.meta.get("section"),
        )


def as_callback(live: LiveChunks, callback: StreamingCallbackT) -> StreamingCallbackT:
    """Return a function that passes on to a callback what `live` makes of each chunk.

    It is a plain function, or a coroutine function if the callback is one: Haystack tells the two
    apart, and leaves functions alone when it copies a run's inputs.
    """

    def cite_chunk(chunk: StreamingChunk) -> None:
        pass_on(live.feed(chunk), callback)

    return as_async_callback(live, callback) if is_async(callback) else cite_chunk


def as_async_callback(live: LiveChunks, callback: StreamingCallbackT) -> StreamingCallbackT:
    """Return the same as a coroutine function, whatever the callback is.

    Haystack's `run_async` awaits it without a warning.
    """

    async def cite_chunk(chunk: StreamingChunk) -> None:
        await pass_on_async(live.feed(chunk), callback)

    return cite_chunk


def is_async(callback: StreamingCallbackT) -> bool:
    """Tell whether a callback must be awaited; objects with `async def __call__` must be too."""
    kinds = (callback, type(callback).__call__)
    return any(inspect.iscoroutinefunction(kind) for kind in kinds)


def check_callback(callback: object, name: str) -> None:
    """Refuse what cannot be called.

    Raises:
        InputError: It is no function or the like.
    """
    if not callable(callback):
        raise InputError(
            f"{name} is a {type(callback).__name__}; give a function that takes a StreamingChunk"
        )


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
    :raises InputError:
        `callback` cannot be called.
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
        check_callback(callback, "callback")
        self._target = callback
        self._live = LiveChunks(
            resolve_options(options, keywords), query=query, documents=documents
        )
        self.callback: StreamingCallbackT = as_callback(self._live, callback)
        """What Haystack calls: a function, or a coroutine function if the target is one."""
        self._ended = False

    def __deepcopy__(self, memo: object) -> "CitingCallback":
        # Haystack copies the inputs of a run; the copy would hear nothing of the stream.
        return self

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

        Call it when the run has returned. A chunk without text that comes later passes as it is;
        later text is a StateError.

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
        ended = self._live.end()
        self._ended = True
        return ended

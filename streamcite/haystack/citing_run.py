"""One run of a chat generator that cites: its stream, and the answers that the stream makes."""

from collections.abc import Mapping, Sequence
from typing import Any

from haystack import Document
from haystack.dataclasses import ChatMessage, ComponentInfo, StreamingChunk

from streamcite.answers import GeneratedAnswer
from streamcite.haystack.answering import build_answers, engine_meta, prompt_text
from streamcite.haystack.conversions import CitedAnswer, message_text
from streamcite.haystack.live_chunks import LiveChunks
from streamcite.options import CiteOptions

__all__ = ["CitingRun", "last_question"]


class CitingRun:
    """What a run was asked, what its stream says, and its answers.

    A reply that was streamed is not cited again: its answer is the one that the stream made, with
    the numbers that its readers saw. One that the generator did not stream, or returns as another
    text than it streamed, is cited when it is there, and the numbers go on.

    Args:
        options: How markers are found and shown.
        query: The question.
        documents: What the model is shown, in that order.
        prompt: The prompt, for the answers' meta.
        component_info: Which component the chunks are to name.
    """

    def __init__(
        self,
        options: CiteOptions,
        *,
        query: str,
        documents: Sequence[Document],
        prompt: str | Sequence[ChatMessage] | None,
        component_info: ComponentInfo,
    ) -> None:
        self._options = options
        self._query = query
        self._documents = documents
        self._prompt = prompt
        self.live = LiveChunks(
            options, query=query, documents=documents, component_info=component_info
        )
        self._streamed: list[tuple[str, GeneratedAnswer]] = []
        """The replies of the stream, with their answers."""

    def chunks_of(self, produced: dict[str, Any]) -> list[StreamingChunk]:
        """Return the stream of a generator that has none: each reply at once."""
        chunks = []
        for number, reply in enumerate(produced["replies"]):
            meta = {"index": number}
            if isinstance(reply, ChatMessage) and reply.reasoning is not None:
                thought = StreamingChunk("", meta=meta, index=0, reasoning=reply.reasoning)
                chunks += self.live.feed(thought)
            whole = StreamingChunk(message_text(reply), meta=meta, finish_reason="stop")
            chunks += self.live.feed(whole)
        return chunks

    def end(self, *, complete: bool = True) -> list[StreamingChunk]:
        """End the stream; return what was held."""
        chunks, answers = self.live.end(complete=complete)
        texts = answers[0].meta["all_messages"] if answers else []
        # With `last_message_only` there are more texts than answers.
        self._streamed = list(zip(texts[-len(answers) :], answers, strict=True))
        return chunks

    def result(self, produced: dict[str, Any]) -> dict[str, Any]:
        """Return what the generator made, and the answers."""
        return {**produced, "answers": self._answers(produced["replies"])}

    def _answers(self, replies: Sequence[ChatMessage]) -> list[CitedAnswer]:
        def added_meta(answer: GeneratedAnswer) -> Mapping[str, object]:
            return {**prompt_text(self._prompt), **engine_meta(answer, self._options)}

        return build_answers(
            query=self._query,
            replies=replies,
            meta=None,
            documents=self._documents,
            options=self._options,
            added_meta=added_meta,
            streamed_as=self._take_streamed,
            numbering=self.live.numbering,
        )

    def _take_streamed(self, reply: object) -> GeneratedAnswer | None:
        """Return the answer of the first reply of the stream that is this one, each once."""
        text = message_text(reply)
        thinks = isinstance(reply, ChatMessage) and reply.reasoning is not None
        for place, (streamed, answer) in enumerate(self._streamed):
            if streamed == text and (not thinks or "reasoning" in answer.sections):
                del self._streamed[place]
                return answer
        return None


def last_question(messages: Sequence[ChatMessage] | str) -> str:
    """Return what the user said last, for the answers' query."""
    if isinstance(messages, str):
        return messages
    texts = (message.text for message in reversed(messages) if message.is_from("user"))
    return next(texts, None) or ""

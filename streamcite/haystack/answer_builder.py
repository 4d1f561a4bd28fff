"""AnswerBuilder: Haystack's, with citations."""

from collections.abc import Mapping
from typing import Any

from haystack import Document, component, default_to_dict
from haystack.dataclasses import ChatMessage, GeneratedAnswer

from streamcite.answers import GeneratedAnswer as EngineAnswer
from streamcite.answers import Json, Meta
from streamcite.haystack.answering import (
    Patterns,
    build_answers,
    check_expands,
    engine_meta,
    store_options,
    store_value,
)
from streamcite.haystack.conversions import CitedAnswer

__all__ = ["AnswerBuilder"]


@component
class AnswerBuilder:
    """
    Makes answers of a generator's replies, and says which documents they cite.

    It takes the place of Haystack's `AnswerBuilder`: same parameters, same results. Beside them,
    each answer has `citations` with their places in the text, and `warnings`; and nothing that a
    model writes makes it raise.

    ### Usage example

    ```python
    from haystack import Document
    from streamcite.haystack import AnswerBuilder

    builder = AnswerBuilder(reference_pattern="acm")
    docs = [Document(content="Berlin is in Germany."), Document(content="Paris is in France.")]
    result = builder.run(query="Where is Paris?", replies=["In France [2]."], documents=docs)
    answer = result["answers"][0]
    print(answer.documents[0].content, answer.citations[0].start)
    # >> Paris is in France. 10
    ```

    :param pattern:
        Regular expression that picks the answer text out of a reply: its group, or the whole match
        if it has none. By default the whole reply is the answer.
    :param reference_pattern:
        Regular expression whose group, or whole match, is the number of a document, from 1; or
        `acm`, which reads all numbers of `[1, 2]`. By default no references are read, and all
        documents are in the answer.
    :param last_message_only:
        Whether only the last reply makes an answer.
    :param return_only_referenced_documents:
        Whether documents that are not cited are left out.
    :param expand_reference_ranges:
        Whether `[6-10]` cites five documents. With `markers` it always does.
    :param markers:
        Built-in grammars to read instead of a `reference_pattern`, such as `bracket`; see
        `streamcite.CiteOptions`. Markers in code, links and the like are then no citations, and
        `meta["_references"]` holds what deepset's user interface reads. A `reference_pattern` of
        `run` takes their place for that run.
    :param options:
        Any other options of `streamcite.CiteOptions`, by name.
    """

    def __init__(
        self,
        pattern: str | None = None,
        reference_pattern: str | None = None,
        last_message_only: bool = False,
        *,
        return_only_referenced_documents: bool = True,
        expand_reference_ranges: bool = False,
        markers: str | list[str] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.pattern = pattern
        self.reference_pattern = reference_pattern
        self.last_message_only = last_message_only
        self.return_only_referenced_documents = return_only_referenced_documents
        self.expand_reference_ranges = expand_reference_ranges
        self.markers = markers
        self.options = options
        check_expands(expand_reference_ranges)
        named = {
            "last_message_only": last_message_only,
            "markers": markers or (),
            "return_only_referenced_documents": return_only_referenced_documents,
        }
        self._patterns = Patterns(pattern, reference_pattern, named, options)

    def to_dict(self) -> Json:
        """
        Return the component as a dictionary.

        :returns:
            Its type and parameters.
        """
        return default_to_dict(
            self,
            pattern=self.pattern,
            reference_pattern=self.reference_pattern,
            last_message_only=self.last_message_only,
            return_only_referenced_documents=self.return_only_referenced_documents,
            expand_reference_ranges=self.expand_reference_ranges,
            markers=store_value(self.markers),
            options=store_options(self.options),
        )

    @component.output_types(answers=list[GeneratedAnswer])
    def run(
        self,
        query: str,
        replies: list[str] | list[ChatMessage],
        meta: list[Meta] | None = None,
        documents: list[Document] | None = None,
        pattern: str | None = None,
        reference_pattern: str | None = None,
        expand_reference_ranges: bool | None = None,
    ) -> dict[str, list[CitedAnswer]]:
        """
        Make an answer of each reply.

        :param query:
            The question.
        :param replies:
            Texts or messages of a generator.
        :param meta:
            Entries for each answer's meta; they win over those of its message.
        :param documents:
            What the model was shown, in that order. They stay as they are; the answers hold copies
            with `source_index` and, if references are read, `referenced` in their meta.
        :param pattern:
            Another pattern for this run.
        :param reference_pattern:
            Another reference pattern for this run.
        :param expand_reference_ranges:
            Whether ranges are expanded in this run.
        :returns:
            `answers`, one for each reply.
        """
        reads_markers = bool(self.markers) and not reference_pattern
        expands = expand_reference_ranges
        if expands is None:
            expands = self.expand_reference_ranges
        chosen = self._patterns.options(
            pattern, reference_pattern, bool(documents), None if reads_markers else expands
        )

        def added_meta(answer: EngineAnswer) -> Mapping[str, object]:
            found = engine_meta(answer, chosen)
            if not reads_markers:
                # Haystack's meta has no such key where it reads references.
                found.pop("_references", None)
            return found

        answers = build_answers(
            query=query,
            replies=replies,
            meta=meta,
            documents=documents,
            options=chosen,
            added_meta=added_meta,
        )
        return {"answers": answers}

    @component.output_types(answers=list[GeneratedAnswer])
    async def run_async(
        self,
        query: str,
        replies: list[str] | list[ChatMessage],
        meta: list[Meta] | None = None,
        documents: list[Document] | None = None,
        pattern: str | None = None,
        reference_pattern: str | None = None,
        expand_reference_ranges: bool | None = None,
    ) -> dict[str, list[CitedAnswer]]:
        """
        Make an answer of each reply, on the event loop.

        Parameters and result are those of `run`.
        """
        result: dict[str, list[CitedAnswer]] = self.run(
            query,
            replies,
            meta,
            documents,
            pattern,
            reference_pattern,
            expand_reference_ranges,
        )
        return result

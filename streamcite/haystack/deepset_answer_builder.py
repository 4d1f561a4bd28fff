"""DeepsetAnswerBuilder: the builder of deepset's platform, to be run anywhere."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from haystack import Document, Pipeline, component, default_to_dict
from haystack.dataclasses import ChatMessage, GeneratedAnswer
from haystack.marshal import YamlMarshaller

from streamcite.answers import GeneratedAnswer as EngineAnswer
from streamcite.answers import Json, Meta
from streamcite.arguments import check_type, items_of
from streamcite.errors import InputError
from streamcite.haystack.answering import (
    Patterns,
    build_answers,
    engine_meta,
    load_options,
    prompt_text,
    store_options,
    store_value,
)
from streamcite.haystack.conversions import CitedAnswer

__all__ = ["DEEPSET_TYPE", "DeepsetAnswerBuilder", "load_deepset_pipeline"]

DEEPSET_TYPE = "deepset_cloud_custom_nodes.augmenters.deepset_answer_builder.DeepsetAnswerBuilder"
"""What deepset's pipelines call their builder."""

# Components that only exist on the platform.
_PLATFORM = "deepset_cloud_custom_nodes."


@component
class DeepsetAnswerBuilder:
    """
    Makes answers of a generator's replies, as the builder of deepset's platform does.

    Its parameters are those of deepset's component. What deepset does not document is decided in
    streamcite's documentation.

    ### Usage example

    ```python
    from haystack import Document
    from streamcite.haystack import DeepsetAnswerBuilder

    builder = DeepsetAnswerBuilder(reference_pattern="acm", extract_xml_tags=["thinking"])
    replies = ["<thinking>Easy.</thinking>Berlin is in Germany [1]."]
    docs = [Document(content="Berlin is in Germany.")]
    answer = builder.run(query="Where is Berlin?", replies=replies, documents=docs)["answers"][0]
    print(answer.data, answer.meta["thinking"], answer.meta["_references"][0]["document_position"])
    # >> Berlin is in Germany [1]. Easy. 1
    ```

    :param pattern:
        Regular expression that picks the answer text out of a reply.
    :param reference_pattern:
        Regular expression that finds references, or `acm`, which reads all numbers of `[1, 2]`. By
        default no references are read, and all documents are in the answer.
    :param extract_xml_tags:
        Tags whose content is taken out of the answer text into its meta.
    :param options:
        Any other options of `streamcite.CiteOptions`, by name, such as `markers` or `display`.
    """

    def __init__(
        self,
        pattern: str | None = None,
        reference_pattern: str | None = None,
        extract_xml_tags: list[str] | None = None,
        *,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.pattern = pattern
        self.reference_pattern = reference_pattern
        self.extract_xml_tags = extract_xml_tags
        self.options = options
        named = {"extract_xml_tags": () if extract_xml_tags is None else extract_xml_tags}
        given = load_options(options)
        given.setdefault("markers", ())
        self._patterns = Patterns(pattern, reference_pattern, named, given)

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
            extract_xml_tags=store_value(self.extract_xml_tags),
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
        prompt: str | list[ChatMessage] | None = None,
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
            What the model was shown, in that order.
        :param pattern:
            Another pattern for this run.
        :param reference_pattern:
            Another reference pattern for this run.
        :param prompt:
            The prompt, for the answers' meta.
        :returns:
            `answers`, one for each reply; their meta holds `_references` if references are read.
        """
        chosen = self._patterns.options(pattern, reference_pattern, bool(documents))

        def added_meta(answer: EngineAnswer) -> Mapping[str, object]:
            return {**prompt_text(prompt), **engine_meta(answer, chosen)}

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
        prompt: str | list[ChatMessage] | None = None,
    ) -> dict[str, list[CitedAnswer]]:
        """
        Make an answer of each reply, on the event loop.

        Parameters and result are those of `run`.
        """
        result: dict[str, list[CitedAnswer]] = self.run(
            query, replies, meta, documents, pattern, reference_pattern, prompt
        )
        return result


def load_deepset_pipeline(
    source: str | Path,
    *,
    types: Mapping[str, str] | None = None,
    allowed_modules: list[str] | None = None,
) -> Pipeline:
    """
    Load a pipeline of deepset's platform; its answer builder becomes streamcite's.

    :param source:
        The YAML text, or the path of the file that holds it: a Path, or a text of one line that
        ends in `.yaml` or `.yml`.
    :param types:
        Further types to replace, old name to new, such as a generator's.
    :param allowed_modules:
        Further modules whose classes may be loaded, beside Haystack's and streamcite's.
    :returns:
        The pipeline, ready to run.
    :raises InputError:
        There is no such file, it is no pipeline, or it names components that only the platform has.
    """
    check_type(source, str | Path, "source", "give the YAML, or the path of its file")
    check_type(types, Mapping | None, "types", "give a dictionary from old type to new")
    modules: list[str] = []
    if allowed_modules is not None:
        modules = items_of(allowed_modules, str, "allowed_modules", "give a list of names")
    data: object = YamlMarshaller().unmarshal(_text_of(source))
    if not isinstance(data, dict) or not isinstance(data.get("components"), dict):
        raise InputError("this YAML is no pipeline: it has no mapping `components`")
    replaced = _replace_types(data, {DEEPSET_TYPE: _own_type(), **(types or {})})
    if closed := sorted(set(_platform_types(replaced))):
        raise InputError(
            f"only deepset's platform has {', '.join(closed)}: give what takes their place in "
            "types={old: new}"
        )
    return Pipeline.from_dict(replaced, allowed_modules=["streamcite", *modules])


def _text_of(source: str | Path) -> str:
    if isinstance(source, str) and not _is_path(source):
        return source
    try:
        return Path(source).read_text("utf-8")
    except FileNotFoundError as error:
        raise InputError(
            f"{source}: there is no such file; give the path of the YAML, or the YAML itself"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source}: give a YAML file in UTF-8; {error}") from error


def _is_path(text: str) -> bool:
    # A colon with a blank behind it makes YAML of a line; without one it may stand in `C:/a.yaml`.
    return text.lower().endswith((".yaml", ".yml")) and "\n" not in text and ": " not in text


def _own_type() -> str:
    return f"{DeepsetAnswerBuilder.__module__}.{DeepsetAnswerBuilder.__name__}"


def _replace_types(entries: Json, types: Mapping[str, str]) -> Json:
    return {
        key: types.get(entry, entry)
        if key == "type" and isinstance(entry, str)
        else _replace_within(entry, types)
        for key, entry in entries.items()
    }


def _replace_within(value: object, types: Mapping[str, str]) -> object:
    if isinstance(value, dict):
        return _replace_types(value, types)
    if isinstance(value, list):
        return [_replace_within(entry, types) for entry in value]
    return value


def _platform_types(value: object) -> list[str]:
    if isinstance(value, dict):
        kind = value.get("type")
        own = [kind] if isinstance(kind, str) and kind.startswith(_PLATFORM) else []
        return own + [name for entry in value.values() for name in _platform_types(entry)]
    if isinstance(value, list):
        return [name for entry in value for name in _platform_types(entry)]
    return []

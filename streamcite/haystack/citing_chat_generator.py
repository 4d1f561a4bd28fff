"""CitingChatGenerator: any chat generator, citing while it streams."""

import asyncio
import inspect
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.components.generators.chat.types import ChatGenerator
from haystack.core.serialization import component_to_dict
from haystack.dataclasses import (
    ChatMessage,
    ComponentInfo,
    GeneratedAnswer,
    StreamingCallbackT,
    select_streaming_callback,
)
from haystack.tools import ToolsType
from haystack.utils import (
    deserialize_callable,
    deserialize_chatgenerator_inplace,
    serialize_callable,
)

from streamcite.answers import Json
from streamcite.arguments import check_type, items_of
from streamcite.errors import InputError
from streamcite.haystack.agent_documents import take_documents
from streamcite.haystack.answering import check_options, load_options, store_options
from streamcite.haystack.callbacks import (
    as_async_callback,
    as_callback,
    check_callback,
    pass_on,
    pass_on_async,
)
from streamcite.haystack.citing_run import CitingRun, last_question
from streamcite.haystack.conversions import documents_of

__all__ = ["CitingChatGenerator"]


@component
class CitingChatGenerator:
    """
    Wraps a chat generator: its stream carries citations, and its replies come as answers too.

    The `streaming_callback` receives chunks whose `content` is what the reader sees, and whose
    `meta` holds `citations` and their `documents`. A marker is never shown in halves.

    ### Usage example

    ```python
    from haystack import Document
    from haystack.components.generators.chat import MockChatGenerator
    from streamcite.haystack import CitingChatGenerator

    generator = CitingChatGenerator(MockChatGenerator(responses="In Germany [1]."))
    docs = [Document(content="Berlin is in Germany.")]
    answer = generator.run("Where is Berlin?", documents=docs)["answers"][0]
    print(answer.data, answer.documents[0].content)
    # >> In Germany [1]. Berlin is in Germany.
    ```

    :param chat_generator:
        The generator.
    :param streaming_callback:
        Receives the chunks; the generator's own callback does if none is given.
    :param options:
        Options of `streamcite.CiteOptions`, by name: `reference_pattern`, `markers`, `display`,
        `extract_xml_tags` and so on.
    :raises InputError:
        `chat_generator` is none.
    """

    def __init__(
        self,
        chat_generator: ChatGenerator,
        streaming_callback: StreamingCallbackT | None = None,
        *,
        options: dict[str, Any] | None = None,
    ) -> None:
        _check_generator(chat_generator)
        if streaming_callback is not None:
            check_callback(streaming_callback, "streaming_callback")
        self.chat_generator = chat_generator
        self.streaming_callback = streaming_callback
        self.options = options
        self._options = check_options(load_options(options))

    @component.output_types(replies=list[ChatMessage], answers=list[GeneratedAnswer])
    def run(
        self,
        messages: list[ChatMessage] | str,
        streaming_callback: StreamingCallbackT | None = None,
        generation_kwargs: dict[str, Any] | None = None,
        *,
        tools: ToolsType | None = None,
        tools_strict: bool | None = None,
        query: str | None = None,
        documents: list[Document] | None = None,
        prompt: str | list[ChatMessage] | None = None,
    ) -> dict[str, Any]:
        """
        Run the generator and cite its replies.

        :param messages:
            The prompt, or a question.
        :param streaming_callback:
            Receives the chunks of this run.
        :param generation_kwargs:
            Passed on to the generator.
        :param tools:
            Passed on to the generator.
        :param tools_strict:
            Passed on to the generator.
        :param query:
            The question, for the answers; by default the last message of the user.
        :param documents:
            What the model is shown, in that order. Inside an Agent `AgentDocuments` gives them.
        :param prompt:
            The prompt, for the answers' meta.
        :returns:
            `replies` as the generator made them, and `answers`, one for each.
        """
        run = self._begin(messages, query, documents, prompt, streaming_callback)
        callback = select_streaming_callback(
            init_callback=self._init_callback,
            runtime_callback=streaming_callback,
            requires_async=False,
        )
        inputs = self._inputs(messages, generation_kwargs, tools, tools_strict)
        if callback is None:
            return run.result(self.chat_generator.run(**inputs))
        try:
            if self._streams(self.chat_generator.run):
                inputs["streaming_callback"] = as_callback(run.live, callback)
            produced = self.chat_generator.run(**inputs)
            if "streaming_callback" not in inputs:
                pass_on(run.chunks_of(produced), callback)
        except Exception:
            # The error is this one, and not what a callback that failed says when called again.
            with suppress(Exception):
                pass_on(run.end(complete=False), callback)
            raise
        pass_on(run.end(), callback)
        return run.result(produced)

    @component.output_types(replies=list[ChatMessage], answers=list[GeneratedAnswer])
    async def run_async(
        self,
        messages: list[ChatMessage] | str,
        streaming_callback: StreamingCallbackT | None = None,
        generation_kwargs: dict[str, Any] | None = None,
        *,
        tools: ToolsType | None = None,
        tools_strict: bool | None = None,
        query: str | None = None,
        documents: list[Document] | None = None,
        prompt: str | list[ChatMessage] | None = None,
    ) -> dict[str, Any]:
        """
        Run the generator on the event loop and cite its replies.

        Parameters and result are those of `run`; the callback may be a coroutine function. A
        generator without `run_async` runs in a thread, and its reply is streamed when it is there.
        """
        run = self._begin(messages, query, documents, prompt, streaming_callback)
        callback = select_streaming_callback(
            init_callback=self._init_callback,
            runtime_callback=streaming_callback,
            requires_async=True,
        )
        inputs = self._inputs(messages, generation_kwargs, tools, tools_strict)
        if callback is None:
            return run.result(await self._generate(inputs))
        try:
            runs_async = getattr(self.chat_generator, "run_async", None)
            if runs_async is not None and self._streams(runs_async):
                inputs["streaming_callback"] = as_async_callback(run.live, callback)
            produced = await self._generate(inputs)
            if "streaming_callback" not in inputs:
                await pass_on_async(run.chunks_of(produced), callback)
        except Exception:
            with suppress(Exception):
                await pass_on_async(run.end(complete=False), callback)
            raise
        await pass_on_async(run.end(), callback)
        return run.result(produced)

    def _begin(
        self,
        messages: list[ChatMessage] | str,
        query: str | None,
        documents: Sequence[Document] | None,
        prompt: str | list[ChatMessage] | None,
        callback: StreamingCallbackT | None,
    ) -> CitingRun:
        # Taken in any case, so that none are left for a run that they are not meant for.
        found = take_documents()
        if callback is not None:
            check_callback(callback, "streaming_callback")
        if not isinstance(messages, str):
            advice = "give a question as a str, or a list of ChatMessages"
            items_of(messages, ChatMessage, "messages", advice)
        return CitingRun(
            self._options,
            query=last_question(messages) if query is None else query,
            documents=[*documents_of(documents), *found],
            prompt=prompt,
            component_info=ComponentInfo.from_component(self),
        )

    @property
    def _init_callback(self) -> StreamingCallbackT | None:
        return self.streaming_callback or getattr(self.chat_generator, "streaming_callback", None)

    async def _generate(self, inputs: dict[str, Any]) -> dict[str, Any]:
        run_async = getattr(self.chat_generator, "run_async", None)
        if run_async is None:
            return await asyncio.to_thread(self.chat_generator.run, **inputs)
        produced: dict[str, Any] = await run_async(**inputs)
        return produced

    def _streams(self, run: Callable[..., object]) -> bool:
        return "streaming_callback" in inspect.signature(run).parameters

    def _inputs(
        self,
        messages: list[ChatMessage] | str,
        generation_kwargs: dict[str, Any] | None,
        tools: ToolsType | None,
        tools_strict: bool | None,
    ) -> dict[str, Any]:
        if isinstance(messages, str):
            messages = [ChatMessage.from_user(messages)]
        inputs: dict[str, Any] = {"messages": messages}
        if generation_kwargs is not None:
            inputs["generation_kwargs"] = generation_kwargs
        if tools is not None:
            inputs["tools"] = tools
        if tools_strict is not None:
            inputs["tools_strict"] = tools_strict
        return inputs

    def warm_up(self) -> None:
        """
        Warm up the generator.
        """
        self._call("warm_up")

    async def warm_up_async(self) -> None:
        """
        Warm up the generator on the event loop.
        """
        await self._call_async("warm_up")

    def close(self) -> None:
        """
        Release what the generator holds.
        """
        self._call("close")

    async def close_async(self) -> None:
        """
        Release what the generator holds, on the event loop.
        """
        await self._call_async("close")

    def _call(self, name: str) -> None:
        if (method := getattr(self.chat_generator, name, None)) is not None:
            method()

    async def _call_async(self, name: str) -> None:
        if (method := getattr(self.chat_generator, f"{name}_async", None)) is not None:
            await method()
        else:
            self._call(name)

    def to_dict(self) -> Json:
        """
        Return the component as a dictionary.

        :returns:
            Its type and parameters, the generator's among them.
        """
        callback = self.streaming_callback
        return default_to_dict(
            self,
            chat_generator=component_to_dict(self.chat_generator, "chat_generator"),
            streaming_callback=serialize_callable(callback) if callback else None,
            options=store_options(self.options),
        )

    @classmethod
    def from_dict(cls, data: Json) -> "CitingChatGenerator":
        """
        Read back what `to_dict` wrote.

        :param data:
            The dictionary.
        :returns:
            The component.
        :raises InputError:
            It is no dictionary.
        """
        check_type(data, dict, "data", "give the dictionary that to_dict wrote")
        # What stands in it is loaded in its place, and the dictionary is the caller's.
        parameters = deepcopy(data.get("init_parameters", {}))
        deserialize_chatgenerator_inplace(parameters)
        if isinstance(callback := parameters.get("streaming_callback"), str):
            parameters["streaming_callback"] = deserialize_callable(callback)
        return default_from_dict(cls, {**data, "init_parameters": parameters})


def _check_generator(given: object) -> None:
    if isinstance(given, type):
        raise InputError(f"chat_generator is the class {given.__name__}: give an object of it")
    if not callable(getattr(given, "run", None)):
        raise InputError(
            f"chat_generator is a {type(given).__name__}, which has no run(): give a chat "
            "generator of Haystack's, such as OpenAIChatGenerator()"
        )

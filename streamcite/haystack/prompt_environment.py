"""Haystack's Jinja environment, with the tags and filters of `streamcite.prompts`."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from haystack.dataclasses import ChatMessage
from haystack.utils.jinja2_chat_extension import ChatMessageExtension
from haystack.utils.jinja2_sandbox import HaystackSandboxedEnvironment

from streamcite.answers import Meta
from streamcite.errors import TemplateError
from streamcite.prompts.clock import Moment, find_zone
from streamcite.prompts.environment import render
from streamcite.prompts.extensions import NowExtension, SourcesExtension
from streamcite.prompts.sealing import current_seal, seal

__all__ = ["OwnEnvironment"]

# Templates that run() was given and that stay compiled.
_KEPT_TEMPLATES = 64


class _Now(NowExtension):
    # Jinja's default is 100, and the last one to claim a tag has it; so Haystack's has not.
    priority = 200

    def _moment(
        self, zone: object, operator: str | None, offset: str | None, time_format: str | None
    ) -> Moment:
        try:
            return super()._moment(zone, operator, offset, time_format)
        except TemplateError as error:
            raise TemplateError(f"{_in_haystacks_words(zone)}: {error}") from error


def _in_haystacks_words(zone: object) -> str:
    """Say what Haystack says where `{% now %}` cannot be read; who knows it may search for it."""
    try:
        find_zone(zone)
    except TemplateError:
        return "Invalid timezone"
    return "Invalid offset or operator"


class _Messages(ChatMessageExtension):
    """Haystack's message blocks, sealed so that no value can forge one."""

    def _build_chat_message_json(
        self, role: str, name: str | None, meta: Meta, caller: Callable[[], str]
    ) -> str:
        def content() -> str:
            text = caller()
            if len(current_seal().split(text)) > 1:
                raise TemplateError("a message cannot stand inside another: close the block first")
            return text

        return _seal_lines(super()._build_chat_message_json(role, name, meta, content))

    def _build_inserted_messages_json(
        self, messages: ChatMessage | list[ChatMessage], caller: Callable[[], str]
    ) -> str:
        return _seal_lines(super()._build_inserted_messages_json(messages, caller))


def _seal_lines(lines: str) -> str:
    messages = (ChatMessage.from_dict(json.loads(line)) for line in lines.split("\n") if line)
    return "".join(seal(message) for message in messages)


class _Template:
    """A compiled template whose errors say what to do."""

    def __init__(self, template: Any, source: str) -> None:
        self._template = template
        self._source = source

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        # Compiled code can be neither copied nor pickled.
        return (self._template.environment.from_string, (self._source,))

    def render(self, variables: Mapping[str, object]) -> str:
        return render(self._template, variables)


class _Environment(HaystackSandboxedEnvironment):
    """Haystack's environment with more tags, which compiles each template once."""

    def __init__(self, writes_messages: bool) -> None:
        messages = [_Messages] if writes_messages else []
        super().__init__(extensions=[*messages, _Now, SourcesExtension])
        self._keep_compiled()

    def _keep_compiled(self) -> None:
        self._compiled = lru_cache(_KEPT_TEMPLATES)(super().from_string)

    def from_string(self, source: Any, *args: Any, **keywords: Any) -> Any:
        """Return the template of a text."""
        if args or keywords or not isinstance(source, str):
            return super().from_string(source, *args, **keywords)
        return _Template(self._compiled(source), source)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_compiled"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._keep_compiled()


def _extended(given: HaystackSandboxedEnvironment) -> _Environment:
    """Return what takes the place of the environment that Haystack's constructor makes."""
    extensions = given.iter_extensions()
    return _Environment(any(isinstance(each, ChatMessageExtension) for each in extensions))


class OwnEnvironment:
    """Puts our environment in the place of the one that Haystack's constructor sets."""

    @property
    def _env(self) -> HaystackSandboxedEnvironment:
        environment: _Environment = self.__dict__["_env"]
        return environment

    @_env.setter
    def _env(self, given: HaystackSandboxedEnvironment) -> None:
        self.__dict__["_env"] = _extended(given)

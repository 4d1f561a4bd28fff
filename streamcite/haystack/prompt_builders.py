"""PromptBuilder and ChatPromptBuilder: Haystack's, with what `streamcite.prompts` adds."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any, Literal, TypeVar

from haystack import component
from haystack.components.builders import ChatPromptBuilder as HaystackChatPromptBuilder
from haystack.components.builders import PromptBuilder as HaystackPromptBuilder
from haystack.dataclasses import ChatMessage
from haystack.utils.jinja2_chat_extension import ChatMessageExtension
from haystack.utils.jinja2_sandbox import HaystackSandboxedEnvironment

from streamcite.answers import Meta
from streamcite.arguments import check_type
from streamcite.errors import StreamciteError, TemplateError
from streamcite.prompts.builder import names_documents, names_of
from streamcite.prompts.chat import refuse_text_outside
from streamcite.prompts.clock import Moment, find_zone
from streamcite.prompts.environment import render
from streamcite.prompts.extensions import NowExtension, SourcesExtension
from streamcite.prompts.sealing import collecting, current_seal, seal

__all__ = ["ChatPromptBuilder", "PromptBuilder"]

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


class _OwnEnvironment:
    """Puts our environment in the place of the one that Haystack's constructor sets."""

    @property
    def _env(self) -> HaystackSandboxedEnvironment:
        environment: _Environment = self.__dict__["_env"]
        return environment

    @_env.setter
    def _env(self, given: HaystackSandboxedEnvironment) -> None:
        self.__dict__["_env"] = _extended(given)


Builder = HaystackPromptBuilder | HaystackChatPromptBuilder
BuilderT = TypeVar("BuilderT", bound=Builder)


def _may_be_absent(builder: Builder) -> set[str]:
    """Name the variables for documents, of which there are none before the first search."""
    if builder.required_variables != "*":
        return set()
    return {name for name in builder.variables if names_documents(name)}


def _free_documents(builder: Builder) -> None:
    for name in _may_be_absent(builder):
        component.set_input_type(builder, name, Any, "")


class _ClearErrors:
    """Makes Haystack's errors StreamciteErrors.

    Jinja's syntax errors stay as they are: Haystack's users expect them, and they name the line.
    A class, since contextlib's way would take as long as a short template takes to render.
    """

    def __enter__(self) -> None:
        """Begin a block."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Replace the error that ends the block."""
        known = isinstance(error, StreamciteError)
        if isinstance(error, AttributeError | TypeError | ValueError) and not known:
            raise TemplateError(str(error)) from error


_clear_errors = _ClearErrors()


def _check_names(required: object, variables: object) -> None:
    if variables is not None:
        names_of(variables, "variables")
    if required is not None and required != "*":
        names_of(required, "required_variables")


def _check_template(template: object) -> None:
    advice = "give a str with message blocks, or a list of ChatMessages"
    check_type(template, str | list | None, "template", advice, TemplateError)


def _validate(
    validate: Callable[[BuilderT, set[str]], None], builder: BuilderT, provided: set[str]
) -> None:
    """Validate as Haystack does, and once more without documents where that fails."""
    try:
        validate(builder, provided)
    except ValueError:
        validate(builder, provided | _may_be_absent(builder))


@component
class PromptBuilder(_OwnEnvironment, HaystackPromptBuilder):
    """
    Renders a text prompt: Haystack's `PromptBuilder`, with more in its templates.

    `{% now %}` in all its documented forms, without `arrow`; numbered sources, budgets and
    citation instructions of `streamcite.prompts`; errors that name the line. A variable for
    documents may be absent.

    ### Usage example

    ```python
    from haystack import Document
    from streamcite.haystack import PromptBuilder

    builder = PromptBuilder("{% for s in documents | numbered %}[{{ s.number }}]{% endfor %}")
    print(builder.run(documents=[Document(content="Berlin is in Germany.")])["prompt"])
    # >> [1]
    ```

    :param template:
        A Jinja2 template; its variables are the component's inputs.
    :param required_variables:
        Names that must be given; `*` for all but documents, None for none.
    :param variables:
        Inputs, instead of those found in the template.
    """

    def __init__(
        self,
        template: str,
        required_variables: list[str] | Literal["*"] | None = "*",
        variables: list[str] | None = None,
    ) -> None:
        _check_names(required_variables, variables)
        with _clear_errors:
            HaystackPromptBuilder.__init__(self, template, required_variables, variables)
        _free_documents(self)

    def _validate_variables(self, provided_variables: set[str]) -> None:
        _validate(HaystackPromptBuilder._validate_variables, self, provided_variables)

    @component.output_types(prompt=str)
    def run(
        self,
        template: str | None = None,
        template_variables: dict[str, Any] | None = None,
        **kwargs: object,
    ) -> dict[str, str]:
        """
        Render the prompt.

        :param template:
            Another template for this run.
        :param template_variables:
            Values that win over the inputs.
        :param kwargs:
            Values of the template's variables.
        :returns:
            `prompt`, the text.
        :raises TemplateError:
            A required value is missing, or the template cannot be rendered.
        """
        with _clear_errors:
            result: dict[str, str] = HaystackPromptBuilder.run(
                self, template, template_variables, **kwargs
            )
        return result


@component
class ChatPromptBuilder(_OwnEnvironment, HaystackChatPromptBuilder):
    """
    Renders chat messages: Haystack's `ChatPromptBuilder`, with more in its templates.

    What `PromptBuilder` of this package adds, and: no value can inject a message, and text outside
    of message blocks is an error that names the line.

    ### Usage example

    ```python
    from haystack import Document
    from streamcite.haystack import ChatPromptBuilder

    template = '''{% message role="system" %}{{ citation_instructions() }}{% endmessage %}
    {% message role="user" %}{{ query }}{% endmessage %}'''
    builder = ChatPromptBuilder(template)
    print(builder.run(query="Where is Berlin?")["prompt"][1].text)
    # >> Where is Berlin?
    ```

    :param template:
        A text with message blocks, or a list of messages whose texts are templates.
    :param required_variables:
        Names that must be given; `*` for all but documents, None for none.
    :param variables:
        Inputs, instead of those found in the template.
    """

    def __init__(
        self,
        template: list[ChatMessage] | str | None = None,
        required_variables: list[str] | Literal["*"] | None = "*",
        variables: list[str] | None = None,
    ) -> None:
        _check_names(required_variables, variables)
        _check_template(template)
        with _clear_errors:
            HaystackChatPromptBuilder.__init__(self, template, required_variables, variables)
        _free_documents(self)

    def _validate_variables(self, provided_variables: set[str]) -> None:
        _validate(HaystackChatPromptBuilder._validate_variables, self, provided_variables)

    @component.output_types(prompt=list[ChatMessage])
    def run(
        self,
        template: list[ChatMessage] | str | None = None,
        template_variables: dict[str, Any] | None = None,
        **kwargs: object,
    ) -> dict[str, list[ChatMessage]]:
        """
        Render the messages.

        :param template:
            Another template for this run.
        :param template_variables:
            Values that win over the inputs.
        :param kwargs:
            Values of the template's variables.
        :returns:
            `prompt`, the messages; those of the template stay as they are.
        :raises TemplateError:
            A required value is missing, or the template cannot be rendered.
        """
        _check_template(template)
        with _clear_errors:
            result: dict[str, list[ChatMessage]] = HaystackChatPromptBuilder.run(
                self, template, template_variables, **kwargs
            )
        return result

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "ChatPromptBuilder":
        """
        Read back what `to_dict` wrote; the dictionary stays as it is.

        :param data:
            The dictionary.
        :returns:
            The component.
        """
        load = HaystackChatPromptBuilder.from_dict.__func__  # type: ignore[attr-defined]  # a classmethod has one
        builder: ChatPromptBuilder = load(cls, deepcopy(data))
        return builder

    def _render_chat_messages_from_str_template(
        self, template: str, template_variables: dict[str, Any]
    ) -> list[ChatMessage]:
        with collecting() as sealed:
            rendered = self._env.from_string(template).render(template_variables)
            pieces = sealed.split(rendered)
        messages = []
        for piece in pieces:
            if isinstance(piece, ChatMessage):
                messages.append(piece)
            else:
                refuse_text_outside(piece, self._env, template)
        return messages

"""PromptBuilder and ChatPromptBuilder: Haystack's, with what `streamcite.prompts` adds."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any, Literal, TypeVar

from haystack import component
from haystack.components.builders import ChatPromptBuilder as HaystackChatPromptBuilder
from haystack.components.builders import PromptBuilder as HaystackPromptBuilder
from haystack.dataclasses import ChatMessage

from streamcite.arguments import check_type
from streamcite.errors import StreamciteError, TemplateError
from streamcite.haystack.prompt_environment import OwnEnvironment
from streamcite.prompts.builder import names_documents, names_of
from streamcite.prompts.chat import refuse_text_outside
from streamcite.prompts.sealing import collecting

__all__ = ["ChatPromptBuilder", "PromptBuilder"]

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
class PromptBuilder(OwnEnvironment, HaystackPromptBuilder):
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
class ChatPromptBuilder(OwnEnvironment, HaystackChatPromptBuilder):
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

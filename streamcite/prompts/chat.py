"""ChatPromptBuilder: messages of a template and values, with the behaviour of Haystack's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Self

from jinja2 import Environment, nodes
from jinja2.ext import Extension

from streamcite.answers import Json
from streamcite.errors import TemplateError
from streamcite.prompts.builder import RequiredVariables, TemplateBuilder, merged_values
from streamcite.prompts.environment import render
from streamcite.prompts.extensions import MessageExtension, NowExtension, SourcesExtension
from streamcite.prompts.messages import ChatMessage
from streamcite.prompts.parts import Part, TextContent
from streamcite.prompts.sealing import collecting

__all__ = ["ChatPromptBuilder", "refuse_text_outside"]

ChatTemplate = str | Sequence[ChatMessage]

RENDERED_ROLES = ("user", "system")
"""Messages of these roles are templates in a list of messages; others pass as they are."""


class ChatPromptBuilder(TemplateBuilder):
    """Renders a list of chat messages.

    Args:
        template: A text with message blocks, or a list of messages whose texts are templates; may
            be left out and given to `run`.
        required_variables: Names that must be given; "*" (the default) for all but documents,
            None for none.
        variables: Names that `run` takes, instead of those found in the template.

    Raises:
        TemplateError: The template is broken; the message names the line.
    """

    extensions: ClassVar[tuple[type[Extension], ...]] = (
        MessageExtension,
        NowExtension,
        SourcesExtension,
    )

    def __init__(
        self,
        template: ChatTemplate | None = None,
        required_variables: RequiredVariables = "*",
        variables: Sequence[str] | None = None,
    ) -> None:
        super().__init__(required_variables, variables)
        self.template = None if template is None else _checked_template(template)
        self._infer(self._texts(self.template or ""))

    def _texts(self, template: ChatTemplate) -> list[str]:
        if isinstance(template, str):
            return [template] if template else []
        rendered = [message for message in template if message.role in RENDERED_ROLES]
        for message in rendered:
            self._check_texts(message)
        return [text for message in rendered for text in message.texts]

    def run(
        self,
        template: ChatTemplate | None = None,
        template_variables: Mapping[str, object] | None = None,
        **kwargs: object,
    ) -> dict[str, list[ChatMessage]]:
        """Render the messages.

        Args:
            template: Another template for this run.
            template_variables: Values that win over the keywords.
            kwargs: Values of the template's variables.

        Returns:
            `{"prompt": messages}`; the messages of the template stay as they were.

        Raises:
            TemplateError: A required value is missing, or the template cannot be rendered.
        """
        values = merged_values(kwargs, template_variables)
        if template is None:
            self._tell_misspelled(values)
        chosen = self.template if template is None else template
        if not chosen:
            raise TemplateError(
                f"The {type(self).__name__} requires a template: a non-empty list of ChatMessage, "
                "or a text with {% message %} blocks, given to the constructor or to run()"
            )
        chosen = _checked_template(chosen)
        if isinstance(chosen, str):
            self._check_required(values)
            return {"prompt": self._render_text(chosen, values)}
        return {"prompt": [self._render_message(message, values) for message in chosen]}

    def _render_text(self, template: str, values: Mapping[str, object]) -> list[ChatMessage]:
        compiled = self._compiled(template)
        with collecting() as seal:
            pieces = seal.split(render(compiled, values))
        messages = []
        for piece in pieces:
            if isinstance(piece, ChatMessage):
                messages.append(piece)
            else:
                refuse_text_outside(piece, self.environment, template)
        return messages

    def _render_message(self, message: ChatMessage, values: Mapping[str, object]) -> ChatMessage:
        if message.role not in RENDERED_ROLES:
            return message
        self._check_required(values)
        self._check_texts(message)
        parts = (self._render_part(part, values) for part in message.content)
        return replace(message, content=tuple(parts))

    def _render_part(self, part: Part, values: Mapping[str, object]) -> Part:
        if not isinstance(part, TextContent):
            return part
        return TextContent(render(self._compiled(part.text), values))

    def _check_texts(self, message: ChatMessage) -> None:
        """Refuse a message that has no text to render, or asks for what only blocks can do."""
        if not message.texts:
            raise TemplateError(
                f"ChatMessages from {message.role} role must contain text in a list template; "
                "give this one at run time with {% insert %} in a string template"
            )
        # Only as a filter the word means something, and only with the word it can be one.
        for text in (text for text in message.texts if "templatize_part" in text):
            self._compiled(text)
            tree = self.environment.parse(text)
            if any(node.name == "templatize_part" for node in tree.find_all(nodes.Filter)):
                raise TemplateError(
                    "templatize_part works in a string template with {% message %} blocks, not in "
                    "a list of messages; there, put the part into content_parts"
                )

    def to_dict(self) -> Json:
        """Return the builder as JSON-ready values."""
        template = self.template
        if template is None or isinstance(template, str):
            return self._to_dict(template)
        return self._to_dict([message.to_dict() for message in template])

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Read back what `to_dict`, or that of Haystack's ChatPromptBuilder, wrote."""
        parameters = cls._parameters(data)
        template = parameters.get("template")
        if isinstance(template, list):
            parameters["template"] = [ChatMessage.from_dict(message) for message in template]
        return cls(**parameters)


def _checked_template(template: ChatTemplate) -> str | list[ChatMessage]:
    if isinstance(template, str):
        return template
    if not isinstance(template, list | tuple):
        raise TemplateError(f"a template is a str or a list, not {type(template).__name__}")
    return [ChatMessage.of(message) for message in template]


def refuse_text_outside(piece: object, environment: Environment, template: str) -> None:
    """Raise if a piece of a rendered chat template is anything but blank text.

    Args:
        piece: What stands beside the messages.
        environment: Parses the template, to name the line.
        template: The template.

    Raises:
        TemplateError: There is text, or a part, outside the message blocks.
    """
    if not isinstance(piece, str):
        kind = type(piece).__name__
        raise TemplateError(f"{kind} outside a {{% message %}} block: move it inside")
    if text := piece.strip():
        lines = _lines_outside(environment.parse(template), text)
        place = f" (line {' or '.join(map(str, lines))})" if lines else ""
        raise TemplateError(
            f"text outside a {{% message %}} block{place}: {text[:60]!r}. Every text belongs to a "
            'message: write {% message role="user" %} before it and {% endmessage %} behind it; '
            "ready messages come in with {% insert messages %}"
        )


def _lines_outside(node: nodes.Node, text: str) -> list[int]:
    """Return the lines of what may print a text outside the blocks: itself, else expressions."""
    written, expressions = [], []
    for output in _outputs_outside(node):
        for part in output.nodes:
            if not isinstance(part, nodes.TemplateData):
                expressions.append(part.lineno)
            elif (data := part.data.lstrip()) and data.rstrip() in text:
                skipped = part.data[: len(part.data) - len(data)]
                written.append(part.lineno + skipped.count("\n"))
    return sorted(set(written or expressions))


def _outputs_outside(node: nodes.Node) -> Iterator[nodes.Output]:
    for child in node.iter_child_nodes():
        if isinstance(child, nodes.Output):
            yield child
        elif not isinstance(child, nodes.CallBlock):
            yield from _outputs_outside(child)

"""Jinja2 extensions of the builders: `message` and `insert`, `now`, and sources in templates.

`NowExtension` and `SourcesExtension` need nothing else of this package, so that any environment
can take them: `environment.add_extension(NowExtension)`.
"""

from collections.abc import Callable

from jinja2 import Environment, nodes
from jinja2.exceptions import TemplateSyntaxError
from jinja2.ext import Extension
from jinja2.parser import Parser

from streamcite.errors import TemplateError
from streamcite.prompts.budget import fit, numbered
from streamcite.prompts.clock import Moment, moment
from streamcite.prompts.forms import citation_example
from streamcite.prompts.images import ImageContent
from streamcite.prompts.instructions import (
    citation_instructions,
    document_marker,
    document_reference,
    shield,
)
from streamcite.prompts.messages import ROLES, ChatMessage, role_of
from streamcite.prompts.parts import (
    FileContent,
    Part,
    ReasoningContent,
    Role,
    TextContent,
    ToolCall,
    ToolCallResult,
    part_of,
)
from streamcite.prompts.sealing import current_seal, seal

__all__ = [
    "MessageExtension",
    "NowExtension",
    "SourcesExtension",
    "build_message",
    "templatize_part",
]


class NowExtension(Extension):
    """`{% now 'Europe/Berlin' + 'hours=2', '%H:%M' as t %}`; every part of it may be left out."""

    # Jinja declares it so.
    tags = {"now"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """Read the tag: zone, offset, format and the name to keep the moment under."""
        line = next(parser.stream).lineno
        zone = _maybe_expression(parser)
        time_format = parser.parse_expression() if parser.stream.skip_if("comma") else None
        none = nodes.Const(None)
        arguments: list[nodes.Expr] = [zone or nodes.Const("utc"), none, none, time_format or none]
        if isinstance(zone, nodes.Add | nodes.Sub):
            operator = nodes.Const("+" if isinstance(zone, nodes.Add) else "-")
            arguments[:3] = zone.left, operator, zone.right
        call = self.call_method("_moment", arguments, lineno=line)
        if parser.stream.skip_if("name:as"):
            return nodes.Assign(parser.parse_assign_target(), call, lineno=line)
        return nodes.Output([call], lineno=line)

    def _moment(
        self, zone: object, operator: str | None, offset: str | None, time_format: str | None
    ) -> Moment:
        return moment(zone, operator, offset, time_format)


def _maybe_expression(parser: Parser) -> nodes.Expr | None:
    current = parser.stream.current
    if current.type in ("block_end", "comma") or current.test("name:as"):
        return None
    return parser.parse_expression()


class MessageExtension(Extension):
    """`{% message role="user" %}…{% endmessage %}` and `{% insert messages %}`."""

    # Jinja declares it so.
    tags = {"message", "insert"}  # noqa: RUF012

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.filters["templatize_part"] = templatize_part

    def parse(self, parser: Parser) -> nodes.Node:
        """Read a message block, or the tag that inserts messages."""
        tag = next(parser.stream)
        if tag.value == "insert":
            inserted = self.call_method("_seal_inserted", [parser.parse_expression()])
            return nodes.Output([inserted], lineno=tag.lineno)
        arguments = _parse_attributes(parser, tag.lineno)
        body = parser.parse_statements(("name:endmessage",), drop_needle=True)
        call = self.call_method("_seal_message", arguments, lineno=tag.lineno)
        return nodes.CallBlock(call, [], [], body).set_lineno(tag.lineno)

    def _seal_message(
        self, role: object, name: object, meta: object, caller: Callable[[], str]
    ) -> str:
        return seal(build_message(role, name, meta, current_seal().split(caller())))

    def _seal_inserted(self, messages: object) -> str:
        if isinstance(messages, list | tuple):
            return "".join(seal(ChatMessage.of(message)) for message in messages)
        return seal(ChatMessage.of(messages)) if messages else ""


def _parse_attributes(parser: Parser, line: int) -> list[nodes.Expr]:
    """Read role, name and meta of a message, in any order."""
    attributes: dict[str, nodes.Expr] = {}
    while parser.stream.current.type == "name":
        key = next(parser.stream).value
        if key not in ("role", "name", "meta") or key in attributes:
            raise TemplateSyntaxError(f"message has role=, name= and meta=, not {key}=", line)
        parser.stream.expect("assign")
        attributes[key] = parser.parse_expression()
    role = attributes.get("role")
    if role is None:
        raise TemplateSyntaxError('message needs a role: {% message role="user" %}', line)
    if isinstance(role, nodes.Const) and role.value not in ROLES:
        raise TemplateSyntaxError(f"role must be one of {', '.join(ROLES)}", line)
    nothing = nodes.Const(None)
    _check_written(attributes, line)
    return [role, attributes.get("name", nothing), attributes.get("meta", nothing)]


def _check_written(attributes: dict[str, nodes.Expr], line: int) -> None:
    """Refuse a name or meta that is written out in the template and has the wrong type."""
    name, meta = attributes.get("name"), attributes.get("meta")
    if isinstance(name, nodes.Literal) and not isinstance(getattr(name, "value", None), str):
        raise TemplateSyntaxError('message: name= is a text, name="Ann"', line)
    if isinstance(meta, nodes.Literal) and not isinstance(meta, nodes.Dict):
        raise TemplateSyntaxError("message: meta= is a dictionary, meta={'key': 1}", line)


def build_message(role: object, name: object, meta: object, pieces: list[object]) -> ChatMessage:
    """Make the message of a block from the pieces of its rendered body.

    Raises:
        TemplateError: The block is empty, or holds what has no place in such a message.
    """
    parts: list[Part] = []
    for piece in pieces:
        if isinstance(piece, ChatMessage):
            raise TemplateError("a message cannot stand inside another: close the block before it")
        if not isinstance(piece, str):
            parts.append(part_of(piece))
        elif text := piece.strip():
            parts.append(TextContent(text))
    if not parts:
        raise TemplateError("a message block rendered to nothing: give it text, or leave it out")
    if not isinstance(name, str | None) or not isinstance(meta, dict | None):
        raise TemplateError("message: name= is a str and meta= a dictionary")
    speaker = role_of(role)
    _check_parts(speaker, [type(part) for part in parts])
    if speaker == "assistant":
        parts.sort(key=lambda part: _ASSISTANT_ORDER.index(type(part)))
    return ChatMessage(speaker, tuple(parts), None if speaker == "tool" else name, meta or {})


_ASSISTANT_ORDER: tuple[type[Part], ...] = (
    ReasoningContent,
    TextContent,
    ToolCall,
    ToolCallResult,
    ImageContent,
    FileContent,
)
"""Providers want thoughts first and calls last, however the block is written."""


def _check_parts(role: Role, kinds: list[type[Part]]) -> None:
    if role in ("system", "tool") and len(kinds) > 1:
        raise TemplateError(f"a {role} message has one part, this one {len(kinds)}")
    if role == "assistant" and kinds.count(TextContent) > 1:
        raise TemplateError("an assistant message has one text: write it before the tool calls")
    if role == "assistant" and set(kinds) == {ReasoningContent}:
        raise TemplateError("an assistant message needs a text or a tool call beside its reasoning")


def templatize_part(value: object) -> str:
    """Put an image, a file, a tool call or its result into a message block.

    Raises:
        TemplateError: The value is no part of a message.
    """
    if isinstance(value, str):
        raise TemplateError("templatize_part is for parts such as images; write text as it is")
    return seal(part_of(value))


class SourcesExtension(Extension):
    """Filters `numbered`, `budget`, `reference`, `marker` and `shield`, and the functions
    `citation_instructions()` and `citation_example()`."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.filters.update(
            budget=fit,
            marker=document_marker,
            numbered=numbered,
            reference=document_reference,
            shield=shield,
        )
        environment.globals.update(
            citation_example=citation_example, citation_instructions=citation_instructions
        )

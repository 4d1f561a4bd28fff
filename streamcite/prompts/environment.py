"""Compiles and renders templates in a sandbox, and says in which line something is wrong."""

from collections.abc import Mapping, Sequence
from types import ModuleType

from jinja2 import Template, meta, nodes
from jinja2.exceptions import SecurityError, TemplateSyntaxError, UndefinedError
from jinja2.ext import Extension
from jinja2.sandbox import SandboxedEnvironment

from streamcite.errors import TemplateError

__all__ = ["PromptEnvironment", "compile_template", "infer_variables", "render"]

# Nothing that such a module defines may be called from a template, should it ever get there.
_UNSAFE_MODULES = frozenset(
    {
        *("code", "ctypes", "importlib", "marshal", "multiprocessing", "nt", "os", "pdb"),
        *("pickle", "posix", "pty", "shelve", "shutil", "socket", "subprocess", "sys"),
    }
)

# What Jinja names the code of a template that has no file.
_TEMPLATE_FILE = "<template>"

_MAX_LENGTH = 300
"""Longest part of a foreign message that is quoted, since it may hold a whole value."""


class PromptEnvironment(SandboxedEnvironment):
    """Jinja's sandbox, closed further against modules; nothing is escaped."""

    def __init__(self, extensions: Sequence[type[Extension]]) -> None:
        super().__init__(extensions=extensions)

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Tell whether a template may read this attribute."""
        return not isinstance(obj, ModuleType) and super().is_safe_attribute(obj, attr, value)

    def is_safe_callable(self, obj: object) -> bool:
        """Tell whether a template may call this."""
        module = (getattr(obj, "__module__", "") or "").partition(".")[0]
        return module not in _UNSAFE_MODULES and super().is_safe_callable(obj)


def compile_template(environment: PromptEnvironment, source: object) -> Template:
    """Compile a template.

    Raises:
        TemplateError: It is no text, or its syntax is broken.
    """
    if not isinstance(source, str):
        raise TemplateError(f"a template is a str, not {type(source).__name__}")
    try:
        return environment.from_string(source)
    except TemplateSyntaxError as error:
        raise TemplateError(_explain_syntax(error)) from error
    except (RecursionError, SyntaxError, UnicodeError, ValueError) as error:
        raise TemplateError(f"the template cannot be compiled: {_brief(error)}") from error


def infer_variables(environment: PromptEnvironment, source: str) -> list[str]:
    """Return the names that a template reads and does not set itself, sorted."""
    tree = environment.parse(source)
    assigned = set()
    for assignment in tree.find_all(nodes.Assign):
        assigned |= {name.name for name in _targets(assignment.target)}
    return sorted(meta.find_undeclared_variables(tree) - assigned)


def _targets(target: nodes.Node) -> list[nodes.Name]:
    items = target.items if isinstance(target, nodes.List | nodes.Tuple) else [target]
    return [item for item in items if isinstance(item, nodes.Name)]


def render(template: Template, variables: Mapping[str, object]) -> str:
    """Render a template.

    Raises:
        TemplateError: It cannot be rendered with these values; its cause is the error as it was.
    """
    try:
        return template.render(variables)
    # A value may be any object, and its __str__ may raise anything.
    except Exception as error:
        raise TemplateError(_explain(error)) from error


def _explain(error: Exception) -> str:
    place = "" if (line := _line_of(error)) is None else f"line {line}: "
    if isinstance(error, UndefinedError):
        return (
            f"{place}{_brief(error)}; give the value to run(), or write "
            "{{ name | default('') }} where it may be missing"
        )
    if isinstance(error, SecurityError):
        return f"{place}{_brief(error)}; templates run in a sandbox"
    if isinstance(error, TemplateError):
        return f"{place}{error}"
    return f"{place}{type(error).__name__}: {_brief(error)}"


def _line_of(error: BaseException) -> int | None:
    """Return the template's line in which the error arose; Jinja puts it into the traceback."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == _TEMPLATE_FILE:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _explain_syntax(error: TemplateSyntaxError) -> str:
    message = _brief(error.message)
    if any(quote in message for quote in "‘’“”„«»"):
        message += "; write straight quotes, ' or \""
    elif "unknown tag 'message'" in message or "unknown tag 'insert'" in message:
        message = f"{message.rstrip('.')}; message blocks are for ChatPromptBuilder"
    return f"line {error.lineno}: {message}"


def _brief(error: object) -> str:
    try:
        text = str(error)
    except Exception:
        text = "no message"
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}..."

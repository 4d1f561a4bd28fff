"""Compiling and rendering: the sandbox, and errors that name the line."""

import os
from typing import Any

import pytest

from streamcite.errors import TemplateError
from streamcite.prompts.environment import (
    PromptEnvironment,
    compile_template,
    infer_variables,
    render,
)

ENVIRONMENT = PromptEnvironment([])


class SilentError(Exception):
    """An error that cannot be printed."""

    def __str__(self) -> str:
        raise RuntimeError


def fail() -> None:
    raise SilentError


def run(template: str, **values: Any) -> str:
    return render(compile_template(ENVIRONMENT, template), values)


VARIABLES: tuple[tuple[str, list[str]], ...] = (
    ("{{ a }}{{ b.c }}", ["a", "b"]),
    ("{% set a = b %}{{ a }}", ["b"]),
    ("{% set a, (b) = c %}{{ a }}{{ b }}", ["c"]),
    ("{% set a = a | default(1) %}{{ a }}", []),
    ("{% set n.x = 1 %}", ["n"]),
    ("{% for x in xs %}{{ x }}{{ loop.index }}{% endfor %}", ["xs"]),
    ("{{ range(3) }}{{ dict() }}", []),
    ("{% if a %}{{ b }}{% endif %}", ["a", "b"]),
    ("", []),
)


@pytest.mark.parametrize(("template", "variables"), VARIABLES)
def test_variables_are_what_a_template_asks_for(template: str, variables: list[str]) -> None:
    """Names that a template sets itself, and Jinja's own functions, are no variables."""
    assert infer_variables(ENVIRONMENT, template) == variables


COMPILE_ERRORS = (
    ("\n{{ a", "line 2: "),
    ("{{ “a” }}", "line 1: .*straight quotes"),
    ("{% frob %}", "line 1: .*unknown tag 'frob'"),
    ("\n\n{{ a | frob }}", "line 3: No filter named 'frob'"),
    ('{% message role="user" %}{% endmessage %}', "'message'; message blocks are for Chat"),
    ("{{" + "(" * 5_000 + ")" * 5_000 + "}}", "the template cannot be compiled"),
)


@pytest.mark.parametrize(("template", "message"), COMPILE_ERRORS, ids=lambda text: text[:12])
def test_a_broken_template_names_its_line(template: str, message: str) -> None:
    """Syntax errors are TemplateErrors that say where and what to do."""
    with pytest.raises(TemplateError, match=message):
        compile_template(ENVIRONMENT, template)


@pytest.mark.parametrize("template", [None, 7, b"x", ["x"]])
def test_a_template_is_a_text(template: object) -> None:
    """Anything but a str is refused."""
    with pytest.raises(TemplateError, match="a template is a str, not"):
        compile_template(ENVIRONMENT, template)


RENDER_ERRORS = (
    ("\n{{ q.x }}", "line 2: 'q' is undefined; .*default"),
    ("{{ 1 / 0 }}", "line 1: ZeroDivisionError: division by zero"),
    ("{% for x in n %}\n{{ x + 1 }}{% endfor %}", "line 2: TypeError"),
    ("{{ ''.__class__.__mro__ }}", "line 1: .*sandbox"),
    ("{{ getcwd() }}", "line 1: .*not safely callable.*sandbox"),
    ("{{ module.getcwd() }}", "line 1: .*sandbox"),
    ("{{ fail() }}", "line 1: SilentError: no message"),
    ("{{ huge['a' * 9999].y }}", "line 1: .{290,320}\\.\\.\\."),
)


@pytest.mark.parametrize(("template", "message"), RENDER_ERRORS, ids=lambda text: text[:20])
def test_a_failed_rendering_names_its_line(template: str, message: str) -> None:
    """Whatever fails while a template renders is a short TemplateError with the line."""
    values = {"n": ["a"], "module": os, "getcwd": os.getcwd, "fail": fail, "huge": {}}

    with pytest.raises(TemplateError, match=message) as caught:
        run(template, **values)

    assert len(str(caught.value)) < 500


def test_the_cause_is_kept() -> None:
    """The error as it was hangs on the one that is raised."""
    with pytest.raises(TemplateError) as caught:
        run("{{ 1 / 0 }}")

    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_nothing_is_escaped() -> None:
    """A prompt is no HTML."""
    assert run("{{ h }}", h="<&>") == "<&>"

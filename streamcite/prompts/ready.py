"""The prompts that come with streamcite, as template files."""

import difflib
from functools import cache
from importlib import resources

from streamcite.errors import TemplateError

__all__ = ["load", "read_template", "template_names"]

_ENDING = ".j2"


def load(name: str) -> str:
    """Return a ready template, for a builder or to copy and change.

    Args:
        name: `rag`, `chat`, `agent`, `sections` or `few_shot` for ChatPromptBuilder;
            `tool_result` or `completion` for PromptBuilder.

    Raises:
        TemplateError: There is none of this name.
    """
    if name not in template_names():
        near = difflib.get_close_matches(str(name)[:40], template_names(), n=1)
        known = ", ".join(template_names())
        advice = f"did you mean {near[0]!r}?" if near else f"there are {known}"
        raise TemplateError(f"no template is called {name!r:.60}; {advice}")
    return read_template(name)


@cache
def template_names() -> tuple[str, ...]:
    """Return the names of the ready templates, sorted."""
    files = (entry.name for entry in (resources.files(__package__) / "templates").iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING)))


@cache
def read_template(path: str) -> str:
    """Return the text of a template file beside this module."""
    file = resources.files(__package__) / "templates" / f"{path}{_ENDING}"
    return file.read_text(encoding="utf-8")

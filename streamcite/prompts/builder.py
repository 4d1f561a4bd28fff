"""PromptBuilder: one text of a template and values, with the behaviour of Haystack's."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import ClassVar, Literal, Self

from jinja2 import Template
from jinja2.ext import Extension

from streamcite.answers import Json
from streamcite.arguments import check_type, items_of
from streamcite.errors import TemplateError
from streamcite.prompts.environment import (
    PromptEnvironment,
    compile_template,
    infer_variables,
    render,
)
from streamcite.prompts.extensions import NowExtension, SourcesExtension

__all__ = ["PromptBuilder", "TemplateBuilder", "merged_values", "names_documents", "names_of"]

logger = logging.getLogger(__name__)

RequiredVariables = Sequence[str] | Literal["*"] | None

RESERVED_VARIABLES = frozenset({"template", "template_variables"})
"""Parameters of run(), so that no variable may be called so."""

# What the constructors take, and so what a dictionary may hold.
_PARAMETERS = ("template", "required_variables", "variables")

# Templates that run() was given and that stay compiled; a service tries out a few, not hundreds.
_KEPT_TEMPLATES = 64


def names_documents(variable: str) -> bool:
    """Tell whether a variable holds documents, which may be absent: nothing retrieved yet."""
    return variable in ("documents", "sources") or variable.endswith("_documents")


def names_of(values: object, name: str) -> list[str]:
    """Return the names of variables that were given.

    Raises:
        TemplateError: They are no list of names.
    """
    return items_of(values, str, name, "give a list of names of variables", TemplateError)


def merged_values(
    values: Mapping[str, object], winning: Mapping[str, object] | None
) -> dict[str, object]:
    """Return the values of a run; those given as `template_variables` win.

    Raises:
        TemplateError: These are no mapping.
    """
    given = {} if winning is None else winning
    advice = "give a dictionary from names of variables to their values"
    check_type(given, Mapping, "template_variables", advice, TemplateError)
    return {**values, **given}


class TemplateBuilder:
    """What both builders share: variables, which of them are required, and compiled templates."""

    extensions: ClassVar[tuple[type[Extension], ...]] = (NowExtension, SourcesExtension)

    def __init__(
        self, required_variables: RequiredVariables, variables: Sequence[str] | None
    ) -> None:
        self._given_variables = None if variables is None else names_of(variables, "variables")
        if required_variables is not None and required_variables != "*":
            required_variables = names_of(required_variables, "required_variables")
        self._given_required = required_variables
        self.environment = PromptEnvironment(self.extensions)
        """The Jinja environment, for filters and functions of your own."""
        self.variables: list[str] = list(variables or ())
        """Names of the values that run() takes."""
        self.required_variables: Sequence[str] | Literal["*"] = required_variables or []
        """Those of them that must be given; "*" for all but documents."""
        self._keep_compiled()

    def _keep_compiled(self) -> None:
        self._compile = lru_cache(_KEPT_TEMPLATES)(self._compile_anew)

    def __getstate__(self) -> Json:
        # Compiled code can be neither copied nor pickled.
        return {name: value for name, value in self.__dict__.items() if name != "_compile"}

    def __setstate__(self, state: Json) -> None:
        self.__dict__.update(state)
        self._keep_compiled()

    def _compile_anew(self, source: str) -> Template:
        return compile_template(self.environment, source)

    def _compiled(self, source: object) -> Template:
        if not isinstance(source, str):
            raise TemplateError(f"a template is a str, not {type(source).__name__}")
        return self._compile(source)

    def _infer(self, sources: Iterable[str]) -> None:
        """Compile the templates given at construction, and take their variables over."""
        found: dict[str, None] = {}
        for source in sources:
            self._compiled(source)
            found.update(dict.fromkeys(infer_variables(self.environment, source)))
        self.variables = self.variables or list(found)
        if reserved := RESERVED_VARIABLES.intersection(self.variables):
            raise TemplateError(
                f"a variable cannot be called {' or '.join(sorted(reserved))}, since run() has a "
                "parameter of this name; choose another name"
            )
        if self.variables and self._given_required is None:
            logger.warning(
                "%s: required_variables is None, so that all %d variables are optional and "
                "render as nothing when they are missing; an empty list says the same silently",
                type(self).__name__,
                len(self.variables),
            )

    def _check_required(self, values: Mapping[str, object]) -> None:
        required: Iterable[str] = self.required_variables
        if required == "*":
            required = (name for name in sorted(self.variables) if not names_documents(name))
        if missing := [name for name in required if name not in values]:
            raise TemplateError(
                f"Missing required input variables in {type(self).__name__}: "
                f"{', '.join(missing)}. Give them to run(), or list in required_variables= only "
                f"those that must be there. Given: {', '.join(sorted(map(str, values))) or 'none'}."
            )

    def _tell_misspelled(self, values: Mapping[str, object]) -> None:
        """Tell of a name that is none of the template's but close to one that is missing.

        Documents may be missing, so that a prompt without any would be all there is to see.
        """
        missing = [name for name in self.variables if name not in values]
        for name in values:
            if name not in self.variables and (close := get_close_matches(name, missing, n=1)):
                logger.warning(
                    "%s: the template has no variable %r; did you mean %r? That one is missing, "
                    "and renders as nothing",
                    type(self).__name__,
                    name,
                    close[0],
                )

    def _to_dict(self, template: object) -> Json:
        return {
            "type": f"streamcite.prompts.{type(self).__name__}",
            "init_parameters": {
                "template": template,
                "variables": self._given_variables,
                "required_variables": self._given_required,
            },
        }

    @classmethod
    def _parameters(cls, data: Mapping[str, object]) -> Json:
        """Return the parameters of a dictionary that to_dict, or Haystack's to_dict, wrote."""
        check_type(data, Mapping, "data", "give a dictionary that to_dict wrote", TemplateError)
        name = str(data.get("type", "")).rpartition(".")[2]
        parameters = data.get("init_parameters")
        if name != cls.__name__ or not isinstance(parameters, Mapping):
            raise TemplateError(
                f"from_dict: expected the dictionary of a {cls.__name__}, with 'type' and "
                f"'init_parameters'; this one has the type {data.get('type')!r:.100}"
            )
        if unknown := sorted(map(str, set(parameters) - set(_PARAMETERS))):
            raise TemplateError(
                f"from_dict: {cls.__name__} has no {', '.join(unknown):.100}; it has "
                f"{', '.join(_PARAMETERS)}"
            )
        return {"template": None, **parameters}


class PromptBuilder(TemplateBuilder):
    """Renders a text prompt.

    Args:
        template: A Jinja2 template; its variables are what `run` takes.
        required_variables: Names that must be given; "*" (the default) for all but documents,
            None for none.
        variables: Names that `run` takes, instead of those found in the template.

    Raises:
        TemplateError: The template is broken; the message names the line.
    """

    def __init__(
        self,
        template: str,
        required_variables: RequiredVariables = "*",
        variables: Sequence[str] | None = None,
    ) -> None:
        super().__init__(required_variables, variables)
        self.template = template
        self._infer([template])

    def run(
        self,
        template: str | None = None,
        template_variables: Mapping[str, object] | None = None,
        **kwargs: object,
    ) -> dict[str, str]:
        """Render the prompt.

        Args:
            template: Another template for this run.
            template_variables: Values that win over the keywords.
            kwargs: Values of the template's variables.

        Returns:
            `{"prompt": text}`.

        Raises:
            TemplateError: A required value is missing, or the template cannot be rendered.
        """
        values = merged_values(kwargs, template_variables)
        self._check_required(values)
        if template is None:
            self._tell_misspelled(values)
        compiled = self._compiled(self.template if template is None else template)
        return {"prompt": render(compiled, values)}

    def to_dict(self) -> Json:
        """Return the builder as JSON-ready values."""
        return self._to_dict(self.template)

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Read back what `to_dict`, or that of Haystack's PromptBuilder, wrote."""
        return cls(**cls._parameters(data))

"""Tells the model how to cite, in the form that the grammar reads and in six languages."""

import re
from collections.abc import Callable
from functools import cache

from jinja2 import Environment, StrictUndefined, Template

from streamcite.errors import TemplateError
from streamcite.prompts.forms import Cites, citation_example, form_of, write_marker
from streamcite.prompts.ready import read_template
from streamcite.sources import DEFAULT_KEY_FIELDS, NumberedDocument, file_names, keys_of

__all__ = [
    "LANGUAGES",
    "citation_instructions",
    "document_marker",
    "document_reference",
    "shield",
]

LANGUAGES = ("de", "en", "es", "fr", "ja", "zh")


def citation_instructions(grammar: str = "bracket", language: str = "en") -> str:
    """Return what to tell the model so that it cites in this grammar.

    Args:
        grammar: A name that `markers=` takes.
        language: `de`, `en`, `es`, `fr`, `ja` or `zh`; `de-AT` is read as `de`.

    Raises:
        TemplateError: There is no such grammar or language.
    """
    code = re.split("[-_]", str(language))[0].lower()
    if code not in LANGUAGES:
        raise TemplateError(
            f"no instructions in the language {language!r:.20}; there are {', '.join(LANGUAGES)}"
        )
    form_of(grammar)  # before the cache, which would ask for its hash
    return _written(grammar, code)


@cache
def _written(grammar: str, language: str) -> str:
    example = citation_example(grammar)
    return _compiled(language).render(
        cites=form_of(grammar).cites, one=example.one, several=example.several
    )


@cache
def _compiled(language: str) -> Template:
    environment = Environment(undefined=StrictUndefined, trim_blocks=True)
    return environment.from_string(read_template(f"citations/{language}"))


def document_reference(source: NumberedDocument, grammar: str = "bracket") -> str:
    """Return what the model is to cite a document by: its number, key or file name.

    Raises:
        TemplateError: The document has nothing that this grammar could cite.
    """
    if not isinstance(source, NumberedDocument):
        raise TemplateError(
            f"{type(source).__name__} has no number: loop over `documents | numbered`"
        )
    form = form_of(grammar)
    reference = _REFERENCES[form.cites](source)
    if not re.fullmatch(form.readable, reference):
        field = "file_name" if form.cites == "file" else DEFAULT_KEY_FIELDS[0]
        raise TemplateError(
            f"document {source.number} cannot be cited as {reference!r:.80}, which the grammar "
            f"{grammar!r} does not read: give it meta[{field!r}], as in {form.references[0]!r}"
        )
    return reference


def _key(source: NumberedDocument) -> str:
    return next(keys_of(source.document, DEFAULT_KEY_FIELDS))


def _file_name(source: NumberedDocument) -> str:
    name = next(file_names(source.meta), "")
    written = str(source.meta.get("file_name") or source.meta.get("file_path") or "").strip()
    # Names are matched whatever their case, and shown in the case in which they are written.
    shown = written[len(written) - len(name) :]
    return shown if shown.casefold() == name else name


_REFERENCES: dict[Cites, Callable[[NumberedDocument], str]] = {
    "number": lambda source: str(source.number),
    "key": _key,
    "file": _file_name,
}


def document_marker(source: NumberedDocument, grammar: str = "bracket") -> str:
    """Return the marker that cites a document, `[3]`.

    Raises:
        TemplateError: The document has nothing that this grammar could cite.
    """
    return write_marker([document_reference(source, grammar)], grammar)


def shield(text: object, *tags: str) -> str:
    """Return text in which these tags are spelled so that they neither open nor close.

    Args:
        text: What a document says.
        tags: Names of the tags that surround it in the prompt.
    """
    names = "|".join(map(re.escape, tags))
    return re.sub(rf"<(?=\s*/?\s*(?:{names})\b)", "&lt;", str(text), flags=re.IGNORECASE)

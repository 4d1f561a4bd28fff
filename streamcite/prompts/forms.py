"""How a marker of each built-in grammar is written, from the constants that the scanner reads.

A new grammar needs one row in `FORMS`; the instructions of every language follow from it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from streamcite.arguments import items_of
from streamcite.errors import TemplateError
from streamcite.grammar import (
    BLANKS,
    BRACKETS,
    CARET,
    KEY,
    KEY_PREFIX,
    LABELS,
    OPENAI_CLOSE,
    OPENAI_OPEN,
    OPENAI_POSITION,
    OPENAI_SIGN,
    OPENAI_WORD,
    PRIVATE_CLOSE,
    PRIVATE_ID,
    PRIVATE_OPEN,
    PRIVATE_SEPARATOR,
    PRIVATE_WORD,
    SEPARATORS,
)
from streamcite.options import Grammar

__all__ = ["FORMS", "Cites", "Example", "Form", "citation_example", "form_of", "write_marker"]

Cites = Literal["number", "key", "file"]

OPEN, CLOSE = next(iter(BRACKETS.items()))
LIST = SEPARATORS[0] + BLANKS[0]


@dataclass(frozen=True, slots=True)
class Form:
    """What a grammar cites by, and how its markers are written."""

    cites: Cites
    """What of a document stands in the marker."""
    write: Callable[[Sequence[str]], str]
    """Makes a marker, or adjacent markers, of one or several references."""
    references: tuple[str, str, str]
    """References of three documents, for examples."""
    readable: str
    """A regex of the references that the grammar reads."""


def _write_bracket(references: Sequence[str]) -> str:
    return f"{OPEN}{LIST.join(references)}{CLOSE}"


def _write_caret(references: Sequence[str]) -> str:
    return f"{OPEN}{LIST.join(CARET + reference for reference in references)}{CLOSE}"


def _write_label(references: Sequence[str]) -> str:
    plural = "s" if len(references) > 1 else ""
    return f"{OPEN}{LABELS[0]}{plural}{BLANKS[0]}{LIST.join(references)}{CLOSE}"


def _write_key(references: Sequence[str]) -> str:
    return "".join(f"{OPEN}{KEY_PREFIX}{reference}{CLOSE}" for reference in references)


def _write_filename(references: Sequence[str]) -> str:
    return "".join(f"{OPEN}{reference}{CLOSE}" for reference in references)


def _write_openai(references: Sequence[str]) -> str:
    end = f"{OPENAI_SIGN}{OPENAI_WORD}{OPENAI_CLOSE}"
    return "".join(f"{OPENAI_OPEN}{reference}{end}" for reference in references)


def _write_private(references: Sequence[str]) -> str:
    words = (PRIVATE_WORD, *references)
    return f"{PRIVATE_OPEN}{PRIVATE_SEPARATOR.join(words)}{PRIVATE_CLOSE}"


_NUMBERS = ("1", "2", "3")
_FILES = ("report.pdf", "notes.txt", "table.csv")

_TURNS = ("turn0search0", "turn0search1", "turn0search2")

_NUMBER = r"\d+"
_FILE = r"[^\s\[\]#](?:[^\[\]\n#]*[^\s\[\]#])?"

FORMS: dict[Grammar, Form] = {
    "bracket": Form("number", _write_bracket, _NUMBERS, _NUMBER),
    "caret": Form("number", _write_caret, _NUMBERS, _NUMBER),
    "label": Form("number", _write_label, _NUMBERS, _NUMBER),
    "key": Form("key", _write_key, ("ab-1", "cd-2", "ef-3"), KEY),
    "filename": Form("file", _write_filename, _FILES, _FILE),
    "openai": Form("key", _write_openai, ("4:0", "4:1", "4:2"), OPENAI_POSITION),
    "private": Form("key", _write_private, _TURNS, PRIVATE_ID),
}


def form_of(grammar: str) -> Form:
    """Return the form of a grammar.

    Raises:
        TemplateError: No grammar is called so, or it is no name at all.
    """
    if not isinstance(grammar, str):
        raise TemplateError(
            f"grammar is a {type(grammar).__name__}: a prompt asks for one form of citation, so "
            "give one name, such as 'bracket'; markers= may still read several"
        )
    for name, form in FORMS.items():
        if name == grammar:
            return form
    raise TemplateError(f"no grammar is called {grammar!r:.60}; there are {', '.join(FORMS)}")


def write_marker(references: Sequence[str | int], grammar: str = "bracket") -> str:
    """Return the marker that cites these numbers, keys or file names.

    Raises:
        TemplateError: They are no list of one or more, or no grammar is called so.
    """
    form = form_of(grammar)
    advice = "give a list of numbers, keys or file names"
    found = items_of(references, object, "references", advice, TemplateError)
    if not found:
        raise TemplateError(f"references is empty; {advice}")
    return form.write([str(reference) for reference in found])


@dataclass(frozen=True, slots=True)
class Example:
    """Markers for examples in a prompt."""

    references: tuple[str, str, str]
    """The documents of the example."""
    one: str
    """A marker that cites the first."""
    several: str
    """A marker, or adjacent ones, that cites the first and the third."""
    markers: tuple[str, str, str]
    """A marker for each."""


def citation_example(grammar: str = "bracket") -> Example:
    """Return markers of a grammar for examples in a prompt."""
    form = form_of(grammar)
    first, second, third = form.references
    one, two, three = (form.write([reference]) for reference in (first, second, third))
    return Example(form.references, one, form.write([first, third]), (one, two, three))

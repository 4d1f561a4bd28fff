"""The tree of errors, and what they say."""

import re
from pathlib import Path

import pytest

from streamcite import errors
from streamcite.errors import MissingExtraError, PatternError, StreamciteError

ALL = [getattr(errors, name) for name in errors.__all__]


@pytest.mark.parametrize("error", ALL)
def test_one_root(error: type[Exception]) -> None:
    """Every error has the one root."""
    assert issubclass(error, StreamciteError)


def test_tree_is_drawn() -> None:
    """The module's docstring draws the tree: each class once, with its built-in parents."""
    assert errors.__doc__ is not None
    drawn = dict(re.findall(r"── (\w+)(?: \(([^)]*)\))?", errors.__doc__))

    built_in = {
        error.__name__: ", ".join(
            base.__name__ for base in error.__bases__ if base.__module__ == "builtins"
        )
        for error in ALL
        if error is not StreamciteError
    }
    assert drawn == built_in


def test_pattern_error_says_where() -> None:
    """A pattern's error names the pattern and the place in it."""
    error = PatternError("write the alternatives out", pattern=r"(a)\1", position=3)

    assert str(error) == r"pattern '(a)\\1' at position 3: write the alternatives out"
    assert (error.pattern, error.position) == (r"(a)\1", 3)


def test_pattern_error_without_a_place() -> None:
    """A pattern's error may be about all of it."""
    assert str(PatternError("too long", pattern="a")) == "pattern 'a': too long"


def test_missing_extra_says_what_to_run() -> None:
    """A missing package names the command that brings it."""
    error = MissingExtraError("jinja2", "prompts")

    assert "python -m pip install 'streamcite[prompts]'" in str(error)
    assert (error.package, error.extra) == ("jinja2", "prompts")


def test_a_page_lists_the_tree() -> None:
    """The table of docs/events.md has each class once, with its parents."""
    page = (Path(__file__).parents[1] / "docs" / "events.md").read_text("utf-8")

    listed = re.findall(r"^\| `(\w+Error)` \| (.+?) \|", page, re.MULTILINE)

    assert sorted(name for name, _ in listed) == sorted(errors.__all__)
    for name, parents in listed:
        bases = [base.__name__ for base in getattr(errors, name).__bases__]
        assert re.findall(r"\w+", parents) == (bases[1:] or bases)

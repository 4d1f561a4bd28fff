"""How markers are written."""

from typing import get_args

import pytest

from streamcite.errors import TemplateError
from streamcite.options import Grammar
from streamcite.prompts import citation_example, write_marker
from streamcite.prompts.forms import FORMS

MARKERS = (
    ("bracket", [1], "[1]"),
    ("bracket", [1, 3], "[1, 3]"),
    ("caret", [1, 3], "[^1, ^3]"),
    ("label", [1], "[Source 1]"),
    ("label", [1, 3], "[Sources 1, 3]"),
    ("key", ["ab-1", "cd"], "[cite:ab-1][cite:cd]"),
    ("filename", ["a.pdf", "b.txt"], "[a.pdf][b.txt]"),
    ("openai", ["4:0"], "【4:0†source】"),
    (
        "private",
        ["turn0search0", "turn0search1"],
        "\ue200cite\ue202turn0search0\ue202turn0search1\ue201",
    ),
)


@pytest.mark.parametrize(("grammar", "references", "marker"), MARKERS)
def test_a_marker_is_written(grammar: str, references: list[str | int], marker: str) -> None:
    """One or several references make a marker in the form of the grammar."""
    assert write_marker(references, grammar) == marker


def test_every_grammar_has_a_form() -> None:
    """No built-in grammar is without instructions."""
    assert set(FORMS) == set(get_args(Grammar))


def test_an_example_cites_the_first_and_the_third() -> None:
    """Two numbers that are no range, so that a list is not read as one."""
    assert citation_example().several == "[1, 3]"


def test_an_example_has_a_marker_for_each() -> None:
    """Examples in which every document is cited on its own need one."""
    assert citation_example("caret").markers == ("[^1]", "[^2]", "[^3]")


def test_an_unknown_grammar_is_named() -> None:
    """The error lists the grammars."""
    with pytest.raises(
        TemplateError, match="no grammar is called 'brakket'; there are bracket, caret"
    ):
        write_marker([1], "brakket")

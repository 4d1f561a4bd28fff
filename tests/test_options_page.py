"""The page of the options and `CiteOptions` say the same."""

import ast
import re
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

from streamcite import CiteOptions

PAGE = Path(__file__).parents[1] / "docs" / "options.md"
ROW = re.compile(r"^\| `(\w+)` \| `(.+?)` \| (.+) \|$", re.MULTILINE)

ROWS = {name: (default, meaning) for name, default, meaning in ROW.findall(PAGE.read_text("utf-8"))}


def choices(annotation: object) -> set[str]:
    """List the words that an option's type allows, however deep they stand in it."""
    if get_origin(annotation) is Literal:
        return {word for word in get_args(annotation) if isinstance(word, str)}
    return {word for part in get_args(annotation) for word in choices(part)}


def test_the_page_lists_every_option_in_order() -> None:
    """The table has one row per option, as the class has them."""
    assert list(ROWS) == list(CiteOptions.model_fields)


@pytest.mark.parametrize("name", ROWS)
def test_a_default_on_the_page_is_the_default(name: str) -> None:
    """Saying an option's default, as the page writes it, changes nothing."""
    said = CiteOptions(**{name: ast.literal_eval(ROWS[name][0])})

    assert getattr(said, name) == getattr(CiteOptions(), name)


@pytest.mark.parametrize("name", ROWS)
def test_a_row_names_every_choice(name: str) -> None:
    """Where an option takes one of some words, its row has each of them."""
    words = choices(CiteOptions.model_fields[name].annotation)

    assert {word for word in words if f'`"{word}"`' not in ROWS[name][1]} == set()


def test_the_default_of_a_long_pattern_is_on_the_page() -> None:
    """The length that holds with a pattern of the user's own stands in its row."""
    length = CiteOptions(reference_pattern="acm").max_marker_length

    assert f"{length:,}" in ROWS["max_marker_length"][1]

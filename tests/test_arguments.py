"""What is given in the place of something else is named."""

from typing import Any

import pytest

from streamcite.arguments import check_type, items_of
from streamcite.errors import InputError, TemplateError


def test_a_value_of_the_type_passes() -> None:
    """One of several types too."""
    check_type(None, str | None, "name", "give a str")


def test_another_type_is_refused() -> None:
    """With the argument's name, the type, and what to do."""
    with pytest.raises(TemplateError, match="name is a int; give a str"):
        check_type(5, str, "name", "give a str", TemplateError)


def test_items_are_listed() -> None:
    """Of any iterable."""
    assert items_of((text for text in "ab"), str, "names", "give a list") == ["a", "b"]


@pytest.mark.parametrize("value", ["ab", b"ab", {"a": 1}, 5, None])
def test_one_thing_is_no_list(value: Any) -> None:
    """A text is not one item per character."""
    with pytest.raises(InputError, match=f"names is one {type(value).__name__}; give a list"):
        items_of(value, str, "names", "give a list")


def test_the_wrong_item_is_named() -> None:
    """By its place."""
    with pytest.raises(InputError, match=r"names\[1\] is a int; give a list of str"):
        items_of(["a", 1], str, "names", "give a list of str")

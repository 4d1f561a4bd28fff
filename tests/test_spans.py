from dataclasses import FrozenInstanceError
from typing import get_args

import pytest

from streamcite.spans import Dropped, Located, Marker, Outside, Span, TagClosed, TagOpened, Text

MARKER = Marker("[1]", "bracket", ((1, 1),))
EXAMPLES = [
    Text("a"),
    MARKER,
    Outside(MARKER),
    Located(MARKER, 3),
    Dropped("\ue200"),
    TagOpened("think", "<think>"),
    TagClosed("think", "</think>", complete=True),
]


def test_every_kind_has_an_example() -> None:
    """The union names all kinds of spans."""
    assert {type(span) for span in EXAMPLES} == set(get_args(Span))


@pytest.mark.parametrize("span", EXAMPLES, ids=lambda span: type(span).__name__)
def test_spans_are_frozen_and_small(span: Span) -> None:
    """A span cannot be changed, and has no dictionary of its own."""
    field = next(iter(span.__slots__))

    with pytest.raises(FrozenInstanceError):
        setattr(span, field, "other")
    assert not hasattr(span, "__dict__")

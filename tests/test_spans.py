"""What the scanner says."""

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
def test_spans_are_small(span: Span) -> None:
    """A span has no dictionary of its own, and takes no other attribute."""
    assert not hasattr(span, "__dict__")
    with pytest.raises(AttributeError):
        span.more = 1  # type: ignore[union-attr]  # that is the point


def test_spans_are_equal_by_value() -> None:
    """Two spans of a kind with the same content are equal, those of other kinds are not."""
    spans: list[Span] = [Text("a"), Text("b"), Dropped("a")]

    assert [span == Text("a") for span in spans] == [True, False, False]

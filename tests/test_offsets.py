"""Places in code points, UTF-16 units and bytes."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite.errors import InputError
from streamcite.offsets import OffsetUnit, convert, from_code_points, to_code_points

UNITS = get_args(OffsetUnit)
TEXT = "aé日😀\u0301\ud800b"
# The offset of every code point of TEXT, in each unit.
TABLE = {
    "code_point": [0, 1, 2, 3, 4, 5, 6, 7],
    "utf16": [0, 1, 2, 3, 5, 6, 7, 8],
    "utf8": [0, 1, 3, 6, 10, 12, 15, 16],
}


@pytest.mark.parametrize("unit", UNITS)
def test_from_code_points(unit: OffsetUnit) -> None:
    """Every place of a text has its offset in each unit, lone surrogates included."""
    offsets = [from_code_points(TEXT, place, unit) for place in range(len(TEXT) + 1)]

    assert offsets == TABLE[unit]


@pytest.mark.parametrize("unit", UNITS)
def test_to_code_points(unit: OffsetUnit) -> None:
    """An offset in a unit leads back to its code point."""
    assert [to_code_points(TEXT, offset, unit) for offset in TABLE[unit]] == list(range(8))


def test_inside_a_character() -> None:
    """An offset inside a character is that character's start."""
    assert to_code_points("a😀b", 2, "utf16") == 1
    assert [to_code_points("a😀b", offset, "utf8") for offset in (2, 3, 4)] == [1, 1, 1]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("offset", "place"), [(-1, 0), (-99, 0), (99, -1)])
def test_outside_of_the_text(unit: OffsetUnit, offset: int, place: int) -> None:
    """An offset that the text does not have is its nearer end, both ways."""
    assert from_code_points(TEXT, offset, unit) == TABLE[unit][place]
    assert to_code_points(TEXT, offset, unit) == TABLE["code_point"][place]


def test_no_such_unit() -> None:
    """A unit of another name is refused, and the message lists those there are."""
    with pytest.raises(InputError, match="'utf-16'; give one of 'code_point', 'utf16', 'utf8'"):
        from_code_points(TEXT, 1, "utf-16")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(InputError, match="give one of"):
        to_code_points(TEXT, 1, "utf-16")  # type: ignore[arg-type]  # on purpose


@given(st.text(st.characters(exclude_categories=[])), st.data())
def test_round_trip(text: str, data: st.DataObject) -> None:
    """Converting there and back gives the same offset, for any two units."""
    place = data.draw(st.integers(0, len(text)))
    source, target = data.draw(st.sampled_from(UNITS)), data.draw(st.sampled_from(UNITS))

    offset = from_code_points(text, place, source)
    assert convert(text, convert(text, offset, source, target), target, source) == offset


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_others_count(text: str) -> None:
    """The whole text is as long as its encodings say."""
    assert from_code_points(text, len(text), "utf8") == len(text.encode())
    assert from_code_points(text, len(text), "utf16") == len(text.encode("utf-16-le")) // 2

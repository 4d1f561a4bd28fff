"""Offsets for clients that do not count code points: UTF-16 units and UTF-8 bytes."""

from bisect import bisect_right
from typing import Literal, get_args

from streamcite.errors import InputError

__all__ = ["OffsetUnit", "convert", "from_code_points", "to_code_points"]

OffsetUnit = Literal["code_point", "utf16", "utf8"]
"""What an offset counts: Python's code points, JavaScript's UTF-16 units, or bytes of UTF-8."""

_ENCODINGS = {"utf16": ("utf-16-le", 2), "utf8": ("utf-8", 1)}


def from_code_points(text: str, offset: int, unit: OffsetUnit) -> int:
    """Convert an offset in code points to another unit.

    Args:
        text: The text that the offset counts in; lone surrogates are allowed.
        offset: From 0 to the length of the text; one outside is the nearer end.
        unit: What to count instead.

    Raises:
        InputError: There is no such unit.
    """
    # A negative one would count from the end.
    offset = min(max(offset, 0), len(text))
    if unit == "code_point":
        return offset
    if unit not in _ENCODINGS:
        raise InputError(
            f"unit is {unit!r}; give one of {', '.join(map(repr, get_args(OffsetUnit)))}"
        )
    encoding, size = _ENCODINGS[unit]
    return len(text[:offset].encode(encoding, "surrogatepass")) // size


def to_code_points(text: str, offset: int, unit: OffsetUnit) -> int:
    """Convert an offset in another unit to code points.

    An offset inside a character is that character's start, one outside of the text the nearer end.
    """
    places = range(len(text) + 1)
    starts_beyond = bisect_right(
        places, max(offset, 0), key=lambda place: from_code_points(text, place, unit)
    )
    return starts_beyond - 1


def convert(text: str, offset: int, source: OffsetUnit, target: OffsetUnit) -> int:
    """Convert an offset from one unit to another."""
    return from_code_points(text, to_code_points(text, offset, source), target)

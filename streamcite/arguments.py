"""Refuses arguments of another type where they are given, and says what to give."""

from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Any

from streamcite.errors import InputError, StreamciteError

__all__ = ["check_type", "items_of"]

Kinds = type | UnionType | tuple[type | UnionType, ...]


def check_type(
    value: object,
    kinds: Kinds,
    name: str,
    advice: str,
    error: type[StreamciteError] = InputError,
) -> None:
    """Refuse a value of another type.

    Args:
        value: What was given.
        kinds: What may be given.
        name: What the argument is called.
        advice: What to do, after a semicolon: "give a str".
        error: What to raise.

    Raises:
        StreamciteError: It is of none of these types; an `error`.
    """
    if not isinstance(value, kinds):
        raise error(f"{name} is a {type(value).__name__}; {advice}")


def items_of(
    values: object,
    kinds: Kinds,
    name: str,
    advice: str,
    error: type[StreamciteError] = InputError,
) -> list[Any]:
    """Return the items of a list; a single text, bytes or mapping is none.

    Args:
        values: What was given.
        kinds: What each item must be.
        name, advice, error: As in `check_type`.

    Returns:
        A new list of them.

    Raises:
        StreamciteError: There is no list, or one item is of none of these types; an `error`.
    """
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise error(f"{name} is one {type(values).__name__}; {advice}")
    items = list(values)
    for place, item in enumerate(items):
        check_type(item, kinds, f"{name}[{place}]", advice, error)
    return items

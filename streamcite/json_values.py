"""What JSON makes of values that a user's documents and answers may hold."""

import math
from typing import Annotated, Any

from pydantic import PlainSerializer
from pydantic_core import to_jsonable_python

__all__ = ["AS_JSON", "Json", "Meta", "Score", "described"]

Json = dict[str, Any]
"""A JSON object as `json` reads and writes it: what `to_dict` returns."""

Meta = dict[str, Any]
"""What is known of a document, a message or an answer beside its text: anything, by name."""

# What JSON writes as it is, and nearly all of a meta is.
_JSON_TYPES = frozenset({str, int, bool, type(None)})


def _as_text(value: object) -> object:
    """Write what JSON does not know: numbers and arrays of numpy as such, all else as text."""
    to_list = getattr(value, "tolist", None)
    return to_list() if callable(to_list) else str(value)


def _as_json(meta: Meta) -> Json:
    return {name: _written(value) for name, value in meta.items()}


def _written(value: object) -> object:
    if type(value) in _JSON_TYPES:
        return value
    try:
        return to_jsonable_python(value, fallback=_as_text, inf_nan_mode="null")
    except Exception:
        # Bytes that are no UTF-8, what contains itself, and what fails to say what it is.
        return described(value)


def described(value: object) -> str:
    """Return what a value says it is; its type's name if that cannot be said."""
    try:
        return repr(value)
    except Exception:  # what is nested too deeply cannot even be described
        return f"<{type(value).__name__}>"


# A retriever's meta may hold anything, and an answer must not be lost for it.
AS_JSON = PlainSerializer(_as_json, Meta, when_used="json")


def _as_number(score: Any) -> float | None:
    """Return a finite number, and None for anything else, of which JSON knows nothing."""
    try:
        number = float(score)
    except (TypeError, ValueError, OverflowError):  # a copy may hold what was never validated
        return None
    return number if math.isfinite(number) else None


# pydantic's own setting for this does not reach `model_dump(mode="json")`.
Score = Annotated[float, PlainSerializer(_as_number, float | None, when_used="json-unless-none")]

"""Keeps messages and parts out of rendered text, so that no value can forge one.

While a template renders, a message block leaves a token in the text and its message here. The
token holds a secret made for this one rendering; a value that was made before cannot contain it.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from streamcite.errors import TemplateError

__all__ = ["Seal", "collecting", "current_seal", "seal"]

_current: ContextVar["Seal | None"] = ContextVar("streamcite_prompts_seal", default=None)

_CUT = (
    "a filter has cut through a message or an image: apply filters to the values inside of it, "
    "and templatize_part last"
)

_RECOGNISED = 10
"""Characters by which the rest of a cut token is known: nine digits that no value can guess."""


class Seal:
    """The objects of one rendering, and the tokens that stand for them in its text."""

    def __init__(self) -> None:
        # Digits, since filters such as `upper` leave them as they are.
        self._opening = f"\x02{secrets.randbelow(10**20):020}:"
        self._objects: dict[str, object] = {}

    def put(self, value: object) -> str:
        """Keep a value and return the token that stands for it."""
        index = str(len(self._objects))
        self._objects[index] = value
        return f"{self._opening}{index}\x03"

    def split(self, text: str) -> list[object]:
        """Return the text in pieces: str where it is text, the object where a token stood."""
        first, *rest = text.split(self._opening)
        # What is left of a token that a filter has cut.
        if self._opening[:_RECOGNISED] in text.replace(self._opening, ""):
            raise TemplateError(_CUT)
        pieces: list[object] = [first]
        for piece in rest:
            index, end, following = piece.partition("\x03")
            if not end or index not in self._objects:
                raise TemplateError(_CUT)
            pieces += (self._objects[index], following)
        return pieces


@contextmanager
def collecting() -> Iterator[Seal]:
    """Collect what `seal` is given until the block ends."""
    collected = Seal()
    reset = _current.set(collected)
    try:
        yield collected
    finally:
        _current.reset(reset)


def current_seal() -> Seal:
    """Return the seal of the rendering that is under way."""
    current = _current.get()
    if current is None:
        raise TemplateError(
            "message blocks, {% insert %} and templatize_part need a string template of "
            "ChatPromptBuilder; PromptBuilder and lists of messages render text only"
        )
    return current


def seal(value: object) -> str:
    """Keep a value for the rendering that is under way and return its token."""
    return current_seal().put(value)

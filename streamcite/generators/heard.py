"""What went by in the body of a response: of that which is no stream, the SDK shows nothing."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

__all__ = ["Heard"]

# Enough for a server's own error message, and little enough to keep of every reply.
MAX_START = 4096
MAX_EXCERPT = 60

# A line of its own: text of the model has its line breaks escaped.
_DONE = re.compile(rb"[\r\n]data: ?\[DONE\]")
# As much of a piece is looked at again with the next one, between which the line may be cut.
_DONE_LENGTH = len(b"\ndata: [DONE]")


class Heard:
    """Listens to a response of the SDK while the SDK reads it.

    Args:
        response: The response; its bytes have not been asked for yet.
    """

    def __init__(self, response: Any) -> None:
        self._start = b""
        # The start of the body begins a line too.
        self._tail = b"\n"
        self._read = response.aiter_bytes
        self.done = False
        """Whether the body said that it is over."""
        response.aiter_bytes = self._listen

    async def _listen(self, *arguments: Any) -> AsyncGenerator[bytes, None]:
        async with aclosing(self._read(*arguments)) as pieces:
            async for piece in pieces:
                self._note(piece)
                yield piece

    def _note(self, piece: bytes) -> None:
        self._start += piece[: MAX_START - len(self._start)]
        text = self._tail + piece
        self.done = self.done or _DONE.search(text) is not None
        self._tail = text[-_DONE_LENGTH:]

    def describe(self) -> str:
        """Say, for people, what the body is instead of a stream."""
        text = self._start.decode("utf-8", "replace").strip()
        if not text:
            return "its answer is empty"
        if message := _error_message(text):
            return f"it says: {message}"
        shown = text if len(text) <= MAX_EXCERPT else text[:MAX_EXCERPT] + "…"
        return f"its answer begins with {shown!r}"


def _error_message(text: str) -> str:
    """Return the message of an error in JSON, in one of the usual forms; empty if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    for name in ("error", "message", "detail"):
        if isinstance(value, dict):
            value = value.get(name, value)
    return value if isinstance(value, str) else ""

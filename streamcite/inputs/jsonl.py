"""JSON lines: a recording with one token or chunk on each line, in any cuts, to chunks."""

import json
from collections.abc import Iterator

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs.decoder import MAX_INCOMPLETE, Decoder
from streamcite.inputs.item_reader import ItemReader

__all__ = ["JsonlDecoder"]


class JsonlDecoder(Decoder):
    """Turns lines of JSON into chunks: a string is a token, an object any item of a stream.

    null stands for a delta without text, as servers send it, and is passed over.
    """

    def __init__(self) -> None:
        super().__init__()
        self._line: list[str] = []
        self._length = 0
        self._number = 0
        self._items = ItemReader()

    def _read(self, text: str) -> Iterator[Chunk]:
        first, *rest = text.split("\n")
        self._keep(first)
        for line in rest:
            yield from self._read_line()
            self._keep(line)

    def _finish(self, text: str) -> Iterator[Chunk]:
        return self._read(text + "\n")

    def _keep(self, piece: str) -> None:
        self._line.append(piece)
        self._length += len(piece)
        if self._length > MAX_INCOMPLETE:
            raise InputError(f"line {self._number + 1} is over {MAX_INCOMPLETE} characters long")

    def _read_line(self) -> list[Chunk]:
        line = "".join(self._line).strip(" \t\r")
        self._line, self._length = [], 0
        self._number += 1
        if not line:
            return []
        try:
            return self._items.read(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InputError(f"line {self._number}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, json.JSONDecodeError):  # whose own line number would always be 1
        return f"this is no JSON: {error.msg} (character {error.pos + 1})"
    return f"this is no JSON: {error}"

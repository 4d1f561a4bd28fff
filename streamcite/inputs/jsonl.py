"""JSON lines: a recording with one token or chunk on each line, in any cuts, to chunks."""

import codecs
import json

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs.recognition import to_chunks
from streamcite.inputs.surrogates import SurrogateJoiner

__all__ = ["MAX_LINE_LENGTH", "JsonlDecoder"]

# Longest line that is kept while it is incomplete: as for one event of a response body.
MAX_LINE_LENGTH = 1 << 26


class JsonlDecoder:
    """Turns lines of JSON into chunks: a string is a token, an object any item of a stream.

    null stands for a delta without text, as servers send it, and is passed over.
    """

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line: list[str] = []
        self._length = 0
        self._number = 0
        self._joiner = SurrogateJoiner()

    def feed(self, body: bytes | str) -> list[Chunk]:
        """Return the chunks of the lines that this piece completes.

        Raises:
            InputError: A line holds no JSON, or nothing that an adapter knows.
        """
        text = body if isinstance(body, str) else self._utf8.decode(body)
        first, *rest = text.split("\n")
        self._keep(first)
        chunks: list[Chunk] = []
        for line in rest:
            chunks += self._read_line()
            self._keep(line)
        return chunks

    def close(self) -> list[Chunk]:
        """Return the chunks of the last line, and of a character that was cut in two.

        Raises:
            InputError: The last line is no whole JSON value.
        """
        self._keep(self._utf8.decode(b"", True))
        return self._read_line() + self._joiner.close()

    def _keep(self, piece: str) -> None:
        self._line.append(piece)
        self._length += len(piece)
        if self._length > MAX_LINE_LENGTH:
            raise InputError(f"line {self._number + 1} is over {MAX_LINE_LENGTH} characters long")

    def _read_line(self) -> list[Chunk]:
        line = "".join(self._line).strip(" \t\r")
        self._line, self._length = [], 0
        self._number += 1
        if not line:
            return []
        try:
            item = json.loads(line)
            chunks = [] if item is None else to_chunks(item)
        except ValueError as error:
            raise InputError(f"line {self._number}: {_reason(error)}") from error
        return [self._joiner.feed(chunk) for chunk in chunks]


def _reason(error: ValueError) -> str:
    return str(error) if isinstance(error, InputError) else f"this is no JSON: {error}"

"""Server-sent events: a response body, as bytes or text in any cuts, to chunks."""

import codecs
import json
import re
from dataclasses import replace

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs.recognition import to_chunks
from streamcite.inputs.surrogates import SurrogateJoiner

__all__ = ["MAX_EVENT_LENGTH", "SseDecoder"]

# https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
# Only these end a line. str.splitlines() also cuts at U+2028 and others, inside the JSON.
_LINE_END = re.compile(r"\r\n|\r|\n")

# Longest event that is kept while it is incomplete; a whole answer with log-probabilities in one
# event is some megabytes.
MAX_EVENT_LENGTH = 1 << 26

_DONE = "[DONE]"


class SseDecoder:
    """Turns a response body into chunks.

    Several bodies, one after the other, are several replies: what follows `[DONE]` is numbered
    on from there.
    """

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._data: list[str] = []
        self._length = 0
        self._after_return = False
        self._started = False
        self._events = 0
        self._first_reply = 0
        self._last_reply = -1
        self._joiner = SurrogateJoiner()

    def feed(self, body: bytes | str) -> list[Chunk]:
        """Return the chunks that this piece of the body completes.

        Raises:
            InputError: An event holds no JSON, or none that an adapter knows.
        """
        text = body if isinstance(body, str) else self._utf8.decode(body)
        return self._read(text) if text else []

    def close(self) -> list[Chunk]:
        """Return what the end of the body completes: an event without its blank line.

        Raises:
            InputError: The body ends inside an event.
        """
        chunks = self._read(self._utf8.decode(b"", True) + "\n\n")
        return chunks + self._joiner.close()

    def _read(self, text: str) -> list[Chunk]:
        lines = _LINE_END.split(self._without_prefix(text))
        chunks: list[Chunk] = []
        for line in lines[:-1]:
            self._line.append(line)
            whole, self._line = "".join(self._line), []
            chunks += self._read_line(whole)
        if lines[-1]:
            self._line.append(lines[-1])
        self._length += len(lines[-1])
        if self._length > MAX_EVENT_LENGTH:
            raise InputError(f"event {self._events + 1} is over {MAX_EVENT_LENGTH} characters long")
        return chunks

    def _without_prefix(self, text: str) -> str:
        """Drop a byte order mark, and the line feed of a CR LF that was cut in two."""
        if not self._started:
            text = text.removeprefix("\ufeff")
        elif self._after_return:
            text = text.removeprefix("\n")
        self._started = True
        self._after_return = text.endswith("\r")
        return text

    def _read_line(self, line: str) -> list[Chunk]:
        if not line:
            data, self._data, self._length = "\n".join(self._data), [], 0
            return self._read_event(data) if data else []
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
            self._length += len(value)
        return []

    def _read_event(self, data: str) -> list[Chunk]:
        self._events += 1
        if data.strip() == _DONE:
            self._first_reply = self._last_reply + 1
            return []
        try:
            item = json.loads(data)
        except ValueError as error:
            raise InputError(
                f"event {self._events} of the body is no JSON ({error}): {_excerpt(data)}"
            ) from error
        return [self._joiner.feed(self._renumber(chunk)) for chunk in to_chunks(item)]

    def _renumber(self, chunk: Chunk) -> Chunk:
        if self._first_reply:
            chunk = replace(chunk, reply=chunk.reply + self._first_reply)
        self._last_reply = max(self._last_reply, chunk.reply)
        return chunk


def _excerpt(data: str) -> str:
    return repr(data if len(data) <= 60 else data[:57] + "...")

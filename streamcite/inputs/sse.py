"""Server-sent events: a response body, as bytes or text in any cuts, to chunks."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs.decoder import MAX_INCOMPLETE, Decoder
from streamcite.inputs.open_replies import OpenReplies
from streamcite.inputs.recognition import to_chunks

__all__ = ["SseDecoder"]

# https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
# Only these end a line. str.splitlines() also cuts at U+2028 and others, inside the JSON.
_LINE_END = re.compile(r"\r\n|\r|\n")

_DONE = "[DONE]"


class SseDecoder(Decoder):
    """Turns a response body into chunks.

    Several bodies, one after the other, are several replies: what follows `[DONE]` is numbered
    on from there, and a body without choices begins none. The last event needs no blank line
    behind it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._line: list[str] = []
        self._data: list[str] = []
        self._length = 0
        self._after_return = False
        self.events = 0
        """How many events there were; a body that is none has none."""
        self._first_reply = 0
        self._replies = OpenReplies()

    @property
    def complete(self) -> bool:
        """Whether there were events, and every reply that began has ended.

        A finish reason ends a reply, and `[DONE]` ends all.
        """
        return self.events > 0 and not self._replies.open

    def _read(self, text: str) -> Iterator[Chunk]:
        if not text:
            return
        if self._after_return:
            # The line feed of a CR LF that was cut in two.
            text = text.removeprefix("\n")
        self._after_return = text.endswith("\r")
        *whole, rest = _LINE_END.split(text)
        for line in whole:
            self._keep(line)
            yield from self._read_line()
        self._keep(rest)

    def _finish(self, text: str) -> Iterator[Chunk]:
        return self._read(text + "\n\n")

    def _keep(self, piece: str) -> None:
        self._line.append(piece)
        self._length += len(piece)
        if self._length > MAX_INCOMPLETE:
            raise InputError(f"event {self.events + 1} is over {MAX_INCOMPLETE} characters long")

    def _read_line(self) -> list[Chunk]:
        line = "".join(self._line)
        self._line.clear()
        # What is kept of it counts instead.
        self._length -= len(line)
        if not line:
            data, self._data, self._length = "\n".join(self._data), [], 0
            return self._read_event(data) if data else []
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value := value.removeprefix(" "))
            # A line without text takes room too.
            self._length += len(value) + 1
        return []

    def _read_event(self, data: str) -> list[Chunk]:
        self.events += 1
        if data.strip() == _DONE:
            self._first_reply = self._replies.count
            self._replies.open.clear()
            return []
        try:
            item = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"event {self.events} of the body is no JSON ({error}): {_excerpt(data)}"
            ) from error
        return [self._renumber(chunk) for chunk in to_chunks(item)]

    def _renumber(self, chunk: Chunk) -> Chunk:
        if self._first_reply:
            chunk = replace(chunk, reply=chunk.reply + self._first_reply)
        self._replies.note(chunk)
        return chunk


def _excerpt(data: str) -> str:
    return repr(data if len(data) <= 60 else data[:57] + "...")

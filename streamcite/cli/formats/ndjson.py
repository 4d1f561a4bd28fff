"""Events for machines: one JSON object on each line, in the order in which they happened."""

import json
from typing import TextIO

from streamcite.events import AnswerEvent, event_adapter

__all__ = ["NdjsonWriter"]


class NdjsonWriter:
    """Writes every event as it comes, replies interleaved."""

    def __init__(self, output: TextIO) -> None:
        self._output = output

    def write(self, event: AnswerEvent) -> None:
        """Write one line, ASCII only, so that half a character cannot break it."""
        plain = event_adapter().dump_python(event, mode="json")
        self._output.write(json.dumps(plain, separators=(",", ":")) + "\n")
        self._output.flush()

    def close(self) -> None:
        """Do nothing: every line is whole."""

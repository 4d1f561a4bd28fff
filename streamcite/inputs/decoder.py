"""What all decoders of a body have in common: bytes in any cuts, and errors in their turn."""

import codecs
from abc import ABC, abstractmethod
from collections.abc import Iterator

from streamcite.chunks import Chunk
from streamcite.errors import GeneratorError, InputError
from streamcite.inputs.surrogates import SurrogateJoiner

__all__ = ["MAX_INCOMPLETE", "Decoder"]

# Longest line or event that is kept while it is incomplete; a whole answer with log-probabilities
# in one event is some megabytes.
MAX_INCOMPLETE = 1 << 26


class Decoder(ABC):
    """Turns the pieces of a body into chunks."""

    drops_mark = True
    """Whether a byte order mark at the start is no part of the content."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._started = False
        self._joiner = SurrogateJoiner()
        self._error: InputError | GeneratorError | None = None

    @property
    def waits(self) -> bool:
        """Whether the bytes so far end in half a character."""
        return bool(self._utf8.getstate()[0])

    def feed(self, body: bytes | str) -> list[Chunk]:
        """Return the chunks that this piece of the body completes.

        Half a character waits for bytes; text behind it completes nothing, so U+FFFD stands there.

        Raises:
            InputError: It is no piece of a body; or the body cannot be read. What stood before
                the mistake was returned: where both came in one piece, the error is raised by the
                next call. Nothing is read behind it: every call raises it again.
        """
        if isinstance(body, str):
            text = self._utf8.decode(b"", True) + body if body and self.waits else body
        else:
            text = self._decode(body)
        if text and not self._started:
            self._started = True
            text = text.removeprefix("\ufeff") if self.drops_mark else text
        return self._collect(self._read(text))

    def close(self) -> list[Chunk]:
        """Return what the end of the body completes.

        Raises:
            InputError: The body ends inside a line or event, or could not be read before.
        """
        return self._collect(self._finish(self._utf8.decode(b"", True))) + self._joiner.close()

    def _decode(self, body: bytes) -> str:
        try:
            return self._utf8.decode(body)
        except TypeError as error:
            raise InputError(
                f"a decoder is fed bytes or a str, not {type(body).__name__}: give the pieces of "
                "the body as they come, and call close() at its end"
            ) from error

    def _collect(self, found: Iterator[Chunk]) -> list[Chunk]:
        if self._error is not None:
            raise self._error
        chunks: list[Chunk] = []
        try:
            # Not a comprehension: what was found before an error counts.
            for chunk in found:
                chunks += self._joiner.feed(chunk)
        except (InputError, GeneratorError) as error:
            # In any cut of the body, what stands behind it is not read.
            self._error = error
            if not chunks:
                raise
        return chunks

    @abstractmethod
    def _read(self, text: str) -> Iterator[Chunk]:
        """Yield the chunks that a piece of text completes."""

    @abstractmethod
    def _finish(self, text: str) -> Iterator[Chunk]:
        """Yield the chunks that the last text, and the end, complete."""

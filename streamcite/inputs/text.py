"""Plain text, as bytes or text in any cuts, to chunks."""

from collections.abc import Iterator

from streamcite.chunks import Chunk
from streamcite.inputs.decoder import Decoder

__all__ = ["PlainDecoder"]


class PlainDecoder(Decoder):
    """Turns text into chunks; a character cut in two waits for its rest."""

    # What a model writes is shown to the last character.
    drops_mark = False

    def _read(self, text: str) -> Iterator[Chunk]:
        if text:
            yield Chunk(text)

    def _finish(self, text: str) -> Iterator[Chunk]:
        return self._read(text)

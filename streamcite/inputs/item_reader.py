"""Reading the items of one stream, of which some may repeat what others said."""

from streamcite.chunks import Chunk
from streamcite.inputs import openai
from streamcite.inputs.recognition import is_registered, to_chunks

__all__ = ["ItemReader"]


class ItemReader:
    """Turns the items of one stream into chunks, each text once.

    The `stream()` helper of OpenAI's SDK says a text twice: in a `chunk` event, and in a
    `content.delta` event right behind it. `to_chunks`, which sees one item, reads the first alone.
    Where a stream has none of these, since only the others were picked out, they are read here.
    """

    def __init__(self) -> None:
        # The last item that had chunks: to look at each takes longer than to keep it.
        self._last: object = None
        self._repeats = False
        """Whether `chunk` events with text were met."""

    def read(self, item: object) -> list[Chunk]:
        """Return an item's chunks.

        Raises:
            InputError: No adapter knows the item, or the item reports a failure.
        """
        if chunks := to_chunks(item):
            self._last = item
            return chunks
        text = openai.text_of_delta_event(item)
        if not text or is_registered(item):
            return chunks
        self._repeats = self._repeats or openai.is_text_event(self._last)
        return [] if self._repeats else [Chunk(text)]

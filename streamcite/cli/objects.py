"""JSON objects that stand on several lines each, as programs print them for people, to chunks."""

import json
import re
from collections.abc import Iterator

from streamcite.chunks import Chunk
from streamcite.cli.failure import tell
from streamcite.errors import InputError
from streamcite.inputs import Decoder
from streamcite.inputs.decoder import MAX_INCOMPLETE
from streamcite.inputs.item_reader import ItemReader

__all__ = ["ObjectsDecoder", "documents_hint"]

# Those of JSON; a no-break space is none.
_BLANKS = re.compile(r"[ \t\n\r]*")
_WAY_OUT = "with --input plain it is read as text"


def documents_hint(item: object) -> str:
    """Return what to say of an item that is no part of a reply, but looks like a document."""
    is_document = isinstance(item, dict) and isinstance(item.get("content"), str)
    return "; if these are the documents, give them with --documents" if is_document else ""


class ObjectsDecoder(Decoder):
    """Keeps the whole body, since only its end tells whether it is JSON.

    Args:
        otherwise: What reads a body that is none, or whose objects are no parts of a reply;
            without it that is an error.
    """

    drops_mark = False

    def __init__(self, otherwise: Decoder | None = None) -> None:
        super().__init__()
        self._otherwise = otherwise
        self._kept: list[str] = []
        self._length = 0
        self._is_other = False

    def _read(self, text: str) -> Iterator[Chunk]:
        if self._otherwise and self._is_other:
            yield from self._otherwise.feed(text)
            return
        self._kept.append(text)
        self._length += len(text)
        if self._length > MAX_INCOMPLETE:
            yield from self._give_up(
                f"the input is over {MAX_INCOMPLETE} characters long: give its objects on one line "
                "each, with --input jsonl"
            )

    def _finish(self, text: str) -> Iterator[Chunk]:
        yield from self._read(text)
        if not self._is_other:
            text = "".join(self._kept).removeprefix("\ufeff")
            if self._otherwise is None and not text.strip():
                raise InputError("no JSON object was found in the input, which is empty")
            yield from self._parse(text)
        if self._otherwise and self._is_other:
            yield from self._otherwise.close()

    def _parse(self, text: str) -> Iterator[Chunk]:
        try:
            items = ItemReader()
            yield from [chunk for item in _objects(text) for chunk in items.read(item)]
        except InputError:
            what = "the input is JSON, but no reply that is known"
            hint = documents_hint(next(_objects(text)))
            if self._otherwise:
                # It may be what the model was asked to write, and cannot be read a second time.
                tell(f"{what}; it is shown as text{hint}")
            yield from self._give_up(f"{what}; {_WAY_OUT}{hint}")
        except (ValueError, RecursionError) as error:
            yield from self._give_up(f"the input is no JSON: {error}; {_WAY_OUT}")

    def _give_up(self, reason: str) -> Iterator[Chunk]:
        if self._otherwise is None:
            raise InputError(reason)
        self._is_other = True
        yield from self._otherwise.feed("".join(self._kept))
        self._kept.clear()


def _objects(text: str) -> Iterator[object]:
    """Yield the values that stand one after the other, with blanks between them."""
    decoder, place = json.JSONDecoder(), 0
    while match := _BLANKS.match(text, place):
        if (place := match.end()) == len(text):
            return
        value, place = decoder.raw_decode(text, place)
        yield value

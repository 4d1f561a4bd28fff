"""Text that comes as bytes in any cuts."""

from typing import Any

import pytest

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs import JsonlDecoder, PlainDecoder, SseDecoder
from streamcite.inputs.decoder import Decoder

TEXT = "\ufeffé 😀 [1]\u2028\r\n"


@pytest.mark.parametrize("size", range(1, 8))
def test_any_cut_gives_the_same_text(size: int) -> None:
    """A character that is cut in two waits for its rest."""
    body, decoder = TEXT.encode(), PlainDecoder()

    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    chunks = [chunk for piece in pieces for chunk in decoder.feed(piece)] + decoder.close()

    assert "".join(chunk.text for chunk in chunks) == TEXT


def test_broken_bytes_are_replaced() -> None:
    """What is no UTF-8, and half a character at the end, is shown as U+FFFD."""
    decoder = PlainDecoder()

    assert decoder.feed(b"a\xffb\xc3") + decoder.close() == [Chunk("a\ufffdb"), Chunk("\ufffd")]


def test_text_behind_half_a_character_comes_behind_it() -> None:
    """Only bytes complete it, and empty text says nothing."""
    decoder = PlainDecoder()
    pieces: list[bytes | str] = [b"a\xc3", "", b"\xa9\xe2\x82", "b", b"\xac"]

    chunks = [chunk for piece in pieces for chunk in decoder.feed(piece)] + decoder.close()
    assert "".join(chunk.text for chunk in chunks) == "aé\ufffdb\ufffd"


@pytest.mark.parametrize("kind", [PlainDecoder, JsonlDecoder, SseDecoder])
@pytest.mark.parametrize("piece", [None, 5, ["a"]])
def test_what_is_no_piece_is_refused(kind: type[Decoder], piece: Any) -> None:
    """The error tells what a decoder is fed, and the body goes on."""
    decoder = kind()

    with pytest.raises(InputError, match=f"bytes or a str, not {type(piece).__name__}: give the"):
        decoder.feed(piece)
    assert decoder.feed(b"") == []

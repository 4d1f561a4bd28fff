"""Recordings with one JSON value on each line."""

import pytest

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs import JsonlDecoder

BODY = '\ufeff"Paris "\r\n\nnull\n"\\ud83d"\n"\\ude00"\n{"text": "\u2028é"}\n"[1]"'.encode()
TEXTS = ["Paris ", "", "😀", "\u2028é", "[1]"]

BROKEN = {
    '"a"\n"b': "line 2: this is no JSON: Unterminated string starting at .character 1.$",
    '"a"\n{"a": \r\n': "line 2: this is no JSON: Expecting value .character 6.$",
    "3\n": "line 1: cannot read a stream item of type int",
    '{"a": 1}': "line 1: .*dict with the keys",
    "[" * 100_000: "line 1: this is no JSON",
}


@pytest.mark.parametrize("size", [1, 2, 3, 7, len(BODY)])
def test_any_cut_gives_the_same_chunks(size: int) -> None:
    """Only a line feed ends a line, and the last line needs none."""
    decoder = JsonlDecoder()

    pieces = [BODY[start : start + size] for start in range(0, len(BODY), size)]
    chunks = [chunk for piece in pieces for chunk in decoder.feed(piece)] + decoder.close()

    assert [chunk.text for chunk in chunks] == TEXTS


@pytest.mark.parametrize(("body", "message"), BROKEN.items(), ids=range(len(BROKEN)))
def test_a_broken_line_is_named(body: str, message: str) -> None:
    """The error says which line is broken, and how."""
    decoder = JsonlDecoder()

    with pytest.raises(InputError, match=message):
        [decoder.feed(body), decoder.close()]


def test_what_stood_before_the_mistake_counts() -> None:
    """Chunks of the same piece are returned first; the error comes with the next call."""
    decoder = JsonlDecoder()

    chunks = decoder.feed('"a"\n3\n"b"\n')

    assert chunks == [Chunk("a")]
    with pytest.raises(InputError, match="line 2"):
        decoder.close()

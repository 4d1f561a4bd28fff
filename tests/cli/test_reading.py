"""Which kind of recording an input is."""

import json
import random
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from itertools import pairwise
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("typer", reason="the command line needs the extra cli")

from streamcite.cli import reading
from streamcite.cli.failure import CommandError
from streamcite.cli.reading import MAX_LOOK, detect
from streamcite.errors import StreamciteError
from tests.strategies import cuts

ROWS = {
    b"data: {}": "sse",
    b"\xef\xbb\xbfdata:": "sse",
    b"\r\n: ping": "sse",
    b"event: x": "sse",
    b"\xef": None,
    b"\xef\xbb\xbf": None,
    b"\r\n": None,
    b"d": None,
    b"even": None,
    b"dates": "plain",
    b'"a"\n': "jsonl",
    b'{"text": "a"}\r\n': "jsonl",
    b'"a"': None,
    b'"a \\" b': None,
    b'"a" he said': "plain",
    b'{"a': None,
    b"{a}\n": "plain",
    b'{"a":' * 10_000 + b"\n": "jsonl",
    b'"a\n': "plain",
    b"{" * (MAX_LOOK + 1): "plain",
    b"{": None,
    b"{\r\n  ": None,
    b'{\r\n  "id"': "json",
    b'\xef\xbb\xbf{ \n\n"': "json",
    b"{\n}": "json",
    b"{\n  return": "plain",
    b"{\n" + b" " * MAX_LOOK: "plain",
    b"Paris [1]": "plain",
    b"[1] Paris": "plain",
    b"": None,
}


@pytest.mark.parametrize(("start", "kind"), ROWS.items(), ids=range(len(ROWS)))
def test_the_first_bytes_tell(start: bytes, kind: str | None) -> None:
    """The kind is known as soon as nothing else is possible, and not before."""
    assert detect(start) == kind


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b'"a"', "jsonl"),
        (b"\xef\xbb", "plain"),
        (b"d", "plain"),
        (b'{"a', "plain"),
        (b"{\n ", "plain"),
        (b"", "plain"),
    ],
)
def test_the_end_tells(start: bytes, kind: str) -> None:
    """What is over is what it is."""
    assert detect(start, ended=True) == kind


async def pieces_of(pieces: Iterable[bytes]) -> AsyncGenerator[bytes, None]:
    """Yield pieces as a pipe does."""
    for piece in pieces:
        yield piece


async def said_by(*pieces: bytes) -> list[tuple[int, str, str]]:
    """Return what a body says: each text with its reply and channel, and why it cannot be read."""
    said: list[tuple[int, str, str]] = []
    async with aclosing(pieces_of(pieces)) as body:
        try:
            async for chunk in reading._decode(body, None, reading.DECODERS):
                place = (chunk.reply, chunk.channel)
                # Plain text is cut where its body is.
                text = said.pop()[2] if said and said[-1][:2] == place else ""
                said.append((*place, text + chunk.text))
        except (StreamciteError, CommandError) as error:
            said.append((-1, type(error).__name__, str(error)))
    return said


def check(body: bytes, *every: Iterable[int]) -> None:
    """Hold that each cut of a body says what the whole says."""
    whole = anyio.run(said_by, body)
    for places in every:
        bounds = pairwise([0, *sorted(places), len(body)])
        assert anyio.run(said_by, *(body[start:end] for start, end in bounds)) == whole


BODIES = sorted((Path(__file__).parents[1] / "data").glob("*/*.*"))


@pytest.mark.parametrize("path", BODIES, ids=lambda path: path.name)
def test_a_recorded_body_says_the_same_in_any_cut(path: Path) -> None:
    """One byte at a time, the kind of input and what it says are those of the whole."""
    body = path.read_bytes()
    chance = random.Random(path.name)  # noqa: S311  # a cut, no secret
    some = chance.sample(range(len(body)), k=99)

    check(body, range(1, len(body)), some)


STARTS = [
    *("\ufeff", "\n", "\r\n", " ", "\t", '"', '"a"', "{", "}", "data:", "data", ": ", "event: x"),
    *('{"text": "é"}', '{"choices": null}', "data: [DONE]", "\\", ",", "[1]", "é", "word", "\x00"),
]


@pytest.mark.parametrize("text", ["", *STARTS])
@pytest.mark.parametrize("front", ["\ufeff", "\n", "\ufeff\r\n", " "])
def test_a_tiny_start_decides_nothing(front: str, text: str) -> None:
    """A byte of a mark, a blank or half a field are no text before more is there."""
    body = f"{front}{text}\n".encode()

    check(body, range(1, len(body)))


@given(st.lists(st.sampled_from(STARTS), max_size=8).map("".join), cuts())
def test_any_start_says_the_same_in_any_cut(text: str, chance: random.Random) -> None:
    """Whatever stands at the front, the whole and its pieces are of one kind."""
    body = text.encode()

    check(body, range(1, len(body)), [at for at in range(1, len(body)) if chance.random() < 0.5])


@pytest.mark.parametrize("extra", [-1, 0, 1, 5_000])
def test_a_long_line_says_the_same_in_any_cut(extra: int) -> None:
    """What is looked at ends at one place, however much comes at once."""
    line = json.dumps({"text": "a" * (MAX_LOOK + extra - len('{"text": ""}'))})
    body = line.encode() + b"\n"

    check(body, range(4096, len(body), 4096))


LONG = {
    "a string": b'"' + b"word " * 30_000,
    "escapes": b'"' + rb"\"\\" * 40_000,
    "blanks behind a string": b'"a"' + b" " * MAX_LOOK,
    "an object": b'{"text": "' + b'"a", ' * 30_000,
    "blanks behind a brace": b"{\n" + b" \n" * MAX_LOOK,
    "line ends": b"\n" * MAX_LOOK,
}


@pytest.mark.parametrize("body", LONG.values(), ids=LONG.keys())
def test_a_long_start_is_looked_at_a_few_times(
    body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small the pieces, what they begin is not looked at again with each of them."""
    looked: list[int] = []

    def counted(start: bytes, *, ended: bool = False) -> str | None:
        looked.append(len(start))
        return detect(start, ended=ended)

    monkeypatch.setattr(reading, "detect", counted)
    pieces = [body[at : at + 15] for at in range(0, len(body), 15)]
    anyio.run(said_by, *pieces)

    assert sum(looked) < 3 * MAX_LOOK

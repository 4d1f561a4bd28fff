"""Response bodies of server-sent events."""

import json
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from streamcite.chunks import Chunk
from streamcite.errors import GeneratorError, InputError
from streamcite.inputs import SseDecoder, sse

STREAMS = sorted((Path(__file__).parents[1] / "data" / "streams").glob("*.sse"))


def decode(body: bytes | str, size: int = 1 << 20) -> list[Chunk]:
    """Feed a body in pieces of this size."""
    decoder = SseDecoder()
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return [chunk for piece in pieces for chunk in decoder.feed(piece)] + decoder.close()


def event(text: str, index: int = 0) -> str:
    """Write one chat chunk as JSON."""
    return json.dumps({"choices": [{"index": index, "delta": {"content": text}}]})


ONE = event("x")
FRAMES = {
    "LF": f"data: {ONE}\n\n",
    "CR LF": f"data: {ONE}\r\n\r\n",
    "CR": f"data: {ONE}\r\r",
    "no blank": f"data:{ONE}\n\n",
    "no end": f"data: {ONE}",
    "a byte order mark": f"\ufeffdata: {ONE}\n\n",
    "comments and fields": f": ping\n\nevent: message\nid: 1\nretry: 5\ndata: {ONE}\n\n",
    "data in two lines": f"data: {ONE[:1]}\ndata: {ONE[1:]}\n\n",
    "done": f"data: {ONE}\n\ndata: [DONE]\n\n",
}


@pytest.mark.parametrize("size", [1, 2, 1 << 20])
@pytest.mark.parametrize("body", FRAMES.values(), ids=FRAMES.keys())
def test_a_frame_gives_its_chunk(body: str, size: int) -> None:
    """However an event is framed and cut, its chunk is the same."""
    assert decode(body.encode(), size) == [Chunk("x")]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
def test_other_separators_end_no_line(separator: str) -> None:
    """Only CR and LF end a line; str.splitlines() knows more, which stand inside the JSON."""
    body = (
        'data: {"text": "a' + separator.replace("\x0b", "\\u000b").replace("\x0c", "\\f") + '"}\n\n'
    )

    assert decode(body) == [Chunk(f"a{separator}")]


# What of an event counts as its length: the line that is read, and the text of the lines before.
LENGTHS = {
    "a line": (f"data: {ONE}\n\n", len(f"data: {ONE}")),
    "a comment": (f":{'x' * 99}\ndata: {ONE}\n\n", 100),
    "two lines": (f"data: {ONE[:1]}\ndata: {ONE[1:]}\n\n", len(f"{ONE[:1]}\ndata: {ONE[1:]}")),
    "no end": (f"data: {ONE}", len(f"data: {ONE}")),
}


@pytest.mark.parametrize("missing", [0, 1])
@pytest.mark.parametrize(("body", "length"), LENGTHS.values(), ids=LENGTHS.keys())
def test_a_long_event_is_refused_whatever_the_cut(
    body: str, length: int, missing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound counts each character once, in pieces of any size."""
    monkeypatch.setattr(sse, "MAX_INCOMPLETE", length - missing)
    for size in range(1, len(body) + 1):
        refused = pytest.raises(InputError, match="event 1 is over") if missing else nullcontext()
        with refused:
            assert decode(body, size) == [Chunk("x")]


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_a_recorded_body_can_be_cut_anywhere(path: Path) -> None:
    """A recorded body gives the same chunks whole and in pieces of five bytes."""
    body = path.read_bytes()

    assert decode(body, 5) == decode(body)


def test_bodies_in_a_row_are_replies() -> None:
    """What follows [DONE] is numbered on from there."""
    body = "".join(f"data: {each}\n\n" for each in (event("a", 1), "[DONE]", event("b"), "[DONE]"))

    assert decode(body) == [Chunk("a", 1), Chunk("b", 2)]


def test_halves_of_a_character_are_joined() -> None:
    """Two deltas may bring the two halves of one character."""
    body = f"data: {event(chr(0xD83D))}\n\ndata: {event(chr(0xDE00))}\n\n"

    assert [chunk.text for chunk in decode(body)] == ["", "😀"]


def test_a_body_that_is_cut_inside_an_event_is_an_error() -> None:
    """The error names the event and shows its beginning."""
    with pytest.raises(InputError, match=r"event 2 of the body is no JSON .*'\{\"cho'"):
        decode(f'data: {ONE}\n\ndata: {{"cho')


def test_what_came_before_an_error_is_kept() -> None:
    """Text in the same piece as an error event is returned; the error comes with the next call."""
    decoder = SseDecoder()

    chunks = decoder.feed(f'data: {ONE}\n\ndata: {{"error": {{"message": "busy"}}}}\n\n')

    assert chunks == [Chunk("x")]
    with pytest.raises(GeneratorError, match="busy"):
        decoder.feed("data: [DONE]\n\n")


def frame(reply: int, text: str = "", finish: str | None = None) -> str:
    """Return one event of a body with several choices."""
    choice = {"index": reply, "delta": {"content": text}, "finish_reason": finish}
    return f"data: {json.dumps({'choices': [choice]})}\n\n"


DONE = "data: [DONE]\n\n"
# A body, and whether every reply in it has ended.
BODIES = [
    ("", False),
    ("<html>502 Bad Gateway</html>", False),
    (frame(0), False),
    (frame(0, "a"), False),
    (frame(0, "a") + frame(0, finish="stop"), True),
    (frame(0, "a") + DONE, True),
    (frame(1, "b") + frame(0) + frame(1, finish="stop"), False),
    (frame(0, "a") + frame(1, "b") + frame(0, finish="stop"), False),
    (frame(0, "a") + frame(1, "b") + frame(0, finish="stop") + frame(1, finish="stop"), True),
    (frame(0, "a") + frame(0, finish="stop") + frame(0, "b"), False),
    (frame(0, "a") + DONE + frame(0, "b"), False),
    (frame(0, "a") + DONE + 'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n', True),
]


@pytest.mark.parametrize(("body", "complete"), BODIES)
def test_complete(body: str, complete: bool) -> None:
    """A body is complete if each reply that began has a finish reason, or `[DONE]` behind it."""
    decoder = SseDecoder()
    decoder.feed(body)
    decoder.close()

    assert decoder.complete is complete


def test_events_are_counted() -> None:
    """What is no event, such as a comment or a page, counts for nothing; what has no text does."""
    decoder = SseDecoder()
    decoder.feed(": ping\n\n<html>\n\n")
    assert decoder.events == 0

    decoder.feed(frame(0, "a") + DONE)
    assert decoder.events == 2


USAGE_ONLY = 'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n'
EMPTY = 'data: {"choices": null}\n\n'
# Bodies in a row, and the replies of their texts.
IN_A_ROW = [
    ([USAGE_ONLY, frame(0, "a")], [0]),
    ([EMPTY, "", frame(0, "a")], [0]),
    ([frame(0, "a"), USAGE_ONLY, frame(0, "b")], [0, 1]),
    ([frame(0, "a") + frame(1, "b") + USAGE_ONLY, EMPTY, frame(0, "c")], [0, 1, 2]),
    (['data: {"text": "a", "usage": {}}\n\n', frame(0, "b")], [0, 1]),
]


@pytest.mark.parametrize(("bodies", "replies"), IN_A_ROW)
def test_a_body_without_choices_begins_no_reply(bodies: list[str], replies: list[int]) -> None:
    """The replies of the bodies around it are numbered as if it were not there."""
    chunks = decode("".join(body + DONE for body in bodies))

    assert [chunk.reply for chunk in chunks if chunk.text] == replies


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_nothing_is_read_behind_a_mistake(size: int) -> None:
    """However the body is cut, a caller who goes on is told again."""
    body, decoder, found = f"data: {ONE}\n\ndata: {{\n\ndata: {ONE}\n\n", SseDecoder(), []
    for start in range(0, len(body), size):
        with suppress(InputError):
            found += decoder.feed(body[start : start + size])

    assert found == [Chunk("x")]
    with pytest.raises(InputError, match="event 2"):
        decoder.close()

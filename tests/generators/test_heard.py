"""What went by in the body of a response."""

from collections.abc import AsyncGenerator

import pytest

from streamcite.generators.heard import Heard

pytestmark = pytest.mark.anyio


class Response:
    """Has the one method of the SDK's responses that is listened to."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces

    async def aiter_bytes(self) -> AsyncGenerator[bytes, None]:
        """Yield the pieces."""
        for piece in self.pieces:
            yield piece


async def heard_of(*pieces: bytes) -> Heard:
    """Read a response to its end while it is listened to."""
    heard = Heard(response := Response(*pieces))
    assert [piece async for piece in response.aiter_bytes()] == [*pieces]
    return heard


ENDS = {
    b"data: [DONE]": True,
    b"data:[DONE]\n": True,
    b"data: {}\r\n\r\ndata: [DONE]\r\n\r\n": True,
    b"data: {}\rdata: [DONE]" + b"\n: more" * 9: True,
    b'data: "data: [DONE]"\n': False,
    b"xdata: [DONE]\n\n": False,
    b"data: {}": False,
    b"": False,
}


@pytest.mark.parametrize(("body", "done"), ENDS.items())
async def test_the_end_is_heard_in_any_cuts(body: bytes, done: bool) -> None:
    """`[DONE]` counts where it is an event of its own, cut anywhere."""
    cuts = [(body[:place], body[place:]) for place in range(len(body) + 1)]
    letters = [body[place : place + 1] for place in range(len(body))]

    assert {(await heard_of(*cut)).done for cut in (*cuts, letters)} == {done}


SAID = {
    b"": "its answer is empty",
    b" \n": "its answer is empty",
    b'{"error": {"message": "busy"}}': "it says: busy",
    b'{"error": "busy"}': "it says: busy",
    b'{"message": "busy"}': "it says: busy",
    b'{"error": {"code": 1}}': 'its answer begins with \'{"error": {"code": 1}}\'',
    b"[" * 4000: f"its answer begins with '{'[' * 60}…'",
    b"caf\xe9": "its answer begins with 'caf\ufffd'",
}


@pytest.mark.parametrize(("body", "said"), SAID.items(), ids=range(len(SAID)))
async def test_what_is_no_stream_is_described(body: bytes, said: str) -> None:
    """A server's own error is quoted; of anything else its beginning is shown."""
    assert (await heard_of(body)).describe() == said

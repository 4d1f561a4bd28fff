"""A chat endpoint on this machine, by way of the real SDK."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from streamcite.errors import GeneratorError
from streamcite.generators import OpenAIGenerator
from streamcite.inputs import to_chunks
from streamcite.options import CiteOptions
from streamcite.sources import Sources

pytestmark = pytest.mark.asyncio


REQUESTS: list[dict[str, Any]] = []


class Endpoint(BaseHTTPRequestHandler):
    """Answers `fail` with 401 and everything else with two tokens."""

    def do_POST(self) -> None:
        """Stream a chat completion."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        REQUESTS.append(request)
        self.send_response(401 if request["model"] == "fail" else 200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for text in ("Paris", " [1]"):
            delta = {"choices": [{"index": 0, "delta": {"content": text}}]}
            self.wfile.write(f"data: {json.dumps(delta)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """Serve on a free port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


async def text_of(generator: OpenAIGenerator) -> str:
    """Collect what the model says."""
    items = [item async for item in generator.stream("?", Sources(["x"]))]
    return "".join(chunk.text for item in items for chunk in to_chunks(item))


async def test_chunks_come_from_the_sdk(endpoint: str) -> None:
    """The SDK's own objects are yielded, and read by the adapter."""
    assert await text_of(OpenAIGenerator("m", endpoint, "k")) == "Paris [1]"


async def test_the_model_is_asked_in_the_grammar(endpoint: str) -> None:
    """The options by which the reply is read choose the prompt."""
    await text_of(OpenAIGenerator("m", endpoint, "k", CiteOptions(markers=("caret",))))

    assert "exactly this form: [^1]" in REQUESTS[-1]["messages"][0]["content"]


async def test_a_refusal_is_told(endpoint: str) -> None:
    """A status that is an error names the model, the endpoint and the status."""
    with pytest.raises(GeneratorError, match=r"fail at http://127.* answers 401"):
        await text_of(OpenAIGenerator("fail", endpoint, "k"))


async def test_an_endpoint_that_is_not_there_is_told() -> None:
    """A refused connection says what could not be reached."""
    with pytest.raises(GeneratorError, match=r"cannot reach m at http://127\.0\.0\.1:9/v1"):
        await text_of(OpenAIGenerator("m", "http://127.0.0.1:9/v1", "k"))

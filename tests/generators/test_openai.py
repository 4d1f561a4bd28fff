"""A chat endpoint on this machine, by way of the real SDK."""

import json
import os
import re
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import pytest

from streamcite.errors import GeneratorError, MissingExtraError
from streamcite.generators import OpenAIGenerator
from streamcite.generators.openai import connect
from streamcite.options import CiteOptions
from streamcite.sources import Sources

pytestmark = pytest.mark.asyncio


REQUESTS: list[dict[str, Any]] = []


def event(text: str, reason: str | None = None) -> str:
    """Write a token as the protocol has it."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": reason}
    return f"data: {json.dumps({'choices': [choice]})}\n\n"


DONE = "data: [DONE]\n\n"
WHOLE = event("Paris") + event(" [1]") + DONE

# By the model that is asked for: what the endpoint sends, how much of it is text, and the error.
BROKEN = {
    "an error": (
        '{"error": {"message": "no such model"}}',
        "",
        "no stream of text; it says: no such",
    ),
    "a detail": ('{"detail": "Not Found"}', "", "no stream of text; it says: Not Found"),
    "a page": ("<html>" + "x" * 99, "", "no stream of text; its answer begins with '<html>xxx"),
    "a completion": ('{"choices": [{"message": {"content": "x"}}]}', "", "no stream of text; its"),
    "nothing": ("", "", "no stream of text; its answer is empty"),
    "an end alone": (DONE, "", r"no stream of text; its answer begins with 'data: \[DONE"),
    "usage alone": ('data: {"choices": [], "usage": {"total_tokens": 1}}\n\n', "", "no stream of"),
    "no end": (event("Paris"), "Paris", "without a finish reason: the reply may be cut short"),
    "an end in the text": (event("a\ndata: [DONE]"), "a\ndata: [DONE]", "without a finish reason"),
    "one end of two": (
        event("a", "stop") + event("b").replace('"index": 0', '"index": 1'),
        "ab",
        "without a finish reason",
    ),
    "a lost connection": (event("Paris"), "Paris", " broke off: "),
    "a broken event": (event("Paris") + "data: {broken\n\n", "Paris", "sent what cannot be read"),
    "a deep event": (f"data: {'[' * 100_000}\n\n", "", "sent what cannot be read: .*recursion"),
    "null": ("data: null\n\n", "", "sent no part of a reply, but None"),
    "a string": ('data: "Paris"\n\n', "", "sent no part of a reply, but 'Paris'"),
    "no choices": (
        'data: {"choices": null}\n\n',
        "",
        "sent no part of a reply, but ChatCompletion",
    ),
}
BODIES = {name: body for name, (body, _, _) in BROKEN.items()} | {
    "a reason": event("Paris [1]", "stop"),
    "a judgement": event("Paris [1]", "stop") + event(""),
    "a pause": ": wait\n\n" + WHOLE,
}


# By the model that is asked for: a code, what the server says, and what is said of it.
REFUSED = {
    "fail": (401, '{"error": {"message": "bad key"}}', "401: bad key; check OPENAI_API_KEY"),
    "forbidden": (403, "", "403; check OPENAI_API_KEY"),
    "missing": (404, '{"error": {"message": "none"}}', "404: none; check base_url and model"),
    "wrong": (400, '{"error": {"message": "too long"}}', "400: too long"),
}
BODIES |= {name: body for name, (_, body, _) in REFUSED.items()}
CODES = {name: code for name, (code, _, _) in REFUSED.items()}


class Endpoint(BaseHTTPRequestHandler):
    """Answers with the code and the body of the name; other names get two tokens."""

    def do_POST(self) -> None:
        """Stream a chat completion."""
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        REQUESTS.append(request)
        body = BODIES.get(request["model"], WHOLE)
        self.send_response(CODES.get(request["model"], 200))
        self.send_header("content-type", "text/event-stream")
        if request["model"] == "a lost connection":
            self.send_header("content-length", str(len(body) + 1))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """Serve on a free port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


async def text_of(generator: OpenAIGenerator, said: list[str] | None = None) -> str:
    """Collect what the model says; a list that is given has it even after an error."""
    said = [] if said is None else said
    async for chunk in generator.stream("?", Sources(["x"])):
        said.append(chunk.text)
    return "".join(said)


async def test_chunks_come_from_the_sdk(endpoint: str) -> None:
    """The SDK's objects are read once, to be checked, and come as chunks."""
    assert await text_of(OpenAIGenerator("m", endpoint, "k")) == "Paris [1]"


async def test_the_model_is_asked_in_the_grammar(endpoint: str) -> None:
    """The options by which the reply is read choose the prompt."""
    await text_of(OpenAIGenerator("m", endpoint, "k", CiteOptions(markers=("caret",))))

    assert "exactly this form: [^1]" in REQUESTS[-1]["messages"][0]["content"]


@pytest.mark.parametrize("name", BODIES.keys() - BROKEN.keys() - REFUSED.keys())
async def test_a_reply_that_ends_is_whole(endpoint: str, name: str) -> None:
    """Either end will do, a finish reason or the word, and what follows it begins nothing."""
    assert await text_of(OpenAIGenerator(name, endpoint, "k")) == "Paris [1]"


@pytest.mark.parametrize("name", BROKEN)
async def test_what_is_no_whole_reply_is_told(endpoint: str, name: str) -> None:
    """The text that came is yielded; then the error names the model and the endpoint."""
    _, text, message = BROKEN[name]
    said: list[str] = []

    with pytest.raises(GeneratorError, match=f"{name} at http://127.*{message}"):
        await text_of(OpenAIGenerator(name, endpoint, "k"), said)

    assert "".join(said) == text


async def test_what_runs_is_known_before_the_sdk_is_loaded() -> None:
    """Importing it takes long enough for a user to wonder."""
    code = (
        "import sys; from streamcite.generators import OpenAIGenerator;"
        "print(OpenAIGenerator(api_key='k').description, 'openai' in sys.modules)"
    )
    environment = {**os.environ, "OPENAI_BASE_URL": ""}
    done = await anyio.run_process([sys.executable, "-c", code], env=environment)

    assert done.stdout == b"gpt-4o-mini at https://api.openai.com/v1 False\n"


async def test_a_missing_sdk_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install is said before anything else is done."""
    monkeypatch.setitem(sys.modules, "openai", None)

    with pytest.raises(MissingExtraError, match=r"streamcite\[openai\]"):
        OpenAIGenerator("m", "http://h", "k")


async def test_the_address_is_that_of_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none is given, it is OpenAI's own; an empty variable gives none."""
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    said = OpenAIGenerator("m", None, "k").description

    monkeypatch.delenv("OPENAI_BASE_URL")
    assert said == f"m at {str(connect(None, 'k').base_url).rstrip('/')}"


@pytest.mark.parametrize("name", REFUSED)
async def test_a_refusal_is_told(endpoint: str, name: str) -> None:
    """A status that is an error names the model, the endpoint, the status, and a way out, once."""
    told = re.escape(REFUSED[name][2])

    with pytest.raises(GeneratorError, match=f"^{name} at http://127[^ ]* answers {told}$"):
        await text_of(OpenAIGenerator(name, endpoint, "k"))


async def test_an_endpoint_that_is_not_there_is_told() -> None:
    """A refused connection says what could not be reached."""
    with pytest.raises(GeneratorError, match=r"cannot reach m at http://127\.0\.0\.1:9/v1"):
        await text_of(OpenAIGenerator("m", "http://127.0.0.1:9/v1", "k"))

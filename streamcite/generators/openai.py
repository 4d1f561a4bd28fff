"""Any chat endpoint that speaks OpenAI's protocol, by way of OpenAI's SDK."""

import os
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from streamcite.chunks import Chunk
from streamcite.errors import GeneratorError, MissingExtraError
from streamcite.generators.heard import Heard
from streamcite.generators.prompt import chat_messages
from streamcite.inputs.open_replies import OpenReplies
from streamcite.inputs.openai import recognises, to_chunks
from streamcite.options import CiteOptions
from streamcite.sources import Sources

if TYPE_CHECKING:
    import openai

__all__ = ["OpenAIGenerator", "checked", "connect", "model_errors"]

DEFAULT_MODEL = "gpt-4o-mini"
# The SDK's own; said here, since an empty OPENAI_BASE_URL would mean no address to the SDK.
DEFAULT_BASE_URL = "https://api.openai.com/v1"

# What to do about the codes with which an endpoint refuses a request.
HINTS = {
    401: "check OPENAI_API_KEY",
    403: "check OPENAI_API_KEY",
    404: "check base_url and model",
}


class OpenAIGenerator:
    """Streams chat completions.

    Args:
        model: The model's name, as the endpoint knows it.
        base_url: The endpoint; OpenAI's own, or OPENAI_BASE_URL, by default.
        api_key: The key; OPENAI_API_KEY by default. Servers at home take any.
        options: How the reply will be read; the model is asked to write it so.

    Raises:
        MissingExtraError: The SDK is not installed.
    """

    def __init__(
        self,
        model: str | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        options: CiteOptions | None = None,
    ) -> None:
        # Importing the SDK takes longer than all the rest, and is left for when it is needed.
        if _is_missing("openai"):
            raise MissingExtraError("openai", "openai")
        self._model = model or DEFAULT_MODEL
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
        self._api_key = api_key
        self._options = options

    @property
    def description(self) -> str:
        """What runs, in a few words, for people."""
        return f"{self._model} at {self._base_url}"

    async def stream(self, question: str, sources: Sources) -> AsyncGenerator[Chunk, None]:
        """Yield the chunks of a chat completion.

        Raises:
            GeneratorError: The endpoint cannot be asked, or its stream fails.
        """
        messages: Any = chat_messages(question, sources, self._options)
        with model_errors(self.description):
            client = connect(self._base_url, self._api_key)
            async with (
                client,
                await client.chat.completions.create(
                    model=self._model, messages=messages, stream=True
                ) as chunks,
                aclosing(checked(chunks, self.description)) as whole,
            ):
                async for chunk in whole:
                    yield chunk


async def checked(
    items: "openai.AsyncStream[Any]", description: str
) -> AsyncGenerator[Chunk, None]:
    """Yield the chunks of a completion as they come, and make sure that they are one.

    Raises:
        GeneratorError: What comes is no stream of chunks, or it ends before the reply does.
    """
    from openai import APIConnectionError, OpenAIError

    heard, replies = Heard(items.response), OpenReplies()
    try:
        async for item in items:
            if not recognises(item):
                raise GeneratorError(f"{description} sent no part of a reply, but {item!r:.60}")
            for chunk in to_chunks(item):
                replies.note(chunk)
                yield chunk
    except APIConnectionError as error:
        reason = error.__cause__ or error
        raise GeneratorError(f"the connection to {description} broke off: {reason}") from error
    except (OpenAIError, GeneratorError):
        raise
    # The SDK lets through what its parsers raise.
    except Exception as error:
        raise GeneratorError(f"{description} sent what cannot be read: {error}") from error
    if not replies.count:
        raise GeneratorError(f"{description} sent no stream of text; {heard.describe()}")
    if replies.open and not heard.done:
        raise GeneratorError(
            f"{description} ended the stream without a finish reason: the reply may be cut short"
        )


def connect(
    base_url: str | None, api_key: str | None, *, directly: bool = False
) -> "openai.AsyncOpenAI":
    """Return a client of the SDK.

    Args:
        base_url: The endpoint, or None for the SDK's default.
        api_key: The key, or None for the environment's.
        directly: Whether a proxy of the environment is passed by: it cannot reach this machine.

    Raises:
        MissingExtraError: The SDK is not installed.
    """
    try:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    except ImportError as error:
        raise MissingExtraError("openai", "openai") from error
    client = DefaultAsyncHttpxClient(trust_env=False) if directly else None
    return AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=1, http_client=client)


@contextmanager
def model_errors(description: str) -> Iterator[None]:
    """Say in one line what the SDK's errors mean."""
    from openai import APIConnectionError, APIStatusError, OpenAIError

    try:
        yield
    except APIConnectionError as error:
        reason = error.__cause__ or error
        raise GeneratorError(f"cannot reach {description}: {reason}") from error
    except APIStatusError as error:
        raise GeneratorError(f"{description} answers {_answer_of(error)}") from error
    except OpenAIError as error:
        raise GeneratorError(f"{description}: {error}") from error


def _answer_of(error: "openai.APIStatusError") -> str:
    """Return the code, what the server says, and what to do about it; each once."""
    code = error.status_code
    # The SDK puts the code in front of the message.
    said = re.sub(rf"\AError code: {code}(?: - )?", "", error.message)
    hint = f"; {HINTS[code]}" if code in HINTS else ""
    return f"{code}{said and ': '}{said}{hint}"


def _is_missing(package: str) -> bool:
    try:
        return find_spec(package) is None
    except ValueError:  # a stand-in for it has been put in its place
        return False

"""Any chat endpoint that speaks OpenAI's protocol, by way of OpenAI's SDK."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from streamcite.errors import GeneratorError, MissingExtraError
from streamcite.generators.prompt import chat_messages
from streamcite.options import CiteOptions
from streamcite.sources import Sources

if TYPE_CHECKING:
    import openai

__all__ = ["OpenAIGenerator", "connect", "model_errors"]

DEFAULT_MODEL = "gpt-4o-mini"


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
        self._model = model or DEFAULT_MODEL
        self._client = connect(base_url, api_key)
        self._options = options

    @property
    def description(self) -> str:
        """What runs, in a few words, for people."""
        return f"{self._model} at {self._client.base_url}"

    async def stream(self, question: str, sources: Sources) -> AsyncGenerator[object, None]:
        """Yield the chunks of a chat completion."""
        messages: Any = chat_messages(question, sources, self._options)
        with model_errors(self.description):
            async with (
                self._client,
                await self._client.chat.completions.create(
                    model=self._model, messages=messages, stream=True
                ) as chunks,
            ):
                async for chunk in chunks:
                    yield chunk


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
        raise GeneratorError(
            f"{description} answers {error.status_code}: {error.message}"
        ) from error
    except OpenAIError as error:
        raise GeneratorError(f"{description}: {error}") from error

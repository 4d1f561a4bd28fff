"""What every generator can do."""

from collections.abc import AsyncIterator
from typing import Protocol

from streamcite.sources import Sources

__all__ = ["Generator"]


class Generator(Protocol):
    """Answers a question from numbered documents, token by token."""

    @property
    def description(self) -> str:
        """What runs, in a few words, for people."""

    def stream(self, question: str, sources: Sources) -> AsyncIterator[object]:
        """Yield what the model says, in items that `streamcite.cite` reads.

        Raises:
            GeneratorError: The model cannot be reached, refuses the request, or sends no whole
                reply.
        """

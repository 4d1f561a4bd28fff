"""Which documents an Agent's tools have found so far, for the generator that it runs."""

from collections.abc import Sequence
from contextvars import ContextVar

from haystack import Document, default_from_dict, default_to_dict
from haystack.components.agents.state.state import State

from streamcite.answers import Json
from streamcite.arguments import check_type
from streamcite.errors import InputError
from streamcite.haystack.conversions import documents_of

__all__ = ["AgentDocuments", "take_documents"]

_found: ContextVar[Sequence[Document]] = ContextVar("streamcite_agent_documents", default=())


def take_documents() -> Sequence[Document]:
    """Return the documents meant for the run that begins; the next one starts anew."""
    found = _found.get()
    _found.set(())
    return found


class AgentDocuments:
    """
    Tells a `CitingChatGenerator` inside an Agent which documents the tools have found.

    It is a hook: give it to the Agent as `hooks={"before_llm": [AgentDocuments()]}`. Before each
    message of the model it passes on the documents of the Agent's state, in their order, so that
    number 1 is the first document that any tool found. A prompt or tool that shows
    `loop.index + existing documents` counts the same way.

    The state has them if the Agent has `state_schema={"documents": {"type": list[Document]}}` and
    each tool that finds some `outputs_to_state={"documents": {"source": "documents"}}`.

    :param key:
        The entry of the Agent's state that holds the documents.
    """

    allowed_hook_points = ("before_llm",)

    def __init__(self, key: str = "documents") -> None:
        check_type(key, str, "key", "give the name of an entry of the Agent's state")
        self.key = key

    def run(self, state: State) -> None:
        """
        Pass on the documents of the state.

        :param state:
            The Agent's state.
        :raises InputError:
            The Agent's `state_schema` has no such entry, so that no tool could write it.
        """
        check_type(state, State, "state", "give the Agent's State")
        if self.key not in state.schema:
            # Else every number would be unknown, and nobody would be told why.
            raise InputError(
                f"the Agent's state has no entry {self.key!r}: give the Agent "
                f'state_schema={{"{self.key}": {{"type": list[Document]}}}}, and the tool '
                f'outputs_to_state={{"{self.key}": {{"source": ...}}}}, or this hook another key'
            )
        _found.set(tuple(documents_of(state.data.get(self.key))))

    async def run_async(self, state: State) -> None:
        """
        Pass on the documents of the state; in the task of the run, which a thread would not be.

        :param state:
            The Agent's state.
        """
        self.run(state)

    def to_dict(self) -> Json:
        """
        Return the hook as a dictionary.

        :returns:
            Its type and parameters.
        """
        return default_to_dict(self, key=self.key)

    @classmethod
    def from_dict(cls, data: Json) -> "AgentDocuments":
        """
        Read back what `to_dict` wrote.

        :param data:
            The dictionary.
        :returns:
            The hook.
        """
        return default_from_dict(cls, data)

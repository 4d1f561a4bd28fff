"""Haystack components: answer builders, a citing generator, live callbacks and prompt builders."""

from streamcite.errors import MissingExtraError

try:
    from streamcite.haystack.agent_documents import AgentDocuments
    from streamcite.haystack.answer_builder import AnswerBuilder
    from streamcite.haystack.callbacks import CitationEvent, CitingCallback, chunk_items
    from streamcite.haystack.citing_chat_generator import CitingChatGenerator
    from streamcite.haystack.conversions import (
        CitedAnswer,
        from_haystack_answer,
        from_haystack_document,
        from_haystack_message,
        to_haystack_answer,
        to_haystack_document,
        to_haystack_message,
    )
    from streamcite.haystack.deepset_answer_builder import (
        DeepsetAnswerBuilder,
        load_deepset_pipeline,
    )
    from streamcite.haystack.prompt_builders import ChatPromptBuilder, PromptBuilder
except ModuleNotFoundError as error:
    if error.name == "haystack":
        raise MissingExtraError("haystack-ai", "haystack") from error
    raise

__all__ = [
    "AgentDocuments",
    "AnswerBuilder",
    "ChatPromptBuilder",
    "CitationEvent",
    "CitedAnswer",
    "CitingCallback",
    "CitingChatGenerator",
    "DeepsetAnswerBuilder",
    "PromptBuilder",
    "chunk_items",
    "from_haystack_answer",
    "from_haystack_document",
    "from_haystack_message",
    "load_deepset_pipeline",
    "to_haystack_answer",
    "to_haystack_document",
    "to_haystack_message",
]

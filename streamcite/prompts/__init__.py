"""Prompts that number the documents: builders, messages, templates and citation instructions."""

from streamcite.errors import MissingExtraError

try:
    from streamcite.prompts.budget import estimate_tokens, fit, numbered, tiktoken_counter
    from streamcite.prompts.builder import PromptBuilder
    from streamcite.prompts.chat import ChatPromptBuilder
    from streamcite.prompts.extensions import MessageExtension, NowExtension, SourcesExtension
    from streamcite.prompts.forms import citation_example, write_marker
    from streamcite.prompts.history import restore_citations, strip_citations
    from streamcite.prompts.images import ImageContent
    from streamcite.prompts.instructions import citation_instructions, shield
    from streamcite.prompts.messages import (
        ChatMessage,
        from_anthropic,
        from_openai,
        to_anthropic,
        to_openai,
    )
    from streamcite.prompts.parts import (
        FileContent,
        ReasoningContent,
        TextContent,
        ToolCall,
        ToolCallResult,
    )
    from streamcite.prompts.ready import load, template_names
except ModuleNotFoundError as error:
    if error.name in ("jinja2", "filetype"):
        raise MissingExtraError(error.name, "prompts") from error
    raise

__all__ = [
    "ChatMessage",
    "ChatPromptBuilder",
    "FileContent",
    "ImageContent",
    "MessageExtension",
    "NowExtension",
    "PromptBuilder",
    "ReasoningContent",
    "SourcesExtension",
    "TextContent",
    "ToolCall",
    "ToolCallResult",
    "citation_example",
    "citation_instructions",
    "estimate_tokens",
    "fit",
    "from_anthropic",
    "from_openai",
    "load",
    "numbered",
    "restore_citations",
    "shield",
    "strip_citations",
    "template_names",
    "tiktoken_counter",
    "to_anthropic",
    "to_openai",
    "write_marker",
]

"""Live citations in streamed LLM answers."""

from streamcite import offsets
from streamcite._version import __version__
from streamcite.answers import AnswerWarning, Citation, Document, GeneratedAnswer, Reference
from streamcite.batch import cite_replies, cite_text
from streamcite.chunks import Chunk
from streamcite.engine.citer import Citer
from streamcite.errors import MissingExtraError, OptionsError, StreamciteError
from streamcite.events import (
    AnswerEvent,
    FinalAnswer,
    PartialAnswer,
    SectionEnded,
    SectionStarted,
    event_adapter,
)
from streamcite.options import CiteOptions
from streamcite.sources import Sources
from streamcite.stream import AnswerStream, cite

__all__ = [
    "AnswerEvent",
    "AnswerStream",
    "AnswerWarning",
    "Chunk",
    "Citation",
    "CiteOptions",
    "Citer",
    "Document",
    "FinalAnswer",
    "GeneratedAnswer",
    "MissingExtraError",
    "OptionsError",
    "PartialAnswer",
    "Reference",
    "SectionEnded",
    "SectionStarted",
    "Sources",
    "StreamciteError",
    "__version__",
    "cite",
    "cite_replies",
    "cite_text",
    "event_adapter",
    "offsets",
]

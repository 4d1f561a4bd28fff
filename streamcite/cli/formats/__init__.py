"""How answers are written: one file for each format, all with the same two verbs."""

from streamcite.cli.formats.html import HtmlWriter
from streamcite.cli.formats.markdown import MarkdownWriter
from streamcite.cli.formats.ndjson import NdjsonWriter
from streamcite.cli.formats.terminal import TerminalWriter
from streamcite.cli.formats.text import TextWriter
from streamcite.cli.formats.writer import Writer

__all__ = [
    "HtmlWriter",
    "MarkdownWriter",
    "NdjsonWriter",
    "TerminalWriter",
    "TextWriter",
    "Writer",
]

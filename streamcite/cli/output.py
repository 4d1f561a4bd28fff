"""Which format is written, and how options differ for people and for machines."""

import os
import sys
from collections.abc import Callable
from typing import Literal

from streamcite.cli.cursor import CursorConsole
from streamcite.cli.formats import (
    HtmlWriter,
    MarkdownWriter,
    NdjsonWriter,
    TerminalWriter,
    TextWriter,
    Writer,
)
from streamcite.cli.pieces import SourceList
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["Format", "for_people", "open_writer"]

Format = Literal["terminal", "text", "markdown", "html", "ndjson"]

# A page says that it is UTF-8, and JSON and Markdown are nothing else; whatever the locale.
FOR_FILES = frozenset({"markdown", "html", "ndjson"})

USUAL_WIDTH = 80


def for_people(options: CiteOptions, format_name: Format | None) -> CiteOptions:
    """Return the options, with unresolved markers marked unless said otherwise.

    Machines get what the library gives; a reader should see which markers point nowhere.
    """
    if format_name == "ndjson" or "unknown" in options.model_fields_set:
        return options
    return options.model_copy(update={"unknown": "mark"})


def open_writer(
    format_name: Format | None,
    sources: Sources,
    options: CiteOptions,
    *,
    title: str = "",
    waiting: str = "",
    placed: bool = False,
) -> Writer:
    """Return the writer of a format on standard output.

    Args:
        format_name: Its name; by default terminal, or text if the output is no terminal.
        sources: The documents, for the list below the answer.
        options: The options that the answer is made with.
        title: Heading of a page.
        waiting: What a terminal shows until the first token comes.
        placed: Whether lists of sources name the files, where there is no address.
    """
    is_terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    name = format_name or ("terminal" if is_terminal else "text")
    if name in FOR_FILES:
        _write_utf8()
    listed = SourceList(sources, options, placed=placed)
    return _WRITERS[name](listed, options, title, waiting)


def _write_utf8() -> None:
    # What stands in for the process's output may have no encoding.
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="replace")


def _terminal(sources: SourceList, options: CiteOptions, title: str, waiting: str) -> Writer:
    console = CursorConsole(highlight=False, soft_wrap=False, emoji=False, markup=False)
    if not console.width:  # COLUMNS=0: the width is not known
        console.width = USUAL_WIDTH
    return TerminalWriter(console, sources, options.answer_tag, title, waiting)


_WRITERS: dict[Format, Callable[[SourceList, CiteOptions, str, str], Writer]] = {
    "terminal": _terminal,
    "text": lambda sources, options, *_: TextWriter(sys.stdout, sources, options.answer_tag),
    "markdown": lambda sources, options, *_: MarkdownWriter(
        sys.stdout, sources, options.answer_tag
    ),
    "html": lambda sources, _, title, __: HtmlWriter(sys.stdout, sources, title),
    "ndjson": lambda *_: NdjsonWriter(sys.stdout),
}

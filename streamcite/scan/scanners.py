"""Which scanner the options ask for."""

from collections.abc import Callable
from typing import Protocol

from streamcite.options import CiteOptions
from streamcite.scan.grammars import grammars_for
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.plain import PlainScanner
from streamcite.scan.tags import TagScanner
from streamcite.spans import Span

__all__ = ["Scanner", "make_scanner", "make_tag_scanner"]


class Scanner(Protocol):
    """Text in, spans out, for one text."""

    search: Callable[[str], object]
    """Finds nothing in a text that can be passed to `skip` instead of `feed`."""
    steps: int
    """Characters examined so far, those read again included."""

    @property
    def held(self) -> str:
        """Text received that is in no span yet."""

    def skip(self, text: str) -> None:
        """Pass text in which `search` found nothing."""

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""

    def close(self) -> list[Span]:
        """End this stretch of text and return the rest; another stretch may follow."""


def make_scanner(options: CiteOptions) -> Scanner:
    """Return a scanner for one text."""
    if not options.markers:
        return PlainScanner()
    return MarkdownScanner(
        grammars_for(options.markers, options.labels),
        options.guards,
        options.max_marker_length,
        stops="<" if options.extract_xml_tags else "",
    )


def make_tag_scanner(options: CiteOptions) -> TagScanner | None:
    """Return a scanner for the tags to lift out, or None if there are none."""
    if not options.extract_xml_tags:
        return None
    names = {name: name for name in options.extract_xml_tags} | dict(options.tag_aliases)
    return TagScanner(
        names,
        start_in=options.start_in,
        code_aware="code" in options.guards and options.reference_pattern is None,
        max_length=options.max_marker_length,
    )

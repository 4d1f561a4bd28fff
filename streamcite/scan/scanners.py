"""Which scanner the options ask for."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from streamcite.answers import AnswerWarning
from streamcite.options import CiteOptions
from streamcite.scan.grammars import grammars_for
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.places import Reading, places_for
from streamcite.scan.plain import PlainScanner
from streamcite.scan.tables import MAX_OPTIONS, KnownTexts
from streamcite.scan.tags import TagScanner
from streamcite.scan.timed import TIMEOUT, Allowance
from streamcite.spans import Span

if TYPE_CHECKING:
    from streamcite.scan.extraction import Extraction

__all__ = [
    "Scanner",
    "make_allowance",
    "make_extraction",
    "make_scanner",
    "make_tag_scanner",
    "pattern_warnings",
    "text_place",
]


class Scanner(Protocol):
    """Text in, spans out, for one text."""

    search: Callable[[str], object]
    """Finds nothing in a text that can be passed to `skip` instead of `feed`."""
    place: KnownTexts
    """Some texts that can be passed to `skip` unasked while nothing is held; the caller adds to it.

    Whoever passes a text that leads to another place by its `passed` goes on there."""

    @property
    def steps(self) -> int:
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


_grammars_for = lru_cache(maxsize=MAX_OPTIONS)(grammars_for)


def make_allowance(options: CiteOptions) -> Allowance | None:
    """Return the time for searches in a reply; None if there are none that take any."""
    return Allowance() if options.pattern is not None or options.when == "at_end" else None


def make_scanner(options: CiteOptions, allowance: Allowance | None = None) -> Scanner:
    """Return a scanner for one text.

    Args:
        options: How it is read.
        allowance: The time for searches in all texts of the reply; its own by default.

    Raises:
        PatternError: The reference pattern cannot be used.
        MissingExtraError: It needs an extra that is not installed.
    """
    if options.reference_pattern is not None:
        return _make_pattern_scanner(options, options.reference_pattern, allowance)
    if not options.markers:
        return PlainScanner(_stops(options))
    return MarkdownScanner(_reading(options))


def text_place(options: CiteOptions) -> KnownTexts | None:
    """Return the place where a scanner of `make_scanner` begins; None if it makes its own."""
    if options.reference_pattern is not None or not options.markers:
        return None
    return places_for(_reading(options)).text


def _reading(options: CiteOptions) -> Reading:
    return Reading(
        _grammars_for(options.markers, options.labels),
        options.guards,
        options.max_marker_length,
        _stops(options),
        options.removes_markers,
    )


def _stops(options: CiteOptions) -> str:
    """Return what the scanner of tags looks for."""
    return "<" if options.extract_xml_tags else ""


def _make_pattern_scanner(
    options: CiteOptions, pattern: str, allowance: Allowance | None
) -> Scanner:
    # Loaded here, as below, since most programs use no pattern, and all import the package.
    from streamcite.scan.at_end import AtEndScanner
    from streamcite.scan.patterns import PatternScanner, read_reference_pattern

    expands, length, stops = options.expands_ranges, options.max_marker_length, _stops(options)
    if options.when == "live":
        compiled = read_reference_pattern(pattern, expands)
        return PatternScanner(compiled, length, stops, trims=options.removes_markers)
    rewrites = options.display != "keep" or options.unknown == "drop" or options.merge_adjacent
    holds = rewrites or options.pattern is not None
    return AtEndScanner(pattern, expands, length, holds, allowance or Allowance(), stops)


def make_extraction(
    options: CiteOptions, allowance: Allowance | None = None
) -> "Extraction | None":
    """Return the stage for the answer's pattern, or None if there is none.

    Args:
        options: How the reply is read.
        allowance: As for `make_scanner`.

    Raises:
        PatternError: The pattern is invalid, or has two or more groups.
    """
    if options.pattern is None:
        return None
    from streamcite.scan.extraction import Extraction

    return Extraction(options.pattern, allowance or Allowance())


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


def pattern_warnings(
    options: CiteOptions, scanner: Scanner | None, allowance: Allowance | None
) -> Iterator[AnswerWarning]:
    """Say what a reader of the answer should know about the reference pattern."""
    pattern = options.reference_pattern
    if allowance is not None and pattern in allowance.given_up:
        message = f"the search for {pattern!r} took over {TIMEOUT} s; citations are missing"
        yield AnswerWarning(code="pattern-timeout", message=message)
    if getattr(scanner, "repeats_group", False):  # those of patterns say it
        message = (
            f"{pattern!r} repeats its group, so only the last number of a marker is read; "
            "'acm' reads all"
        )
        yield AnswerWarning(code="repeated-group", message=message)

"""A user's own regex, resolved when its text has ended: for what cannot be streamed."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from streamcite.errors import MissingExtraError, PatternError
from streamcite.scan.context_rows import ANYTHING, search_for_any
from streamcite.scan.matcher import Matcher
from streamcite.scan.patterns import MatchReader, ReferencePattern, read_reference_pattern
from streamcite.scan.tables import KnownTexts
from streamcite.scan.timed import Allowance, compile_timed
from streamcite.spans import Located, Marker, Span, Text

if TYPE_CHECKING:
    import regex

__all__ = ["AtEndScanner"]

_Find = Callable[[str], Iterable[tuple[int, int, Marker]]]


class AtEndScanner:
    """Passes text on, or holds it, and finds the markers at the end.

    Args:
        pattern: A regex; what the streaming matcher refuses needs the extra `regex`, whose
            searches can be timed out.
        expands: Whether items are lists of numbers and ranges.
        max_length: Longest match, in code points, where the streaming matcher is used.
        holds: Whether no text may be shown before its markers are known.
        stops: Characters that `search` must find, for another scanner's sake.
        allowance: The time that a search of `regex` may take in the texts of the reply.

    Raises:
        PatternError: No engine can use the pattern.
        MissingExtraError: It needs the extra `regex`, which is not installed.
    """

    def __init__(
        self,
        pattern: str,
        expands: bool,
        max_length: int,
        holds: bool,
        allowance: Allowance,
        stops: str = "",
    ) -> None:
        self._find, self.repeats_group = _finder(pattern, expands, max_length, allowance)
        self._holds = holds
        self._texts: list[str] = []
        self.search: Callable[[str], object] = ANYTHING if holds else search_for_any(stops)
        self.place = KnownTexts()
        self.steps = 0

    @property
    def held(self) -> str:
        """The text, if it waits for its markers."""
        return "".join(self._texts) if self._holds else ""

    def skip(self, text: str) -> None:
        """Take text that was shown already."""
        self._texts.append(text)

    def feed(self, text: str) -> list[Span]:
        """Take text; return it unless it must wait."""
        self._texts.append(text)
        return [] if self._holds or not text else [Text(text)]

    def close(self) -> list[Span]:
        """Find the markers of this stretch of text."""
        text = "".join(self._texts)
        self._texts.clear()
        self.steps += len(text)
        spans: list[Span] = []
        place = 0
        with suppress(TimeoutError):  # the allowance knows
            for start, end, marker in self._find(text):
                if self._holds and start > place:
                    spans.append(Text(text[place:start]))
                spans.append(marker if self._holds else Located(marker, len(text) - start))
                place = end
        if self._holds and place < len(text):
            spans.append(Text(text[place:]))
        return spans


def _finder(
    pattern: str, expands: bool, max_length: int, allowance: Allowance
) -> tuple[_Find, bool]:
    """Return the search, and whether the pattern repeats its group."""
    try:
        streamed = read_reference_pattern(pattern, expands)
    except PatternError:
        compiled = _compile(pattern)
        reader = MatchReader(compiled.groups > 0, expands)
        return partial(_find_timed, reader, compiled, allowance), False
    return partial(_find_linear, streamed, max_length), streamed.repeats_group


def _find_linear(
    pattern: ReferencePattern, max_length: int, text: str
) -> Iterable[tuple[int, int, Marker]]:
    matcher = Matcher(pattern.program, max_length=max_length)
    for match in (*matcher.feed(text), *matcher.close()):
        yield match.start, match.end, pattern.reader.marker(match.text, match.group)


def _find_timed(
    reader: MatchReader, compiled: "regex.Pattern[str]", allowance: Allowance, text: str
) -> Iterable[tuple[int, int, Marker]]:
    with allowance.spending(compiled.pattern) as left:
        for match in compiled.finditer(text, timeout=left, concurrent=True):
            group = match[1] if compiled.groups else None
            yield match.start(), match.end(), reader.marker(match[0], group)


def _compile(pattern: str) -> "regex.Pattern[str]":
    """Compile a pattern for the `regex` package, as `re` reads it."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise PatternError(str(error), pattern=pattern) from error
    if compiled.groups > 1:
        raise PatternError("make all but one group non-capturing: `(?:…)`", pattern=pattern)
    if compiled.match("") is not None:
        raise PatternError("it can match the empty string; require a character", pattern=pattern)
    timed = compile_timed(pattern)
    if timed is None:
        raise MissingExtraError("regex", "regex")
    return timed

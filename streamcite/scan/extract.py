"""Picks the answer text out of a reply that arrives in chunks: what `re.search` would pick.

The first match is the answer: its group if that took part, else all of it. What no continuation
can take back is *committed* at once; the rest waits for the end of the match.
"""

import copy
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from streamcite.scan.program import Program
from streamcite.scan.regex_conditions import Edge, Neighbour
from streamcite.scan.regex_kept import KeptText
from streamcite.scan.regex_search import Search, search_for
from streamcite.scan.regex_threads import Recorded
from streamcite.scan.regex_tree import parse_any
from streamcite.scan.timed import Allowance, compile_timed, search_timed

if TYPE_CHECKING:
    import regex

__all__ = ["Extractor"]

# Start and end, in code points of all text fed.
Span = tuple[int, int]


class _Choice(Protocol):
    """Decides which part of the text is the answer."""

    decided: bool
    """No continuation changes `final`."""
    final: Span | None
    """The answer, once it is decided; None: there is none."""

    @property
    def steps(self) -> int:
        """Characters examined and instructions visited."""

    def read(self, text: str) -> None:
        """Take notice of more text."""

    def end(self, kept: KeptText) -> None:
        """Decide, now that all text is known."""

    def committed(self) -> Span | None:
        """What every continuation's answer begins with."""

    def best(self) -> Span | None:
        """What the answer would be now, or what may become it."""

    def needed_from(self) -> int:
        """Offset of the first character that may still be wanted."""


class Extractor:
    """Says where the answer text of one reply stands.

    Args:
        pattern: The answer pattern, or what else chooses the answer.
    """

    def __init__(self, pattern: "Program | _Choice") -> None:
        self.committed_span: Span | None = None
        """The answer text that is beyond recall so far; it only grows."""
        self._choice = _FirstMatch(pattern) if isinstance(pattern, Program) else pattern
        self._kept = KeptText()

    @classmethod
    def at_end(cls, pattern: str, allowance: Allowance) -> "Extractor":
        """Make one for a pattern that cannot be streamed: it shows nothing before the end.

        Args:
            pattern: The pattern.
            allowance: The time that it may take.

        Raises:
            PatternError: `re` cannot read it either.
        """
        parse_any(pattern)
        return cls(_AtEnd(re.compile(pattern), compile_timed(pattern), allowance))

    @property
    def span(self) -> Span | None:
        """The answer, once it is decided; None until then, or if there is none."""
        return self._choice.final

    @property
    def uncommitted(self) -> str:
        """What the answer would have behind its committed text, or may come to have."""
        start, end = self._choice.best() or (self._kept.end, self._kept.end)
        if self.committed_span is not None:
            start = max(self.committed_span[1], start)
        return self._kept.slice(start, end)

    @property
    def steps(self) -> int:
        """Characters examined and instructions visited so far, the measure of all work."""
        return self._choice.steps

    def feed(self, text: str) -> None:
        """Read text on."""
        if not self._choice.decided:
            self._kept.append(text)
            self._choice.read(text)
            self._commit()

    def close(self) -> None:
        """Say that the text has ended."""
        if not self._choice.decided:
            self._choice.end(self._kept)
            self._commit()

    def _commit(self) -> None:
        span = self._choice.committed()
        if span is not None:
            self.committed_span = span
        self._kept.release(self._needed_from(span))

    def _needed_from(self, committed: Span | None) -> int:
        if self._choice.decided:
            return self._kept.end
        return max(self._choice.needed_from(), 0 if committed is None else committed[1])


class _FirstMatch:
    """The first match of a program, followed thread by thread."""

    def __init__(self, program: Program) -> None:
        self.decided = False
        self.final: Span | None = None
        self._program = program
        self._search = search_for(program)
        self._skipped = 0
        # Text not consumed yet: none, or a line break that may be the last.
        self._text = ""
        self._base = 0
        self._previous: Neighbour = Edge.START

    @property
    def steps(self) -> int:
        return self._search.steps + self._skipped

    def read(self, text: str) -> None:
        self._text += text
        index = self._advance(self._search, ended=False)
        if index:
            self._previous = self._text[index - 1]
            self._text = self._text[index:]
            self._base += index
        search = self._search
        if search.recorded is not None and search.oldest is None:
            self._decide(search.recorded)

    def end(self, kept: KeptText) -> None:
        self._advance(self._search, ended=True)
        self._decide(self._search.recorded)

    def committed(self) -> Span | None:
        if self.decided:
            return self.final
        recorded, groups = self._search.recorded, self._program.groups
        if recorded is None or self._program.repeats_group:
            return None
        start, end = self._answer(recorded)
        for begun, opened, closed in self._search.progress():
            if (opened if groups else begun) != start:
                return None
            end = min(end, closed if closed >= 0 else self._base)
        return start, end

    def best(self) -> Span | None:
        if self.decided:
            return self.final
        ending = copy.copy(self._search)
        self._advance(ending, ended=True)
        if ending.recorded is not None:
            return self._answer(ending.recorded)
        for begun, opened, closed in self._search.progress():
            start = opened if self._program.groups else begun
            if start >= 0:
                return start, closed if closed >= start else self._base
        return None

    def needed_from(self) -> int:
        recorded, oldest = self._search.recorded, self._search.oldest
        if oldest is not None:
            return oldest
        return self._base if recorded is None else recorded[0]

    def _answer(self, recorded: Recorded) -> Span:
        start, end, opened, closed = recorded
        return (start, end) if closed < 0 else (opened, closed)

    def _decide(self, recorded: Recorded | None) -> None:
        self.decided = True
        self.final = None if recorded is None else self._answer(recorded)

    def _advance(self, search: Search, *, ended: bool) -> int:
        """Run a search over the text not consumed yet; say how far it came."""
        first, index = self._program.first, 0
        while True:
            if first is not None and search.recorded is None and search.oldest is None:
                found = first.search(self._text, index)
                place = len(self._text) if found is None else found.start()
                self._skipped += place - index
                index = place
                if found is None:
                    return index
            index = search.advance(self._text, index, self._base, self._previous, ended=ended)
            if first is None or search.recorded is not None or search.oldest is not None:
                return index


class _AtEnd:
    """A pattern for `re` itself, asked once; timed where the `regex` package is installed."""

    def __init__(
        self,
        pattern: re.Pattern[str],
        timed: "regex.Pattern[str] | None",
        allowance: Allowance,
    ) -> None:
        self.steps = 0
        self.decided = False
        self.final: Span | None = None
        self._pattern = pattern
        self._timed = timed
        self._allowance = allowance

    def read(self, text: str) -> None:
        pass

    def end(self, kept: KeptText) -> None:
        self.decided = True
        text, found = kept.slice(0, kept.end), None
        with suppress(TimeoutError):  # the allowance knows
            found = search_timed(self._pattern, self._timed, text, self._allowance)
        if found is not None:
            took_part = self._pattern.groups > 0 and found.start(1) >= 0
            self.final = found.span(1 if took_part else 0)

    def committed(self) -> Span | None:
        return self.final

    def best(self) -> Span | None:
        return self.final

    def needed_from(self) -> int:
        return 0

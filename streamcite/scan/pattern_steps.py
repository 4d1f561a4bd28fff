"""What tokens do around the matches of a user's own pattern, as `steps` has it for brackets.

Only for patterns whose matches depend on nothing but their own text, and that begin with a sign:
what a token does behind plain text, or behind a match so far, is then always the same.
"""

from collections.abc import Callable
from functools import lru_cache
from string import ascii_letters

from streamcite.scan.markers import MAX_REPEATED
from streamcite.scan.matcher import Matcher, RegexMatch
from streamcite.scan.program import Program
from streamcite.scan.regex_threads import NO_LIMIT
from streamcite.scan.steps import Step, Steps
from streamcite.spans import Marker

__all__ = ["PatternSteps", "may_have_steps"]

# A pattern that may begin with one of these begins in nearly every token, and what is held is then
# the text itself, of which nothing comes again.
_COMMON = ascii_letters + " "


def may_have_steps(program: Program) -> bool:
    """Say whether tokens do the same around matches of this pattern, whatever came before them."""
    begins = program.begins
    return (
        begins is not None
        and not program.has_assertions
        and not any(begins[each] for each in _COMMON)
    )


class PatternSteps(Steps):
    """Reads tokens around matches of one pattern.

    Args:
        program: The pattern.
        read: Reads a match.
        search: Finds nothing in plain text.
        max_length: Texts of so many code points are not read here; no longer than the longest
            match, so that none is cut short.
    """

    def __init__(
        self,
        program: Program,
        read: Callable[[RegexMatch], Marker],
        search: Callable[[str], object],
        max_length: int,
    ) -> None:
        super().__init__(search, max_length, guarded=False)
        self._program = program

        @lru_cache(MAX_REPEATED)
        def marker(text: str) -> Marker:
            matcher = Matcher(program, max_length=NO_LIMIT)
            return read([*matcher.feed(text), *matcher.close()][0])

        self._marker = marker

    def begin(self, token: str) -> Step | None:
        """Read a token that may hold a match's beginning, all of it or more, behind plain text."""
        return self._read(token) if len(token) < self._max_length else None

    def marker(self, text: str) -> Marker:
        """Return the marker that a step completes: its text alone says how it was matched."""
        return self._marker(text)

    def _read_on(self, text: str, *, glued: bool) -> Step | None:
        return self._read(text)

    def _read(self, text: str) -> Step | None:
        matcher = Matcher(self._program, max_length=NO_LIMIT)
        matches = matcher.feed(text)
        free = matcher.held_from
        held = self._place(text[free:]) if free < len(text) else None
        if not matches:
            return Step(text[:free], None, "", held)
        if len(matches) > 1:
            return None
        (match,) = matches
        return Step(text[: match.start], match.text, text[match.end : free], held)

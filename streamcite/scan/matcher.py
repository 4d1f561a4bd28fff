"""Finds the matches of a pattern in text as it arrives: exactly those of `re.finditer`.

A match is reported when no continuation can change it, and text before `held_from` belongs to no
match of any continuation. A match longer than `max_length` is not found: at each start `s` the
pattern is matched against `text[s : s + max_length]`, with its true neighbours.
"""

from collections.abc import Callable
from dataclasses import dataclass

from streamcite.scan.program import Program
from streamcite.scan.regex_conditions import Edge, Neighbour
from streamcite.scan.regex_search import search_for
from streamcite.scan.regex_threads import Recorded
from streamcite.scan.regex_trails import SHORT, HeldText, Trails

__all__ = ["Matcher", "RegexMatch"]


@dataclass(frozen=True, slots=True)
class RegexMatch:
    """One match; offsets count the code points of all text fed."""

    start: int
    end: int
    text: str
    group: str | None
    """Text of the group; None without a group, or if it took no part."""
    group_start: int | None
    group_end: int | None


class Matcher:
    """Find the matches of one text that arrives in chunks.

    Args:
        program: The pattern; it must not match the empty string.
        max_length: The longest match found, and the most text ever held.
    """

    __slots__ = (
        "_base",
        "_first",
        "_index",
        "_max_length",
        "_previous",
        "_program",
        "_search",
        "_skipped",
        "_text",
        "_trails",
        "held_from",
        "idle",
        "position",
        "search",
    )

    def __init__(self, program: Program, *, max_length: int) -> None:
        assert program.first is not None
        self.position = 0
        """How much text was fed."""
        self.held_from = 0
        """Offset before which text is free to go."""
        self.idle = True
        """Nothing is held, and nothing is open."""
        self.search: Callable[[str], object | None] = program.first.search
        """While idle: None for a text that begins no match and may be given to `skip`."""
        self._first = program.first
        self._max_length = max_length
        self._search = search_for(program, max_length)
        # Made when first needed: most matches are decided at once.
        self._trails: Trails | None = None
        self._program = program
        self._previous: Neighbour = Edge.START
        # Held text, the offset of its first character, and the index where the search goes on.
        self._text = ""
        self._base = 0
        self._index = 0
        self._skipped = 0

    @property
    def steps(self) -> int:
        """Characters examined and instructions visited so far, the measure of all work."""
        trails = 0 if self._trails is None else self._trails.steps
        return self._search.steps + trails + self._skipped

    def feed(self, text: str) -> list[RegexMatch]:
        """Read text on, and return the matches that have become final."""
        if self.idle and self.search(text) is None:
            self._skipped += len(text)
            self.skip(text)
            return []
        self._text += text
        self.position += len(text)
        return self._scan(ended=False)

    def skip(self, text: str) -> None:
        """Pass over text for which `search` found nothing; only while idle."""
        if text:
            self._previous = text[-1]
            self.position += len(text)
            self._base = self.held_from = self.position

    def close(self) -> list[RegexMatch]:
        """Say that the text has ended, and return the matches that this decides."""
        matches = self._scan(ended=True)
        self._search.reset()
        self._release(len(self._text))
        return matches

    def _scan(self, *, ended: bool) -> list[RegexMatch]:
        matches: list[RegexMatch] = []
        search, text, base, index = self._search, self._text, self._base, self._index
        while True:
            if search.recorded is None and search.oldest is None:
                index = self._leap(index)
                if index == len(text):
                    break
            index = search.advance(text, index, base, self._previous, ended=ended)
            restart = self._decide(index, matches, ended=ended and index == len(text))
            if restart is not None:
                search.reset()
                read, index = index, restart - base
                if read - index > SHORT or self._trails is not None:
                    index = self._again(read, index, ended=ended)
            elif search.recorded is not None or search.oldest is not None:
                break
        self._release(index)
        return matches

    def _again(self, read: int, index: int, *, ended: bool) -> int:
        """Search again from an index on; say how far that came. `read`: how far it was before."""
        if self._trails is None:
            self._trails = Trails(self._program)
        held = HeldText(self._text, self._base, self._previous, ended)
        return self._trails.again(self._search, held, read, index, self._leap)

    def _leap(self, index: int) -> int:
        """The next place where a match could start, else the end of the text."""
        found = self._first.search(self._text, index)
        place = len(self._text) if found is None else found.start()
        self._skipped += place - index
        return place

    def _decide(self, index: int, matches: list[RegexMatch], *, ended: bool) -> int | None:
        """Report what is final; say where to search again, None if nothing was decided."""
        recorded, oldest = self._search.recorded, self._search.oldest
        if self._search.undecided:
            return None
        too_old = oldest is not None and self._base + index - oldest >= self._max_length
        if recorded is not None and (
            ended or oldest is None or (too_old and oldest == recorded[0])
        ):
            matches.append(self._match(recorded))
            return recorded[1]
        # The thread that is too old may have hidden younger ones at the same instruction.
        return oldest + 1 if oldest is not None and too_old and not ended else None

    def _match(self, recorded: Recorded) -> RegexMatch:
        start, end, opened, closed = recorded
        text = self._text[start - self._base : end - self._base]
        if closed < 0:
            return RegexMatch(start, end, text, None, None, None)
        return RegexMatch(start, end, text, text[opened - start : closed - start], opened, closed)

    def _release(self, index: int) -> None:
        """Let go of the text that no match can start in; `index`: how far the search has come."""
        recorded, oldest = self._search.recorded, self._search.oldest
        self.idle = recorded is None and oldest is None
        if self.idle and self._trails is not None:
            self._skipped += self._trails.steps
            self._trails = None
        if oldest is None:
            oldest = recorded[0] if recorded is not None else self._base + index
        free = oldest - self._base
        if free:
            self._previous = self._text[free - 1]
            self._text = self._text[free:]
            self._base = self.held_from = oldest
        self._index = index - free

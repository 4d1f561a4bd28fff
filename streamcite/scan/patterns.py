"""A user's own regex as a scanner: text in, text and markers out."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from streamcite.errors import PatternError
from streamcite.grammar import DASHES, MAX_DIGITS
from streamcite.scan.context_rows import ANYTHING, search_for_any
from streamcite.scan.matcher import Matcher, RegexMatch
from streamcite.scan.pattern_steps import PatternSteps, may_have_steps
from streamcite.scan.program import ACM_PATTERN, MAX_COMPILED, Op, Program, compile_pattern
from streamcite.scan.steps import MarkerPlace
from streamcite.scan.tables import MAX_KNOWN_LENGTH, MAX_OPTIONS, NOTHING_KNOWN, KnownTexts
from streamcite.spans import PATTERN, Item, Marker, Span, Text

__all__ = [
    "MatchReader",
    "PatternPlace",
    "PatternScanner",
    "ReferencePattern",
    "read_reference_pattern",
]

# Haystack's own rule: with ranges, exactly this pattern stands for the other.
_DEFAULT = r"\[(\d+)\]"
_DEFAULT_WITH_RANGES = r"\[(\d+(?:[,-]\d+)*)\]"

_DIGITS = re.compile(r"\d+")
_RANGE = re.compile(rf"(\d+)\s*[{re.escape(DASHES)}]\s*(\d+)")


@dataclass(frozen=True, slots=True)
class MatchReader:
    """How the numbers of a match are read."""

    has_group: bool
    """Whether they stand in the pattern's group."""
    expands: bool
    """Whether there may be lists of them, and ranges."""
    reads_all: bool = False
    """Whether every run of digits in the whole match is one."""

    def marker(self, text: str, group: str | None) -> Marker:
        """Return the marker of a match.

        Args:
            text: The whole match.
            group: Group 1, or None if it took no part.
        """
        item = group or "" if self.has_group else text
        if self.reads_all:
            parts = _DIGITS.findall(text)
        else:
            parts = item.split(",") if self.expands else [item]
        items: list[Item] = []
        problems: list[str] = []
        for part in map(str.strip, parts):
            read = _read_part(part, self.expands)
            if read is None:
                problems.append(part)
            else:
                items.append(read)
        return Marker(text, PATTERN, tuple(items), tuple(problems))


class ReferencePattern:
    """A `reference_pattern`, compiled, and how the numbers of a match are read.

    Args:
        pattern: A regex, or "acm".
        expands: Whether items are lists of numbers and ranges.

    Raises:
        PatternError: It cannot be streamed, or no match can be read as a number.
    """

    def __init__(self, pattern: str, expands: bool) -> None:
        reads_all = pattern == "acm"
        if reads_all:
            pattern = ACM_PATTERN
        elif expands and pattern == _DEFAULT:
            pattern = _DEFAULT_WITH_RANGES
        self.program = compile_pattern(pattern)
        self.reader = MatchReader(self.program.groups > 0, expands, reads_all)
        """Reads its matches."""
        if not reads_all:
            _check_numbers(self.program, expands)

    def read(self, match: RegexMatch) -> Marker:
        """Return the marker of a match."""
        return self.reader.marker(match.text, match.group)

    @property
    def repeats_group(self) -> bool:
        """Whether only the last of several numbers is read, as `re.findall` has it."""
        return self.program.repeats_group


class PatternPlace(MarkerPlace):
    """The place outside all matches of a pattern.

    Args:
        pattern: The pattern.
        max_length: Longest match, in code points.
        stops: Characters that `search` must find too, for another scanner's sake.
        trims: Whether it must find blanks at the end too, since they may be held.
    """

    __slots__ = ()

    def __init__(
        self, pattern: ReferencePattern, max_length: int, stops: str, *, trims: bool
    ) -> None:
        program = pattern.program
        assert program.first is not None  # a reference pattern matches no empty text
        search: Callable[[str], object] = program.first.search
        if stops:
            search = _either(search, stops)
        in_text = may_have_steps(program)
        super().__init__(search, in_text=in_text, trims=trims)
        # What is remembered outlives its stream, and may be any text.
        length = min(max_length, MAX_KNOWN_LENGTH)
        self.steps = PatternSteps(program, pattern.read, search, length) if in_text else None


# What a text does depends on the longest match too, since a longer one is none.
@lru_cache(MAX_OPTIONS)
def _place_for(pattern: ReferencePattern, max_length: int, stops: str, trims: bool) -> PatternPlace:
    return PatternPlace(pattern, max_length, stops, trims=trims)


def _read_part(part: str, expands: bool) -> tuple[int, int] | None:
    if (number := _number(part)) is not None:
        return (number, number)
    match = _RANGE.fullmatch(part) if expands else None
    if match is None:
        return None
    first, last = _number(match[1]), _number(match[2])
    return None if first is None or last is None else (first, last)


def _number(digits: str) -> int | None:
    """Read a number; None for anything else, and for more digits than a number has."""
    if not digits.isdecimal():
        return None
    if len(digits) <= MAX_DIGITS:
        return int(digits)
    # CPython refuses to read more than some thousand digits, zeros included.
    head = next((place for place, digit in enumerate(digits) if int(digit)), len(digits) - 1)
    return int(digits[head:]) if len(digits) - head <= MAX_DIGITS else None


@lru_cache(maxsize=MAX_COMPILED)
def read_reference_pattern(pattern: str, expands: bool) -> ReferencePattern:
    """Return the compiled pattern."""
    return ReferencePattern(pattern, expands)


def _check_numbers(program: Program, expands: bool) -> None:
    """Refuse a pattern of which no match can be read as a number."""
    allowed = "0123456789 " + (",-" if expands else "")
    if not _can_be_number(program, allowed):
        fix = "put the number alone into a group, as in `\\[(\\d+)\\]`"
        what = "its group" if program.groups else "its whole match"
        raise PatternError(f"{what} is never a number; {fix}", pattern=program.pattern)


class _Way(NamedTuple):
    """How far a way through the instructions has come that may lead to a number."""

    place: int
    inside: bool
    """Whether what is taken there belongs to the item."""
    digits: bool
    """Whether the item has a digit."""


def _can_be_number(program: Program, allowed: str) -> bool:
    """Search the instructions for a way to a match whose item is made of these characters."""
    stack = [_Way(program.entry, inside=program.groups == 0, digits=False)]
    seen = set(stack)
    while stack:
        place, inside, digits = stack.pop()
        instruction = program.instructions[place]
        following = [instruction.next]
        if instruction.op is Op.MATCH:
            if digits:
                return True
            continue
        if instruction.op is Op.SPLIT:
            following.append(instruction.other)
        elif instruction.op is Op.SAVE:
            inside = instruction.slot == 0
        elif instruction.op is Op.CHAR and inside:
            taken = [character for character in allowed if instruction.character[character]]
            if not taken:
                continue
            digits = digits or any(character.isdecimal() for character in taken)
        ways = {_Way(target, inside, digits) for target in following} - seen
        seen |= ways
        stack.extend(ways)
    return False


class PatternScanner:
    """Finds exactly what `re.finditer` finds in the whole text.

    Args:
        pattern: What to look for.
        max_length: Longest match, and longest text held, in code points.
        stops: Characters that `search` must find too, for another scanner's sake.
        trims: Whether it must find blanks at the end too, since they may be held.
    """

    def __init__(
        self,
        pattern: ReferencePattern,
        max_length: int,
        stops: str = "",
        *,
        trims: bool = False,
    ) -> None:
        self._pattern = pattern
        self._max_length = max_length
        self._window = ""
        self._base = 0
        self._steps = 0
        self._known = _place_for(pattern, max_length, stops, trims)
        self.place: KnownTexts = self._known
        """Some texts in which `search` finds nothing, once it was asked."""
        self.repeats_group = pattern.repeats_group
        """Whether only the last of several numbers is read."""
        self._begin()

    def _begin(self) -> None:
        self._matcher = Matcher(self._pattern.program, max_length=self._max_length)
        self._base = 0
        self._set_search()

    def _set_search(self) -> None:
        self.search: Callable[[str], object] = ANYTHING
        self.place = NOTHING_KNOWN
        if self._matcher.idle and not self._window:
            self.search, self.place = self._known.search, self._known

    @property
    def steps(self) -> int:
        """Characters examined and instructions visited so far."""
        return self._steps + self._matcher.steps

    @property
    def held(self) -> str:
        """Text received that may still belong to a match."""
        return self._window

    def skip(self, text: str) -> None:
        """Pass text in which `search` found nothing."""
        self._matcher.skip(text)
        self._base += len(text)

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""
        self._window += text
        spans = self._spans(self._matcher.feed(text))
        self._set_search()
        return spans

    def close(self) -> list[Span]:
        """End this stretch of text; the next one is a text of its own."""
        spans = self._spans(self._matcher.close())
        self._steps += self._matcher.steps
        self._begin()
        return spans

    def _spans(self, matches: list[RegexMatch]) -> list[Span]:
        """Part the window at the matches, and let go of what the matcher lets go of."""
        window, base, place = self._window, self._base, self._base
        spans: list[Span] = []
        for match in matches:
            if match.start > place:
                spans.append(Text(window[place - base : match.start - base]))
            spans.append(self._pattern.read(match))
            place = match.end
        upto = self._matcher.held_from
        if upto > place:
            spans.append(Text(window[place - base : upto - base]))
        if upto > base:
            self._window, self._base = window[upto - base :], upto
        return spans


def _either(search: Callable[[str], object], stops: str) -> Callable[[str], object]:
    """Return a search that finds these characters too."""
    stop = search_for_any(stops)

    def search_or_stop(text: str) -> object:
        return search(text) or stop(text)

    return search_or_stop

"""The short cut for `[1]` in plain text, shown as written.

Most markers of real answers come cut into tokens like ` [`, `1`, `].`, and the whole way through
scanner and assembler costs ten times a plain token for each of them. The lane reads such tokens
with the grammar's own table and the guards' own rules, and remembers what it read, since the
same few texts come again and again. Whatever is not as simple as that it leaves, with the text
it has read, and the whole way decides; so the two cannot but agree, and the property tests cut
every text both ways.
"""

from collections.abc import Callable
from enum import Enum
from functools import cache, lru_cache
from typing import Literal, Protocol

from streamcite.assemble.shown import Shown
from streamcite.events import FreshPartial, PartialAnswer, Stand
from streamcite.grammar import BRACKETS
from streamcite.options import GUARDS, CiteOptions
from streamcite.resolutions import Resolution
from streamcite.resolve import Resolver
from streamcite.scan.bracket import BRACKET, start_row
from streamcite.scan.index import glued_to_address, glued_word
from streamcite.scan.lines import is_flush
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.scanners import Scanner
from streamcite.scan.tables import ANYTHING, NOTHING_KNOWN, KnownTexts
from streamcite.spans import Marker

__all__ = ["LEFT", "Driver", "Lane", "Left", "make_lane"]

OPENERS = "".join(BRACKETS)
"""What a token ends in that may begin a marker."""

# Longest text that the lane holds; longer markers go the whole way.
MAX_HELD = 32
# Texts, and words before a marker, that are remembered to be read: those of a process.
MAX_READ = 2048
# A word that a marker is glued to stands in so many tokens at most.
MAX_PIECES = 4


class Left(Enum):
    """Says that a token is not for the lane."""

    LEFT = "left"


LEFT = Left.LEFT

Reading = tuple[str, str, str] | Left | None
"""A marker, the text behind it, and what may be a marker behind that; None if more must come."""
Reader = Callable[[str], Reading]


class Driver(Protocol):
    """What the lane keeps up to date of the citer that drives it."""

    offset: int
    stand: Stand
    search: Callable[[str], object]
    plain: KnownTexts

    def fold(self) -> None:
        """Store plain tokens as one text."""


class Lane:
    """Reads simple bracket markers of one text.

    Args:
        scanner: The scanner of that text, which learns of everything.
        shown: Where it is shown.
        resolver: Knows what markers meant before.
        max_length: Longest marker, in code points.
    """

    __slots__ = (
        "_flush",
        "_max_length",
        "_part",
        "_read",
        "_readers",
        "_resolver",
        "_scanner",
        "_shown",
        "held",
        "seen",
    )

    def __init__(
        self, scanner: MarkdownScanner, shown: Shown, resolver: Resolver, max_length: int
    ) -> None:
        self._scanner = scanner
        self._shown = shown
        self._resolver = resolver
        self._max_length = min(max_length, MAX_HELD)
        self._part = _parter(scanner.search)
        self._readers = _readers(scanner.search)
        self._read = self._readers[0]
        self.held = ""
        """A marker so far, or all of it while what follows is awaited; empty if there is none."""
        # Whether the current line is known not to be indented, so that it is no code.
        self._flush = False
        self.seen = 0
        """How many of the text's parts end with its last citation; those behind are plain."""

    def note(self, text: str, *, behind_marker: bool = False) -> None:
        """Take note of text that the scanner was given, after which the text's parts begin anew.

        Args:
            text: That text.
            behind_marker: Whether it ends with a marker that the scanner did not see as one.
        """
        self.seen = 0
        if behind_marker:
            self._scanner.look_back.after_marker = True
        place = text.rfind("\n") + 1
        if place:
            self._flush = is_flush(text[place : place + 4])

    def feed(self, driver: Driver, token: str) -> PartialAnswer | Left | None:
        """Read a token that is not plain.

        Returns:
            The event it makes; None if all of it is held; LEFT if it is not for the lane.
        """
        if not self.held:
            return self._open(driver, token)
        text = self.held + token
        if len(text) >= self._max_length:
            return LEFT
        reading = self._read(text)
        if reading is None:
            self.held = text
            return None
        return LEFT if reading is LEFT else self._cite(driver, "", *reading)

    def _open(self, driver: Driver, token: str) -> PartialAnswer | Left | None:
        """Begin a marker, which the token may hold to its end or beyond."""
        part = self._part(token)
        if part is None or not driver.plain.in_text:
            return LEFT
        head, text = part
        if len(text) >= self._max_length:
            return LEFT
        parts, glued = self._shown.parts, False
        if text[0] == "[" and (head or (parts[-1] if parts else "."))[-1] not in " \n":
            judged = self._is_glued(head)
            if judged is None:
                return LEFT
            glued = judged
        read = self._readers[glued]
        reading = read(text)
        if reading is not None:
            return LEFT if reading is LEFT else self._cite(driver, head, *reading)
        self._hold(driver, text, read)
        if not head:
            return None
        parts.append(head)
        event: PartialAnswer = FreshPartial()
        event._stand = driver.stand
        event.offset = driver.offset  # type: ignore[misc]  # as in its `at`
        event.delta = head  # type: ignore[misc]  # as in its `at`
        driver.offset += len(head)
        return event

    def _hold(self, driver: Driver, text: str, read: Reader) -> None:
        self.held = text
        self._read = read
        driver.search = ANYTHING
        driver.plain = NOTHING_KNOWN

    def _is_glued(self, head: str) -> bool | None:
        """Say whether an opener follows a word at once; None if that is not for the lane."""
        parts, look_back = self._shown.parts, self._scanner.look_back
        behind_marker = self.seen == len(parts) if parts else look_back.after_marker
        if behind_marker and not head:
            return False
        text = "".join(parts[-MAX_PIECES:]) + head
        word = _last_word(text)
        if len(word) == len(text):
            if len(parts) > MAX_PIECES:
                return None
            word = _last_word(look_back.left + text)
        return _judge_word(word) if len(word) < MAX_HELD else None

    def _cite(
        self, driver: Driver, head: str, marker: str, body: str, following: str
    ) -> PartialAnswer | Left:
        """Show a marker and the text around it, if all of it resolves and its line is no code."""
        resolver = self._resolver
        if resolver.known_size != resolver.sources.size:
            return LEFT
        resolution = resolver.whole.get(marker) or self._resolve(marker)
        if resolution is None:
            return LEFT
        parts = self._shown.parts
        run = "".join(parts[self.seen :]) + head
        place = run.rfind("\n") + 1
        if not (is_flush(run[place : place + 4]) if place else self._flush):
            driver.fold()
            run = head
            if self._line_is_code(head):
                return LEFT
        self._flush = True
        offset = driver.offset
        place = offset + len(head)
        citation = self._shown.cite_plain(run, marker, place, resolution)
        event: PartialAnswer = FreshPartial()
        event._stand = driver.stand.citing(citation)
        event.offset = offset  # type: ignore[misc]  # as in its `at`
        event.delta = text = head + marker + body  # type: ignore[misc]  # as in its `at`
        driver.offset = offset + len(text)
        parts.append(head + marker)
        # What follows the marker belongs to the next claim.
        self.seen = len(parts)
        if body:
            parts.append(body)
        if following:
            self._hold(driver, following, self._readers[0])
        elif self.held:
            self.held = ""
            driver.search, driver.plain = self._scanner.search, self._scanner.plain
        return event

    def _line_is_code(self, head: str) -> bool:
        """Say whether the current line may be code, all but this end of it being folded."""
        lines = self._scanner.look_back.lines
        if not head:
            return lines.in_indented_code
        return "\n" in head or not is_flush(lines.head + head)

    def _resolve(self, marker: str) -> Resolution | None:
        """Ask what a marker means that has not come before."""
        self._resolver.resolve(Marker(marker, BRACKET.name, BRACKET.read(marker)))
        return self._resolver.whole.get(marker)


def _opener_in(token: str) -> int:
    """Return where the first opener stands; -1 if there is none."""
    return min([place for opener in OPENERS if (place := token.find(opener)) >= 0], default=-1)


def _last_word(text: str) -> str:
    return text[max(text.rfind(" "), text.rfind("\n")) + 1 :]


@lru_cache(MAX_READ)
def _judge_word(word: str) -> bool | None:
    """Say what the guards say of a marker that is glued to a word; None is for those."""
    # What stands in brackets may hold blanks, so that it begins before the word.
    if word.rstrip("[").endswith((")", "]")) or glued_to_address(word):
        return None
    found = glued_word(word)
    return None if found is not None and found[1] else found is not None


@cache
def _parter(search: Callable[[str], object]) -> Callable[[str], tuple[str, str] | None]:
    """Return what parts a token before its first opener; None if that is not plain."""

    @lru_cache(MAX_READ)
    def part(token: str) -> tuple[str, str] | None:
        place = _opener_in(token)
        head = token[:place]
        return None if place < 0 or (head and search(head)) else (head, token[place:])

    return part


@cache
def _readers(search: Callable[[str], object]) -> tuple[Reader, Reader]:
    """Return the readers of texts that begin with an opener: behind no word, and glued to one.

    Args:
        search: Finds nothing in plain text.
    """
    return _reader(search, glued=False), _reader(search, glued=True)


def _reader(search: Callable[[str], object], *, glued: bool) -> Reader:
    @lru_cache(MAX_READ)
    def read(text: str) -> Reading:
        row = start_row(text[0])
        for place, character in enumerate(text[1:], start=2):
            row = row[character]
            if row.over:
                return _read_rest(text[:place], text[place:]) if row.accepts else LEFT
        return None

    def _read_rest(marker: str, rest: str) -> Reading:
        """Part what follows a marker, if it cannot matter to the marker."""
        if marker[-1] == "]":
            verdict = _follows(rest, glued=glued)
            if verdict is not True:
                return verdict
        place = _opener_in(rest)
        body, following = (rest, "") if place < 0 else (rest[:place], rest[place:])
        if body and (search(body) or (following and body[-1] not in " \n")):
            return LEFT
        # Behind a marker, or a blank, an opener is glued to nothing.
        if following and _readers(search)[0](following) is not None:
            return LEFT
        return (marker, body, following)

    return read


def _follows(rest: str, *, glued: bool) -> Literal[True] | Left | None:
    """Say whether what follows a marker in square brackets leaves it one; None if more must come.

    The rules of `Judge.right`; a colon may make it a definition, which its line decides.
    """
    if not rest:
        return None
    if not glued:
        return LEFT if rest[0] in "(:" else True
    if rest[0] in "([":
        return LEFT
    if rest[0] == ".":
        if len(rest) == 1:
            return None
        return LEFT if "a" <= rest[1] <= "z" else True
    begun = rest.lstrip(" \t")
    if not begun:
        return None
    return LEFT if begun[0] == "=" else True


def make_lane(
    options: CiteOptions, scanner: Scanner, shown: Shown, resolver: Resolver
) -> Lane | None:
    """Return a lane for a text, or None if the options ask for more than it knows."""
    simple = (
        options.markers == (BRACKET.name,)
        and options.guards == GUARDS
        and options.display == "keep"
        and options.unknown != "drop"
        and not (options.merge_adjacent or options.extract_xml_tags or options.pattern)
    )
    if not simple or not isinstance(scanner, MarkdownScanner):
        return None
    return Lane(scanner, shown, resolver, options.max_marker_length)

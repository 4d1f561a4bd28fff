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

__all__ = ["LEFT", "OPENERS", "Driver", "Lane", "Left", "make_lane"]

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
"""A marker, the text behind it, and the opener behind that; None if more must come."""
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
        self._readers = _readers(scanner.search)
        self._read = self._readers[0]
        self.held = ""
        """The marker so far, or all of it while what follows is awaited; empty if there is none."""
        # Whether the current line is known not to be indented, so that it is no code.
        self._flush = False
        self.seen = 0
        """How many of the text's parts end with its last citation; those behind are plain."""

    def note(self, text: str) -> None:
        """Take note of text that went another way, after which the text's parts begin anew."""
        self.seen = 0
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
        if reading is LEFT:
            return LEFT
        marker, body, opener = reading
        resolver = self._resolver
        if resolver.known_size != resolver.sources.size:
            return LEFT
        resolution = resolver.whole.get(marker) or self._resolve(marker)
        if resolution is None:
            return LEFT
        return self._cite(driver, marker, body, opener, resolution)

    def _open(self, driver: Driver, token: str) -> PartialAnswer | Left | None:
        """Begin a marker if the token ends in its opener."""
        scanner, opener = self._scanner, token[-1]
        if opener not in OPENERS or not driver.plain.in_text:
            return LEFT
        parts, head = self._shown.parts, token[:-1]
        if head and head not in scanner.plain and scanner.search(head):
            return LEFT
        glued = False
        if opener == "[" and (head or (parts[-1] if parts else "."))[-1] not in " \n":
            judged = self._is_glued(head)
            if judged is None:
                return LEFT
            glued = judged
        self._begin(driver, opener, glued)
        if not head:
            return None
        parts.append(head)
        event: PartialAnswer = FreshPartial()
        event._stand = driver.stand
        event.offset = driver.offset  # type: ignore[misc]  # as in its `at`
        event.delta = head  # type: ignore[misc]  # as in its `at`
        driver.offset += len(head)
        return event

    def _begin(self, driver: Driver, opener: str, glued: bool) -> None:
        self.held = opener
        self._read = self._readers[glued]
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
        self, driver: Driver, marker: str, body: str, opener: str, resolution: Resolution
    ) -> PartialAnswer | Left:
        """Show a marker and what follows it, if its line is no code."""
        shown, scanner = self._shown, self._scanner
        parts = shown.parts
        run = "".join(parts[self.seen :])
        place = run.rfind("\n") + 1
        flush = is_flush(run[place : place + 4]) if place else self._flush
        if not flush:
            driver.fold()
            run = ""
            if scanner.look_back.lines.in_indented_code:
                return LEFT
        self._flush = True
        offset = driver.offset
        event: PartialAnswer = FreshPartial()
        event._stand = driver.stand.citing(shown.cite_plain(run, marker, offset, resolution))
        event.offset = offset  # type: ignore[misc]  # as in its `at`
        event.delta = text = marker + body  # type: ignore[misc]  # as in its `at`
        driver.offset = offset + len(text)
        parts.append(marker)
        # What follows the marker belongs to the next claim.
        self.seen = len(parts)
        if body:
            parts.append(body)
        if opener:
            self._begin(driver, opener, False)
        else:
            self.held = ""
            driver.search, driver.plain = scanner.search, scanner.plain
        return event

    def _resolve(self, marker: str) -> Resolution | None:
        """Ask what a marker means that has not come before."""
        self._resolver.resolve(Marker(marker, BRACKET.name, BRACKET.read(marker)))
        return self._resolver.whole.get(marker)


def _last_word(text: str) -> str:
    return text[max(text.rfind(" "), text.rfind("\n")) + 1 :]


@lru_cache(MAX_READ)
def _judge_word(word: str) -> bool | None:
    """Say what the guards say of a marker that is glued to a word; None is for those."""
    if word[-1:] in ")]" or glued_to_address(word):
        return None
    found = glued_word(word)
    return None if found is not None and found[1] else found is not None


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
        opener = rest[-1:] if rest[-1:] in OPENERS else ""
        body = rest[: len(rest) - len(opener)]
        if body and (search(body) or (opener and body[-1] not in " \n")):
            return LEFT
        return (marker, body, opener)

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

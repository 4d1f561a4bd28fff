"""The short cut for ` [1].`: a bracket marker behind a blank, in plain text, shown as written.

Most markers of real answers come so, cut into tokens like ` [`, `1`, `].`, and the whole way
through scanner and assembler costs ten times a plain token for each of them. The lane reads such
tokens with the grammar's own table. Whatever is not as simple as that it leaves, with the text
it has read, and the whole way decides; so the two cannot but agree, and the property tests cut
every text both ways.
"""

from collections.abc import Callable, Set
from enum import Enum
from typing import Any, Protocol

from streamcite.assemble.shown import Shown
from streamcite.events import PartialAnswer, Stand
from streamcite.options import CiteOptions
from streamcite.resolutions import Resolution
from streamcite.resolve import Resolver
from streamcite.scan.bracket import BRACKET, State, start_row
from streamcite.scan.context_rows import ANYTHING
from streamcite.scan.lines import is_flush
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.scanners import Scanner
from streamcite.scan.tables import Row
from streamcite.spans import Marker

__all__ = ["LEFT", "NOTHING_KNOWN", "Driver", "Lane", "Left", "make_lane"]

NOTHING_KNOWN: Set[str] = frozenset()
"""What `plain` is while every text must be looked at."""

# Behind a marker these may make it a link or a definition, or begin the next one.
_UNDECIDED = "([:"


_new: Any = PartialAnswer.__new__
_START = start_row("[")


class Left(Enum):
    """Says that a token is not for the lane."""

    LEFT = "left"


LEFT = Left.LEFT


class Driver(Protocol):
    """What the lane keeps up to date of the citer that drives it."""

    offset: int
    stand: Stand
    search: Callable[[str], object]
    plain: Set[str]

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
        "_resolver",
        "_row",
        "_scanner",
        "_shown",
        "_sources",
        "held",
        "seen",
    )

    def __init__(
        self, scanner: MarkdownScanner, shown: Shown, resolver: Resolver, max_length: int
    ) -> None:
        self._scanner = scanner
        self._shown = shown
        self._resolver = resolver
        self._sources = resolver.sources
        self._max_length = max_length
        self._row: Row[State] = _START
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
        row = self._row
        if row.over:
            return self._end(driver, self.held, token)
        place = 0
        for character in token:
            row = row[character]
            place += 1
            if row.over:
                if not row.accepts:
                    return LEFT
                if place < len(token):
                    return self._end(driver, self.held + token[:place], token[place:])
                break
        held = self.held + token
        if len(held) >= self._max_length:
            return LEFT
        self.held = held
        self._row = row
        return None

    def _open(self, driver: Driver, token: str) -> PartialAnswer | Left | None:
        """Begin a marker if the token ends in its opener behind a blank."""
        if token[-1] != "[" or driver.plain is NOTHING_KNOWN:
            return LEFT
        scanner, parts = self._scanner, self._shown.parts
        head = token[:-1]
        if head:
            if head[-1] not in " \n" or (head not in scanner.plain and scanner.search(head)):
                return LEFT
        elif (parts[-1][-1] if parts else scanner.look_back.last_character) not in (" ", "\n"):
            return LEFT
        if not scanner.in_text:
            return LEFT
        self.held = "["
        self._row = _START
        driver.search = ANYTHING
        driver.plain = NOTHING_KNOWN
        if not head:
            return None
        parts.append(head)
        offset = driver.offset
        driver.offset = offset + len(head)
        event = _new(PartialAnswer)
        event._stand = driver.stand
        event.offset = offset
        event.delta = head
        return event

    def _end(self, driver: Driver, marker: str, rest: str) -> PartialAnswer | Left:
        """Cite a whole marker, if all of it resolves and nothing behind it can matter."""
        scanner = self._scanner
        plain, search = scanner.plain, scanner.search
        # Behind a marker that is glued to no word, an opener only begins the next one.
        again = rest[-1] == "["
        body = rest[:-1] if again else rest
        if body:
            if body[0] in _UNDECIDED or (body not in plain and search(body)):
                return LEFT
            if again and body[-1] not in " \n":
                return LEFT
        resolver = self._resolver
        if resolver.known_size != self._sources.size:
            return LEFT
        resolution = resolver.whole.get(marker) or self._resolve(marker)
        if resolution is None:
            return LEFT
        shown = self._shown
        parts = shown.parts
        run = "".join(parts[self.seen :])
        place = run.rfind("\n") + 1
        flush = is_flush(run[place : place + 4]) if place else self._flush
        if not flush:
            look_back = scanner.look_back
            if place or not look_back.in_flush_line:
                driver.fold()
                if look_back.may_indent():
                    return LEFT
        self._flush = True
        offset = driver.offset
        citation = shown.cite_plain(run, marker, offset, resolution)
        parts.append(marker)
        # What follows the marker belongs to the next claim.
        self.seen = len(parts)
        if body:
            parts.append(body)
        if again:
            self.held, self._row = "[", _START
        else:
            self.held = ""
            driver.search, driver.plain = search, plain
        text = marker + body
        driver.offset = offset + len(text)
        event = _new(PartialAnswer)
        event._stand = driver.stand.citing(citation)
        event.offset = offset
        event.delta = text
        return event


    def _resolve(self, marker: str) -> Resolution | None:
        """Ask what a marker means that has not come before."""
        self._resolver.resolve(Marker(marker, BRACKET.name, BRACKET.read(marker)))
        return self._resolver.whole.get(marker)


def make_lane(
    options: CiteOptions, scanner: Scanner, shown: Shown, resolver: Resolver
) -> Lane | None:
    """Return a lane for a text, or None if the options ask for more than it knows."""
    simple = (
        options.markers == (BRACKET.name,)
        and options.display == "keep"
        and options.unknown != "drop"
        and not (options.merge_adjacent or options.extract_xml_tags or options.pattern)
    )
    if not simple or not isinstance(scanner, MarkdownScanner):
        return None
    return Lane(scanner, shown, resolver, options.max_marker_length)

"""Where among the contexts text stands, and which texts are known to be passed on there."""

from collections.abc import Mapping
from functools import lru_cache
from io import StringIO
from typing import NamedTuple

from streamcite.grammar import MARGIN
from streamcite.scan.context_rows import IN_TEXT, rows_for
from streamcite.scan.contexts import State
from streamcite.scan.judge import Judge
from streamcite.scan.lines import MIN_FENCE, fence_at_end
from streamcite.scan.markers import Grammar
from streamcite.scan.steps import MAX_HELD, BracketSteps, MarkerPlace
from streamcite.scan.tables import MAX_OPTIONS, KnownTexts, Row

__all__ = ["Place", "Places", "Reading", "places_for"]

# Places that are remembered: answers have text, code of one backtick, a few fences and targets.
MAX_PLACES = 64
# Those of a fence, from behind the run that opens it to the end of its last line.
_FENCED = frozenset(
    {
        State.INFO,
        State.FENCE,
        State.FENCE_START,
        State.FENCE_TICKS,
        State.FENCE_TILDES,
        State.FENCE_TRAIL,
    }
)
# What follows a run of backticks in inline code, which ends it if it is as long as the first.
_CODE_OVER = (State.CODE_RUN_OVER, State.CODE_FENCE_OVER)
# What follows a run of backticks or tildes, which opens a fence or not.
_RUN_OVER = (State.RUN_OVER, State.TILDES_OVER)


class Place(MarkerPlace):
    """A state of the contexts with its registers, between two texts.

    Args:
        row: The state.
        places: The table that it is part of.
        run: The length of the run that is counted.
        opened: That of the run that opened the code.
        depth: How deep in parentheses a link's target stands.
        fence: The run that opened the fence.
    """

    __slots__ = ("_places", "depth", "fence", "opened", "row", "run")

    def __init__(
        self,
        row: Row[State],
        places: "Places",
        *,
        run: int = 0,
        opened: int = 0,
        depth: int = 0,
        fence: str = "",
    ) -> None:
        super().__init__(
            row.search,
            in_text=row.state is State.TEXT,
            fenced=row.state in _FENCED,
            trims=places.trims,
        )
        self.steps = None
        self.row = row
        self.run = run
        self.opened = opened
        self.depth = depth
        self.fence = fence
        self._places = places

    def before(self, character: str, buffer: StringIO) -> KnownTexts | None:
        """Return the place that this one turns out to be when the character comes."""
        places, following = self._places, self.row[character].state
        if following is State.AGAIN or (following in _CODE_OVER and self.run == self.opened):
            return places.text
        if following not in _RUN_OVER or self.run < MIN_FENCE:
            return None
        text = buffer.getvalue()
        start = text.rfind("\n") + 1
        if not start:
            return None
        fence = fence_at_end(text[start:])
        if fence is not None:
            return places.at(places.rows[State.INFO], fence=fence)
        if following is State.TILDES_OVER:
            return places.text
        return places.at(places.rows[State.CODE], opened=self.run)

    def past(self, text: str) -> KnownTexts | None:
        """Return where a text leads whose only opener begins no marker."""
        openers = 0
        row = self.row
        for character in text:
            openers += character in self._places.by_start
            row = row[character]
            if row.decides or row.counts:
                return None
        if openers != 1 or (self.trims and text[-1] in MARGIN):
            return None
        return self._places.at(row)

    def remember(self, text: str, following: "Place") -> None:
        """Let a text lead to another place from now on, unasked, or be known as plain."""
        if following is self and not self.search(text):
            self.learn(text)
        else:
            self.teach(text, following)


class Reading(NamedTuple):
    """How a text is read."""

    grammars: tuple[Grammar, ...]
    """What a marker looks like; the first listed wins where two match."""
    guards: frozenset[str]
    """The markdown contexts in which nothing is a marker."""
    max_length: int
    """Longest text held, in code points. What a text leads to depends on it, since a longer marker
    is text."""
    stops: str
    """Characters that a search for what matters must find too, for another scanner's sake."""
    trims: bool
    """Whether that search must find blanks at the end too, since they may be held."""


class Places:
    """The places of scanners that do the same with every text, and what else they share."""

    def __init__(self, reading: Reading) -> None:
        grammars, guards, stops = reading.grammars, reading.guards, reading.stops
        self.trims = reading.trims
        """Whether blanks at a text's end may be held."""
        starts = dict.fromkeys("".join(grammar.starts for grammar in grammars))
        self.by_start = {
            character: tuple(grammar for grammar in grammars if character in grammar.starts)
            for character in starts
        }
        """The grammars of markers that begin with each character."""
        self.judge = Judge(guards, self.by_start.get("[", ()))
        """Judges candidates by what stands around them."""
        self.dropped = "".join(grammar.dropped for grammar in grammars)
        """Signs that no reader may see."""
        self.rows: Mapping[State, Row[State]] = rows_for(
            guards, "".join(sorted(starts)) + stops, self.dropped + stops
        )
        self.text = Place(self.rows[State.TEXT], self)
        """Outside all contexts."""
        self.text.steps = BracketSteps(
            self.text.row.search, min(reading.max_length, MAX_HELD), alone=len(grammars) == 1
        )
        self._known: dict[tuple[State, int, int, int, str], Place] = {}

    def at(
        self, row: Row[State], *, run: int = 0, opened: int = 0, depth: int = 0, fence: str = ""
    ) -> Place:
        """Return the place with this state and these registers."""
        if row.state is IN_TEXT:
            return self.text
        if not row.counts:
            run = 0
        key = (row.state, run, opened, depth, fence)
        place = self._known.get(key)
        if place is None:
            place = Place(row, self, run=run, opened=opened, depth=depth, fence=fence)
            if len(self._known) < MAX_PLACES:
                self._known[key] = place
        return place


@lru_cache(maxsize=MAX_OPTIONS)
def places_for(reading: Reading) -> Places:
    """Return the places of all scanners that read in this way."""
    return Places(reading)

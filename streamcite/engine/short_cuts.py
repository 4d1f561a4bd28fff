"""The short cuts of one reply: known text and simple markers at once, all else the whole way."""

from collections.abc import Callable

from streamcite.assemble.shown_text import FOLD_LENGTH
from streamcite.engine.host import DECLINED, Declined
from streamcite.engine.lane import Lane
from streamcite.engine.reply import Reply
from streamcite.engine.strand import Strand
from streamcite.events import AnswerEvent, FreshPartial, PartialAnswer
from streamcite.options import CiteOptions
from streamcite.scan.bracket import BRACKET
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.scanners import Scanner
from streamcite.scan.steps import MarkerPlace, Step
from streamcite.scan.tables import (
    ANYTHING,
    BEHIND_UNSHOWN,
    NOTHING_KNOWN,
    KnownTexts,
    or_blank_at_end,
)

__all__ = ["ShortCuts"]

# Guards by which the lane judges a marker. Math, HTML and escapes are contexts, which the place
# knows; all that `footnote` adds is the colon behind a marker, and with `link` that is no marker.
JUDGED = frozenset({"code", "link", "url", "index"})


class ShortCuts(Reply):
    """A reply of which plain tokens, simple markers and changes of context skip most stages.

    `Citer` and the live stream pass plain tokens by themselves, since a call costs a tenth of one.
    """

    __slots__ = ("fold_at", "lane", "offset", "place", "search", "write")

    search: Callable[[str], object]
    """Finds nothing in a plain text, which changes no state and may be shown as it is."""
    place: KnownTexts
    """Where the text stands, with some texts in which `search` finds nothing there."""
    lane: Lane | None
    """The short cut for simple markers, where there is one."""
    offset: int
    """Code points of the present text that were shown."""
    write: Callable[[str], int]
    """Stores a plain token, and returns how long it is."""
    fold_at: int
    """The offset at which plain tokens are to be folded."""

    def _follow(self, strand: Strand) -> None:
        super()._follow(strand)
        self.lane = strand.lane
        if self.lane is not None:
            self.lane.forget()
        self.write = strand.shown.run.write

    @property
    def scanner(self) -> Scanner:
        """The scanner of the text that plain tokens belong to."""
        return self._strand.scanner

    def learns(self, text: str) -> bool:
        """Say whether a text of which nothing is known is plain; if so, more is known now."""
        return not self.search(text) and self.place.learn(text)

    def take(self, token: str, step: object) -> PartialAnswer | Declined | None:
        """Take a text that is not plain, if what it does is known or can be read at once.

        Args:
            token: The text.
            step: What is known of it at this place: where it leads, or a lane's step.

        Returns:
            The event it makes; None if all of it is held; DECLINED if it must be read.
        """
        # Something must see every text: what holds some, or documents that came.
        if self.place is NOTHING_KNOWN:
            return DECLINED
        if self._tags is not None and "<" in token:
            return DECLINED  # it may be a tag, whatever it is to the scanner
        if self.place is BEHIND_UNSHOWN and self.sources.size != self._known_sources:
            return DECLINED  # what new documents resolve is to come first
        lane = self.lane
        if lane is not None and lane.holds is not None:
            return lane.go_on(self, lane.holds, token, step)
        if isinstance(step, KnownTexts):
            return self._pass(token, step)
        if step is None:
            place = self.place.before(token[0], self.shown.run)
            if place is not None:
                return self._go_on_at(place, token)
        if lane is None and self._strand.may_lane and self.place.in_text:
            lane = self._open_lane()
        if lane is None:
            return DECLINED
        return lane.take(self, step) if isinstance(step, Step) else lane.begin(self, token)

    def _open_lane(self) -> Lane | None:
        strand = self._strand
        strand.may_lane = False
        place = self.place
        steps = place.steps if isinstance(place, MarkerPlace) else None
        if steps is not None and _takes_lane(self.options):
            self.lane = strand.lane = Lane(strand.shown, place, self._resolver, steps)
        return self.lane

    def _go_on_at(self, place: KnownTexts, token: str) -> PartialAnswer | Declined | None:
        """Take a token before which the text turns out to stand at another place."""
        step = place.passed.get(token)
        if step is None and (
            token in place.texts or (not place.search(token) and place.learn(token))
        ):
            return self._pass(token, place)
        self._move_to(place, token)
        return self.take(token, step)

    def _move_to(self, place: KnownTexts, token: str) -> None:
        """Let the text go on at a place that a token leads to, or that it stands at itself."""
        if place.fenced is not self.place.fenced:
            scanner = self.scanner
            assert isinstance(scanner, MarkdownScanner)  # no other knows of fences
            scanner.cross(token, self.shown.run.tell(), fenced=place.fenced)
        self._strand.go_to(place)
        self.place, self.search = place, place.search

    def _pass(self, text: str, following: KnownTexts) -> PartialAnswer:
        """Show a text that has to do with contexts only, as is known from before."""
        self._move_to(following, text)
        event: PartialAnswer = FreshPartial.at(self.stand, self.offset, text)
        self.offset += self.write(text)
        if self.shown.run.tell() >= FOLD_LENGTH:
            self.fold()
        return event

    def pass_opener(self, text: str) -> PartialAnswer | Declined:
        """Show a text whose first opener begins no marker; DECLINED if that is not all there is."""
        following = self.place.past(text)
        if following is None or not self._passes_unread(text):
            return DECLINED
        return self._pass(text, following)

    def read(self, text: str) -> list[AnswerEvent]:
        """Take a text, not empty, the whole way, behind what the lane holds."""
        lane = self.lane
        if lane is not None and lane.holds is not None:
            if self._tags is not None and self._tags.closes(text):
                self._end_lane()
                self._feed_text(text)
                return self._conclude()
            text = lane.leave(text)
            self.place = self._strand.place
            following = self.place.passed.get(text)
            if isinstance(following, KnownTexts) and self._passes_unread(text):
                return [self._pass(text, following)]
        self._feed_text(text)
        return self._conclude()

    def _passes_unread(self, text: str) -> bool:
        """Say whether nothing comes before a text, and nothing else need see it."""
        if self._tags is not None and "<" in text:
            return False  # as in `take`
        # What new documents resolve, and what is not shown yet, is to come first.
        return self.shown.idle and self.sources.size == self._known_sources

    def _feed_text(self, text: str) -> None:
        """Let a text go the whole way, behind the plain tokens before it."""
        if self.shown.run.tell():
            self.fold()
        if self.lane is not None and self._tags is None:
            self.lane.note(text)
        elif self.lane is not None:
            self.lane.forget()  # the tags have yet to say what is part of this text
        self._read(text)

    def _end_lane(self) -> None:
        """Take what the lane holds for a marker if it is a whole one, since the text ends."""
        event = DECLINED if self.lane is None else self.lane.end(self)
        if event is DECLINED:
            self._leave_lane()
        elif event is not None:
            self._add(event)

    def _leave_lane(self) -> None:
        """Let the scanner decide what the lane holds."""
        text = "" if self.lane is None else self.lane.leave()
        if text:
            self._feed_text(text)

    def fold(self, rest: str = "") -> None:
        """Store plain tokens as one text; the scanner passes a rest with them, shown otherwise."""
        run = self.shown.settle() + rest
        if run:
            self.write = self.shown.run.write
            self._strand.skip(run)
            if self.lane is not None and self.lane.note(run):
                self._strand.end_with_marker()
            if self._strand.simple or self._aside is not None:
                return
            if self._assembler.keeps_raw:
                self._assembler.receive(run)
            if self._tags is not None:
                self._tags.skip(run)

    def _conclude(self) -> list[AnswerEvent]:
        """Look for plain text anew, and return what was made visible."""
        self.expect_text()
        events, self._events = self._events, None
        return [] if events is None else events

    def expect_text(self) -> None:
        """Find out which texts are plain where the text stands now, all of it being settled."""
        strand, tags, shown, lane = self._strand, self._tags, self.shown, self.lane
        self.offset = offset = shown.settled
        self.fold_at = offset + FOLD_LENGTH
        place, search = strand.place, strand.search
        holds = self.finished or (lane is not None and lane.holds is not None)
        if strand.simple and not holds:
            self.search, self.place = search, place
            return
        self.search, self.place = ANYTHING, NOTHING_KNOWN
        if holds or not (tags is None or tags.idle):
            return
        if self._aside is not None or strand.extraction is not None:
            return
        if not shown.idle:
            if lane is not None and place.in_text:
                self.place = BEHIND_UNSHOWN
        elif shown.trims and not place.trims:
            self.search = or_blank_at_end(search)
        else:
            self.search = search
            if search is not ANYTHING:
                self.place = place


def _takes_lane(options: CiteOptions) -> bool:
    """Say whether the options ask for no more than a lane knows."""
    if options.pattern is not None:
        return False
    if options.reference_pattern is not None:
        return True  # it stands alone, and its place says the rest
    # Where another grammar takes a marker too, the first one listed wins. What is private must not
    # be shown, so that the text is not the reply even where markers are kept.
    return (
        options.markers[:1] == (BRACKET.name,)
        and "private" not in options.markers
        and options.guards >= JUDGED
    )

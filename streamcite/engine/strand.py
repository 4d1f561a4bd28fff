"""A stretch of text: what reads it, and what was shown of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from streamcite.assemble.shown import Shown
from streamcite.engine.lane import Lane
from streamcite.options import CiteOptions
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.scanners import Scanner, make_scanner, text_place
from streamcite.scan.tables import NOTHING_KNOWN, KnownTexts
from streamcite.scan.timed import Allowance

if TYPE_CHECKING:
    from streamcite.scan.extraction import Extraction

__all__ = ["Strand"]


class Strand:
    """A stretch of text: its scanner, what was shown of it, and what picks the answer out.

    Args:
        options: How it is read.
        shown: Where it is shown.
        extraction: Picks the answer out of it; None for all of it.
        allowance: The time for searches in all texts of the reply, if there are any.
        simple: Whether text goes through the scanner and is shown, and that is all.
    """

    __slots__ = (
        "_ends_with_marker",
        "_options",
        "_place",
        "_unread",
        "allowance",
        "extraction",
        "lane",
        "may_lane",
        "maybe_scanner",
        "shown",
        "simple",
    )

    def __init__(
        self,
        options: CiteOptions,
        shown: Shown,
        extraction: "Extraction | None",
        allowance: Allowance | None,
        *,
        simple: bool,
    ) -> None:
        self._options = options
        self.allowance = allowance
        self.shown = shown
        self.extraction = extraction
        self.simple = simple
        """Whether text goes through the scanner and is shown, and that is all."""
        self.lane: Lane | None = None
        """The short cut for simple markers, once one has come."""
        self.may_lane = extraction is None
        """Whether it is still to be seen if there is one."""
        self._begin()

    def begin_anew(self) -> None:
        """Forget what was scanned: what comes is a text of its own."""
        # A lane would look at what was shown before.
        self.lane, self.may_lane = None, False
        if self.extraction is not None:
            self.extraction.begin()
        self._begin()

    def _begin(self) -> None:
        # Plain text needs no scanner, nor do the markers of most answers: while there is none,
        # the place says all, and the first run of text waits for the scanner.
        self._unread = ""
        self._ends_with_marker = False
        place = text_place(self._options)
        self.maybe_scanner = self._make_scanner() if place is None else None
        """The scanner, if there is one; else nothing is held and nothing was found."""
        self._place = NOTHING_KNOWN if place is None else place

    @property
    def scanner(self) -> Scanner:
        """Reads this text; made when it is first asked for."""
        scanner = self.maybe_scanner
        if scanner is None:
            scanner = self.maybe_scanner = self._make_scanner()
            scanner.place, scanner.search = self._place, self._place.search
            if self._unread:
                scanner.skip(self._unread)
                self._unread = ""
            if self._ends_with_marker:
                self.end_with_marker()
        return scanner

    def _make_scanner(self) -> Scanner:
        return make_scanner(self._options, self.allowance)

    def skip(self, text: str) -> None:
        """Pass text, not empty, that needs no scanner."""
        if self.maybe_scanner is None and not self._unread:
            self._unread = text
        else:
            self.scanner.skip(text)

    def end_with_marker(self) -> None:
        """Take note that the text passed ends with a marker."""
        scanner = self.maybe_scanner
        if scanner is None:
            self._ends_with_marker = True
        else:
            assert isinstance(scanner, MarkdownScanner)  # that of the grammar which a lane is for
            scanner.look_back.after_marker = True

    @property
    def held(self) -> str:
        """Text received that is not shown yet."""
        waiting = self.extraction.held if self.extraction is not None else ""
        scanned = self.maybe_scanner.held if self.maybe_scanner is not None else ""
        return self.shown.held + waiting + scanned + self.unread

    @property
    def unread(self) -> str:
        """What of it only the lane has seen."""
        return self.lane.held if self.lane is not None else ""

    @property
    def place(self) -> KnownTexts:
        """The place in the text, with some texts that are plain there."""
        return self._place if self.maybe_scanner is None else self.maybe_scanner.place

    @property
    def search(self) -> Callable[[str], object]:
        """Finds nothing in a text that is plain there."""
        return (self._place if self.maybe_scanner is None else self.maybe_scanner).search

    def go_to(self, place: KnownTexts) -> None:
        """Let the text go on at another place."""
        if self.maybe_scanner is None:
            self._place = place
        else:
            self.maybe_scanner.place, self.maybe_scanner.search = place, place.search

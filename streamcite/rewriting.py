"""How what the lane found is shown where the reader does not see it as it is written."""

from collections.abc import Callable
from typing import Protocol

from streamcite.assemble.shown import Shown
from streamcite.events import CitingPartial, FreshPartial, PartialAnswer, Stand
from streamcite.resolutions import Resolution
from streamcite.scan.scanners import Scanner
from streamcite.scan.tables import KnownTexts
from streamcite.spans import Marker

__all__ = ["Driver", "show_cited", "show_head"]


class Driver(Protocol):
    """What the lane keeps up to date of the citer that drives it."""

    offset: int
    stand: Stand
    search: Callable[[str], object]
    plain: KnownTexts
    write: Callable[[str], int]

    @property
    def scanner(self) -> Scanner:
        """The scanner of the text, which learns of everything."""

    def fold(self, rest: str = "") -> None:
        """Store plain tokens as one text; what follows them in the reply is shown by itself."""

    def expect_text(self) -> None:
        """Look for plain text again, all that was shown being settled."""


def show_head(driver: Driver, shown: Shown, head: str) -> PartialAnswer | None:
    """Show the text before what may be a marker, but for blanks that may go with it."""
    driver.fold(head)
    shown.write(head)
    return _event(driver, shown)


def show_cited(
    driver: Driver, shown: Shown, head: str, marker: Marker, body: str, resolution: Resolution
) -> PartialAnswer | None:
    """Show a whole marker as what it means, and the text around it.

    Args:
        driver: Is told of all that.
        shown: Where it is shown.
        head: The text right before it, which may be empty.
        marker: The marker.
        body: The text right behind it, which may be empty.
        resolution: What it means.
    """
    driver.fold(head + marker.text + body)
    if head:
        shown.write(head)
    shown.cite(marker, resolution)
    if body:
        shown.write(body)
    return _event(driver, shown)


def _event(driver: Driver, shown: Shown) -> PartialAnswer | None:
    """Return the event of what became visible, if anything did: one citation at most."""
    text, citations = shown.take()
    offset, driver.offset = driver.offset, shown.settled
    if not (text or citations):
        return None
    if not citations:
        plain: PartialAnswer = FreshPartial.at(driver.stand, offset, text)
        return plain
    citing: CitingPartial = CitingPartial.at(driver.stand, offset, text)
    citing.citation = citations[0]
    return citing

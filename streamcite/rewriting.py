"""How what the lane found is shown where the reader does not see it as it is written."""

from streamcite.assemble.shown import Shown
from streamcite.driver import Driver
from streamcite.events import CitingPartial, FreshPartial, PartialAnswer, Stand
from streamcite.resolutions import Resolution
from streamcite.spans import Marker

__all__ = ["show_cited", "show_head"]


def show_head(driver: Driver, shown: Shown, head: str) -> PartialAnswer | None:
    """Show the text before what may be a marker, but for blanks that may go with it."""
    driver.fold(head)
    shown.write(head)
    return _shown(driver, shown)


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
    return _shown(driver, shown)


def _shown(driver: Driver, shown: Shown) -> PartialAnswer | None:
    """Tell the driver how much is shown; return the event of what is new, if anything is."""
    text, citations = shown.take()
    offset, driver.offset = driver.offset, shown.settled
    if not (text or citations):
        return None
    if not citations:
        plain: PartialAnswer = FreshPartial.at(driver.stand, offset, text)
        return plain
    stand = driver.stand
    if len(citations) > 1:  # one that might have merged, and one behind it
        stand = Stand(stand.reply, stand.section, tuple(citations), view=stand.view)
        return PartialAnswer.at(stand, offset, text)
    citing: CitingPartial = CitingPartial.at(stand, offset, text)
    (citing.citation,) = citations
    return citing

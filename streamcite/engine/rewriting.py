"""How text and markers go through `assemble/`, and the event of what became visible."""

from collections.abc import Sequence

from streamcite.answers import Citation, CitationFields, citation_of
from streamcite.assemble.shown import Shown
from streamcite.engine.host import Host
from streamcite.events import CitingPartial, FreshPartial, PartialAnswer, Stand
from streamcite.resolutions import Resolution
from streamcite.spans import Marker

__all__ = ["partial_of", "show_cited", "show_head"]


def show_head(host: Host, shown: Shown, head: str) -> PartialAnswer | None:
    """Show the text before what may be a marker, but for blanks that may go with it."""
    host.fold(head)
    shown.write(head)
    return _shown(host, shown)


def show_cited(
    host: Host, shown: Shown, head: str, marker: Marker, body: str, resolution: Resolution
) -> PartialAnswer | None:
    """Show a whole marker as what it means, and the text around it.

    Args:
        host: Is told of all that.
        shown: Where it is shown.
        head: The text right before it, which may be empty.
        marker: The marker.
        body: The text right behind it, which may be empty.
        resolution: What it means.
    """
    host.fold(head + marker.text + body)
    if head:
        shown.write(head)
    shown.cite(marker, resolution)
    if body:
        shown.write(body)
    return _shown(host, shown)


def _shown(host: Host, shown: Shown) -> PartialAnswer | None:
    """Tell the host how much is shown; return the event of what is new, if anything is."""
    text, citations = shown.take()
    offset, host.offset = host.offset, shown.settled
    return partial_of(host.stand, offset, text, citations) if text or citations else None


def partial_of(
    stand: Stand, offset: int, text: str, citations: Sequence[Citation | CitationFields]
) -> PartialAnswer:
    """Make the event of text that became visible, with the citations in it.

    Args:
        stand: What it has in common with others of its text.
        offset: Where the text begins.
        text: The text.
        citations: The citations, or what they are made of: mostly none, or one.
    """
    if not citations:
        plain: PartialAnswer = FreshPartial.at(stand, offset, text)
        return plain
    if len(citations) > 1:
        made = tuple(map(citation_of, citations))
        stand = Stand(stand.reply, stand.section, made, view=stand.view)
        return PartialAnswer.at(stand, offset, text)
    citing: CitingPartial = CitingPartial.at(stand, offset, text)
    (citing.citing,) = citations
    return citing

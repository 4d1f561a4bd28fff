"""How a citation is shown: kept, removed, linked, renumbered, or as the user's function says."""

import logging
from collections.abc import Callable
from functools import cache
from urllib.parse import quote

from streamcite.answers import AnswerWarning, Citation
from streamcite.options import CiteOptions
from streamcite.resolutions import Resolution
from streamcite.sources import Sources

__all__ = ["Numbering", "Renderer", "renderer_for", "safe_destination"]

_log = logging.getLogger("streamcite")

# What may stand in a markdown destination as it is; all else is percent-encoded. "%" stays, or
# an address that is encoded already would be encoded twice.
_SAFE = "!#$%&'*+,-./:;=?@[]_~|^{}"
_SCHEMES = frozenset({"http", "https", "mailto"})


class Numbering:
    """Numbers by first use, for `display="renumber"`; replies of one run share it."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[int, int] | None = None

    def number(self, source_index: int) -> int:
        """Return the number shown for a document, a new one at its first use."""
        if self._numbers is None:
            self._numbers = {}
        return self._numbers.setdefault(source_index, len(self._numbers) + 1)


class Renderer:
    """Writes citations in the display mode of the options."""

    __slots__ = (
        "_mode",
        "_numbering",
        "_shift",
        "_sources",
        "removes",
        "warnings",
    )

    def __init__(self, options: CiteOptions, sources: Sources, numbering: Numbering) -> None:
        self._sources = sources
        self._numbering = numbering
        self.removes = options.display == "remove"
        """Whether a citation leaves no text behind."""
        self._mode = options.display
        self._shift = options.index_base - 1
        self.warnings: list[AnswerWarning] = []
        """What went wrong in the user's own display function."""

    def number(self, resolution: Resolution) -> str | None:
        """Return the numbers that stand for resolved references; None if none are shown."""
        if self.removes or callable(self._mode) or not resolution.references:
            return None
        if self._mode != "renumber":
            return resolution.numbers
        found = (each.source_index for each in resolution.references)
        return ", ".join(str(self._numbering.number(index)) for index in found if index is not None)

    def text(self, citation: Citation, hidden: bool) -> str:
        """Return the text that takes the marker's place.

        Args:
            citation: The citation, with its `start` but without an `end`.
            hidden: Whether the marker itself must not be shown, since it is made of control
                characters.
        """
        indices = citation.source_indices
        if callable(self._mode):
            return self._call(self._mode, citation)
        if self._mode == "link" and indices:
            return "".join(self._link(index) for index in indices)
        if (self._mode == "renumber" or hidden) and indices:
            return f"[{citation.number}]"
        return "" if hidden or self.removes else citation.marker

    def _link(self, index: int) -> str:
        destination = safe_destination(self._sources[index].meta.get("url"))
        number = index + self._shift
        return f"[[{number}]]({destination})" if destination else f"[{number}]"

    def _call(self, display: Callable[[Citation], str], citation: Citation) -> str:
        """Ask the user's function; where it fails, the marker stays and nothing is lost."""
        try:
            text = display(citation)
            if not isinstance(text, str):
                raise TypeError(f"display returned {type(text).__name__}, not str")
        except Exception as error:
            _log.exception("display failed for %r; the marker is shown as it is", citation.marker)
            message = f"{citation.marker!r}: display failed: {error!r}"
            warning = AnswerWarning(code="display-failed", message=message, position=citation.start)
            self.warnings.append(warning)
            return citation.marker
        return text


def renderer_for(options: CiteOptions, sources: Sources, numbering: Numbering | None) -> Renderer:
    """Return a renderer; where markers are kept one does for all replies, for it keeps nothing."""
    if options.display == "keep":
        return _keeper(options.index_base)
    return Renderer(options, sources, numbering or Numbering())


# There are two bases.
@cache
def _keeper(index_base: int) -> Renderer:
    return Renderer(CiteOptions(index_base=index_base), Sources(), Numbering())


def safe_destination(url: object) -> str | None:
    """Return an address that can stand in a markdown link, or None if it should not be linked.

    Blanks, parentheses, angle brackets, quotes and control characters are percent-encoded.
    Schemes other than http, https and mailto, such as javascript, are not linked.
    """
    if not isinstance(url, str) or not url.strip():
        return None
    url = url.strip()
    scheme, colon, _ = url.partition(":")
    # Browsers ignore control characters in a scheme, so they are left out before it is read.
    bare = "".join(character for character in scheme if character > " ").lower()
    if colon and not set("/?#") & set(scheme) and bare not in _SCHEMES:
        return None
    return quote(url, safe=_SAFE, errors="surrogatepass")

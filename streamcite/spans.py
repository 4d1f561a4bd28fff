"""What the scanner says: the alphabet between the scan stages and those behind them.

Nobody changes a span. That they are not frozen is for speed: a frozen one takes three times as
long to make, and they are made on the way of every marker.
"""

from dataclasses import dataclass

__all__ = [
    "PATTERN",
    "Dropped",
    "Item",
    "Located",
    "Marker",
    "Outside",
    "Span",
    "TagClosed",
    "TagOpened",
    "Text",
]

PATTERN = "pattern"
"""The grammar of a marker that a user's own regex found."""

Item = tuple[int, int] | str
"""One entry of a marker: a range of numbers (first, last; equal for one number), or a key."""


@dataclass(slots=True)
class Text:
    """Text that is no marker and no tag."""

    text: str


@dataclass(slots=True)
class Marker:
    """Citation text as the model wrote it."""

    text: str
    """The marker, brackets included."""
    grammar: str
    """Name of the grammar that found it, or `PATTERN`."""
    items: tuple[Item, ...]
    """What it points at, in the order of writing."""
    problems: tuple[str, ...] = ()
    """Parts of it that could not be read, for the answer's warnings."""


@dataclass(slots=True)
class Dropped:
    """Control characters of a grammar that no reader may see."""

    text: str


@dataclass(slots=True)
class Outside:
    """A marker in text that the answer's `pattern` leaves out."""

    marker: Marker


@dataclass(slots=True)
class Located:
    """A marker in text that was passed on before it was known."""

    marker: Marker
    back: int
    """Code points between the marker's start and the end of the stretch of text."""


@dataclass(slots=True)
class TagOpened:
    """The open tag of a section."""

    name: str
    raw: str
    """The tag's own text; empty for a section that was open from the start."""
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class TagClosed:
    """The end of the open section."""

    name: str
    raw: str
    complete: bool
    """False if the reply ended before the tag was closed."""


Span = Text | Marker | Outside | Located | Dropped | TagOpened | TagClosed

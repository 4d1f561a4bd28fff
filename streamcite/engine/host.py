"""What the lane asks of the citer that drives it, and how it declines a token."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from streamcite.events import PartialAnswer, Stand
from streamcite.scan.scanners import Scanner
from streamcite.scan.tables import KnownTexts

__all__ = ["LEFT", "Driver", "Left"]


class Left(Enum):
    """Says that a token is not for the lane."""

    LEFT = "left"


LEFT = Left.LEFT


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

    def pass_opener(self, text: str) -> PartialAnswer | Left:
        """Show a text whose first opener begins no marker; LEFT if that is not all there is."""

    def fold(self, rest: str = "") -> None:
        """Store plain tokens as one text; the scanner passes a rest with them, shown otherwise."""

    def expect_text(self) -> None:
        """Find out which texts are plain where the text stands now, all of it being settled."""

"""What the lane asks of the reply that it takes markers for, and how it declines a token."""

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from streamcite.events import PartialAnswer, Stand
from streamcite.scan.scanners import Scanner
from streamcite.scan.tables import KnownTexts

__all__ = ["DECLINED", "Declined", "Host"]


class Declined(Enum):
    """Says that a token is not for the lane."""

    DECLINED = "declined"


DECLINED = Declined.DECLINED


class Host(Protocol):
    """What the lane keeps up to date of the reply that it takes markers for."""

    offset: int
    stand: Stand
    search: Callable[[str], object]
    place: KnownTexts
    write: Callable[[str], int]

    @property
    def scanner(self) -> Scanner:
        """The scanner of the text, which learns of everything."""

    def pass_opener(self, text: str) -> PartialAnswer | Declined:
        """Show a text whose first opener begins no marker; DECLINED if that is not all there is."""

    def fold(self, rest: str = "") -> None:
        """Store plain tokens as one text; the scanner passes a rest with them, shown otherwise."""

    def expect_text(self) -> None:
        """Find out which texts are plain where the text stands now, all of it being settled."""

"""What the lane keeps up to date of the citer that drives it."""

from collections.abc import Callable
from typing import Protocol

from streamcite.events import Stand
from streamcite.scan.scanners import Scanner
from streamcite.scan.tables import KnownTexts

__all__ = ["Driver"]


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
        """Store plain tokens as one text; the scanner passes a rest with them, shown otherwise."""

    def expect_text(self) -> None:
        """Find out which texts are plain where the text stands now, all of it being settled."""

"""One search for a program's match, by way of a table where the program allows it."""

from typing import Protocol, Self

from streamcite.scan.program import Program
from streamcite.scan.regex_conditions import Neighbour
from streamcite.scan.regex_table import TableSearch, table_of
from streamcite.scan.regex_threads import NO_LIMIT, Progress, Recorded, Threads

__all__ = ["Search", "search_for"]


class Search(Protocol):
    """The threads of a search, however they are kept."""

    recorded: Recorded | None
    """The best match so far; final once no thread is left."""
    oldest: int | None
    """Start of the oldest thread; None: there is none."""
    undecided: bool
    """A condition waits for text that has not arrived."""
    steps: int
    """Characters examined, or instructions visited."""

    def progress(self) -> list[Progress]:
        """What each thread knows of its match, the preferred one first."""

    def reset(self) -> None:
        """Forget all threads and the recorded match."""

    def standing(self, position: int) -> tuple[object, list[Progress]]:
        """Where the search stands, and the threads that began before the position it stands at.

        Two searches that stand the same go on the same, but for what their threads know.
        """

    def resume(self, other: Self, threads: list[Progress], recorded: Recorded | None) -> None:
        """Stand where another search stands, with other threads in the place of its own."""

    def advance(self, text: str, index: int, base: int, previous: Neighbour, *, ended: bool) -> int:
        """Consume `text[index:]`: see `Threads.advance`."""

    def step(self, text: str, index: int, base: int, previous: Neighbour, *, ended: bool) -> int:
        """Consume one character: see `Threads.advance`."""


def search_for(program: Program, max_length: int = NO_LIMIT) -> Search:
    """Begin a search; a table knows no conditions, and no match of nothing."""
    if program.has_assertions or program.first is None:
        return Threads(program, max_length)
    return TableSearch(table_of(program), max_length)

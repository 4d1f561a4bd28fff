"""A candidate: text that may still become a marker, read by every grammar that starts so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from streamcite.spans import Item

__all__ = ["MAX_REPEATED", "Candidate", "Grammar", "Step"]

# The markers of all replies repeat: what is made of their text is kept for so many.
MAX_REPEATED = 2048


class Step(Protocol):
    """Where in a grammar a candidate stands."""

    @property
    def accepts(self) -> bool:
        """Whether the text so far is a whole marker."""

    @property
    def over(self) -> bool:
        """Whether no longer text can be one."""

    def __getitem__(self, character: str, /) -> "Step":
        """Return the step behind one more character."""


# Not compared by value: the same options give the same grammars, and they are looked up by hash.
@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """How one kind of marker is found and read."""

    name: str
    starts: str
    """The characters a marker of this grammar may begin with."""
    begin: Callable[[str], Step]
    """The step behind such a character."""
    read: Callable[[str], tuple[Item, ...]]
    """The items of a whole marker."""
    dropped: str = ""
    """Those of `starts` that no reader may see, even outside a marker."""


class Candidate:
    """Text from an opener on, for as long as some grammar may still take it.

    The longest marker wins; of equally long ones, the grammar listed first.
    """

    __slots__ = (
        "_position",
        "_steps",
        "glued",
        "grammar",
        "grammars",
        "length",
        "opener",
        "over",
        "start",
    )

    def __init__(
        self, grammars: Sequence[Grammar], start: int, opener: str, glued: bool = False
    ) -> None:
        self.grammars = grammars
        self.grammar = grammars[0]
        self.start = start
        self.opener = opener
        self.glued = glued
        """Whether it follows a word at once, so that it may be an index in code."""
        if len(grammars) == 1:  # the common case, without a frame of its own for the list
            step = self.grammar.begin(opener)
            self._steps = [] if step.over else [(self.grammar, step)]
        else:
            self._steps = [
                (grammar, step) for grammar in grammars if not (step := grammar.begin(opener)).over
            ]
        self.over = not self._steps
        self.length: int | None = None
        """Code points of the marker, once one is found."""
        self._position = 1

    def read(self, window: str, limit: int) -> int:
        """Read on, up to `limit`; return the number of characters read."""
        place = begin = self.start + self._position
        stop = min(len(window), limit)
        steps = self._steps
        if len(steps) == 1:
            ((grammar, step),) = steps
            while place < stop and not step.over:
                step = step[window[place]]
                place += 1
                if step.accepts:
                    self.length, self.grammar = place - self.start, grammar
            self.over = step.over
            steps = [(grammar, step)]
        while place < stop and not self.over:
            character = window[place]
            place += 1
            alive = []
            for grammar, step in reversed(steps):
                following = step[character]
                if following.accepts:
                    self.length, self.grammar = place - self.start, grammar
                if not following.over:
                    alive.append((grammar, following))
            alive.reverse()
            steps = alive
            self.over = not alive
        self._steps = steps
        self._position = place - self.start
        return place - begin

"""What became of a marker: the word between resolving and assembling."""

from dataclasses import dataclass, replace
from enum import Enum

from streamcite.answers import Reference

__all__ = ["Outcome", "Resolution", "Wish"]

Wish = int | str
"""What a marker waits for: the source index of a document, or a name for one."""


class Outcome(Enum):
    """What a marker turned out to mean."""

    CITED = "at least one document"
    UNKNOWN = "no document, yet"
    TEXT = "no marker after all, whatever documents come"


# Not frozen: a frozen one takes three times as long to make, and nobody changes one.
@dataclass(slots=True)
class Resolution:
    """A marker's references, and what is left over."""

    outcome: Outcome
    references: tuple[Reference, ...] = ()
    """The documents there are, in the order the marker names them, each once."""
    unknown: tuple[str, ...] = ()
    """What no document has, as numbers, ranges or keys."""
    problems: tuple[str, ...] = ()
    """What cannot be read, whatever comes."""
    awaits: tuple[Wish, ...] = ()
    """What further documents may add references by; empty if none can."""
    wanted: tuple[Reference, ...] = ()
    """Unresolved references, if nothing resolves."""
    numbers: str = ""
    """The numbers of the references as the model counts them, "1, 3"."""

    @property
    def open_ended(self) -> bool:
        """Whether further documents may add references."""
        return bool(self.awaits)

    @property
    def complete(self) -> bool:
        """Whether everything in the marker is resolved, for good."""
        return not (self.unknown or self.problems or self.awaits)

    def joined(self, other: "Resolution") -> "Resolution":
        """Return what two markers of the same documents mean as one."""
        if not (other.unknown or other.problems):
            return self
        unknown, problems = self.unknown + other.unknown, self.problems + other.problems
        return replace(self, unknown=unknown, problems=problems)

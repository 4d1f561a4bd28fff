"""What comes out while a reply streams: four small frozen events and their union."""

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

from pydantic import Field

from streamcite.answers import Citation, GeneratedAnswer

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = [
    "AnswerEvent",
    "FinalAnswer",
    "PartialAnswer",
    "PartialDraft",
    "SectionEnded",
    "SectionStarted",
    "event_adapter",
]


class AnswerView(Protocol):
    """What can say how the whole answer stood after an event."""

    def view(self, event: "PartialAnswer") -> GeneratedAnswer:
        """Build the answer."""


class PartialDraft:
    """A `PartialAnswer` while it is filled in.

    A frozen dataclass costs 270 ns to create, since each field goes through
    `object.__setattr__`; filling this twin and then changing its class costs half of that.
    """

    __slots__ = (
        "_view",
        "citations",
        "delta",
        "kind",
        "offset",
        "reply",
        "section",
        "updates",
    )
    kind: Literal["partial"]
    reply: int
    section: str | None
    offset: int
    delta: str
    citations: tuple[Citation, ...]
    updates: tuple[Citation, ...]
    _view: "AnswerView | None"


@dataclass(frozen=True, slots=True)
class PartialAnswer(PartialDraft):
    """Text that became visible, and the citations in it."""

    kind: Literal["partial"] = field(default="partial", kw_only=True)
    """Tells this event from the others."""
    reply: int
    """The reply it belongs to, from 0."""
    section: str | None
    """The tag in whose content the text stands; None for the text outside all tags."""
    offset: int
    """Code points of this section's text that were shown before `delta`."""
    delta: str
    """The new text; only ever appended."""
    citations: tuple[Citation, ...] = ()
    """Citations that are new with this delta."""
    updates: tuple[Citation, ...] = ()
    """Citations, or unknown markers, whose references were resolved since they were shown."""

    @property
    def answer(self) -> GeneratedAnswer:
        """The answer so far, built anew each time it is asked for."""
        view: AnswerView | None = getattr(self, "_view", None)
        if view is None:  # the event was read from JSON, and its answer is elsewhere
            return GeneratedAnswer(data=self.delta, citations=list(self.citations))
        return view.view(self)


@dataclass(frozen=True, slots=True)
class SectionStarted:
    """A named tag, or the reasoning channel, opened."""

    reply: int
    """The reply it belongs to, from 0."""
    name: str
    """The tag's name."""
    attributes: dict[str, str] = field(default_factory=dict)
    """The attributes of the open tag, as written."""
    kind: Literal["section_started"] = "section_started"
    """Tells this event from the others."""


@dataclass(frozen=True, slots=True)
class SectionEnded:
    """The section that started last, and is still open, is over."""

    reply: int
    """The reply it belongs to, from 0."""
    name: str
    """The tag's name."""
    complete: bool = True
    """False if the reply ended before the tag was closed."""
    kind: Literal["section_ended"] = "section_ended"
    """Tells this event from the others."""


@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """The whole reply; exactly one for each."""

    reply: int
    """The reply it belongs to, from 0."""
    answer: GeneratedAnswer
    """The answer with the documents it cites."""
    complete: bool = True
    """False if the source failed before the reply was over."""
    finish_reason: str | None = None
    """Why the generator stopped, if it said so."""
    kind: Literal["final"] = "final"
    """Tells this event from the others."""


AnswerEvent = Annotated[
    PartialAnswer | SectionStarted | SectionEnded | FinalAnswer, Field(discriminator="kind")
]
"""Any event of a live answer, told apart by `kind`."""


@cache
def event_adapter() -> "TypeAdapter[AnswerEvent]":
    """Return the adapter that validates events and writes them as JSON or JSON schema."""
    from pydantic import TypeAdapter

    return TypeAdapter(AnswerEvent)

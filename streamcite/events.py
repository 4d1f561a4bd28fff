"""What comes out while a reply streams: four small frozen events and their union."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from json.encoder import encode_basestring as escaped
from typing import Annotated, Any, ClassVar, Final, Literal, Protocol, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    PlainSerializer,
    TypeAdapter,
)
from pydantic_core import CoreSchema

from streamcite.answers import Citation, CitationFields, GeneratedAnswer, Json, citation_of

__all__ = [
    "AnswerEvent",
    "AnswerView",
    "CitingPartial",
    "FinalAnswer",
    "FreshPartial",
    "PartialAnswer",
    "SectionEnded",
    "SectionStarted",
    "Stand",
    "event_adapter",
]


class AnswerView(Protocol):
    """What can say how the whole answer stood after an event."""

    def view(self, event: "PartialAnswer", named: int) -> GeneratedAnswer:
        """Build the answer.

        Args:
            event: The event.
            named: How many citations had come, if updates are all that is new in it.
        """


class Stand:
    """What a partial answer has in common with others of its text; made once for many tokens."""

    __slots__ = ("citations", "named", "opening", "reply", "section", "updates", "view")

    def __init__(
        self,
        reply: int,
        section: str | None,
        citations: tuple[Citation, ...] = (),
        updates: tuple[Citation, ...] = (),
        view: AnswerView | None = None,
        named: int = 0,
    ) -> None:
        self.reply = reply
        self.section = section
        self.citations = citations
        self.updates = updates
        self.view = view
        self.named = named
        """How many citations had come, where only updates are new."""
        self.opening = ""
        """The JSON of an event with this, up to its offset, once one was written."""

    def open(self) -> str:
        """Return `opening`, made now."""
        self.opening = opening = _opening(self.reply, self.section)
        return opening


# Most streams have one reply and a handful of sections, and share these. By type, since `True` is
# no number in JSON.
@lru_cache(64, typed=True)
def _opening(reply: int, section: str | None) -> str:
    name = "null" if section is None else escaped(section)
    return f'{{"kind":"partial","reply":{reply},"section":{name},"offset":'


class _Event:
    """What all events can do."""

    __slots__ = ()

    def to_dict(self) -> Json:
        """Return the event as JSON-ready values."""
        values: Json = event_adapter().dump_python(self, mode="json")  # type: ignore[arg-type]  # all that are made are events
        return values


# What a partial answer is made of, in this order.
_Arguments = tuple[int, str | None, int, str, tuple[Citation, ...], tuple[Citation, ...]]


class PartialAnswer(_Event):
    """Text that became visible, and the citations in it.

    Read it, do not change it. That is left to type checkers: a frozen dataclass of seven fields
    costs 270 ns to make, this one 90, and one is made for every token.

    Args:
        reply: The reply it belongs to, from 0.
        section: The tag in whose content the text stands; None for the text outside all tags.
        offset: Code points of this section's text that were shown before `delta`.
        delta: The new text; only ever appended.
        citations: Citations that are new with this delta.
        updates: Citations, or unknown markers, shown before and resolved to more since.
    """

    __slots__ = ("_stand", "delta", "offset")
    __match_args__ = ("delta",)

    kind: ClassVar[Literal["partial"]] = "partial"
    """Tells this event from the others."""
    delta: Final[str]
    offset: Final[int]

    def __init__(
        self,
        reply: int,
        section: str | None,
        offset: int,
        delta: str,
        citations: tuple[Citation, ...] = (),
        updates: tuple[Citation, ...] = (),
    ) -> None:
        self.offset = offset
        self.delta = delta
        self._stand = Stand(reply, section, citations, updates)

    @classmethod
    def at(cls, stand: Stand, offset: int, delta: str) -> Self:
        """Make one of what it shares with others."""
        event = cls.__new__(cls)
        event.offset = offset  # type: ignore[misc]  # final for readers; this makes it
        event.delta = delta  # type: ignore[misc]  # the same
        event._stand = stand
        return event

    @property
    def reply(self) -> int:
        """The reply it belongs to, from 0."""
        return self._stand.reply

    @property
    def section(self) -> str | None:
        """The tag in whose content the text stands; None for the text outside all tags."""
        return self._stand.section

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Citations that are new with this delta."""
        return self._stand.citations

    @property
    def updates(self) -> tuple[Citation, ...]:
        """Earlier markers whose references were resolved since they were shown."""
        return self._stand.updates

    @property
    def answer(self) -> GeneratedAnswer:
        """The answer so far, built anew each time it is asked for."""
        view = self._stand.view
        if view is None:  # the event was copied or read from JSON, away from its answer
            return GeneratedAnswer(data=self.delta, citations=list(self.citations))
        return view.view(self, self._stand.named)

    def with_view_of(self, other: "PartialAnswer") -> "PartialAnswer":
        """Return the event as part of the answer that another one belongs to."""
        view, named = other._stand.view, other._stand.named
        stand = Stand(self.reply, self.section, self.citations, self.updates, view, named)
        return PartialAnswer.at(stand, self.offset, self.delta)

    def _fields(self) -> _Arguments:
        return (self.reply, self.section, self.offset, self.delta, self.citations, self.updates)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartialAnswer):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((self.reply, self.section, self.offset, self.delta))

    def __repr__(self) -> str:
        names = ("reply", "section", "offset", "delta", "citations", "updates")
        pairs = zip(names, self._fields(), strict=True)
        return f"PartialAnswer({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def __reduce__(self) -> tuple[type["PartialAnswer"], _Arguments]:
        # Copies, deep copies and pickles leave the engine behind.
        return (PartialAnswer, self._fields())

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return handler.generate_schema(
            Annotated[
                _PartialFields,
                BeforeValidator(_write_if_partial),
                AfterValidator(_read_partial),
                PlainSerializer(_write_partial, return_type=_PartialFields),
            ]
        )


class FreshPartial(PartialAnswer):
    """A `PartialAnswer` whose fields the token path sets, in half the time.

    Calling a class without an `__init__` of its own is the cheapest way to make an object.
    """

    __slots__ = ()
    __init__ = object.__init__


class CitingPartial(FreshPartial):
    """One with a single new citation, or what that is made of until somebody asks for it."""

    __slots__ = ("citing",)
    citing: Citation | CitationFields

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Citations that are new with this delta."""
        self.citing = citation = citation_of(self.citing)
        return (citation,)


@dataclass(frozen=True, slots=True)
class _PartialFields:
    """A `PartialAnswer` as JSON."""

    kind: Literal["partial"]
    reply: int
    section: str | None
    offset: int
    delta: str
    citations: tuple[Citation, ...]
    updates: tuple[Citation, ...]


# So that schemas, and what is generated from them, name the event as the docs do.
_PartialFields.__name__ = _PartialFields.__qualname__ = PartialAnswer.__name__


def _read_partial(raw: _PartialFields) -> PartialAnswer:
    return PartialAnswer(raw.reply, raw.section, raw.offset, raw.delta, raw.citations, raw.updates)


def _write_partial(event: PartialAnswer) -> _PartialFields:
    return _PartialFields("partial", *event._fields())


def _write_if_partial(value: object) -> object:
    return _write_partial(value) if isinstance(value, PartialAnswer) else value


@dataclass(frozen=True, slots=True)
class SectionStarted(_Event):
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
class SectionEnded(_Event):
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
class FinalAnswer(_Event):
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


class _EventAdapter(TypeAdapter[AnswerEvent]):  # type: ignore[misc]  # final; this changes no meaning
    """Writes events by their class, and partial answers, nearly all, without their schema."""

    def dump_json(self, instance: AnswerEvent, /, **options: Any) -> bytes:
        event: Any = instance  # what it is, is asked by its class
        try:
            if event.__class__ is FreshPartial and not options:
                opening = event._stand.opening or event._stand.open()
                return (
                    f'{opening}{event.offset},"delta":{escaped(event.delta)},'
                    '"citations":[],"updates":[]}'
                ).encode()
            if isinstance(event, PartialAnswer) and not options:
                opening = event._stand.opening or event._stand.open()
                begun = f'{opening}{event.offset},"delta":{escaped(event.delta)},'.encode()
                citations, updates = _listed(event.citations), _listed(event.updates)
                return b'%b"citations":[%b],"updates":[%b]}' % (begun, citations, updates)
        except UnicodeEncodeError:
            pass  # half a character has no UTF-8; pydantic says so
        if event.__class__ is FinalAnswer and not options:
            return _adapter_of(FinalAnswer).serializer.to_json(event)  # in half the time
        return super().dump_json(instance, **options)


def _listed(citations: tuple[Citation, ...]) -> bytes:
    return b",".join([_adapter_of(Citation).serializer.to_json(each) for each in citations])


@cache
def _adapter_of(kind: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@cache
def event_adapter() -> TypeAdapter[AnswerEvent]:
    """Return the adapter that validates events and writes them as JSON or JSON schema."""
    return _EventAdapter(AnswerEvent)

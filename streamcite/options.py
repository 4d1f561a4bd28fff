"""Every knob of the engine, validated once."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Literal, TypedDict, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    field_validator,
    model_serializer,
    model_validator,
)

from streamcite.answers import Citation
from streamcite.errors import OptionsError
from streamcite.grammar import LABELS

__all__ = ["CiteOptions", "Display", "Grammar", "Guard", "OptionKeywords", "resolve_options"]

Grammar = Literal["bracket", "caret", "label", "key", "filename", "openai", "private"]
Guard = Literal["code", "math", "link", "url", "html", "escape", "footnote", "index"]
Display = Literal["keep", "remove", "link", "renumber"]

GUARDS: frozenset[Guard] = frozenset(get_args(Guard))

# Longest text held for a marker or tag. 256 holds a list of 60 numbers; a user's own regex may
# span a sentence.
MAX_MARKER_LENGTH = 256
MAX_PATTERN_LENGTH = 4096

# Keys that the answer's meta needs for itself, so that no tag may be called so.
RESERVED_META = frozenset(
    {
        "_references",
        "all_messages",
        "finish_reason",
        "index",
        "model",
        "native_citations",
        "prompt",
        "usage",
    }
)

_TAG_NAME = re.compile(r"[^\W\d][\w.:-]*")


class CiteOptions(BaseModel):
    """How markers are found, resolved and shown."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", validate_default=False)

    markers: tuple[Grammar, ...] = ("bracket",)
    """Built-in grammars, a name or a list of names; empty: no markers, all documents are listed."""
    reference_pattern: str | None = None
    """A regex of the user's own, or "acm", instead of `markers`; group 1 or the whole match is
    the number, as `re.findall` has it."""
    when: Literal["live", "at_end"] = "live"
    """When `reference_pattern` is resolved; "at_end" accepts what cannot be streamed."""
    expand_reference_ranges: bool | None = None
    """Whether `[6-10]` cites 6 to 10; None: for `markers` yes, for `reference_pattern` no."""
    pattern: str | None = None
    """Regex that picks the answer text out of the reply, as `re.search`; at most one group."""
    extract_xml_tags: tuple[str, ...] = ()
    """Tags whose content is lifted out of the answer text into `sections` and `meta`."""
    tag_aliases: Mapping[str, str] = Field(default_factory=dict)
    """Further spellings of a tag, alias to name: {"think": "thinking"}."""
    answer_tag: str | None = None
    """Which of those tags holds the answer text."""
    start_in: str | None = None
    """Section that is already open when the reply starts."""
    display: Display | Callable[[Citation], str] = "keep"
    """How a citation is shown in the answer text, the unresolved ones of `unknown="mark"` too."""
    unknown: Literal["literal", "drop", "mark"] = "literal"
    """What happens to a marker of which nothing resolves."""
    return_only_referenced_documents: bool = True
    """False: all documents, each with `meta["referenced"]`."""
    guards: frozenset[Guard] = GUARDS
    """Markdown contexts in which nothing is a marker."""
    index_base: int = Field(default=1, ge=0, le=1)
    """Number of the first document as the model counts: 1 or 0."""
    max_marker_length: int = Field(default=MAX_MARKER_LENGTH, ge=3, le=1_000_000)
    """Longest text, in code points, that is held for a marker or a tag; a longer one is text.
    4,096 where `reference_pattern` is used and nothing else is said."""
    last_message_only: bool = False
    """For several replies: only the last one makes an answer."""
    labels: tuple[str, ...] = LABELS
    """The words of `markers="label"`, whatever their case."""
    key_field: str | None = None
    """The meta entry that holds the keys of `markers="key"`, beside the document's id."""
    keys_by_first_use: bool = False
    """Whether an `openai` or `private` key that no document has means the next document."""
    merge_adjacent: bool = False
    """Whether adjacent markers of the same document, `[1][1]`, are one citation."""

    def __init__(self, **data: object) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise OptionsError(_explain(error)) from error

    @field_validator("markers", "extract_xml_tags", "labels", mode="before")
    @classmethod
    def _accept_one_name(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("guards", mode="before")
    @classmethod
    def _accept_all(cls, value: object) -> object:
        if value == "all":
            return GUARDS
        return (value,) if isinstance(value, str) else value

    @field_validator("markers", "extract_xml_tags", "guards", mode="before")
    @classmethod
    def _refuse_no_list(cls, value: object) -> object:
        if value is None or isinstance(value, bool):
            raise ValueError(f"{value} is no list of names; give () for none of them")
        return value

    @field_validator("reference_pattern", "pattern", mode="before")
    @classmethod
    def _refuse_compiled(cls, value: object) -> object:
        if isinstance(value, re.Pattern):
            raise ValueError("it is compiled; give its text, with flags in it, as in (?i)")
        return value

    @field_validator("labels")
    @classmethod
    def _check_labels(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value or not all(label.strip() for label in value):
            raise ValueError("give at least one word, none of them blank")
        return tuple(label.strip() for label in value)

    @model_validator(mode="before")
    @classmethod
    def _default_length(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("reference_pattern") is not None:
            data.setdefault("max_marker_length", MAX_PATTERN_LENGTH)
        return data

    @model_validator(mode="after")
    def _check_together(self) -> "CiteOptions":
        if self.reference_pattern is not None and "markers" in self.model_fields_set:
            raise ValueError("reference_pattern takes the place of markers; give one of the two")
        if self.reference_pattern == "":
            raise ValueError("reference_pattern is empty; leave it out, or say None")
        if self.when == "at_end" and self.reference_pattern is None:
            raise ValueError("when='at_end' is for reference_pattern; markers resolve live")
        for name in self.extract_xml_tags:
            _check_tag(name)
        names = set(self.extract_xml_tags)
        for option in ("answer_tag", "start_in"):
            if (name := getattr(self, option)) is not None and name not in names:
                raise ValueError(f"{option}={name!r} must be one of extract_xml_tags")
        if self.answer_tag == "reasoning":
            raise ValueError(
                "answer_tag='reasoning' would mix the answer with what the model thinks"
            )
        for alias, name in self.tag_aliases.items():
            _check_name(alias)
            if name not in names or alias in names:
                raise ValueError(f"tag_aliases: {alias!r} must stand for one of extract_xml_tags")
        if self.extract_xml_tags and self.max_marker_length < _longest_tag(self):
            raise ValueError("max_marker_length is shorter than a tag of extract_xml_tags")
        return self

    @model_serializer(mode="wrap")
    def _leave_out_markers(self, dump: SerializerFunctionWrapHandler):  # type: ignore[no-untyped-def]  # with a type the schema loses the fields
        """Leave out what would be refused, so that what is dumped makes the same options again."""
        values = dump(self)
        if self.reference_pattern is not None:
            values.pop("markers", None)
        return values

    @property
    def expands_ranges(self) -> bool:
        """Whether a range cites all numbers between its ends."""
        if self.expand_reference_ranges is None:
            return self.reference_pattern is None
        return self.expand_reference_ranges

    @property
    def removes_markers(self) -> bool:
        """Whether there are markers that leave no text behind."""
        return self.display == "remove" or self.unknown == "drop"

    @property
    def parses_references(self) -> bool:
        """Whether references are read at all."""
        return self.reference_pattern is not None or bool(self.markers)


class OptionKeywords(TypedDict, total=False):
    """The options as keywords of an entry point, so that a type checker knows each by its name.

    Wider than the fields of `CiteOptions`, which keeps what it is given in one shape.
    """

    markers: Grammar | Sequence[Grammar]
    reference_pattern: str | None
    when: Literal["live", "at_end"]
    expand_reference_ranges: bool | None
    pattern: str | None
    extract_xml_tags: str | Sequence[str]
    tag_aliases: Mapping[str, str]
    answer_tag: str | None
    start_in: str | None
    display: Display | Callable[[Citation], str]
    unknown: Literal["literal", "drop", "mark"]
    return_only_referenced_documents: bool
    guards: Literal["all"] | Guard | Collection[Guard]
    index_base: int
    max_marker_length: int
    last_message_only: bool
    labels: str | Sequence[str]
    key_field: str | None
    keys_by_first_use: bool
    merge_adjacent: bool


def _longest_tag(options: CiteOptions) -> int:
    return max(len(f"</{name}>") for name in (*options.extract_xml_tags, *options.tag_aliases))


def _check_tag(name: str) -> None:
    _check_name(name)
    if name in RESERVED_META:
        raise ValueError(f"a tag cannot be called {name!r}: the answer's meta needs that key")


def _check_name(name: str) -> None:
    if not _TAG_NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is no tag name: give the bare name, of letters, digits, '.', ':', '-', '_'"
        )


def _explain(error: ValidationError) -> str:
    """Say in one line per option what is wrong with it."""
    lines: list[str] = []
    for item in error.errors(include_url=False):
        name = ".".join(str(part) for part in item["loc"][:1])
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            message = f"no such option; {_suggestion(name)}"
        # Of an option that is one of some words, or a function.
        if item["type"] == "callable_type" and lines:
            lines[-1] += ", or a function of a citation"
            continue
        lines.append(f"{name}: {message}" if name else message)
    return "; ".join(dict.fromkeys(lines))


@cache
def _default_options() -> CiteOptions:
    return CiteOptions()


# What the entry points take beside the options.
_ARGUMENTS = ("documents", "meta", "options", "prompt", "query", "sources")


def _suggestion(name: str) -> str:
    """Say what may have been meant."""
    names = [*_ARGUMENTS, *CiteOptions.model_fields]
    close = get_close_matches(name, names, n=1) or [each for each in names if name in each][:1]
    if close:
        return f"did you mean {close[0]}?"
    return f"there are {', '.join(sorted(CiteOptions.model_fields))}"


def resolve_options(options: CiteOptions | None, keywords: OptionKeywords) -> CiteOptions:
    """Return the options of an entry point, given whole or as keywords.

    Raises:
        OptionsError: Both were given, or one of them has no meaning.
    """
    if options is None:
        return CiteOptions(**keywords) if keywords else _default_options()
    if not isinstance(options, CiteOptions):
        raise OptionsError(
            f"options is a {type(options).__name__}; give CiteOptions(...), or keywords"
        )
    if keywords:
        given: Iterable[str] = sorted(keywords)
        raise OptionsError(f"give options= or the keywords {', '.join(given)}, not both")
    return options

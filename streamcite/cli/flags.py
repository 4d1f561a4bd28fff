"""The flags that stand for `CiteOptions`, as a table; commands take them without naming them."""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial, wraps
from typing import Annotated, Any, Literal, NamedTuple, get_args

import typer

from streamcite.errors import OptionsError, PatternError
from streamcite.options import CiteOptions, Display, Grammar, Guard

__all__ = ["FLAGS", "FOR_CITE", "Flag", "in_flags", "spelling", "to_options", "with_ask_options",
           "with_cite_options"]  # fmt: skip

NONE = "none"
"""What to write for an empty list."""

_PANEL = "Citations"


class Flag(NamedTuple):
    """One option of `CiteOptions` on the command line."""

    name: str
    """The option of `CiteOptions`."""
    type: Any
    help: str
    spelling: str | None = None
    """The flag; the name with hyphens by default."""
    read: Callable[[Any], Any] = lambda value: value
    """Makes the option's value of the flag's."""


def _words(values: Iterable[str]) -> tuple[str, ...]:
    names = [name.strip() for value in values for name in value.split(",") if name.strip()]
    if set(names) == {NONE}:
        return ()
    if NONE in names:
        raise OptionsError(f"{', '.join(names)}: {NONE} stands alone")
    return tuple(names)


def _names(*allowed: str) -> Callable[[Iterable[str]], tuple[str, ...]]:
    def read(values: Iterable[str]) -> tuple[str, ...]:
        names = _words(values)
        if unknown := sorted(set(names) - set(allowed)):
            choices = ", ".join((*allowed, NONE))
            raise OptionsError(f"{', '.join(unknown)}: no such name; there are {choices}")
        return names

    return read


def _base(value: int) -> int:
    if value not in (0, 1):
        raise OptionsError(f"{value}: give 0 or 1")
    return value


def _aliases(values: Iterable[str]) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    if wrong := [alias for alias, equals, name in pairs if not (alias and equals and name)]:
        raise OptionsError(f"{wrong[0]}: write it as alias=tag")
    return {alias: name for alias, _, name in pairs}


_Grammars = get_args(Grammar)
_Guards = get_args(Guard)

FLAGS = (
    Flag(
        "markers",
        list[str],
        f"What a citation looks like: {', '.join(_Grammars)}; or none. Repeat it, or use commas.",
        read=_names(*_Grammars),
    ),
    Flag("reference_pattern", str, "A regex instead of --markers, or the word acm."),
    Flag("when", Literal["live", "at_end"], "When --reference-pattern is resolved."),
    Flag(
        "expand_reference_ranges",
        bool,
        "Whether [6-10] cites 6 to 10.",
        "--expand-ranges/--no-expand-ranges",
    ),
    Flag("pattern", str, "A regex that picks the answer out of the reply."),
    Flag("extract_xml_tags", list[str], "A tag to lift out of the answer.", "--extract-xml-tag",
         _words),
    Flag("tag_aliases", list[str], "Another spelling of a tag: think=thinking.", "--tag-alias",
         _aliases),
    Flag("answer_tag", str, "The tag that holds the answer."),
    Flag("start_in", str, "The tag that is open when the reply starts."),
    Flag("display", Display, "How a citation is shown in the answer text."),
    Flag(
        "unknown",
        Literal["literal", "drop", "mark"],
        "What happens to a marker of which nothing resolves.",
    ),
    Flag(
        "return_only_referenced_documents",
        bool,
        "Whether the final answer lists all documents, or only the cited ones.",
        "--all-documents/--cited-documents",
        lambda value: not value,
    ),
    Flag(
        "guards",
        list[str],
        f"Where nothing is a marker: {', '.join(_Guards)}; or none.",
        "--guard",
        _names(*_Guards),
    ),
    Flag("index_base", int, "Number of the first document as the model counts: 1 or 0.",
         read=_base),
    Flag("max_marker_length", int, "Longest text that is held for a marker or a tag."),
    Flag("last_message_only", bool, "Of several replies, show only the last.",
         "--last-message-only"),
    Flag("labels", list[str], "A word of --markers label.", "--label"),
    Flag("key_field", str, "The meta entry that holds the keys of --markers key."),
    Flag("keys_by_first_use", bool, "Let an openai or private key that no document has mean the "
         "next document.", "--keys-by-first-use"),
    Flag("merge_adjacent", bool, "Make [1][1] one citation.", "--merge-adjacent"),
)  # fmt: skip

# What holds where a flag is not given, for people: what `for_people` makes of it.
_DEFAULTS = {
    "markers": "bracket",
    "display": "keep",
    "unknown": "mark; with --format ndjson, literal",
    "guards": "all of them",
    "index_base": "1",
    "max_marker_length": "256; with --reference-pattern, 4096",
}
_METAVARS = {
    "markers": "NAMES",
    "reference_pattern": "REGEX",
    "pattern": "REGEX",
    "extract_xml_tags": "TAGS",
    "tag_aliases": "ALIAS=TAG",
    "answer_tag": "TAG",
    "start_in": "TAG",
    "guards": "NAMES",
    "index_base": "NUMBER",
    "max_marker_length": "NUMBER",
    "labels": "WORD",
    "key_field": "NAME",
}

FOR_CITE = ("index_base", "labels", "key_field")
"""Options that say how a reply is read, and of which no generator is told."""


def to_options(flags: Mapping[str, Any]) -> CiteOptions:
    """Return the options that the given flags stand for; what was not given keeps its default.

    Raises:
        OptionsError: A flag's value, or a combination of them, has no meaning.
    """
    given = [(flag, flags.get(flag.name)) for flag in FLAGS]
    options = {
        flag.name: _read(flag, value) for flag, value in given if value is not None and value != []
    }
    try:
        return CiteOptions(**options)
    except OptionsError as error:
        raise OptionsError(in_flags(str(error))) from error


def _read(flag: Flag, value: Any) -> Any:
    # An unset variable of a shell gives this, and nobody means it.
    if value == "" or (isinstance(value, list) and not all(each.strip(" ,") for each in value)):
        hint = ", or write none" if flag.name in ("markers", "guards") else ""
        raise OptionsError(f"{spelling(flag)} is empty; leave it out{hint}")
    try:
        return flag.read(value)
    except OptionsError as error:
        raise OptionsError(f"{spelling(flag)} {error}") from error


def in_flags(message: str) -> str:
    """Return a message of the library with the flags that its options are on the command line."""
    for words, instead in _SENTENCES.items():
        message = message.replace(words, instead)
    return _OPTION.sub(lambda found: _spelled(found.group()), message)


def _spelled(option: str) -> str:
    """Spell an option as its flag: `name`, `name=`, `name='value'` or `name:`."""
    name, mark, value = re.split(r"([=:]|$)", option, maxsplit=1)
    flag = next(spelling(each) for each in FLAGS if each.name == name)
    return f"{flag} {value[1:-1]}" if mark == "=" else f"{flag}{mark}"


# Where the name of an option stands in a message as in a sentence.
_SENTENCES = {
    "one of extract_xml_tags": "one of the tags of extract_xml_tags",
    "place of markers": "place of --markers",
}

# One word alone may be English; with a colon, or a value, it is an option, and so is how the
# warnings about a pattern begin.
_OPTION = re.compile(
    r"\Apattern(?= ['\"])|"
    + "|".join(
        rf"\b{flag.name}\b(?:='[^']*')?"
        if "_" in flag.name
        else rf"\b{flag.name}(?:='[^']*'|(?=: ))"
        for flag in FLAGS
    )
)


def _name_pattern(error: PatternError, flags: Mapping[str, Any]) -> OptionsError:
    """Say which flag holds the pattern that is refused."""
    for flag in FLAGS:
        if flag.name in ("pattern", "reference_pattern") and flags[flag.name] == error.pattern:
            # As it was typed: Python's way to write a text would double each backslash.
            said = str(error).removeprefix(f"pattern {error.pattern!r}")
            return OptionsError(f"{spelling(flag)} '{error.pattern}'{in_flags(said)}")
    return error


def spelling(flag: Flag) -> str:
    """Return the flag as it is written."""
    return flag.spelling or f"--{flag.name.replace('_', '-')}"


def with_cite_options(
    command: Callable[..., Any], *, hidden: Collection[str] = ()
) -> Callable[..., Any]:
    """Give a command all the flags; it gets one parameter `options`, a `CiteOptions`.

    Args:
        command: The command.
        hidden: Options whose flags its help does not list.
    """
    signature = inspect.signature(command)

    @wraps(command)
    def collect(**values: Any) -> Any:
        own = {name: values[name] for name in signature.parameters if name in values}
        try:
            return command(**own, options=to_options(values))
        except PatternError as error:
            raise _name_pattern(error, values) from error

    parameters = [each for each in signature.parameters.values() if each.name != "options"]
    flags = [_parameter(flag, hidden=flag.name in hidden) for flag in FLAGS]
    # typer reads the signature to learn what there is.
    collect.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*parameters, *flags]
    )
    collect.__annotations__ = {}
    return collect


# They are refused, so that their help would mislead.
with_ask_options = partial(with_cite_options, hidden=FOR_CITE)


def _parameter(flag: Flag, *, hidden: bool) -> inspect.Parameter:
    option = typer.Option(
        spelling(flag),
        help=flag.help + (f" [default: {_DEFAULTS[flag.name]}]" if flag.name in _DEFAULTS else ""),
        metavar=_METAVARS.get(flag.name),
        rich_help_panel=_PANEL,
        show_default=False,
        hidden=hidden,
    )
    return inspect.Parameter(
        flag.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[flag.type | None, option],
    )

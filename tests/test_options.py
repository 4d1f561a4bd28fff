"""Every option, and what is refused."""

import re
from typing import Any

import pytest

from streamcite import CiteOptions, OptionsError
from streamcite.options import (
    GUARDS,
    MAX_MARKER_LENGTH,
    MAX_PATTERN_LENGTH,
    RESERVED_META,
    OptionKeywords,
    resolve_options,
)
from tests.strategies import OPTIONS, PATTERN_OPTIONS

# Options that have no meaning, and what the message says of them.
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"display": "hide"}, "display"),
    ({"unknown": "keep"}, "unknown"),
    ({"markers": "footnotes"}, "markers"),
    ({"markers": ["bracket", "x"]}, "markers"),
    ({"guards": ["cod"]}, "guards"),
    ({"index_base": 2}, "index_base"),
    ({"index_base": -1}, "index_base"),
    ({"max_marker_length": 0}, "max_marker_length"),
    ({"max_marker_length": 2_000_000}, "max_marker_length"),
    ({"labels": ()}, "at least one word"),
    ({"labels": ("Source", " ")}, "none of them blank"),
    ({"reference_pattern": "", "when": "live"}, "is empty"),
    ({"reference_pattern": re.compile("a")}, "reference_pattern: it is compiled; give its text"),
    ({"pattern": re.compile("a")}, "pattern: it is compiled; give its text"),
    ({"reference_pattern": "acm", "markers": "bracket"}, "one of the two"),
    ({"when": "at_end"}, "for reference_pattern"),
    ({"when": "later"}, "when"),
    ({"extract_xml_tags": "<think>"}, "no tag name"),
    ({"extract_xml_tags": "1st"}, "no tag name"),
    ({"extract_xml_tags": ""}, "no tag name"),
    ({"extract_xml_tags": "a b"}, "no tag name"),
    ({"extract_xml_tags": "think\n"}, "no tag name"),
    ({"answer_tag": "answer"}, "one of extract_xml_tags"),
    ({"extract_xml_tags": "think", "answer_tag": "answer"}, "one of extract_xml_tags"),
    ({"extract_xml_tags": "think", "start_in": "plan"}, "one of extract_xml_tags"),
    ({"extract_xml_tags": "think", "tag_aliases": {"th": "plan"}}, "stand for one of"),
    ({"extract_xml_tags": ("a", "b"), "tag_aliases": {"b": "a"}}, "stand for one of"),
    ({"extract_xml_tags": "think", "tag_aliases": {"<t>": "think"}}, "no tag name"),
    ({"extract_xml_tags": "thinking", "max_marker_length": 8}, "shorter than a tag"),
    ({"guards": False}, "guards: False is no list of names; give ()"),
    ({"guards": None}, "give () for none"),
    ({"markers": None}, "markers: None is no list of names; give ()"),
    ({"extract_xml_tags": None}, "give () for none"),
    ({"no_such_option": 1}, "no such option"),
    ({"display": 3}, "display"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED, ids=str)
def test_refused(given: dict[str, Any], message: str) -> None:
    """Options without a meaning are refused, and the message says why."""
    with pytest.raises(OptionsError, match=re.escape(message)):
        CiteOptions(**given)


@pytest.mark.parametrize("name", sorted(RESERVED_META))
def test_reserved_tag_names(name: str) -> None:
    """A tag cannot be called like a key that the answer's meta needs."""
    with pytest.raises(OptionsError, match=r"meta needs that key|no tag name"):
        CiteOptions(extract_xml_tags=[name])


def test_aliases_need_no_key_of_the_meta() -> None:
    """An alias may be called like a key of the answer's meta, where it never stands."""
    options = CiteOptions(extract_xml_tags="think", tag_aliases={"model": "think"})

    assert options.tag_aliases == {"model": "think"}


def test_a_problem_per_option() -> None:
    """A message names every option that is wrong."""
    with pytest.raises(OptionsError) as caught:
        CiteOptions(display="hide", unknown="x")

    assert "display" in str(caught.value)
    assert "unknown" in str(caught.value)


def test_a_problem_is_one_sentence() -> None:
    """Where words or a function will do, the message says both at once."""
    with pytest.raises(OptionsError) as caught:
        CiteOptions(display="hide")

    assert str(caught.value) == (
        "display: Input should be 'keep', 'remove', 'link' or 'renumber', or a function of a "
        "citation"
    )


def test_defaults() -> None:
    """Without arguments brackets are markers, kept as written, with all guards."""
    options = CiteOptions()

    assert (options.markers, options.display, options.unknown) == (("bracket",), "keep", "literal")
    assert (options.guards, options.max_marker_length) == (GUARDS, MAX_MARKER_LENGTH)


def test_one_name_is_a_list_of_one() -> None:
    """Where names are listed, a single one may stand alone."""
    options = CiteOptions(markers="caret", extract_xml_tags="think", labels="Quelle", guards="code")

    assert options.markers == ("caret",)
    assert (options.extract_xml_tags, options.labels) == (("think",), ("Quelle",))
    assert options.guards == frozenset({"code"})


def test_all_guards_by_name() -> None:
    """`guards="all"` is the default, `()` is none."""
    assert CiteOptions(guards="all").guards == GUARDS
    assert CiteOptions(guards=()).guards == frozenset()


def test_a_pattern_holds_longer_texts() -> None:
    """With a reference pattern longer texts are held, unless the length is given."""
    assert CiteOptions(reference_pattern="acm").max_marker_length == MAX_PATTERN_LENGTH
    assert CiteOptions(reference_pattern="acm", max_marker_length=9).max_marker_length == 9


@pytest.mark.parametrize(
    ("given", "expands"),
    [
        ({}, True),
        ({"reference_pattern": "acm"}, False),
        ({"reference_pattern": "acm", "expand_reference_ranges": True}, True),
        ({"expand_reference_ranges": False}, False),
    ],
)
def test_expands_ranges(given: dict[str, Any], expands: bool) -> None:
    """Ranges are expanded for markers, and for a pattern if that is asked for."""
    assert CiteOptions(**given).expands_ranges is expands


@pytest.mark.parametrize(
    ("given", "removes"),
    [
        ({}, False),
        ({"display": "link", "unknown": "mark"}, False),
        ({"display": "remove"}, True),
        ({"unknown": "drop"}, True),
    ],
)
def test_removes_markers(given: dict[str, Any], removes: bool) -> None:
    """Markers leave no text where they are removed or dropped."""
    assert CiteOptions(**given).removes_markers is removes


def test_parses_references() -> None:
    """References are read by markers or by a pattern; with neither, not at all."""
    assert CiteOptions().parses_references
    assert CiteOptions(reference_pattern="acm").parses_references
    assert not CiteOptions(markers=()).parses_references


def test_options_are_frozen() -> None:
    """Options cannot be changed once they are validated."""
    with pytest.raises(ValueError, match="frozen"):
        CiteOptions().display = "remove"


def test_resolve_options() -> None:
    """An entry point takes options whole or as keywords, never both."""
    options = CiteOptions(display="remove")

    assert resolve_options(options, {}) is options
    assert resolve_options(None, {"display": "remove"}) == options
    with pytest.raises(OptionsError, match="not both"):
        resolve_options(options, {"display": "keep"})


def test_every_option_is_a_keyword() -> None:
    """Type checkers know the keywords of the entry points, and no others."""
    assert set(OptionKeywords.__annotations__) == set(CiteOptions.model_fields)


@pytest.mark.parametrize("given", [*OPTIONS, *PATTERN_OPTIONS], ids=str)
def test_options_are_stored_and_read_again(given: dict[str, Any]) -> None:
    """What is dumped, as values or as JSON, makes the same options again."""
    options = CiteOptions(**given)

    assert CiteOptions(**options.model_dump()) == options
    assert CiteOptions.model_validate_json(options.model_dump_json()) == options


def test_the_schema_of_dumped_options() -> None:
    """What a web framework says of options has all of them."""
    dumped = CiteOptions.model_json_schema(mode="serialization")

    assert set(dumped["properties"]) == set(CiteOptions.model_fields)

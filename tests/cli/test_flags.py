"""The flags that stand for the options of the library."""

import pytest

pytest.importorskip("typer", reason="the command line needs the extra cli")

from streamcite.cli.flags import FLAGS, to_options
from streamcite.errors import OptionsError
from streamcite.options import CiteOptions


def test_every_option_has_its_flag() -> None:
    """No option of the library is missing on the command line."""
    assert {flag.name for flag in FLAGS} == set(CiteOptions.model_fields)


ROWS = {
    "nothing": ({}, CiteOptions()),
    "names in a list": (
        {"markers": ["caret,label", "key"]},
        CiteOptions(markers=("caret", "label", "key")),
    ),
    "no names": ({"markers": ["none"], "guards": ["none"]}, CiteOptions(markers=(), guards=())),
    "no names, said twice": ({"markers": ["none", "none"]}, CiteOptions(markers=())),
    "tags in a list": (
        {"extract_xml_tags": ["thinking, answer"], "answer_tag": "answer"},
        CiteOptions(extract_xml_tags=("thinking", "answer"), answer_tag="answer"),
    ),
    "aliases": (
        {"extract_xml_tags": ["thinking"], "tag_aliases": ["think=thinking"]},
        CiteOptions(extract_xml_tags=("thinking",), tag_aliases={"think": "thinking"}),
    ),
    "all documents": (
        {"return_only_referenced_documents": True},
        CiteOptions(return_only_referenced_documents=False),
    ),
    "what was not given": (
        {"markers": [], "pattern": None, "reference_pattern": "acm"},
        CiteOptions(reference_pattern="acm"),
    ),
}


@pytest.mark.parametrize(("flags", "expected"), ROWS.values(), ids=ROWS.keys())
def test_flags_give_options(flags: dict[str, object], expected: CiteOptions) -> None:
    """A flag that was not given leaves the option as it is."""
    assert to_options(flags) == expected


def test_an_unknown_name_is_refused() -> None:
    """The error lists the names that there are."""
    with pytest.raises(OptionsError, match="none"):
        to_options({"markers": ["round"]})


@pytest.mark.parametrize("name", ["markers", "guards", "extract_xml_tags"])
def test_none_stands_alone(name: str) -> None:
    """The empty list has no names beside it, whatever the list holds."""
    with pytest.raises(OptionsError, match="none, t: none stands alone"):
        to_options({name: ["none,t"]})


EMPTY: list[dict[str, object]] = [
    {"markers": [""]},
    {"markers": ["caret", " "]},
    {"guards": [","]},
    {"extract_xml_tags": [""]},
    {"labels": [""]},
    {"pattern": ""},
    {"key_field": ""},
]


@pytest.mark.parametrize("flags", EMPTY)
def test_an_empty_value_is_refused(flags: dict[str, object]) -> None:
    """What a shell makes of an unset variable is not taken for a wish."""
    with pytest.raises(OptionsError, match="is empty; leave it out"):
        to_options(flags)

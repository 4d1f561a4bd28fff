"""The flags that stand for the options of the library."""

import pytest

pytest.importorskip("typer", reason="the command line needs the extra cli")

from streamcite.cli.flags import FLAGS, in_flags, to_options
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


# Values that have no meaning, alone or together, and what is said of them.
WRONG: dict[str, dict[str, object]] = {
    "--answer-tag a must be one of the tags of --extract-xml-tag": {"answer_tag": "a"},
    "--start-in a must be one of the tags of --extract-xml-tag": {"start_in": "a"},
    "--index-base 5: give 0 or 1": {"index_base": 5},
    "--max-marker-length: Input should be greater than or equal to 3": {"max_marker_length": 1},
    "--max-marker-length is shorter than a tag of --extract-xml-tag": {
        "extract_xml_tags": ["a"], "max_marker_length": 3},
    "--markers bogus: no such name; there are bracket, caret": {"markers": ["bogus"]},
    "--guard bogus: no such name; there are code, math": {"guards": ["bogus"]},
    "--extract-xml-tag none, a: none stands alone": {"extract_xml_tags": ["none,a"]},
    "--when at_end is for --reference-pattern; markers": {"when": "at_end"},
    "--reference-pattern takes the place of --markers; give": {
        "markers": ["caret"], "reference_pattern": "acm"},
    "--answer-tag reasoning would mix": {
        "extract_xml_tags": ["reasoning"], "answer_tag": "reasoning"},
    "--tag-alias a: write it as alias=tag": {"tag_aliases": ["a"]},
    "--tag-alias: 'a' must stand for one of the tags of --extract-xml-tag": {
        "tag_aliases": ["a=b"]},
}  # fmt: skip


@pytest.mark.parametrize(("message", "flags"), WRONG.items(), ids=WRONG.keys())
def test_an_error_names_the_flag(message: str, flags: dict[str, object]) -> None:
    """Who types flags has never seen the options of the library."""
    with pytest.raises(OptionsError) as refused:
        to_options(flags)

    assert str(refused.value).startswith(message)
    assert "_" not in str(refused.value).replace("at_end", "")


def test_no_option_of_the_library_is_named() -> None:
    """Only a single word that may be English stays, where no value or colon follows it."""
    options = [name for name in CiteOptions.model_fields if "_" in name]

    assert in_flags(", ".join(options)).count("--") == len(options) + 2
    assert in_flags("a pattern; display=x, when='x', markers: y") == (
        "a pattern; display=x, --when x, --markers: y"
    )
    assert in_flags("pattern 'a' finds nothing") == "--pattern 'a' finds nothing"


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

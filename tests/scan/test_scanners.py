"""Which scanner the options ask for."""

from typing import Any

import pytest

from streamcite import CiteOptions
from streamcite.scan.at_end import AtEndScanner
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.patterns import PatternScanner
from streamcite.scan.plain import PlainScanner
from streamcite.scan.scanners import (
    make_extraction,
    make_scanner,
    make_tag_scanner,
    pattern_warnings,
)
from streamcite.spans import Text

KINDS: list[tuple[dict[str, Any], type]] = [
    ({}, MarkdownScanner),
    ({"markers": ("label", "caret")}, MarkdownScanner),
    ({"markers": ()}, PlainScanner),
    ({"reference_pattern": "acm"}, PatternScanner),
    ({"reference_pattern": "acm", "when": "at_end"}, AtEndScanner),
]


@pytest.mark.parametrize(("given", "kind"), KINDS, ids=str)
def test_options_choose_the_scanner(given: dict[str, Any], kind: type) -> None:
    """The options say which scanner reads a text."""
    assert type(make_scanner(CiteOptions(**given))) is kind


@pytest.mark.parametrize("given", [given for given, _ in KINDS], ids=str)
def test_tags_stop_every_scanner(given: dict[str, Any]) -> None:
    """Where tags are extracted, no scanner lets a `<` pass unseen."""
    scanner = make_scanner(CiteOptions(extract_xml_tags="think", **given))

    assert scanner.search("a < b") is not None
    assert scanner.search("a b") is None


@pytest.mark.parametrize("given", [given for given, _ in KINDS], ids=str)
def test_what_is_searched_can_be_skipped(given: dict[str, Any]) -> None:
    """Text in which the search finds nothing is text if it is fed as well."""
    scanner = make_scanner(CiteOptions(**given))

    assert scanner.search("plain words. ") is None
    assert scanner.feed("plain words. ") == [Text("plain words. ")]
    scanner.skip("more")
    assert scanner.held == ""


def test_tag_scanner() -> None:
    """There is a tag scanner only where tags are extracted."""
    assert make_tag_scanner(CiteOptions()) is None
    assert make_tag_scanner(CiteOptions(extract_xml_tags="think")) is not None


def test_code_aware_tags() -> None:
    """Tags in code are text, unless the guard is off or a pattern knows no guards."""
    found = []
    for given in ({}, {"guards": ()}, {"reference_pattern": "acm"}):
        tags = make_tag_scanner(CiteOptions(extract_xml_tags="think", **given))
        assert tags is not None
        found.append(tags.feed("`<think>")[-1].__class__.__name__)

    assert found == ["Text", "TagOpened", "TagOpened"]


def test_extraction() -> None:
    """There is an extraction only with a pattern."""
    assert make_extraction(CiteOptions()) is None
    assert make_extraction(CiteOptions(pattern="a(.*)")) is not None


def test_repeated_group_is_a_warning() -> None:
    """A pattern of which only the last number is read says so."""
    options = CiteOptions(reference_pattern=r"\[(?:(\d+),?\s*)+\]")

    warnings = [each.code for each in pattern_warnings(options, make_scanner(options), None)]
    assert warnings == ["repeated-group"]

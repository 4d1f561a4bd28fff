"""The warnings that are about the whole reply."""

import re
from pathlib import Path
from typing import Any

import pytest

from streamcite import cite_text
from tests.transcripts import documents

TAGS = {"extract_xml_tags": ("a", "b"), "answer_tag": "a"}

# Reply, options, and the codes of its warnings.
ROWS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("<a>x</a>", TAGS, []),
    ("x", TAGS, ["missing-answer-tag"]),
    ("<b>x", TAGS, ["missing-answer-tag", "unclosed-tag"]),
    ("<a>x [1]", TAGS, ["unclosed-tag"]),
    ("<a>x</a> y <a>z", TAGS, ["unclosed-tag"]),
    ("x <a", TAGS, ["missing-answer-tag"]),
    ("x</a> y", TAGS, ["missing-answer-tag"]),
    ("x", {"pattern": "y(.*)"}, ["pattern-not-found"]),
    ("<a>x", TAGS | {"pattern": "y(.*)"}, ["unclosed-tag", "pattern-not-found"]),
    ("x", {"reference_pattern": r"(?:\[(\d+)\])+"}, ["repeated-group"]),
    ("x", {}, []),
]


@pytest.mark.parametrize(("reply", "options", "codes"), ROWS)
def test_warnings(reply: str, options: dict[str, Any], codes: list[str]) -> None:
    """Each thing that is not as the options expect it has its warning, in this order."""
    answer = cite_text(reply, documents=documents(1), **options)

    assert [warning.code for warning in answer.warnings] == codes


def test_the_page_has_every_code() -> None:
    """The table of docs/events.md names the codes that the package knows, each once."""
    root = Path(__file__).parents[2]
    sources = [path.read_text("utf-8") for path in (root / "streamcite").rglob("*.py")]
    known = {code for source in sources for code in re.findall(r'code="([a-z-]+)"', source)}
    known |= set(re.findall(r'"(pattern-[a-z-]+)"', "".join(sources)))

    page = (root / "docs" / "events.md").read_text("utf-8")
    section = page.partition("## Warnings")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `([a-z-]+)`", section, re.MULTILINE)) == sorted(known)

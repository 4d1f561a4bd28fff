"""What the reader of an answer is told about the whole reply."""

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
    ("x", {"pattern": "y(.*)"}, ["pattern-not-found"]),
    ("<a>x", TAGS | {"pattern": "y(.*)"}, ["unclosed-tag", "pattern-not-found"]),
    ("x", {"reference_pattern": r"(?:\[(\d+)\])+"}, ["repeated-group"]),
    ("x", {}, []),
]


@pytest.mark.parametrize(("reply", "options", "codes"), ROWS)
def test_notices(reply: str, options: dict[str, Any], codes: list[str]) -> None:
    """Each thing that is not as the options expect it has its warning, in this order."""
    answer = cite_text(reply, documents=documents(1), **options)

    assert [warning.code for warning in answer.warnings] == codes

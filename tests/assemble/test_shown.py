"""Text and citations as the reader sees them, in every mode."""

import tracemalloc
from collections.abc import Iterable
from typing import Any

import pytest

from streamcite import Citation, CiteOptions, Sources
from streamcite.assemble.assembler import Assembler
from streamcite.resolve import Resolver
from streamcite.spans import Located, Marker
from tests.transcripts import documents, run


def cited(reply: str | list[str], **options: Any) -> list[Citation]:
    """Return the citations of a reply, with three documents."""
    pieces: Iterable[str] = [reply] if isinstance(reply, str) else reply
    return run([*pieces], documents=documents(3), **options).answer.citations


# Options, reply, and the places of the citations in the answer text.
PLACES: list[tuple[dict[str, Any], str, list[tuple[int | None, int | None]]]] = [
    ({}, "a [1] b [2]", [(2, 5), (8, 11)]),
    ({}, "é😀 [1]", [(3, 6)]),
    ({}, "a [9] b [2]", [(8, 11)]),
    ({"display": "remove"}, "a [1] b", [(None, None)]),
    ({"display": "link"}, "a [1] b [9]", [(2, 28)]),
    ({"display": "renumber"}, "a [3] b [1, 2]", [(2, 5), (8, 14)]),
    ({"unknown": "mark"}, "a [9] b", [(2, 5)]),
    ({"unknown": "drop"}, "a [9] b [1]", [(4, 7)]),
    ({"merge_adjacent": True}, "a [1][1] b", [(2, 8)]),
    ({"merge_adjacent": True}, "a [1][2] b", [(2, 5), (5, 8)]),
    ({"merge_adjacent": True, "display": "renumber"}, "a [3][3] b", [(2, 5)]),
    ({"display": lambda citation: ""}, "a [1] b", [(2, 2)]),
]


@pytest.mark.parametrize(("options", "reply", "places"), PLACES, ids=str)
def test_places(
    options: dict[str, Any], reply: str, places: list[tuple[int | None, int | None]]
) -> None:
    """A citation has the place of what stands for it in the text as shown."""
    assert [(each.start, each.end) for each in cited(reply, **options)] == places


# Reply, and the claim of each citation.
CLAIMS = [
    ("Paris is big [1].", ["Paris is big"]),
    ("It rains. Paris is big [1]. Old [2].", ["Paris is big", "Old"]),
    ("Paris [1][2] and Rome [3].", ["Paris", "Paris", "and Rome"]),
    ("Paris [1], [2]. Rome [3]", ["Paris", "Paris", "Rome"]),
    ("[1] Paris", [""]),
    ("Paris is big. [1]", ["Paris is big."]),
    ("Paris [1], Rome [2] (Dr. X) and Oslo [3]", ["Paris", "Rome", "(Dr. X) and Oslo"]),
    ("Paris [9] is big [1]", ["Paris [9] is big"]),
    ("- a [1]\n- b [2]", ["a", "b"]),
]


@pytest.mark.parametrize(("reply", "claims"), CLAIMS)
def test_claims(reply: str, claims: list[str]) -> None:
    """A citation's claim is the text from the sentence or citation before it."""
    assert [reply[each.claim_start : each.claim_end] for each in cited(reply)] == claims


@pytest.mark.parametrize(("reply", "claims"), CLAIMS)
def test_claims_in_any_cut(reply: str, claims: list[str]) -> None:
    """Claims do not depend on how the reply was cut."""
    found = [reply[each.claim_start : each.claim_end] for each in cited([*reply])]

    assert found == claims


def test_merged_marker() -> None:
    """A merged citation has the text of its whole run, and one id."""
    (citation,) = cited("a [1][1] [1]"[:-4], merge_adjacent=True)

    assert (citation.marker, citation.id) == ("[1][1]", "c1")


def test_merging_stops_at_text() -> None:
    """Markers with text between are two citations."""
    assert len(cited("a [1] [1]", merge_adjacent=True)) == 2


def test_merged_run_is_bounded() -> None:
    """A run of equal markers is held for no longer than the longest marker."""
    found = cited("a " + "[1]" * 1_000, merge_adjacent=True, max_marker_length=30)

    assert [len(citation.marker) for citation in found] == [30] * 100


def test_unknown_marker_is_marked() -> None:
    """A marked unknown is a citation whose references are not resolved."""
    (citation,) = cited("a [9]", unknown="mark")

    assert citation.source_indices == ()
    assert [(each.source_index, each.resolved) for each in citation.references] == [(9, False)]


def test_private_markers_are_never_seen() -> None:
    """A private marker is shown by its number; one that nothing resolves is not shown."""
    reply = "a \ue200cite\ue2024:0\ue201 b\ue200cite\ue202no\ue201 \ue203c\ue204"
    answer = run([*reply], documents=documents(2), markers="private").answer

    assert answer.data == "a [1] b c"
    assert [(each.start, each.end) for each in answer.citations] == [(2, 5)]


def test_markers_found_late_copy_only_the_text_that_matters() -> None:
    """Each of many short stretches of a long text costs what it has, not what came before."""
    options, sources = CiteOptions(), Sources(documents(1))
    shown = Assembler(options, sources, None, query="", meta=None, prompt=None).outer
    for text in ("word " * 100_000, "[1]"):
        shown.write(text)
    marker = Marker("[1]", "pattern", ((1, 1),))

    tracemalloc.start()
    shown.cite_shown([(Located(marker, 3), Resolver(sources, options).resolve(marker))])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most <= 50_000

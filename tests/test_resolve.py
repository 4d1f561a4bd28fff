"""Which document a marker means."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite import CiteOptions, Document, Sources, resolve
from streamcite.resolutions import Outcome
from streamcite.resolve import Resolver
from streamcite.spans import Item, Marker

CITED, UNKNOWN, TEXT = Outcome.CITED, Outcome.UNKNOWN, Outcome.TEXT


def resolver(count: int = 5, **options: Any) -> tuple[Resolver, Sources]:
    """Return a resolver over so many documents."""
    sources = Sources(
        Document(content=f"{number}", id=f"d{number}") for number in range(1, count + 1)
    )
    return Resolver(sources, CiteOptions(**options)), sources


def marker(*items: Item, grammar: str = "bracket") -> Marker:
    """Return a marker with these items."""
    return Marker(f"[{items}]", grammar, items)


# Items, outcome, source indices, unknown items, unreadable items; five documents.
ITEMS: list[tuple[tuple[Item, ...], Outcome, list[int], list[str], list[str]]] = [
    (((1, 1),), CITED, [1], [], []),
    (((3, 3), (1, 1), (3, 3)), CITED, [3, 1], [], []),
    (((2, 4),), CITED, [2, 3, 4], [], []),
    (((4, 9),), CITED, [4, 5], ["6-9"], []),
    (((4, 999_999_999),), CITED, [4, 5], ["6-999999999"], []),
    (((5, 5), (6, 6)), CITED, [5], ["6"], []),
    (((6, 6),), UNKNOWN, [], ["6"], []),
    (((6, 6), (6, 6)), UNKNOWN, [], ["6"], []),
    (((5, 5), (6, 6), (6, 6)), CITED, [5], ["6"], []),
    (((7, 9), (6, 6)), UNKNOWN, [], ["7-9", "6"], []),
    (((1, 1), (3, 1)), CITED, [1], [], ["3-1"]),
    (((3, 1),), TEXT, [], [], []),
    (((0, 0),), TEXT, [], [], []),
    (((0, 0), (1, 1)), TEXT, [], [], []),
    (((0, 3),), TEXT, [], [], []),
]


@pytest.mark.parametrize(("items", "outcome", "numbers", "unknown", "problems"), ITEMS, ids=str)
def test_numbers(
    items: tuple[Item, ...],
    outcome: Outcome,
    numbers: list[int],
    unknown: list[str],
    problems: list[str],
) -> None:
    """Numbers are those of the register; what it has not, and what cannot be read, is told."""
    resolution = resolver()[0].resolve(marker(*items))

    assert resolution.outcome is outcome
    assert [reference.source_index for reference in resolution.references] == numbers
    if outcome is not TEXT:
        assert (list(resolution.unknown), list(resolution.problems)) == (unknown, problems)


def test_index_base() -> None:
    """A model that counts from 0 means the first document by 0."""
    zero, _ = resolver(index_base=0)

    numbers = [
        [reference.source_index for reference in zero.resolve(marker(item)).references]
        for item in ((0, 0), (4, 4), (5, 5), (3, 9))
    ]
    assert numbers == [[1], [5], [], [4, 5]]


def test_ranges_that_are_not_expanded() -> None:
    """Where ranges are not expanded, one alone is text, and in a list it is a problem."""
    plain, _ = resolver(expand_reference_ranges=False)

    assert plain.resolve(marker((1, 3))).outcome is TEXT
    mixed = plain.resolve(marker((1, 3), (5, 5)))
    assert (
        [reference.source_index for reference in mixed.references],
        mixed.problems,
    ) == ([5], ("1-3",))


def test_late_document() -> None:
    """A number that no document has is resolved once one has it."""
    late, sources = resolver(1)
    wanted = marker((2, 2))

    assert late.resolve(wanted).outcome is UNKNOWN
    sources.add(["new"])
    assert late.resolve(wanted).outcome is CITED


def test_growing_range() -> None:
    """A range that was clamped grows as documents come, and is complete at the end."""
    late, sources = resolver(2)
    wanted = marker((1, 3))

    before = late.resolve(wanted)
    sources.add(["new"])
    after = late.resolve(wanted)
    assert [len(before.references), len(after.references)] == [2, 3]
    assert (before.open_ended, after.open_ended) == (True, False)


NAMES = st.sampled_from(["a", "B", "a.pdf", "4:0", "4:1"])
NUMBERS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=3)
FIELDS = st.sampled_from(["bib", "citation_key", "cite_key", "file_name", "file_path", "url"])
DOCUMENTS = st.builds(
    lambda name, meta: Document("x", id=name, meta=meta),
    NAMES,
    st.dictionaries(FIELDS, NAMES, max_size=2),
)


@given(
    st.one_of(
        st.tuples(st.sampled_from(["bracket", "pattern"]), NUMBERS),
        st.tuples(st.sampled_from(["key", "filename", "openai", "private"]), st.tuples(NAMES)),
    ),
    st.lists(DOCUMENTS, max_size=5),
    st.booleans(),
)
def test_what_a_marker_awaits(
    asked: tuple[str, Sequence[Item]], arriving: list[Document], by_first_use: bool
) -> None:
    """A document that a marker does not wait for changes nothing of what it means."""
    sources, wanted = Sources(), marker(*asked[1], grammar=asked[0])
    late = Resolver(sources, CiteOptions(keys_by_first_use=by_first_use, key_field="bib"))

    before = late.resolve(wanted)
    for document in arriving:
        known = len(sources)
        sources.add([document])
        after = late.resolve(wanted)
        if before.awaits and set(late.arrivals(known)).isdisjoint(before.awaits):
            assert after == before
        before = after


@pytest.mark.parametrize(
    ("grammar", "item", "document"),
    [
        ("bracket", (2, 2), Document("x")),
        ("bracket", (1, 9), Document("x")),
        ("key", "b", Document("x", id="b")),
        ("key", "b", Document("x", meta={"bib": "b"})),
        ("openai", "4:1", Document("x", meta={"cite_key": "4:1"})),
        ("filename", "MY.pdf", Document("x", meta={"file_path": "a/My.PDF"})),
        ("private", "turn0", Document("counted by first use")),
    ],
)
def test_arrivals(grammar: str, item: Item, document: Document) -> None:
    """The document that resolves a marker is among those that it waits for."""
    sources = Sources(["first"])
    late = Resolver(sources, CiteOptions(keys_by_first_use=True, key_field="bib"))
    late.resolve(marker("another", grammar="private"))
    wanted = marker(item, grammar=grammar)

    before = late.resolve(wanted)
    sources.add([document])
    assert set(before.awaits) & set(late.arrivals(1))
    assert late.resolve(wanted).references != before.references


def test_zero_is_never_open() -> None:
    """No document that comes can resolve what holds a zero."""
    assert not resolver()[0].resolve(marker((0, 0), (9, 9))).open_ended


def test_wanted_references() -> None:
    """An unknown marker says what it wants, each once, for `unknown="mark"`."""
    wanted = resolver(1)[0].resolve(marker((7, 7), (8, 9), (7, 7))).wanted

    assert [reference.source_index for reference in wanted] == [7, 8, 9]
    assert not any(reference.resolved for reference in wanted)


def test_huge_range_is_not_expanded() -> None:
    """A range of a thousand million numbers is clamped before it is expanded."""
    resolution = resolver(2)[0].resolve(marker((1, 999_999_999), (5, 999_999_999)))

    assert len(resolution.references) == 2
    assert resolution.open_ended


KEYED = [
    Document(content="1", id="a", meta={"citation_key": "4:0", "bib": "smith"}),
    Document(content="2", id="b", meta={"file_name": "My File.pdf"}),
]


@pytest.mark.parametrize(
    ("grammar", "key", "options", "numbers"),
    [
        ("key", "a", {}, [1]),
        ("key", "smith", {"key_field": "bib"}, [1]),
        ("key", "smith", {}, []),
        ("openai", "4:0", {}, [1]),
        ("openai", "9:9", {}, []),
        ("openai", "9:9", {"keys_by_first_use": True}, [1]),
        ("private", "turn0", {"keys_by_first_use": True}, [1]),
        ("key", "turn0", {"keys_by_first_use": True}, []),
        ("filename", "my file.PDF", {}, [2]),
        ("filename", "other.pdf", {}, []),
    ],
)
def test_keys(grammar: str, key: str, options: dict[str, Any], numbers: list[int]) -> None:
    """A key resolves by what its grammar looks at."""
    keyed = Resolver(Sources(KEYED), CiteOptions(**options))

    references = keyed.resolve(marker(key, grammar=grammar)).references
    assert [reference.source_index for reference in references] == numbers


def test_keys_count_by_first_use() -> None:
    """Keys that no document has are counted in the order in which they are used."""
    keyed = Resolver(Sources(KEYED), CiteOptions(keys_by_first_use=True))

    found = [
        [each.source_index for each in keyed.resolve(marker(key, grammar="openai")).references]
        for key in ("9:1", "9:0", "9:1", "9:2")
    ]
    assert found == [[1], [2], [1], []]


def test_a_reference_names_its_document() -> None:
    """A resolved reference holds the number, the id and, if it was cited by one, the key."""
    keyed = Resolver(Sources(KEYED), CiteOptions())

    (reference,) = keyed.resolve(marker("4:0", grammar="openai")).references
    assert (reference.source_index, reference.document_id, reference.key) == (1, "a", "4:0")
    assert reference.resolved


def test_replies_share_references() -> None:
    """Replies that cite the same documents share what they cite; others do not."""
    (first, _), (second, _) = resolver(3), resolver(3)
    other = Resolver(Sources([Document("x", id="x"), Document("y", id="y")]), CiteOptions())
    asked = marker((1, 1), (2, 2))

    assert first.resolve(asked) is second.resolve(asked)
    assert [each.document_id for each in other.resolve(asked).references] == ["x", "y"]


def test_wide_ranges_are_not_shared() -> None:
    """What a marker of very many documents means is not kept for other replies."""
    (first, _), (second, _) = resolver(100), resolver(100)
    asked = marker((1, 100))

    assert first.resolve(asked) == second.resolve(asked)
    assert first.resolve(asked) is not second.resolve(asked)


def test_what_a_reply_remembers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound all is forgotten, and a marker that is known drops nothing."""
    monkeypatch.setattr(resolve, "MAX_REMEMBERED", 2)
    asker, _ = resolver(3)

    for number in range(1, 7):
        asked = marker((number, number))
        whole = asker.resolve_whole(asked)
        assert (whole is None) == (number > 3)
        assert whole in (None, asker.whole.get(asked.text))
        first = asker.resolve(asked)
        assert asker.resolve(asked) is first
        assert len(asker._known) + len(asker.whole) <= 2


def test_what_replies_share_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound all shared resolutions are forgotten."""
    shared: dict[Any, Any] = {}
    monkeypatch.setattr(resolve, "_shared", shared)
    monkeypatch.setattr(resolve, "MAX_SHARED", 2)
    asker, _ = resolver(5)

    for number in range(1, 6):
        asker.resolve(marker((number, number)))
        assert 1 <= len(shared) <= 2

"""One reply: feed it, close it, and misuse it."""

import gc
from typing import Any

import pytest

from streamcite import (
    Chunk,
    CiteOptions,
    Citer,
    FinalAnswer,
    OptionsError,
    PartialAnswer,
    SectionStarted,
    Sources,
    cite,
)
from streamcite.errors import DocumentError, InputError, PatternError, StateError
from tests.transcripts import documents, play, run, transcribe


def deltas(items: list[str], **options: Any) -> list[list[str]]:
    """Return the deltas of each call, the last of them `close`."""
    citer = Citer(documents=documents(3), **options)
    return [
        [event.delta for event in events if isinstance(event, PartialAnswer)]
        for events in play(citer, items)
    ]


def test_plain_text_is_shown_at_once() -> None:
    """Text without markers comes out as it went in, one delta per item."""
    assert deltas(["Good", " day", "", "."]) == [["Good"], [" day"], [], ["."], []]


def test_a_marker_is_held_until_it_is_known() -> None:
    """What may become a marker waits, and no more than that."""
    assert deltas(["see [", "1", "]", " x [", "y]"]) == [
        ["see "],
        [],
        [],
        ["[1] x "],
        ["[y]"],
        [],
    ]


def test_at_most_one_partial_per_item() -> None:
    """An item with many markers makes one partial, with all its citations."""
    (event,) = Citer(documents=documents(3)).feed("a [1] b [2] c [3] d")

    assert isinstance(event, PartialAnswer)
    assert [citation.id for citation in event.citations] == ["c1", "c2", "c3"]


def test_citation_says_where_it_stands() -> None:
    """A citation has its place, its claim, its number and its document."""
    (citation,) = run(["Paris is big. It is old [2]."], documents=documents(3)).citations

    assert (citation.id, citation.marker, citation.number) == ("c1", "[2]", "2")
    assert (citation.start, citation.end) == (24, 27)
    assert (citation.claim_start, citation.claim_end) == (14, 23)
    assert [reference.document_id for reference in citation.references] == ["d2"]


@pytest.mark.parametrize("item", [b"x", 3, ["x"], {"text": "x"}], ids=repr)
def test_items_that_are_no_text(item: Any) -> None:
    """The engine takes str and Chunk; for anything else the message says what reads it."""
    with pytest.raises(InputError, match=r"chunk of streamcite\.inputs\.to_chunks\(item\)"):
        Citer().feed(item)


def test_no_text_says_nothing() -> None:
    """SDKs have None where a delta has no text, in the middle of a marker too."""
    citer = Citer(documents=documents(2))

    for item in [None, "a [", None, "1", "", "].", None]:
        citer.feed(item)
    citer.close()
    assert (citer.final.data, len(citer.final.citations)) == ("a [1].", 1)


def test_calls_after_the_end() -> None:
    """A closed reply refuses text, documents and a second close."""
    citer = Citer()
    citer.close()

    with pytest.raises(StateError, match="closed"):
        citer.feed("x")
    with pytest.raises(StateError, match="closed"):
        citer.add_documents(["d"])
    assert len(citer.sources) == 0
    with pytest.raises(StateError, match="closed"):
        citer.close()


@pytest.mark.parametrize("item", ["", "plain", "[1]", None, Chunk("x"), Chunk()])
def test_feeding_a_closed_reply(item: str | Chunk | None) -> None:
    """No item is too plain to be refused after the end."""
    citer = Citer()
    citer.close()

    with pytest.raises(StateError, match="make a new Citer"):
        citer.feed(item)


def test_bad_options_at_construction() -> None:
    """Options, patterns and documents are checked before any text comes."""
    with pytest.raises(OptionsError):
        Citer(display="hide")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(OptionsError, match="not both"):
        Citer(options=CiteOptions(), display="keep")
    with pytest.raises(PatternError):
        Citer(reference_pattern=r"(\d+)(\d+)")
    with pytest.raises(DocumentError):
        Citer(documents=[3])


ARGUMENTS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"query": 5}, InputError, "query is a int"),
    ({"meta": ["a"]}, InputError, "meta is a list"),
    ({"meta": {1: 2}}, InputError, "give a mapping of str"),
    ({"documents": 5}, DocumentError, "documents is one int"),
    ({"documents": "abc"}, DocumentError, "documents is one str"),
    ({"sources": ["abc"]}, DocumentError, "sources is one list"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), ARGUMENTS)
def test_arguments_of_no_use(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    """What could only fail at the end of the answer fails at its beginning, and says why."""
    with pytest.raises(error, match=message):
        Citer(**arguments)
    with pytest.raises(error, match=message):
        cite([], **arguments)


def test_close_with_an_error() -> None:
    """A source that failed leaves all text, and an answer that is not complete."""
    citer = Citer(documents=documents(1))
    citer.feed("deep [1")

    partial, final = citer.close(error=OSError("lost"))
    assert isinstance(final, FinalAnswer)
    assert isinstance(partial, PartialAnswer)
    assert (partial.delta, final.answer.data, final.complete) == ("[1", "deep [1", False)


def test_held() -> None:
    """`held` is the text that came and is not shown yet."""
    citer = Citer(documents=documents(1), extract_xml_tags="think", display="remove")

    held = []
    for item in ("a", " ", "[", "1", "]", " <thi"):
        citer.feed(item)
        held.append(citer.held)
    assert held == ["", " ", " [", " [1", " [1]", " <thi"]


def test_shared_sources() -> None:
    """Two replies that share a register see each other's documents."""
    sources = Sources(documents(1))
    first, second = Citer(sources=sources), Citer(sources=sources)
    first.feed("a [2] ")
    second.add_documents(["new"])

    events = transcribe([*first.feed(" b"), *first.close()])
    assert [update.marker for update in events.updates] == ["[2]"]
    assert len(events.answer.documents) == 1


def containers(items: list[str]) -> int:
    """Return how many more objects the collector tracks once these items were fed again.

    What the process remembers of all its streams was made the first time.
    """
    kept_by(items)
    return kept_by(items)


def kept_by(items: list[str]) -> int:
    """Return how many more objects the collector tracks once these items were fed."""
    citer = Citer(documents=documents(3), extract_xml_tags="think")
    citer.feed("warm up [1] <think>x</think>")
    gc.collect()
    before = len(gc.get_objects())
    for item in items:
        citer.feed(item)
    gc.collect()
    return len(gc.get_objects()) - before


def test_nothing_piles_up_per_token() -> None:
    """A long plain answer leaves no more containers behind than a short one."""
    short, long = ["word "] * 200, ["word "] * 4_000

    assert containers(long) - containers(short) <= 5


def test_little_piles_up_per_unknown_token() -> None:
    """Tokens that are all different, or look like markers, leave nothing behind either."""
    short = [f"w{number} [x] " for number in range(200)]
    long = [f"v{number} [x] " for number in range(4_000)]

    assert containers(long) - containers(short) <= 5


def test_known_texts_hide_no_tag() -> None:
    """Behind code whose tokens are known from before, a tag is a tag, and its text has no code."""
    items = ["`", "a", "`", "\n", "`", "a", "`", "\n<think>", "a [1]", "</think>", "`"]
    options: dict[str, Any] = {"documents": documents(1), "extract_xml_tags": "think"}

    first, again = run(items, **options), run(items, **options)

    assert first == again == run(["".join(items)], **options)
    assert [step.name for step in first.steps if isinstance(step, SectionStarted)] == ["think"]

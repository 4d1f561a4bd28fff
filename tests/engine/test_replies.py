"""Several replies of one stream."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from streamcite import Chunk, CiteOptions, Sources
from streamcite.assemble.assembler import Assembler
from streamcite.chunks import Channel
from streamcite.engine.replies import Replies
from streamcite.errors import InputError
from tests.transcripts import documents, transcribe


def replies(*items: object, last_message_only: bool = False) -> list[tuple[int, str]]:
    """Return number and answer text of each reply of a stream of these items."""
    options = CiteOptions(last_message_only=last_message_only)
    stream = Replies(Sources(documents(2)), options, query="", meta=None, prompt=None)
    for item in items:
        stream.feed(item)
    _, finals = stream.end(complete=True)
    return [(final.reply, final.answer.data) for final in finals]


def ended(text: str, reply: int = 0) -> Chunk:
    """Return a chunk that ends its reply."""
    return Chunk(text, reply=reply, finish_reason="stop")


NOTE = {"n": 1}
USAGE = Chunk(usage=NOTE)
ROWS: list[tuple[list[object], list[tuple[int, str]]]] = [
    ([], [(0, "")]),
    (["a", "b"], [(0, "ab")]),
    ([Chunk("a"), "b", b"c"], [(0, "abc")]),
    ([Chunk("a", reply=1), Chunk("b")], [(0, "b"), (1, "a")]),
    ([ended("a"), Chunk("b")], [(0, "a"), (1, "b")]),
    ([ended("a"), "b"], [(0, "a"), (1, "b")]),
    ([ended("a"), Chunk(), Chunk(usage={})], [(0, "a")]),
    ([ended("a"), ended("b", reply=1), Chunk("c")], [(0, "a"), (1, "b"), (2, "c")]),
    ([ended("a", reply=1), Chunk("b", reply=1), "c"], [(0, "c"), (1, "a"), (2, "b")]),
    ([Chunk("a", finish_reason=""), Chunk(finish_reason=""), "b"], [(0, "ab")]),
    ([Chunk("a", reply=3)], [(3, "a")]),
    ([Chunk("a", reply=3), Chunk(usage={"n": 1})], [(3, "a")]),
    ([Chunk(usage={"n": 1}), Chunk("a", reply=3)], [(3, "a")]),
    ([Chunk(reply=1), Chunk("a")], [(0, "a")]),
    ([Chunk(reply=1), Chunk(reply=1, finish_reason="stop")], [(1, "")]),
    ([Chunk("a\ud83d", channel="reasoning"), ended("b")], [(0, "b")]),
    ([Chunk("a\ud83d"), b"b", b"\xe2"], [(0, "a\ud83db\ufffd")]),
    ([b"a\xc3", "b", " c"], [(0, "a\ufffdb c")]),
    ([b"a\xc3", Chunk("b"), b"\xa9"], [(0, "a\ufffdb\ufffd")]),
    ([b"a\xc3", "", USAGE, Chunk("b", 1), b"\xa9"], [(0, "aé"), (1, "b")]),
    ([b"a\xc3", Chunk(finish_reason="stop"), "b"], [(0, "a\ufffd"), (1, "b")]),
    ([b"a\xc3", Chunk("b", channel="reasoning"), b"\xa9"], [(0, "a\ufffd\ufffd")]),
    ([b"\xc3", "b", "c"], [(0, "\ufffdbc")]),
]


@pytest.mark.parametrize(("items", "expected"), ROWS)
def test_which_reply(items: list[object], expected: list[tuple[int, str]]) -> None:
    """A text belongs to its choice, or to the next message if that one has ended."""
    assert replies(*items) == expected


MODEL = Chunk(meta={"model": "m"})
FACTS = {"model": "m", "usage": NOTE, "native_citations": [NOTE]}
# Items, and what the answers say beside their text.
NOTED: list[tuple[list[object], list[Mapping[str, object]]]] = [
    ([Chunk("a", reply=3), USAGE], [{"usage": NOTE}]),
    ([USAGE, Chunk("a", reply=3)], [{"usage": NOTE}]),
    ([USAGE, Chunk("a", reply=1), Chunk("b")], [{"usage": NOTE}, {}]),
    ([Chunk("a", reply=1), Chunk("b", reply=2), USAGE], [{}, {"usage": NOTE}]),
    # That of a request is all it took, whatever number of choices it had.
    ([Chunk("a"), Chunk("b", reply=1), USAGE], [{"usage": NOTE}, {}]),
    ([Chunk(usage={}), Chunk("a", reply=1), USAGE], [{"usage": NOTE}]),
    ([MODEL, USAGE, Chunk(citations=(NOTE,)), MODEL, "a"], [FACTS]),
    ([MODEL, replace(MODEL, reply=1), "a", Chunk("b", 1)], [MODEL.meta, MODEL.meta]),
    ([MODEL, USAGE], [{**MODEL.meta, "usage": NOTE}]),
]


@pytest.mark.parametrize(("items", "expected"), NOTED)
def test_what_is_said_beside_the_text(
    items: list[object], expected: list[Mapping[str, object]]
) -> None:
    """It belongs to its reply, or if there is none to the last, and is never lost."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    for item in items:
        stream.feed(item)
    _, finals = stream.end(complete=True)

    found = [dict(final.answer.meta) for final in finals]
    assert [{name: meta[name] for name in FACTS if name in meta} for meta in found] == expected


def test_last_message_only() -> None:
    """If only the last message is wanted, only that one makes an answer."""
    assert replies(ended("a"), "b", last_message_only=True) == [(1, "b")]


@pytest.mark.parametrize("channel", ["answer", "reasoning"])
def test_halves_of_a_character(channel: Channel) -> None:
    """A character that a server cut in two is one character, and a lone half stays."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    events = [
        *stream.feed(Chunk("a\ud83d", channel=channel)),
        *stream.feed(Chunk("\ude00\ud83d", channel=channel)),
        *stream.end(complete=True)[0],
    ]

    assert transcribe(events).shown == "a😀\ud83d"


def test_text_behind_half_a_character() -> None:
    """Plain text behind half a character comes behind it."""
    assert replies(Chunk("a\ud83d"), "b", " [1]") == [(0, "a\ud83db [1]")]


def test_half_a_character_does_not_wait_for_the_end() -> None:
    """A half is shown once the other channel goes on, and no item must be looked at any more."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)

    events = stream.feed(Chunk("a\ud83d", channel="reasoning")) + stream.feed(Chunk("b"))

    assert transcribe(events).shown == "a\ud83db"
    assert not stream.waits


def test_a_reply_that_is_over_is_complete() -> None:
    """A source that fails breaks off the replies that it had not finished, and no others."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    stream.feed(Chunk("A.", finish_reason="stop"))
    stream.feed(Chunk("B", reply=1))
    _, finals = stream.end(complete=False)

    assert [final.complete for final in finals] == [True, False]


def test_a_model_is_named_in_its_own_message() -> None:
    """Each message of a run begins with a chunk that names its model, and may break off."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    for name in ("one", "two"):
        stream.feed(Chunk(meta={"model": name}))
        stream.feed(Chunk(name, finish_reason="stop" if name == "one" else None))
    _, finals = stream.end(complete=True)

    assert [final.answer.meta["model"] for final in finals] == ["one", "two"]


def test_what_is_told_behind_the_end_is_told_of_that_reply() -> None:
    """No other message follows under its index."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    for item in (ended("a"), Chunk("b", reply=1), Chunk(meta={"model": "m"})):
        stream.feed(item)
    _, finals = stream.end(complete=True)

    assert [final.answer.meta.get("model") for final in finals] == ["m", None]


def test_documents_for_all_replies() -> None:
    """Documents that come late are told to every reply."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    stream.feed(Chunk("a [1] "))
    stream.feed(Chunk("b [1] ", reply=1))
    stream.add_documents(["new"])
    _, finals = stream.end(complete=True)

    assert [len(final.answer.documents) for final in finals] == [1, 1]


# What was fed before a document comes, what is fed then, and which replies are told with it.
LATE: list[tuple[list[Chunk], object, list[int]]] = [
    ([Chunk("a [1] ")], "b", [0]),
    ([ended("a [1]")], "b", [0]),
    ([ended("a [1]"), Chunk("b [1] ")], "c", [0, 1]),
    ([Chunk("a [1] "), Chunk("b [1] ", reply=1)], Chunk("c", reply=1), [0, 1]),
    ([Chunk("a [1] ", reply=1), Chunk("b")], "c", [1]),
    ([ended("a [1]")], Chunk("b", channel="reasoning"), [0]),
    ([ended("a [1]")], Chunk(usage={}), [0]),
    ([ended("a [1]")], "", [0]),
]


@pytest.mark.parametrize(("before", "item", "expected"), LATE)
def test_documents_come_with_the_next_item(
    before: list[Chunk], item: object, expected: list[int]
) -> None:
    """The next item tells each reply that waits for a document, also one whose text is over."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    for each in before:
        stream.feed(each)
    stream.add_documents(["new"])
    events = stream.feed(item)

    updated = [event.reply for event in events if event.kind == "partial" and event.updates]
    assert updated == expected
    told = events[: len(expected)]
    assert all(event.kind == "partial" and event.updates for event in told)


def test_an_item_that_is_refused_takes_no_update_along() -> None:
    """What a late document resolves is told all the same where the next item is refused."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    stream.feed("a [1] ")
    stream.add_documents(["new"])
    with pytest.raises(InputError):
        stream.feed(5)

    (event,) = stream.feed("")
    assert event.kind == "partial"
    assert [each.id for each in event.updates] == ["c1"]


def test_what_comes_before_a_reply_is_kept_as_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many chunks come before a reply, none of them is made anew."""
    chunks = [Chunk(citations=(NOTE,)), Chunk(usage=NOTE), Chunk(citations=(NOTE, NOTE))]
    noted: list[Chunk] = []
    monkeypatch.setattr(Assembler, "note", lambda _, chunk: noted.append(chunk))
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    for item in [*chunks, Chunk("a")]:
        stream.feed(item)

    assert [id(each) for each in noted[:3]] == [id(each) for each in chunks]


def test_answers_share_their_messages() -> None:
    """Many replies have one list of messages, and not one each."""
    stream = Replies(Sources(), CiteOptions(), query="", meta=None, prompt=None)
    for text in ("a", "b"):
        stream.feed(ended(text))
    _, finals = stream.end(complete=True)

    first, second = (final.answer.meta["all_messages"] for final in finals)
    assert first is second
    assert first == ["a", "b"]

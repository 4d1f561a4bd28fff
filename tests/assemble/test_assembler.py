"""Everything a reply has shown: sections, occurrences, raw text, the answer it makes."""

from streamcite import Citer, PartialAnswer
from tests.transcripts import documents, run


def test_occurrences_of_the_answer_tag() -> None:
    """The occurrences of the answer tag are one text, and entries of their own in `sections`."""
    reply = "<a>one</a>x<a></a>y<a>two"
    answer = run([*reply], extract_xml_tags="a", answer_tag="a").answer

    assert answer.data == "onetwo"
    assert answer.sections == {"a": ["one", "", "two"]}


def test_raw_reply() -> None:
    """However it is shown, the reply itself is kept as the model wrote it."""
    reply = "a [1]<t x='y'>b</t > [9]\ue200"
    for options in ({}, {"display": "remove"}, {"unknown": "drop"}, {"markers": "private"}):
        answer = run([*reply], documents=documents(1), extract_xml_tags="t", **options).answer

        assert answer.meta["all_messages"] == [reply]


def test_view_of_an_earlier_event() -> None:
    """The answer of an event has the text and the documents up to that event."""
    citer = Citer(documents=documents(2))
    events = [event for item in ("a [1] b", " c [2] d", " e") for event in citer.feed(item)]
    answers = [event.answer for event in events if isinstance(event, PartialAnswer)]

    assert [answer.data for answer in answers] == [
        "a [1] b",
        "a [1] b c [2] d",
        "a [1] b c [2] d e",
    ]
    assert [[each.id for each in answer.documents] for answer in answers] == [
        ["d1"],
        ["d1", "d2"],
        ["d1", "d2"],
    ]


def test_native_citations() -> None:
    """What a provider cited itself is kept in the meta, as it was sent."""
    from streamcite import Chunk

    items = [Chunk("a", citations=({"url": "u"},)), Chunk("b", citations=({"url": "v"},))]
    assert run(items).answer.meta["native_citations"] == [{"url": "u"}, {"url": "v"}]

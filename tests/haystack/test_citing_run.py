"""One run of a citing generator: the stream and the answers come of one pass."""

import asyncio
import inspect
from typing import Any

import pytest
from haystack import Document
from haystack.dataclasses import ChatMessage, ReasoningContent, StreamingChunk

from streamcite.answers import Citation
from streamcite.haystack import CitingChatGenerator
from streamcite.haystack.citing_run import last_question

Case = tuple[list[tuple[int, str]], list[str | ChatMessage]]

DOCS = [Document(id=f"d{n}", content=f"Text {n}") for n in range(1, 4)]


class Streaming:
    """Streams chunks, each of the reply with this index, and returns replies."""

    def __init__(self, chunks: list[tuple[int, str]], replies: list[str | ChatMessage]) -> None:
        ends = [
            StreamingChunk("", meta={"index": index}, finish_reason="stop")
            for index in dict(chunks)
        ]
        texts = [StreamingChunk(text, meta={"index": index}) for index, text in chunks]
        self.chunks = [*texts, *ends]
        self.replies = [
            ChatMessage.from_assistant(reply) if isinstance(reply, str) else reply
            for reply in replies
        ]

    def run(self, messages: list[ChatMessage], streaming_callback: Any = None) -> dict[str, Any]:
        for chunk in self.chunks:
            streaming_callback(chunk)
        return {"replies": self.replies}

    async def run_async(
        self, messages: list[ChatMessage], streaming_callback: Any = None
    ) -> dict[str, Any]:
        for chunk in self.chunks:
            if inspect.isawaitable(passed := streaming_callback(chunk)):
                await passed
        return {"replies": self.replies}


class Whole:
    """A generator without a stream."""

    def __init__(self, *replies: ChatMessage) -> None:
        self.replies = list(replies)

    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        return {"replies": self.replies}


def run(generator: Any, runs_async: bool, **options: Any) -> tuple[dict[int, str], list[Any]]:
    """Return what was shown of each reply, and the answers."""
    shown: dict[int, str] = {}

    def show(chunk: StreamingChunk) -> None:
        index = chunk.meta.get("index", 0)
        shown[index] = shown.get(index, "") + chunk.content

    async def show_async(chunk: StreamingChunk) -> None:
        show(chunk)

    citing = CitingChatGenerator(generator, options=options)
    if runs_async:
        result = asyncio.run(citing.run_async("q", show_async, documents=DOCS))
    else:
        result = citing.run("q", show, documents=DOCS)
    return dict(sorted(shown.items())), result["answers"]


ONE: Case = ([(0, "a [2]"), (0, " [1].")], ["a [2] [1]."])
TWO: Case = (
    [(1, "b [3] "), (0, "a [2] "), (1, "[1]."), (0, "[1].")],
    ["a [2] [1].", "b [3] [1]."],
)
either = pytest.mark.parametrize("runs_async", [False, True])


@either
@pytest.mark.parametrize("case", [ONE, TWO], ids=["one", "two"])
@pytest.mark.parametrize("display", ["keep", "remove", "link", "renumber"])
def test_answers_say_what_was_shown(display: str, case: Any, runs_async: bool) -> None:
    """Numbers by first use are those that the reader saw, whichever reply came first."""
    shown, answers = run(Streaming(*case), runs_async, display=display)

    assert [answer.data for answer in answers] == list(shown.values())


@either
@pytest.mark.parametrize("case", [ONE, TWO], ids=["one", "two"])
def test_a_display_function_is_asked_once_for_each_marker(case: Any, runs_async: bool) -> None:
    """It may count, or keep what it was given."""
    asked: list[str] = []

    def count(citation: Citation) -> str:
        asked.append(citation.marker)
        return f"<{len(asked)}>"

    shown, answers = run(Streaming(*case), runs_async, display=count)

    assert len(asked) == sum(len(answer.citations) for answer in answers)
    assert [answer.data for answer in answers] == list(shown.values())


@either
def test_a_reply_without_a_stream_is_cited_once(runs_async: bool) -> None:
    """It is shown when it is there, its reasoning first."""
    asked: list[str] = []
    message = ChatMessage.from_assistant("a [2].", reasoning="hm [1]")

    def count(citation: Citation) -> str:
        asked.append(citation.marker)
        return "*"

    shown, answers = run(Whole(message), runs_async, display=count)

    assert (shown, asked) == ({0: "a *."}, ["[1]", "[2]"])
    assert (answers[0].data, answers[0].sections) == ("a *.", {"reasoning": ["hm *"]})


@either
def test_a_reply_that_is_not_what_was_streamed_is_cited_anew(runs_async: bool) -> None:
    """Its numbers go on from those that were shown."""
    generator = Streaming([(0, "a [3] [2]. \n")], ["b [1] [2].", "c [3]."])

    shown, answers = run(generator, runs_async, display="renumber")

    assert shown == {0: "a [1] [2]. \n"}
    assert [answer.data for answer in answers] == ["b [3] [2].", "c [1]."]


def test_replies_that_say_the_same_have_an_answer_each() -> None:
    """Each of the stream is taken once."""
    _, answers = run(Streaming([(0, "a [1]"), (1, "a [1]")], ["a [1]", "a [1]"]), False)

    assert answers[0].citations == answers[1].citations != []
    assert answers[0].citations is not answers[1].citations


def test_a_stream_of_several_messages_ends_in_one_answer() -> None:
    """A generator that calls tools itself returns its last message."""
    generator = Streaming([(0, "a [3].")], ["b [2] [3]."])
    generator.chunks += [StreamingChunk("b [2] [3].", finish_reason="stop")]

    shown, answers = run(generator, False, display="renumber")

    assert shown[0] == "a [1].b [2] [1]."
    assert [answer.data for answer in answers] == ["b [2] [1]."]


def test_the_last_message_only_is_an_answer() -> None:
    """As without a stream."""
    shown, answers = run(Streaming(*TWO), False, display="renumber", last_message_only=True)

    assert [answer.data for answer in answers] == [shown[1]]


def test_reasoning_that_was_not_streamed_is_in_the_answer() -> None:
    """The reply holds it, if its stream does not."""
    message = ChatMessage.from_assistant("a [1]", reasoning=ReasoningContent("hm [2]"))

    _, answers = run(Streaming([(0, "a [1]")], [message]), False)

    assert answers[0].sections == {"reasoning": ["hm [2]"]}


@either
def test_the_meta_is_that_of_a_run_without_a_stream(runs_async: bool) -> None:
    """The message's own, all messages, references and tags."""
    message = ChatMessage.from_assistant("<t>x</t>a [1]", meta={"model": "m"})
    options = {"extract_xml_tags": ["t"]}
    plain = CitingChatGenerator(Whole(message), options=options)

    _, answers = run(Streaming([(0, "<t>x</t>a"), (0, " [1]")], [message]), runs_async, **options)

    assert answers == plain.run("q", documents=DOCS)["answers"]


def test_an_unknown_number_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """Haystack logs it, so that it is logged here."""
    run(Streaming([(0, "a [9]")], ["a [9]"]), False)

    assert caplog.text.count("out of range") == 1


def test_the_last_question_is_the_users() -> None:
    """For the answers' query."""
    chat = [ChatMessage.from_user("a"), ChatMessage.from_user("b"), ChatMessage.from_assistant("c")]

    assert [last_question(each) for each in ("q", chat, [])] == ["q", "b", ""]

"""Whole texts, by the same engine."""

from typing import Any

import pytest

from streamcite import Chunk, CiteOptions, Sources, cite_replies, cite_text
from streamcite.errors import DocumentError, InputError, OptionsError
from tests.transcripts import documents


def test_cite_text() -> None:
    """A whole reply is cited as the stream would end."""
    answer = cite_text("Paris [2].", query="Q", documents=documents(3), meta={"k": 1}, prompt="P")

    assert (answer.data, answer.query) == ("Paris [2].", "Q")
    assert [document.id for document in answer.documents] == ["d2"]
    assert (answer.meta["k"], answer.meta["prompt"]) == (1, "P")


def test_cite_replies() -> None:
    """Several replies make an answer each, and each holds the texts of all."""
    answers = cite_replies(["a [1]", "b [2]"], documents=documents(2), meta=[{"k": 1}, {"k": 2}])

    assert [answer.data for answer in answers] == ["a [1]", "b [2]"]
    assert [answer.meta["k"] for answer in answers] == [1, 2]
    assert [answer.meta["all_messages"] for answer in answers] == [["a [1]", "b [2]"]] * 2


def test_last_message_only() -> None:
    """If only the last message is wanted, there is one answer."""
    (answer,) = cite_replies(["a", "b"], last_message_only=True)

    assert (answer.data, answer.meta["all_messages"]) == ("b", ["a", "b"])


def test_replies_share_sources() -> None:
    """Documents given beside a register are added to it."""
    sources = Sources(documents(1))
    cite_text("x [2]", sources=sources, documents=["new"])

    assert len(sources) == 2


def test_replies_share_numbers() -> None:
    """With `renumber` the replies of one call count on."""
    answers = cite_replies(["a [2]", "b [1] [2]"], documents=documents(2), display="renumber")

    assert [answer.data for answer in answers] == ["a [1]", "b [2] [1]"]


def test_no_replies() -> None:
    """No reply makes no answer."""
    assert cite_replies([]) == []


def test_misuse() -> None:
    """A meta for another number of replies, or options given twice, are refused."""
    with pytest.raises(InputError, match="2 replies and 1 meta"):
        cite_replies(["a", "b"], meta=[{}])
    with pytest.raises(OptionsError, match="not both"):
        cite_text("a", options=CiteOptions(), display="keep")


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"replies": "a"}, InputError, "a list of texts; for one text use cite_text"),
    ({"replies": b"a"}, InputError, "replies is a bytes; give a list of texts"),
    ({"replies": {"content": "a"}}, InputError, "replies is a dict; give a list of texts"),
    ({"replies": None}, InputError, "replies is a NoneType; give a list of texts"),
    ({"replies": ["a", {"content": "b"}]}, InputError, r"replies\[1\] is a dict; give the text"),
    ({"replies": [Chunk("a")]}, InputError, r"replies\[0\] is a Chunk; give the text"),
    ({"meta": {"a": 1}}, InputError, "meta is a dict; give a list of one mapping per reply"),
    ({"meta": "ab"}, InputError, "meta is a str; give a list of one mapping per reply"),
    ({"meta": 5}, InputError, "meta is a int; give a list of one mapping per reply"),
    ({"documents": [["x"], ["y"]]}, DocumentError, "give one flat list of documents"),
]


@pytest.mark.parametrize(("given", "error", "message"), WRONG, ids=str)
def test_arguments_of_no_use(given: dict[str, Any], error: type[Exception], message: str) -> None:
    """What is given in another shape is refused, and the message says which one to give."""
    with pytest.raises(error, match=message):
        cite_replies(**{"replies": ["a", "b"], **given})

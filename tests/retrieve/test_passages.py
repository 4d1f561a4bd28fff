"""Documents to passages, texts to sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite.answers import Document
from streamcite.retrieve import split_document, split_sentences

SENTENCES = {
    "One. Two! Three? Four… five": ["One.", "Two!", "Three?", "Four…", "five"],
    'He said "no." Then 3.5 km.': ['He said "no."', "Then 3.5 km."],
    "Dr. Smith and J. Doe came. They left.": ["Dr. Smith and J. Doe came.", "They left."],
    "It is 35 °C. Later 20.": ["It is 35 °C.", "Later 20."],
    "A line\nthat is wrapped. End.": ["A line that is wrapped.", "End."],
    "Heading\n\nText.": ["Heading", "Text."],
    "- one\n- two\n3. three": ["- one", "- two", "3. three"],
    "東京は大きい。京都は古い。": ["東京は大きい。", "京都は古い。"],
    " \n ": [],
}


@pytest.mark.parametrize(("text", "expected"), SENTENCES.items())
def test_a_text_has_these_sentences(text: str, expected: list[str]) -> None:
    """A sentence ends at its mark, but not behind an abbreviation or a number's point."""
    assert split_sentences(text) == expected


PASSAGES = {
    "fits": ("aaa\n\nbbb", ["aaa\n\nbbb"]),
    "paragraphs": ("aaaa\n\nbbbb\n\ncccc", ["aaaa\n\nbbbb", "cccc"]),
    "sentences": ("Aaa bbb. Ccc ddd. Eee.", ["Aaa bbb.", "Ccc ddd.", "Eee."]),
    "blanks": ("aaa bbb ccc ddd", ["aaa bbb ccc", "ddd"]),
    "no blanks": ("a" * 25, ["a" * 12, "a" * 12, "a"]),
}


@pytest.mark.parametrize(("text", "expected"), PASSAGES.values(), ids=PASSAGES.keys())
def test_a_document_has_these_passages(text: str, expected: list[str]) -> None:
    """Paragraphs stay whole where they fit; a longer one is cut where it hurts least."""
    passages = split_document(Document(text), limit=12)

    assert [each.content for each in passages] == expected


def test_passages_are_named_after_their_document() -> None:
    """Each passage has its own id, and the document's meta."""
    document = Document("aaaa\n\nbbbb", id="d", meta={"title": "t"})

    passages = split_document(document, limit=5)

    assert [(each.id, each.meta) for each in passages] == [
        ("d#1", {"title": "t"}),
        ("d#2", {"title": "t"}),
    ]


@given(text=st.text(st.sampled_from("ab .!\n。#-"), max_size=200), limit=st.integers(5, 40))
def test_no_text_is_lost(text: str, limit: int) -> None:
    """Passages are no longer than the limit and hold every character that is no blank."""
    passages = [each.content for each in split_document(Document(text), limit)]

    assert "".join("".join(passages).split()) == "".join(text.split())
    assert all(len(passage.strip()) <= limit for passage in passages)

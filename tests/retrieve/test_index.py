"""The full-text index."""

import gc

import pytest

from streamcite.answers import Document
from streamcite.retrieve import PassageIndex
from streamcite.retrieve.index import part_words

TEXTS = (
    "The canal was dug by hand.",
    "Boats wait at the lock; the locks are closed in winter.",
    "La rivière est très haute.",
    "東京は日本の首都です。",
)

FOUND = {
    "Who dug the canal?": TEXTS[0],
    "lock": TEXTS[1],
    "waiting boats": TEXTS[1],
    "riviere HAUTE": TEXTS[2],
    "首都はどこ": TEXTS[3],
    '"canal" OR NOT ( *': TEXTS[0],
}


@pytest.fixture
def index() -> PassageIndex:
    """Index the texts."""
    index = PassageIndex()
    index.add(Document(text) for text in TEXTS)
    return index


@pytest.mark.parametrize(("question", "best"), FOUND.items())
def test_a_question_finds_its_passage(index: PassageIndex, question: str, best: str) -> None:
    """Word forms, accents, case and scripts without blanks make no difference."""
    assert index.search(question)[0].content == best


@pytest.mark.parametrize(
    ("text", "words"),
    [("東京 tower", "東 京 tower"), ("サウナ", "サ ウ ナ"), ("서울", "서 울"), ("䷀ yī", "䷀ yī")],
)
def test_words_that_no_blanks_part(text: str, words: str) -> None:
    """Characters of Chinese, Japanese and Korean stand alone, and other words as they were."""
    assert " ".join(part_words(text).split()) == words


@pytest.mark.parametrize("question", ["", "?!", "zebra"])
def test_a_question_may_find_nothing(index: PassageIndex, question: str) -> None:
    """Without a word in common there is no hit."""
    assert index.search(question) == []


def test_the_best_come_first(index: PassageIndex) -> None:
    """Scores fall, and there are no more hits than asked for."""
    index.add([Document("a lock"), Document("lock lock lock")])

    scores = [each.score or 0 for each in index.search("lock", limit=2)]

    assert len(scores) == 2
    assert scores == sorted(scores, reverse=True)


def test_a_title_counts() -> None:
    """A passage is found by its title too."""
    with PassageIndex() as index:
        index.add([Document("x", meta={"title": "Tides"}), Document("y")])

        assert [each.content for each in index.search("tide")] == ["x"]


def test_half_a_character_can_be_indexed() -> None:
    """SQLite cannot store a lone surrogate; the passage keeps it all the same."""
    with PassageIndex() as index:
        index.add([Document("boat \ud83d")])

        assert [each.content for each in index.search("boat \ud83d")] == ["boat \ud83d"]


def test_a_dropped_index_leaves_nothing_open() -> None:
    """Python 3.13 warns of a connection that nobody closed, and warnings are errors here."""
    PassageIndex().add([Document("x")])

    gc.collect()

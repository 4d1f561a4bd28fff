"""An index of passages in memory: SQLite's full-text search, ranked by BM25."""

import re
import sqlite3
import weakref
from collections.abc import Iterable

from streamcite.answers import Document

__all__ = ["PassageIndex", "part_words"]

# What looks for words takes a run of these for one, since no blanks part them.
_UNSPACED = re.compile(r"([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af])")
_WORD = re.compile(r"\w+")

_TABLE = (
    "CREATE VIRTUAL TABLE passage USING fts5(title, content, "
    "tokenize='porter unicode61 remove_diacritics 2')"
)
# A hit in the title counts twice.
_SEARCH = (
    "SELECT rowid, bm25(passage, 2.0, 1.0) AS rank FROM passage WHERE passage MATCH ? "
    "ORDER BY rank, rowid LIMIT ?"
)


class PassageIndex:
    """Finds the passages that say most about a question."""

    def __init__(self) -> None:
        self._passages: list[Document] = []
        # An index that nobody closed may be collected in any thread.
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._close = weakref.finalize(self, self._database.close)
        self._database.execute(_TABLE)

    def __len__(self) -> int:
        return len(self._passages)

    def __enter__(self) -> "PassageIndex":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, passages: Iterable[Document]) -> None:
        """Enter further passages."""
        first = len(self._passages) + 1
        self._passages += passages
        self._database.executemany(
            "INSERT INTO passage(rowid, title, content) VALUES (?, ?, ?)",
            (
                (number, _words(str(passage.meta.get("title") or "")), _words(passage.content))
                for number, passage in enumerate(self._passages[first - 1 :], start=first)
            ),
        )

    def search(self, question: str, limit: int = 5) -> list[Document]:
        """Return copies of the best passages, the best first, each with its score.

        Any word of the question may match. A question without words finds nothing.
        """
        words = dict.fromkeys(_WORD.findall(_words(question)))
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._database.execute(_SEARCH, (match, limit)).fetchall()
        return [
            self._passages[number - 1].model_copy(update={"score": -rank}) for number, rank in rows
        ]

    def close(self) -> None:
        """Give the memory back; an index that is dropped does so too."""
        self._close()


def part_words(text: str) -> str:
    """Return text in which each character of a script without blanks stands alone."""
    return _UNSPACED.sub(r" \1 ", text)


def _words(text: str) -> str:
    # SQLite cannot store half a character.
    return part_words(text.encode("utf-8", "replace").decode("utf-8"))

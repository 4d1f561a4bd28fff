"""Retrieval for the command line: files to passages, passages to an index, a question to hits."""

from streamcite.retrieve.files import find_files, read_documents
from streamcite.retrieve.index import PassageIndex
from streamcite.retrieve.passages import split_document, split_sentences

__all__ = [
    "PassageIndex",
    "find_files",
    "read_documents",
    "split_document",
    "split_sentences",
]

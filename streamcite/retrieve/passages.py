"""Documents to passages: pieces that are short enough to be shown to a model and cited."""

import re
from collections.abc import Iterator

from streamcite.answers import Document

__all__ = ["MAX_PASSAGE", "split_document", "split_sentences"]

# Longest passage, in characters: about 200 tokens, so that five of them fit a small model's
# context beside the examples.
MAX_PASSAGE = 800

_PARAGRAPHS = re.compile(r"\n[ \t]*\n+")
# A sentence ends at its mark, and at what closes after it; CJK marks need no blank behind them.
_SENTENCE = re.compile(r"""[^\n]*?(?:[.!?…]+["'”’)\]]*(?=\s|$)|[。！？]+[”’」』）]*|(?=\n)|$)""")
# A line break inside a paragraph: what follows it is no list item, quotation, heading or table row.
_WRAP = re.compile(r"(?<![\n|])[ \t]*\n[ \t]*(?![\n#>*+|-]|\d+[.)]\s)")
# No sentence ends behind these.
_ABBREVIATION = re.compile(
    r"(?:(?<![°\w.])[A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|No|vs|ca|approx|e\.g|i\.e|etc)|^\d{1,3})\.$"
)


def split_document(document: Document, limit: int = MAX_PASSAGE) -> list[Document]:
    """Return the document's passages: whole paragraphs, as many as fit into `limit`.

    A document that fits is its own only passage. The passages of a longer one are called
    `id#1`, `id#2`, … A longer paragraph is cut between sentences, a longer sentence at a blank.
    """
    text = document.content.strip()
    if len(text) <= limit:
        return [document]
    return [
        document.model_copy(update={"content": passage, "id": f"{document.id}#{number}"})
        for number, passage in enumerate(_pack(_pieces(text, limit), limit), start=1)
    ]


def split_sentences(text: str) -> list[str]:
    """Return the text's sentences, without the blanks around them.

    A paragraph that is wrapped counts as one line; list items and headings end sentences.
    """
    sentences: list[str] = []
    open_abbreviation = False
    for match in _SENTENCE.finditer(_WRAP.sub(" ", text)):
        if not (sentence := match[0].strip()):
            open_abbreviation = open_abbreviation and match[0] != ""
            continue
        if open_abbreviation:
            sentences[-1] += " " + sentence
        else:
            sentences.append(sentence)
        open_abbreviation = _ABBREVIATION.search(sentence) is not None
    return sentences


def _pieces(text: str, limit: int) -> Iterator[tuple[str, str]]:
    """Yield what must stay together, each with the text that parts it from the one before."""
    for paragraph in _PARAGRAPHS.split(text):
        if len(paragraph) <= limit:
            yield "\n\n", paragraph.strip()
            continue
        joint = "\n\n"
        for sentence in split_sentences(paragraph):
            for piece in _cut(sentence, limit):
                yield joint, piece
                joint = " "


def _cut(sentence: str, limit: int) -> Iterator[str]:
    while len(sentence) > limit:
        blank = sentence.rfind(" ", 1, limit)
        end = blank if blank > 0 else limit
        yield sentence[:end]
        sentence = sentence[end:].lstrip()
    yield sentence


def _pack(pieces: Iterator[tuple[str, str]], limit: int) -> Iterator[str]:
    passage = ""
    for joint, piece in pieces:
        if passage and len(passage) + len(joint) + len(piece) > limit:
            yield passage
            passage = ""
        passage = passage + joint + piece if passage else piece
    if passage:
        yield passage

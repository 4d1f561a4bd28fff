"""A generator without a model: sentences of the documents that answer best, each cited."""

import math
import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator
from typing import NamedTuple

import anyio

from streamcite.generators.prompt import grammar_of
from streamcite.grammar import BODY, BRACKETS
from streamcite.options import CiteOptions
from streamcite.retrieve import split_sentences
from streamcite.retrieve.index import part_words
from streamcite.sources import NumberedDocument, Sources

__all__ = ["ExtractiveGenerator", "compose"]

MAX_SENTENCES = 4
# Shorter ones say too little, longer ones are hard to read; without an end mark it is a heading.
SENTENCE_LENGTHS = range(12, 400)
END_MARKS = (".", "!", "?", "…", "。", "！", "？", '"', "”", ")")
# How many characters of two words must be equal: "wintering" is about "winter".
STEM_LENGTH = 5

# A word of the question that a sentence has covered counts less for the next.
COVERED = 0.6
# A further sentence must be this good, compared with the first one.
MIN_SHARE = 0.3
# How much the sentence before counts.
SHARE_OF_BEFORE = 0.4
# A source that was cited already counts less: several are better than one.
USED = 0.75
# Less than this is no common word at all.
MIN_SCORE = 1e-9

NOTHING_FOUND = "The documents say nothing about this."

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"\s*\S{1,6}|\s+")
# Marks of Markdown at the start of a line, which would look odd in the middle of an answer.
_LINE_MARKS = re.compile(r"^(?:[#>*+-]+|\d+[.)])\s+")
# What would be read as a citation of its own.
_PAIRS = (*BRACKETS.items(), ("[[", "]]"))
_SHAPES = (re.escape(opener) + BODY + re.escape(closer) for opener, closer in _PAIRS)
_MARKER = re.compile(rf"\s*(?:{'|'.join(_SHAPES)})")
_END = re.compile(r"([.!?…。！？]*)$")


class _Sentence(NamedTuple):
    text: str
    source: int
    stems: frozenset[str]
    stems_before: frozenset[str]
    """Those of the sentence before it, which tell what "it" and "they" are."""


class ExtractiveGenerator:
    """Streams the sentences of the documents that have most in common with the question.

    Args:
        tokens_per_second: The pace.
        options: How the reply will be read; it cites so.
    """

    def __init__(self, tokens_per_second: float = 40, options: CiteOptions | None = None) -> None:
        self._pause = 1 / tokens_per_second
        self._grammar = grammar_of(options or CiteOptions())

    @property
    def description(self) -> str:
        """What runs, in a few words, for people."""
        return "the extractive generator: sentences of the documents, no model"

    async def stream(self, question: str, sources: Sources) -> AsyncGenerator[str, None]:
        """Yield the answer in pieces as a model would, at the pace of one."""
        for token in _TOKEN.findall(compose(question, sources, self._grammar)):
            yield token
            await anyio.sleep(self._pause)


def compose(question: str, sources: Sources, grammar: str | None = "bracket") -> str:
    """Return an answer of sentences that the documents hold, each with its document's marker.

    Args:
        question: What the user asks.
        sources: The documents.
        grammar: How they are cited; not at all if it is None.
    """
    sentences = list(_sentences(sources))
    chosen = _in_order(_choose(_stems(question), sentences), sentences)
    if not chosen:
        return NOTHING_FOUND
    if grammar is None:
        return " ".join(each.text for each in chosen)
    numbered = sources.numbered()
    return " ".join(
        _cited(each.text, _marker(numbered[each.source - 1], grammar)) for each in chosen
    )


def _sentences(sources: Sources) -> Iterator[_Sentence]:
    seen = set()
    for number, document in sources.numbered():
        before: frozenset[str] = frozenset()
        for raw in split_sentences(document.content):
            text = _MARKER.sub("", _LINE_MARKS.sub("", raw)).strip()
            stems = _stems(text)
            is_sentence = len(text) in SENTENCE_LENGTHS and text.endswith(END_MARKS)
            if is_sentence and text not in seen:
                seen.add(text)
                yield _Sentence(text, number, stems, before)
            before = stems


def _choose(wanted: frozenset[str], sentences: list[_Sentence]) -> list[_Sentence]:
    """Pick the sentence that adds most, again and again; words already covered count less."""
    weights = _weights(wanted, sentences)
    chosen: list[_Sentence] = []
    enough = 0.0
    while len(chosen) < MAX_SENTENCES and sentences:
        used = {each.source for each in chosen}
        scores = [
            _score(each, weights) * (USED if each.source in used else 1) for each in sentences
        ]
        score = max(scores)
        best = sentences[scores.index(score)]
        enough = enough or score * MIN_SHARE
        if score < max(enough, MIN_SCORE):
            break
        chosen.append(best)
        sentences = [each for each in sentences if each is not best]
        weights |= {stem: weights[stem] * COVERED for stem in best.stems & weights.keys()}
    return chosen


def _in_order(chosen: list[_Sentence], sentences: list[_Sentence]) -> list[_Sentence]:
    """Sort what is chosen: the best source first, each source's sentences as they stand there."""
    sources = [each.source for each in chosen]
    return sorted(chosen, key=lambda each: (sources.index(each.source), sentences.index(each)))


def _weights(wanted: frozenset[str], sentences: Iterable[_Sentence]) -> dict[str, float]:
    """Weigh the question's words by how rare they are in the documents."""
    sentences = list(sentences)
    counts = Counter(stem for each in sentences for stem in each.stems & wanted)
    return {stem: math.log(1 + len(sentences) / count) for stem, count in counts.items()}


def _score(sentence: _Sentence, weights: dict[str, float]) -> float:
    own = sum(weights[stem] for stem in sentence.stems & weights.keys())
    inherited = sum(weights[stem] for stem in sentence.stems_before & weights.keys())
    return (own + SHARE_OF_BEFORE * inherited) / (20 + len(sentence.stems)) if own else 0


def _stems(text: str) -> frozenset[str]:
    words = _WORD.findall(part_words(text.casefold()))
    stems = (word[:-1] if word.endswith("s") and len(word) > 3 else word for word in words)
    return frozenset(stem[:STEM_LENGTH] for stem in stems) - COMMON


# Words that say nothing about a question's subject, cut like stems.
# fmt: off
COMMON = frozenset({
    "a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "did", "do", "doe", "does",
    "for", "from", "get", "had", "has", "have", "how", "i", "in", "is", "it", "its", "keep",
    "many", "much", "of", "on", "or", "shoul", "so", "that", "the", "their", "them", "there",
    "these", "they", "thi", "this", "to", "was", "were", "what", "when", "where", "which",
    "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
})
# fmt: on


def _marker(source: NumberedDocument, grammar: str) -> str:
    if grammar == "bracket":
        return f"[{source.number}]"  # the common one, without the extra and its loading time
    from streamcite.prompts.instructions import document_marker

    return document_marker(source, grammar)


def _cited(sentence: str, marker: str) -> str:
    """Put the marker before the sentence's own end, as writers do."""
    return _END.sub(lambda end: f" {marker}{end[1] or '.'}", sentence, count=1)

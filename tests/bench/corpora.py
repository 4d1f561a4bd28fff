"""Token lists to measure on: seeded, of any length, of the shape that performance is measured on.

| name | what |
|---|---|
| standard | tokens of 4.2 characters, a citation per 42 tokens, code fences, inline code, links |
| dense | the same with a citation per 8 tokens |
| free | the same without citations |
| tagged | standard in `<thinking>` and `<answer>`, which are lifted out |
| plain | free without code and links: no token holds a character that matters |
| recorded | what two small models really wrote, in their own tokens |
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamcite import Document

__all__ = [
    "ARTICLE",
    "CORPORA",
    "TAG_OPTIONS",
    "TRIGGERS",
    "corpus",
    "documents",
    "recorded_streams",
]

# Characters at which the default options cannot pass a token on unread.
TRIGGERS = frozenset("[]【［`~$\\<")

# Two code fences stand in this many tokens; a longer corpus is several such articles.
ARTICLE = 2_000

CORPORA = ("standard", "dense", "free", "tagged")
TAG_OPTIONS: dict[str, Any] = {
    "extract_xml_tags": ("thinking", "answer"),
    "answer_tag": "answer",
}

_RECORDED = Path(__file__).parents[1] / "data" / "streams" / "recorded.jsonl"
_TOKENS_PER_CITATION = {"standard": 42, "tagged": 42, "dense": 8}
_FENCES = (600, 1_300)
_TOKENS_PER_INLINE_CODE = 400
_TOKENS_PER_LINK = 600
_SOURCES = 9

_WORDS = (
    "the of and to in a is that for it as was with be by on not he his but at are this have "
    "from or had an they which one you were all her she there would their we him been has when "
    "who will no more if out so up said what its about than into them can only other time new "
    "some could these two may first then do any like my now over such our man me even most "
    "made after also did many off before must well back through years much where your way down "
    "should because long each just state those people too mr good world very year still see "
    "own work day get here life being both does under same great last us against three use "
    "since might without while city house water river light large system group public often "
    "moon ocean report number study field planet market forest go us be he do am it if so up at "
    "government population measurement development"
).split()
_CODE = (
    "for| row| in| rows|:|\n   | total| =| total| +| row|[|1|]|\n   | print|(|total|)|\n|def|"
    " read|(|path|):|\n   | with| open|(|path|)| as| file|:|\n       | return| file|.read|()|\n"
).split("|")
_INLINE_CODE = (" `", "get", "_rows", "`")
_LINK = (" [", "the", " report", "](", "https", "://", "example", ".com", "/report", ")")
# The mix of the recorded streams: three in four begin in one token with a blank, half end in one
# token with what follows, one in seven is a list, some stand side by side or behind a word.
_SHAPES = (
    *[(" [", "{0}", "].", " So")] * 4,
    *[(" [", "{0}", "]")] * 3,
    (" [", "{0}", "],"),
    (" [", "{0}", ",", " {1}", "]"),
    (" [", "{0}", "][", "{1}", "]"),
    ("[", "{0}", "]"),
)


def documents() -> list[Document]:
    """Return the documents that the corpora cite."""
    return [
        Document(f"Document {number} text", id=f"d{number}") for number in range(1, _SOURCES + 1)
    ]


def corpus(name: str, length: int, seed: int = 1) -> list[str]:
    """Return a corpus of exactly so many tokens."""
    if name == "recorded":
        return _cycled(recorded_streams(), length)
    rng = random.Random(f"{name} {seed}")  # noqa: S311  # a text, no secret
    tokens: list[str] = []
    while len(tokens) < length:
        tokens.extend(_article(rng, name))
    return tokens[:length]


def _article(rng: random.Random, name: str) -> list[str]:
    body = _Article(rng, _TOKENS_PER_CITATION.get(name), marked_up=name != "plain").tokens
    if name != "tagged":
        return body
    cut = ARTICLE // 4
    return [
        *("<", "thinking", ">", *body[:cut], "</", "thinking", ">", "\n"),
        *("<", "answer", ">", *body[cut:-14], "</", "answer", ">", "\n"),
    ]


class _Article:
    """One text of `ARTICLE` tokens."""

    def __init__(self, rng: random.Random, per_citation: int | None, *, marked_up: bool) -> None:
        self.tokens: list[str] = []
        self._rng = rng
        # What is to come, by the number of tokens behind which it stands.
        self._due: list[tuple[int, str]] = []
        if per_citation:
            self._due += [
                (place, "citation") for place in range(per_citation, ARTICLE, per_citation)
            ]
        if marked_up:
            self._due += [(place, "fence") for place in _FENCES]
            self._due += [(place, "code") for place in range(150, ARTICLE, _TOKENS_PER_INLINE_CODE)]
            self._due += [(place, "link") for place in range(250, ARTICLE, _TOKENS_PER_LINK)]
        self._due.sort(reverse=True)
        while len(self.tokens) < ARTICLE:
            self._write_sentence()
        del self.tokens[ARTICLE:]

    def _write_sentence(self) -> None:
        for count in range(self._rng.randint(8, 20)):
            word = self._rng.choice(_WORDS)
            self.tokens.extend(_pieces(f" {word}" if count else f" {word.capitalize()}"))
            self._write_due()
        self.tokens.append(self._rng.choice((".", ".", ".\n\n", ",", ".")))

    def _forget_one(self) -> None:
        """Leave the next citation out: two were just written."""
        for index in reversed(range(len(self._due))):
            if self._due[index][1] == "citation":
                del self._due[index]
                return

    def _write_due(self) -> None:
        while self._due and self._due[-1][0] <= len(self.tokens):
            kind = self._due.pop()[1]
            if kind == "citation":
                numbers = self._rng.sample(range(1, _SOURCES + 1), 2)
                shape = self._rng.choice(_SHAPES)
                self.tokens.extend(part.format(*numbers) for part in shape)
                if "][" in shape:
                    self._forget_one()
            elif kind == "fence":
                self.tokens.extend(("\n\n", "```", "python", "\n", *_CODE, "```", "\n\n"))
            else:
                self.tokens.extend(_INLINE_CODE if kind == "code" else _LINK)


def _pieces(word: str) -> Iterator[str]:
    """Cut a long word as tokenizers do."""
    for start in range(0, len(word), 8):
        yield word[start : start + 8]


def recorded_streams() -> list[list[str]]:
    """Return the recorded streams as tokens; none if the recording is not there."""
    if not _RECORDED.exists():
        return []
    with _RECORDED.open(encoding="utf-8") as lines:
        streams = [json.loads(line)["chunks"] for line in lines]
    return [[token for token in tokens if token] for tokens in streams]


def _cycled(streams: list[list[str]], length: int) -> list[str]:
    """Join streams, each a paragraph, until there are enough tokens."""
    tokens: list[str] = []
    while len(tokens) < length and streams:
        for stream in streams:
            tokens.extend((*stream, "\n\n"))
    return tokens[:length]

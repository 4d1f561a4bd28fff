"""What every format shows alike: a delta cut into text and citations, sources, what is open."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from streamcite.answers import Citation, Document, GeneratedAnswer
from streamcite.events import PartialAnswer
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = [
    "MAX_SNIPPET",
    "Label",
    "Source",
    "SourceList",
    "clean",
    "cut",
    "cut_text",
    "labels",
    "shorten",
    "unresolved",
    "web_address",
]

# Longest excerpt of a source that is shown.
MAX_SNIPPET = 160


class Label(NamedTuple):
    """One number of a citation, as shown."""

    text: str
    number: int | None
    """The source; None if there is no such document."""


class Source(NamedTuple):
    """A document as a list of sources shows it."""

    number: int
    document: Document
    cited: bool
    shown: str
    """What its citations show for it; empty if that is not known."""
    beside: bool = False
    """Whether text that is not the answer cites it, such as what stood before the answer's tag."""
    placed: bool = False
    """Whether its file is shown too."""

    @property
    def remark(self) -> str:
        """What a reader should know who looks for its citations; nothing if the answer has some."""
        if self.cited:
            return ""
        return "not cited in the answer" if self.beside else "not cited"

    @property
    def title(self) -> str:
        """The title, else the file's name, else the first words, else the id."""
        meta = self.document.meta
        for value in (meta.get("title"), self._with_line(meta.get("file_name"))):
            if isinstance(value, str) and value.strip():
                return " ".join(value.split())
        return shorten(self.document.content, 40) or self.document.id

    @property
    def url(self) -> str:
        """The address, if it has one that a reader may follow."""
        return web_address(self.document.meta.get("url"))

    @property
    def place(self) -> str:
        """The file, as it was given, and the line in it; nothing beside an address, or twice."""
        if self.url or not self.placed:
            return ""
        place = self._with_line(self.document.meta.get("file_path"))
        return "" if place == self.title else place

    def _with_line(self, file: object) -> str:
        if not isinstance(file, str) or not file.strip():
            return ""
        line = self.document.meta.get("line")
        return f"{file}:{line}" if isinstance(line, int) else file

    @property
    def snippet(self) -> str:
        """The first words of its text, on one line."""
        return shorten(self.document.content, MAX_SNIPPET)


def web_address(value: object) -> str:
    """Return an http, https or mailto address, blanks escaped; "" for anything else."""
    if isinstance(value, str) and value.lower().startswith(("http://", "https://", "mailto:")):
        return "".join(f"%{ord(char):02X}" if char <= " " or char in '"<>\x7f' else char
                       for char in value)  # fmt: skip
    return ""


def shorten(text: str, length: int) -> str:
    """Return the text on one line, cut at a word if it is longer."""
    line = " ".join(text[: length * 4].split())
    if len(line) <= length:
        return line
    cut_at = line.rfind(" ", length // 2, length)
    return line[: cut_at if cut_at > 0 else length - 1] + "…"


def cut(partial: PartialAnswer) -> Iterator[str | Citation]:
    """Yield the delta's text, and each citation in place of its own text."""
    return cut_text(partial.delta, partial.offset, partial.citations)


def cut_text(text: str, offset: int, citations: Iterable[Citation]) -> Iterator[str | Citation]:
    """Yield a text that begins at `offset`, with citations in place of their own text."""
    shown = 0
    for citation in citations:
        if citation.start is None or citation.end is None:
            continue
        start, end = citation.start - offset, citation.end - offset
        if not shown <= start <= end <= len(text):
            continue
        if start > shown:
            yield text[shown:start]
        yield citation
        shown = end
    if shown < len(text):
        yield text[shown:]


def labels(citation: Citation) -> list[Label]:
    """Return the numbers that a citation shows, each with its source.

    With `display="renumber"` what is shown is not the source's number.
    """
    shown = [part.strip() for part in (citation.number or "").split(",")]
    references = citation.references
    if len(shown) != len(references) or not all(shown):
        shown = [str(each.source_index or each.key or "?") for each in references]
    return [
        Label(text, reference.source_index if reference.resolved else None)
        for text, reference in zip(shown, references, strict=True)
    ]


class SourceList:
    """The documents of an answer, with the numbers that its reader sees.

    Args:
        sources: The documents.
        options: The options that the answer is made with.
        placed: Whether the list names the files, where there is no address.
    """

    def __init__(self, sources: Sources, options: CiteOptions, *, placed: bool = False) -> None:
        self._sources = sources
        self._placed = placed
        self._shift = options.index_base - 1
        # By source: the numbers by first use, as far as they were shown.
        self._shown: dict[int, str] | None = {} if options.display == "renumber" else None

    def __len__(self) -> int:
        return len(self._sources)

    def note(self, citations: Iterable[Citation]) -> None:
        """Take note of what citations show."""
        if self._shown is not None:
            for citation in citations:
                # One that got further references shows the numbers of those before.
                if len((citation.number or "").split(",")) == len(citation.references):
                    self._shown |= {
                        each.number: each.text for each in labels(citation) if each.number
                    }

    def of(self, cited: Iterable[int], beside: Iterable[int] = ()) -> list[Source]:
        """Return every document in the order of what is shown for it, and whether it is cited.

        Args:
            cited: The numbers that the answer cites.
            beside: The numbers that other text cites.
        """
        numbers, others = frozenset(cited), frozenset(beside)
        found = [
            Source(
                number,
                document,
                number in numbers,
                self._number(number),
                number in others,
                self._placed,
            )
            for number, document in self._sources.numbered()
        ]
        if self._shown is None:
            return found
        return sorted(found, key=lambda each: (not each.shown, int(each.shown or 0)))

    def one(self, number: int) -> Source:
        """Return a document that is cited."""
        return Source(number, self._sources[number], True, self._number(number))

    def _number(self, number: int) -> str:
        return str(number + self._shift) if self._shown is None else self._shown.get(number, "")


def unresolved(answer: GeneratedAnswer) -> dict[str, int]:
    """Return the markers that point at no document, each with how often it occurs."""
    found: dict[str, int] = {}
    for citation in answer.citations:
        if not any(reference.resolved for reference in citation.references):
            found[citation.marker] = found.get(citation.marker, 0) + 1
    return found


def clean(text: str) -> str:
    """Return the text without control characters, which could command a terminal.

    Each is shown as its picture (U+2400 and on). Line breaks and tabs stay; a carriage return,
    which is half a line break of Windows, is left out.
    """
    return text.translate(_PICTURES)


# C0 without tab and line feed, DEL, and C1. Overrides of writing direction stay: they are text.
_PICTURES: dict[int, int | None] = {
    **{code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)},
    0x0D: None,
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
}

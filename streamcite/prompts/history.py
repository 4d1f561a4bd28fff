"""Past answers as a prompt shows them again: without citations, or with those of today's numbers.

A citation knows where it stands in the text that a reader saw, and which documents it means. So
it does not matter in which display mode the answer was shown.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Protocol

from streamcite.answers import Citation, Reference
from streamcite.blanks import BlankKeeper
from streamcite.errors import TemplateError
from streamcite.grammar import LINE_BREAKS, MARGIN
from streamcite.prompts.forms import form_of, write_marker
from streamcite.prompts.instructions import document_reference
from streamcite.sources import NumberedDocument, Sources

__all__ = ["CitedText", "restore_citations", "strip_citations"]

# A marker of more would be longer than those that are read (`max_marker_length`): 16 of nine
# digits, or of keys as long as `turn0search0`, fit.
MAX_REFERENCES = 16

# Behind these a marker needs no blank.
_OPENING = frozenset(MARGIN + LINE_BREAKS + "([{<«‹“‘„「『（【［")
# Together with these a marker would be a link.
_LINKING = ("(", "[")
# A marker within an address is part of it, whatever stands between.
_ADDRESSES = ("://", "www.")
# As much as a reader of markers looks back.
_MAX_WORD = 256
_FENCES = ("```", "~~~")
_EMPTY_PAIRS = re.compile(r"(?:\(\)|\[\]|\{\})+")


class CitedText(Protocol):
    """What is read of an answer, this library's or one of `streamcite.haystack`."""

    data: str
    citations: list[Citation]
    section: str | None
    sections: dict[str, list[str]]


def strip_citations(answer: CitedText) -> str:
    """Return the text of an answer without its citations, as `display="remove"` shows it.

    Right before or behind a tag that was lifted out, of which the text shows nothing, it may have
    other blanks than there.

    Args:
        answer: An answer, in whatever display mode it was made.

    Raises:
        TemplateError: It is no answer with citations.
    """
    return _rewrite(answer, lambda citation: "")


def restore_citations(
    answer: CitedText,
    sources: Sources | Iterable[object] | None = None,
    *,
    grammar: str = "bracket",
    index_base: int = 1,
) -> str:
    """Return the text of an answer with its citations as the model would write them today.

    Args:
        answer: An answer, in whatever display mode it was made. A citation that was removed comes
            back at the end of its claim; where that is code or an HTML tag, it cites nothing.
        sources: The register of the turn to come, or its documents. A document is looked for by
            its id, and what is cited of no document there is left out. None: the numbers of then.
        grammar: How citations are written.
        index_base: The number of the first document as the model counts.

    Raises:
        TemplateError: It is no answer with citations, or the grammar cannot cite its documents.
    """
    if isinstance(index_base, bool) or index_base not in (0, 1):
        raise TemplateError(f"index_base is {index_base!r:.60}; give 0 or 1")
    if sources is not None and not isinstance(sources, Sources):
        sources = Sources(sources)
    if form_of(grammar).cites != "number" and sources is None:
        raise TemplateError(
            f"the grammar {grammar!r} cites by what a document is called: give sources="
        )

    def reference_of(number: int) -> str:
        if sources is None or form_of(grammar).cites == "number":
            return str(number + index_base - 1)
        return document_reference(NumberedDocument(number, sources[number]), grammar)

    def write(citation: Citation) -> str:
        numbers = [_number_now(reference, sources) for reference in citation.references]
        found = [reference_of(number) for number in dict.fromkeys(numbers) if number is not None]
        cuts = range(0, len(found), MAX_REFERENCES)
        return "".join(write_marker(found[at : at + MAX_REFERENCES], grammar) for at in cuts)

    return _rewrite(answer, write)


def _number_now(reference: Reference, sources: Sources | None) -> int | None:
    """Return the number that a document has now; None if it has none."""
    number, name = reference.source_index, reference.document_id
    if not reference.resolved or number is None or name is None:
        return None
    # Documents may stand in a register twice, so the number of then goes first.
    if sources is None or (number in sources and sources[number].id == name):
        return number
    return sources.number_of(name)


def _rewrite(answer: CitedText, write: Callable[[Citation], str]) -> str:
    places = list(_places(answer))
    rewriting = _Rewriting(answer.data, _ends(answer))
    for start, end, citation in places:
        marker = write(citation)
        if not marker and citation.start is None:
            continue
        rewriting.keep_until(start, empty=start == end)
        rewriting.put(marker, citation.marker if start < end else None, end)
    return rewriting.close()


def _places(answer: CitedText) -> Iterator[tuple[int, int, Citation]]:
    """Yield the citations of the answer text, each with where it stands or stood."""
    done = 0
    for citation in _citations(answer):
        start, end = citation.start, citation.end
        if start is None or end is None:
            # One that stood in text which the answer's pattern left out has no claim either.
            if citation.claim_end is None:
                continue
            start = end = _behind_claim(answer.data, citation.claim_end)
        start = max(start, done)
        done = max(start, end)
        yield start, done, citation


def _behind_claim(text: str, claim_end: int) -> int:
    # A claim ends with its last word, and so within `f()`.
    pairs = _EMPTY_PAIRS.match(text, claim_end)
    return pairs.end() if pairs else claim_end


def _citations(answer: CitedText) -> list[Citation]:
    try:
        known, section, _, _ = answer.citations, answer.section, answer.sections, answer.data
    except AttributeError as error:
        raise TemplateError(
            f"{type(answer).__name__} holds no citations: give an answer of cite or cite_text, or "
            "of the AnswerBuilder of streamcite.haystack"
        ) from error
    return [citation for citation in known if citation.section == section]


def _ends(answer: CitedText) -> list[int]:
    """Return where the contents of the answer tag end that follow one another in the text."""
    contents = [] if answer.section is None else answer.sections.get(answer.section, [])
    return list(accumulate(map(len, contents)))[:-1]


def _blank_behind(line: str) -> str:
    """Return what parts a marker from the line before it: a blank, a line break or nothing."""
    if not line:
        return ""
    if line[-1] in _OPENING and not _is_glued(line):
        return ""
    # Behind a fence on its line there is nothing but code.
    return "\n" if line.lstrip(MARGIN).startswith(_FENCES) else " "


def _is_glued(line: str) -> bool:
    """Say whether the opening sign that a line ends with would make a marker an index or address.

    `[` and a marker are two brackets of one index, as in `rows[[1]]`.
    """
    if line[-1] in MARGIN:
        return False
    word = line.split()[-1]
    name = word.rstrip("[")
    is_index = name != word and name != "" and name[-1] not in _OPENING
    return is_index or any(sign in word for sign in _ADDRESSES)


class _Rewriting:
    """The text so far, in pieces.

    Args:
        text: The answer's text, read from its start to its end.
        ends: Where a part of it ends that nothing follows directly.
    """

    def __init__(self, text: str, ends: Iterable[int]) -> None:
        self._text = text
        self._ends = deque(ends)
        self._done = 0
        self._pieces = [""]
        self._blanks = BlankKeeper()
        self._behind_marker = False
        """Whether the text ends with a marker: the next one may be glued to it."""
        # Of that marker, whether it is new here, and whether it begins its line.
        self._is_new = self._begins_line = False

    def keep_until(self, place: int, *, empty: bool = False) -> None:
        """Go on with the text as it is.

        Args:
            place: Where it stops.
            empty: Whether a citation without any text stands there, which belongs to what ends.
        """
        while self._ends and (self._ends[0] < place or (self._ends[0] == place and not empty)):
            self._keep(self._ends.popleft())
            self._write(self._blanks.close())
        self._keep(place)

    def _keep(self, place: int) -> None:
        if text := self._text[self._done : place]:
            self._write(self._blanks.write(text))
        self._done = max(place, self._done)

    def _write(self, text: str) -> None:
        """Write text that is no marker, apart from the marker before it if need be."""
        if text:
            if self._behind_marker and self._would_change(text[0]):
                self._pieces.append(" ")
            self._pieces.append(text)
            self._behind_marker = False

    def _would_change(self, follower: str) -> bool:
        """Say whether the marker would be none, or part of a word, with this right behind it."""
        if follower == ":":  # it would define a link
            return self._begins_line
        return self._is_new and (follower.isalnum() or follower in _LINKING)

    def put(self, marker: str, known: str | None, end: int) -> None:
        """Write what takes a citation's place.

        Args:
            marker: The marker; empty if there is none.
            known: What the model wrote in this place; None if it wrote nothing there.
            end: Where the text goes on.
        """
        self._done = end
        if not marker:
            self._write(self._blanks.remove())
            # What comes now did not follow the marker before.
            self._is_new = True
            return
        self._write(self._blanks.shows())
        before = self._line_before()
        self._is_new, self._begins_line = marker != known, not before.strip(MARGIN)
        if self._is_new and not self._behind_marker:
            self._write(_blank_behind(before))
        self._pieces.append(marker)
        self._behind_marker = True

    def _line_before(self) -> str:
        """Return the line so far, or as much of its end as may count."""
        line = ""
        for piece in reversed(self._pieces):
            line = piece + line
            begin = max(map(line.rfind, LINE_BREAKS)) + 1
            if begin or len(line) > _MAX_WORD:
                return line[begin:]
        return line

    def close(self) -> str:
        """Return all of the text."""
        self.keep_until(len(self._text))
        return "".join([*self._pieces, self._blanks.close()])

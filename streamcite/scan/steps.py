"""What tokens do around simple markers, read once and remembered for all streams.

Most markers of real answers come cut into tokens like ` [`, `1`, `].`; the same few come again
and again, so what each does is kept with the place where it was read: plain text, or a marker
of which so much has come. A token that is not as simple as that has no step, and the scanner
decides.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import lru_cache

from streamcite.grammar import BRACKETS
from streamcite.scan.bracket import BRACKET, State, start_row
from streamcite.scan.judge import judge_left
from streamcite.scan.lines import takes_marker
from streamcite.scan.markers import MAX_REPEATED
from streamcite.scan.tables import (
    ANYTHING,
    MAX_KNOWN,
    MAX_KNOWN_LENGTH,
    KnownTexts,
    Row,
)
from streamcite.spans import Marker

__all__ = [
    "MAX_HELD",
    "BracketSteps",
    "Held",
    "MarkerPlace",
    "Step",
    "Steps",
    "judge_word",
    "last_word",
]

_OPENERS = "".join(BRACKETS)
_NO_OPENERS = str.maketrans("", "", _OPENERS)

# Longest text that is held here; longer markers go the whole way. Eight numbers fit, and lists of
# more are rare.
MAX_HELD = 32
# Steps that are remembered: those of a hundred documents, alone and in pairs, take some megabyte.
# Beyond, all of them are forgotten and learned anew.
MAX_STEPS = 8192


# What makes a link, or may make a definition, of the marker before it.
_NO_MARKER = "(:"


class Held(KnownTexts):
    """The place in a text that may become a marker; no text is plain there.

    Args:
        text: What has come of it, from the opener on.
        glued: Whether it follows a word at once.
        closed: Whether it is a whole marker, unless what follows says otherwise.
        row: Where the opener leads, if that is all of it and no other grammar knows it.
    """

    __slots__ = ("_row", "closed", "glued", "text")

    def __init__(
        self, text: str, row: Row[State] | None = None, *, glued: bool, closed: bool
    ) -> None:
        super().__init__(ANYTHING)
        self.text = text
        self.glued = glued
        self.closed = closed
        self._row = row

    def is_text_before(self, token: str) -> bool:
        """Say whether it is no marker if this follows, a text that is plain."""
        if self._row is None or "\n" in token:
            return False
        row = self._row[token[0]]
        return row.over and not row.accepts

    def takes(self, token: str) -> bool:
        """Say whether it is a whole marker if this follows, a text without an opener."""
        if not self.closed:
            return False
        return bool(_follows(token, glued=True)) if self.glued else token[0] not in _NO_MARKER


class Step:
    """What a token does.

    Args:
        head: Its text before the marker, which is shown at once; what was held and is none comes
            first.
        marker: The marker that it completes; None if more must come.
        body: The text behind that marker, which is shown with it.
        held: What may be a marker behind all that; None if nothing is held.
    """

    __slots__ = ("asks", "behind_word", "body", "head", "held", "marker")

    def __init__(self, head: str, marker: str | None, body: str, held: Held | None) -> None:
        self.head = head
        self.marker = marker
        self.body = body
        self.held = held
        self.asks = False
        """Whether it matters if the first opener is glued to a word."""
        self.behind_word: Step | None = None
        """What it does instead if it is; None if that is not known here."""

    @property
    def is_text(self) -> bool:
        """Whether all of it is text."""
        return self.marker is None and self.held is None

    @property
    def text(self) -> str:
        """The token, if nothing was held before it."""
        return f"{self.head}{self.marker or ''}{self.body}{self.held.text if self.held else ''}"


class Steps(ABC):
    """Reads tokens of texts that are scanned alike.

    Args:
        search: Finds nothing in plain text.
        max_length: Texts of so many code points are not read here.
        guarded: Whether a marker is none behind some texts, and in some lines.
    """

    def __init__(self, search: Callable[[str], object], max_length: int, *, guarded: bool) -> None:
        self.search = search
        self.guarded = guarded
        self._max_length = max_length
        self._held: dict[tuple[str, bool], Held] = {}
        # Places with steps, wherever they are still in use.
        self._taught: list[Held] = []
        self._count = 0

    @abstractmethod
    def begin(self, token: str) -> Step | None:
        """Read a token that may hold a marker's beginning, all of it or more, behind plain text."""

    @abstractmethod
    def marker(self, text: str) -> Marker:
        """Return the marker that a step completes."""

    @abstractmethod
    def _read_on(self, text: str, *, glued: bool) -> Step | None:
        """Read a text behind plain text that begins with what is held."""

    def go_on(self, held: Held, token: str) -> Step | None:
        """Read a token behind a text that may become a marker."""
        text = held.text + token
        step = self._read_on(text, glued=held.glued) if len(text) < self._max_length else None
        # Any word of the language may come behind an opener.
        if step is not None and not step.is_text and len(token) <= MAX_KNOWN_LENGTH:
            self._remember(held, token, step)
        return step

    def _remember(self, held: Held, token: str, step: Step) -> None:
        if self._count >= MAX_STEPS:
            taught, self._taught, self._count = self._taught, [], 0
            for each in taught:
                each.passed.clear()
            self._held.clear()
        if not held.passed:
            self._taught.append(held)
        self._count += 1
        # Most only make what is held longer, and for that the place is all there is to know.
        only_holds = step.held is not None and step.marker is None and not step.head
        held.passed[token] = step.held if only_holds else step

    def _place(
        self, text: str, row: Row[State] | None = None, *, glued: bool = False, closed: bool = False
    ) -> Held:
        held = self._held.get((text, glued))
        if held is None:
            held = Held(text, row, glued=glued, closed=closed)
            if len(self._held) < MAX_STEPS:
                self._held[text, glued] = held
        return held


class MarkerPlace(KnownTexts):
    """A place at which simple markers may begin."""

    __slots__ = ("steps",)

    steps: Steps | None
    """What tokens do around them; None if that depends on more than the place."""


class BracketSteps(Steps):
    """Reads tokens around markers of the bracket grammar.

    Args:
        search: Finds nothing in plain text.
        max_length: Longest marker, in code points; `MAX_HELD` at most.
        alone: Whether what is no marker here cannot be one of another grammar.
    """

    def __init__(self, search: Callable[[str], object], max_length: int, *, alone: bool) -> None:
        super().__init__(search, max_length, guarded=True)
        self._alone = alone

    def begin(self, token: str) -> Step | None:
        """Read a token that may hold a marker's beginning, all of it or more, behind plain text."""
        place = _opener_in(token)
        head, text = token[:place], token[place:]
        if place < 0 or len(text) >= self._max_length or (head and self.search(head)):
            return None
        return self._begin(head, text)

    def marker(self, text: str) -> Marker:
        """Return the marker that a step completes."""
        return _marker(text)

    def _begin(self, head: str, text: str) -> Step | None:
        """Read a text that begins with an opener, whether that is glued to a word or not."""
        step = self._read(head, text, glued=False)
        if step is not None and step.head == head:
            # Behind a blank, or with brackets of another kind, a marker is glued to nothing.
            step.asks = text[0] == "[" and head[-1:] not in (" ", "\n")
            if step.asks:
                step.behind_word = self._read(head, text, glued=True)
        return step

    def _read_on(self, text: str, *, glued: bool) -> Step | None:
        return self._read("", text, glued=glued)

    def _read(self, head: str, text: str, *, glued: bool) -> Step | None:
        """Read a text that begins with an opener."""
        row = start_row(text[0])
        for place, character in enumerate(text[1:], start=2):
            row = row[character]
            if row.over:
                if not row.accepts:
                    return self._read_dead(head, text) if self._alone else None
                return self._read_rest(head, text[:place], text[place:], glued=glued)
        begun = start_row(text) if self._alone and text in BRACKETS else None
        return Step(head, None, "", self._place(text, begun, glued=glued))

    def _read_dead(self, head: str, text: str) -> Step | None:
        """Read a text whose opener begins no marker: up to the next one, and on from there."""
        place = _opener_in(text[1:]) + 1
        dead = text[:place] if place else text
        if "\n" in dead or self.search(dead.translate(_NO_OPENERS)):
            return None
        if place:
            return self._begin(head + dead, text[place:])
        return Step(head + dead, None, "", None)

    def _read_rest(self, head: str, marker: str, rest: str, *, glued: bool) -> Step | None:
        """Part what follows a marker, if it cannot matter to the marker."""
        if marker[-1] == "]":
            verdict = _follows(rest, glued=glued)
            if verdict is None:
                held = self._place(marker + rest, glued=glued, closed=not rest)
                return Step(head, None, "", held)
            if not verdict:
                return None
        place = _opener_in(rest)
        if place < 0:
            return None if rest and self.search(rest) else Step(head, marker, rest, None)
        body, following = rest[:place], rest[place:]
        # Behind a marker, or a blank, an opener is glued to nothing.
        if body and (self.search(body) or body[-1] not in " \n"):
            return None
        if "\n" in body and not takes_marker(body[body.rfind("\n") + 1 :]):
            return None  # its line may be code
        step = self._read("", following, glued=False)
        if step is not None and step.is_text:
            return Step(head, marker, rest, None)
        if step is None or step.head or step.marker is not None:
            return None
        return Step(head, marker, body, step.held)


@lru_cache(maxsize=MAX_REPEATED)
def _marker(text: str) -> Marker:
    return Marker(text, BRACKET.name, BRACKET.read(text))


def _opener_in(token: str) -> int:
    """Return where the first opener stands; -1 if there is none."""
    return min([place for opener in _OPENERS if (place := token.find(opener)) >= 0], default=-1)


def _follows(rest: str, *, glued: bool) -> bool | None:
    """Say whether what follows a marker in square brackets leaves it one; None if more must come.

    The rules of `Judge.right`; a colon may make it a definition, which its line decides.
    """
    if not rest:
        return None
    if not glued:
        return rest[0] not in _NO_MARKER
    if rest[0] in "([":
        return False
    if rest[0] == ".":
        return None if len(rest) == 1 else not "a" <= rest[1] <= "z"
    begun = rest.lstrip(" \t")
    return begun[0] != "=" if begun else None


def last_word(text: str) -> str:
    """Return what stands behind the last blank or line break."""
    return text[max(text.rfind(" "), text.rfind("\n")) + 1 :]


# As many words as a place has plain texts.
judge_word = lru_cache(MAX_KNOWN)(judge_left)
"""`judge_left` of a word that ends with no bracket: that might be glued to what is before it."""

"""Whether a complete candidate is a marker: by what stands before it and what follows it."""

from collections.abc import Sequence
from enum import Enum

from streamcite.scan.index import glued_to_address, glued_word
from streamcite.scan.markers import Candidate, Grammar

__all__ = ["MARKER", "TEXT", "WAIT", "Judge", "Verdict", "judge_left"]


class Verdict(Enum):
    """What a complete candidate turns out to be."""

    MARKER = "marker"
    TEXT = "text"
    WAIT = "the next characters decide"


# To look a member up in its enum takes 100 ns on some Pythons, and this is asked of every marker.
MARKER, TEXT, WAIT = Verdict


def judge_left(left: str, *, url: bool = True, index: bool = True) -> bool | None:
    """Judge a candidate in square brackets by the text it is glued to; see `Judge.left`.

    Args:
        left: As much of the text as the guards look at.
        url, index: Whether these guards count.
    """
    if url and glued_to_address(left):
        return None
    word = glued_word(left) if index else None
    return None if word is not None and word[1] else word is not None


class Judge:
    """Applies the guards that need no state: links, addresses, indices, definitions.

    Args:
        guards: Those that count.
        square: The grammars of markers that begin with `[`.
    """

    __slots__ = ("_guards", "_square")

    def __init__(self, guards: frozenset[str], square: Sequence[Grammar]) -> None:
        self._guards = guards
        self._square = square

    def left(self, opener: str, left: str, indented_code: bool) -> bool | None:
        """Judge by what stands before a candidate.

        Args:
            opener: Its first character.
            left: The text before it, or "" if that is a marker.
            indented_code: Whether its line is code.

        Returns:
            None if it is text; else whether it is glued to a word, so that what follows may
            still make it an index.
        """
        if indented_code and "code" in self._guards:
            return None
        if not left or left[-1].isspace() or opener != "[":
            return False
        return judge_left(left, url="url" in self._guards, index="index" in self._guards)

    def right(self, window: str, end: int, limit: int, *, glued: bool, line_start: bool) -> Verdict:
        """Judge by what follows a candidate.

        Args:
            window: The text.
            end: Where the candidate ends in it.
            limit: How far may be looked.
            glued: Whether it is glued to a word.
            line_start: Whether it begins a line.
        """
        while end < min(len(window), limit):
            follower = window[end]
            if follower == "(" and ("link" in self._guards or glued):
                return TEXT
            if follower == ":" and line_start and self._guards & {"link", "footnote"}:
                return TEXT
            if not glued:
                return MARKER
            if follower != "[":
                return _look_like_code(window, end, limit)
            # If what is glued behind is no marker, neither is this one.
            following = Candidate(self._square, end, "[")
            following.read(window, limit)
            if following.length is None:
                return TEXT if following.over else WAIT
            end += following.length
            line_start = False
        return WAIT if glued or self._asks(line_start) else MARKER

    def _asks(self, line_start: bool) -> bool:
        """Say whether some character behind a candidate would make it text."""
        return "link" in self._guards or (line_start and "footnote" in self._guards)


def _look_like_code(window: str, end: int, limit: int) -> Verdict:
    """Judge a candidate that is glued to a word by what follows it, if that is no bracket."""
    limit = min(len(window), limit)
    if window[end] == ".":
        if end + 1 == limit:
            return WAIT
        return TEXT if "a" <= window[end + 1] <= "z" else MARKER
    while window[end] in " \t":
        end += 1
        if end == limit:
            return WAIT
    return TEXT if window[end] == "=" else MARKER

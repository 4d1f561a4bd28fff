"""Text in, text and markers out: the built-in grammars among their markdown contexts.

A window holds the text that cannot be released yet, and a cursor says how far it was read:

    released │ h ── held ── cursor ── not read
             └ a candidate, or inline code and math with a candidate in it

The registers (left context, line, context) always describe the text up to h or, for the
context's row, up to the cursor. So a candidate that dies costs one step back: its opener is
released and what follows it is read again, at most `max_length` characters.
"""

from collections.abc import Callable, Sequence

from streamcite.scan.context_rows import IN_TEXT
from streamcite.scan.contexts import State
from streamcite.scan.decisions import DECIDE, Decisions
from streamcite.scan.judge import MARKER, TEXT, WAIT, Verdict
from streamcite.scan.lines import MIN_FENCE
from streamcite.scan.markers import Candidate, Grammar
from streamcite.scan.places import Place, Reading, places_for
from streamcite.scan.tables import ANYTHING, NOTHING_KNOWN, KnownTexts, Row
from streamcite.spans import Dropped, Marker, Span, Text

__all__ = ["MarkdownScanner"]


class MarkdownScanner(Decisions):
    """Finds markers of the built-in grammars in one text.

    Args:
        reading: How it is read.
    """

    __slots__ = (
        "_by_start",
        "_candidate",
        "_final",
        "_judge",
        "_max_length",
        "_places",
        "place",
        "search",
        "steps",
    )

    def __init__(self, reading: Reading) -> None:
        self._places = places = places_for(reading)
        super().__init__(places.rows, places.dropped)
        self._by_start = places.by_start
        self._judge = places.judge
        self._max_length = reading.max_length
        self.place: KnownTexts = places.text
        """Some texts in which `search` finds nothing, once it was asked; the place of the text."""
        self.search: Callable[[str], object] = places.text.search
        """Finds nothing in a text that can be passed to `skip` instead of `feed`."""
        self.steps = 0
        """Characters examined so far, those read again included."""
        self._candidate: Candidate | None = None
        self._final = False

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""
        if self._window:
            self._window += text
            return self._drain()
        known = self.place.passed.get(text)
        if isinstance(known, Place):
            if known.fenced is not self.place.fenced:
                self.cross(text, 0, fenced=known.fenced)
            self.place, self.search = known, known.search
            self.skip(text)
            return [Text(text)]
        place = self._take_up()
        self._looked = False
        self._window = text
        spans = self._drain()
        following = self.place
        # Signs that are dropped in any context leave no text as it was.
        if text and not (self._looked or self._dropped) and isinstance(following, Place):
            place.remember(text, following)
        return spans

    def _take_up(self) -> Place:
        """Set the registers to where the text has come; the caller may have passed some of it."""
        place = self.place
        assert isinstance(place, Place)
        self._row, self._run, self._opened = place.row, place.run, place.opened
        self._depth, self._fence = place.depth, place.fence
        return place

    def close(self) -> list[Span]:
        """End this stretch of text and return the rest; contexts stay open for the next."""
        if not self._window:
            return []
        self._final = True
        spans = self._drain()
        self._final = False
        return spans

    def _drain(self) -> list[Span]:
        self._begin_spans()
        while True:
            if self._candidate is not None:
                if not self._read_candidate(self._candidate):
                    break
            elif self._held is not None:
                if not self._read_held(self._held):
                    break
            elif self._cursor < len(self._window):
                self._read(len(self._window))
            else:
                break
        keep = self._cursor if self._held is None else self._held
        if self._candidate is not None:
            keep = self._candidate.start
        self._release(keep)
        if self._pieces:
            self._flush()
        row = self._row
        if keep == len(self._window):
            self._window = ""
            self._cursor = self._released = 0
            self._unclosed = None
            place = self._places.at(
                row, run=self._run, opened=self._opened, depth=self._depth, fence=self._fence
            )
            self.place, self.search = place, place.search
        else:
            self._move(keep)
        return self._end_spans()

    def _move(self, keep: int) -> None:
        """Let the window begin at what is kept."""
        self._window = self._window[keep:]
        self._cursor -= keep
        for each in (self._unclosed or {}).values():
            each.move(keep)
        if self._ends is not None:
            self._ends = {run: end - keep for run, end in self._ends.items()}
        if self._held is not None:
            self._held -= keep
        if self._candidate is not None:
            self._candidate.start -= keep
        self._released = 0
        self.search, self.place = ANYTHING, NOTHING_KNOWN

    def _read(self, limit: int) -> None:
        """Read on in the contexts, up to a limit or to where a candidate begins or a hold ends."""
        window, row, begun = self._window, self._row, self._cursor
        cursor = begun
        free = self._held is None
        while cursor < limit:
            if row.search is not ANYTHING:
                match = row.search(window, cursor, limit)
                if match is None:
                    cursor = limit
                    break
                cursor = match.start()
            character = window[cursor]
            if free and (row.opens or character in self._dropped):
                grammars = self._by_start.get(character)
                if grammars is not None and self._begin(grammars, cursor, character):
                    break
            following = row[character]
            if following.decides:
                self._cursor, self._row = cursor, row
                DECIDE[following.state](self)
                cursor, row = self._cursor, self._row
                if free is not (self._held is None):
                    break
                continue
            if following.counts:
                self._run = self._run + 1 if following is row else 1
            row = following
            cursor += 1
            if not free and self._is_overlong(row):
                self._stray(remember=False)  # the row of its end is not stored
                cursor, row = self._cursor, self._row
                break
        self._cursor, self._row = cursor, row
        self.steps += max(cursor - begun, 0) + 1

    def _read_held(self, held: int) -> bool:
        """Read on in a span that holds a candidate; False if more text is needed."""
        limit = held + self._max_length
        if self._is_overlong(self._row):  # where another span was read to
            self._stray(remember=False)
        elif self._cursor < min(limit, len(self._window)):
            self._read(min(limit, len(self._window)))
        elif self._cursor >= limit:
            self._stray()
        elif self._final:
            self._end_held()
        else:
            return False
        return True

    def _is_overlong(self, row: Row[State]) -> bool:
        """Say whether a run at the start of a line is a fence, since it cannot close the code."""
        return row.state is State.CODE_FENCE and self._run > max(self._opened, MIN_FENCE - 1)

    def _begin(self, grammars: Sequence[Grammar], place: int, opener: str) -> bool:
        """Begin a candidate, unless what stands around it says that it is text."""
        if len(grammars) == 1 and self._is_stillborn(grammars[0], place, opener):
            return False
        self._release(place)
        glued: bool | None = False
        if opener not in self._dropped:
            look_back = self.look_back
            left = "" if look_back.after_marker else look_back.left
            glued = self._judge.left(opener, left, look_back.lines.in_indented_code)
        if glued is None:
            self._looked = True
            return False
        self._candidate = Candidate(grammars, place, opener, glued)
        return True

    def _is_stillborn(self, grammar: Grammar, place: int, opener: str) -> bool:
        """Say whether the next two characters end a candidate before it could be a marker."""
        step = grammar.begin(opener)
        for character in self._window[place + 1 : place + 3]:
            step = step[character]
            self.steps += 1
            if step.over:
                return not step.accepts and opener not in self._dropped
        return False

    def _read_candidate(self, candidate: Candidate) -> bool:
        """Read a candidate on; False if it needs more text."""
        if not candidate.over:
            limit = candidate.start + self._max_length
            self.steps += candidate.read(self._window, limit)
            if not candidate.over:
                if not self._final and len(self._window) < limit:
                    return False
                candidate.over = True
        if candidate.length is None:
            self._reject(candidate)
            return True
        # A candidate that died did so by itself, but what is made of a whole one depends.
        self._looked = True
        end = candidate.start + candidate.length
        verdict = self._decide(candidate, end)
        if verdict is WAIT:
            return False
        if verdict is TEXT:
            self._reject(candidate)
        else:
            self._accept(candidate, end)
        return True

    def _reject(self, candidate: Candidate) -> None:
        """Take the candidate for text; what follows its opener is read again."""
        self._candidate = None
        self._cursor = candidate.start
        if candidate.opener not in self._dropped:
            self._step(candidate.opener)
            return
        self._release(self._cursor)
        self._flush()
        self._spans.append(Dropped(candidate.opener))
        self._cursor += 1
        self._released = self._cursor

    def _step(self, character: str) -> None:
        """Let a rejected candidate's opener act on the context."""
        following = self._row[character]
        if following.decides:
            DECIDE[following.state](self)
        else:
            self._row = following
            self._cursor += 1

    def _accept(self, candidate: Candidate, end: int) -> None:
        self._candidate = None
        self._release(candidate.start)
        if self._row.state is not IN_TEXT and candidate.opener not in self._dropped:
            self._held, self._cursor = candidate.start, end
            if self._unclosed is None or not self._skip_unclosed(self._unclosed):
                self._row = self._row[candidate.opener]
            return
        self._flush()
        text = self._window[candidate.start : end]
        grammar = candidate.grammar
        self._spans.append(Marker(text, grammar.name, grammar.read(text)))
        look_back = self.look_back
        look_back.add(text)
        look_back.after_marker = True
        self._released = self._cursor = end

    def _decide(self, candidate: Candidate, end: int) -> Verdict:
        """Say what a complete candidate is, by what follows it."""
        window = self._window
        if candidate.opener in self._dropped or window[end - 1] != "]":
            return MARKER
        if self._final and end == len(window):
            return MARKER
        # The cap bounds the look-ahead too, but one character is always looked at.
        limit = max(candidate.start + self._max_length, end + 1)
        # The line is asked only where it may matter, since that costs as much as all the rest.
        at_start = window[end : end + 1] in ("", ":") and self._lines.at_start
        verdict = self._judge.right(window, end, limit, glued=candidate.glued, line_start=at_start)
        if verdict is WAIT and (self._final or len(window) >= limit):
            return MARKER
        return verdict

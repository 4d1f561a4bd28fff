"""Text in, text and markers out: the built-in grammars among their markdown contexts.

A window holds the text that cannot be released yet, and a cursor says how far it was read:

    released │ h ── held ── cursor ── not read
             └ a candidate, or inline code and math with a candidate in it

The registers (left context, line, context) always describe the text up to h or, for the
context's row, up to the cursor. So a candidate that dies costs one step back: its opener is
released and what follows it is read again, at most `max_length` characters.
"""

from collections.abc import Callable, Sequence
from typing import Any

from streamcite.scan.contexts import State
from streamcite.scan.judge import MARKER, TEXT, WAIT, Verdict
from streamcite.scan.lines import MAX_HEAD, MIN_FENCE, Lines, fence_at_end
from streamcite.scan.lookback import LookBack, open_run, open_runs
from streamcite.scan.markers import Candidate, Grammar
from streamcite.scan.places import Place, places_for
from streamcite.scan.tables import ANYTHING, NOTHING_KNOWN, KnownTexts, Row
from streamcite.spans import Dropped, Marker, Span, Text

__all__ = ["MarkdownScanner"]

# By the run of backticks that opened inline code, 0 for math, and the lengths of those it hides.
_Unclosed = dict[tuple[int, frozenset[int] | None], tuple[int, Row[State], int]]

# Stands for the lists of a scanner that is not reading; nobody adds to it.
_IDLE: list[Any] = []

# To look a member up in its enum takes 100 ns on some Pythons.
_IN_TEXT = State.TEXT


class MarkdownScanner:
    """Finds markers of the built-in grammars in one text.

    Args:
        grammars: What a marker looks like; the first listed wins where two match.
        guards: The markdown contexts in which nothing is a marker.
        max_length: Longest text held, in code points.
        stops: Characters that `search` must find too, for another scanner's sake.
    """

    __slots__ = (
        "_behind",
        "_by_start",
        "_candidate",
        "_crossings",
        "_cursor",
        "_depth",
        "_dropped",
        "_fence",
        "_final",
        "_held",
        "_hidden",
        "_judge",
        "_look_back",
        "_looked",
        "_max_length",
        "_opened",
        "_pieces",
        "_places",
        "_released",
        "_row",
        "_rows",
        "_run",
        "_spans",
        "_unclosed",
        "_window",
        "plain",
        "search",
        "steps",
    )

    def __init__(
        self,
        grammars: tuple[Grammar, ...],
        guards: frozenset[str],
        max_length: int,
        stops: str = "",
    ) -> None:
        self._places = places = places_for(grammars, guards, stops, max_length)
        self._by_start = places.by_start
        self._dropped = places.dropped
        self._judge = places.judge
        self._max_length = max_length
        # Of an open run of backticks that other code hid, the text from there to what is held.
        self._behind: str | None = None
        # The lengths of the runs that are open in the text from the opener to what is held.
        self._hidden: frozenset[int] | None = None
        self._rows = places.rows
        self._row: Row[State] = self._rows[_IN_TEXT]
        self.plain: KnownTexts = self._places.text
        """Some texts in which `search` finds nothing, once it was asked; the place of the text."""
        self.search: Callable[[str], object] = self._row.search
        """Finds nothing in a text that can be passed to `skip` instead of `feed`."""
        self.steps = 0
        """Characters examined so far, those read again included."""
        self._window = ""
        self._cursor = 0
        self._released = 0
        self._candidate: Candidate | None = None
        self._held: int | None = None
        self._final = False
        # To where inline code or math was read whose close did not come, with the row and the run
        # that was counted there; by how it was opened.
        self._unclosed: _Unclosed | None = None
        # Whether the text before had a say in what the last text did.
        self._looked = False
        self._run = 0
        self._opened = 0
        self._fence = ""
        self._depth = 0
        # These are made when they are needed: a server has ten thousand answers open.
        self._look_back: LookBack | None = None
        self._crossings: list[tuple[int, bool]] | None = None
        self._pieces: list[str] = _IDLE
        self._spans: list[Span] = _IDLE

    @property
    def look_back(self) -> LookBack:
        """What stands before the place that is read."""
        if self._look_back is None:
            self._look_back = LookBack()
        return self._look_back

    @property
    def held(self) -> str:
        """Text received that is neither released nor found to be a marker."""
        return self._window

    def skip(self, text: str) -> None:
        """Pass text, not empty, in which `search` found nothing."""
        look_back, passed = self.look_back, 0
        for place, fenced in self._crossings or ():
            if place > passed:
                look_back.add(text[passed:place])
            look_back.cross(fenced=fenced)
            passed = place
        self._crossings = None
        if passed < len(text):
            look_back.add(text[passed:] if passed else text)

    def cross(self, text: str, skipped: int, *, fenced: bool) -> None:
        """Note that a text which leads into a fence or out of it will come by `skip`.

        Args:
            text: The text.
            skipped: How many code points will come before it.
            fenced: Whether it leads into one.
        """
        if self._crossings is None:
            self._crossings = []
        # A fence begins anywhere in its first line, and ends behind the break of its last.
        place = skipped if fenced else skipped + text.index("\n") + 1
        self._crossings.append((place, fenced))

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""
        if self._window:
            self._window += text
            return self._drain()
        known = self.plain.passed.get(text)
        if isinstance(known, Place):
            if known.fenced is not self.plain.fenced:
                self.cross(text, 0, fenced=known.fenced)
            self.plain, self.search = known, known.search
            self.skip(text)
            return [Text(text)]
        place = self._take_up()
        self._looked = False
        self._window = text
        spans = self._drain()
        following = self.plain
        # Signs that are dropped in any context leave no text as it was.
        if text and not (self._looked or self._dropped) and isinstance(following, Place):
            place.remember(text, following)
        return spans

    def _take_up(self) -> Place:
        """Set the registers to where the text has come; the caller may have passed some of it."""
        place = self.plain
        assert isinstance(place, Place)
        self._row, self._run, self._opened = place.row, place.run, place.opened
        self._depth, self._fence = place.depth, place.fence
        return place

    @property
    def _lines(self) -> Lines:
        """The line that the text has come to; whoever asks may decide by it."""
        self._looked = True
        return self.look_back.lines

    def close(self) -> list[Span]:
        """End this stretch of text and return the rest; contexts stay open for the next."""
        if not self._window:
            return []
        self._final = True
        spans = self._drain()
        self._final = False
        return spans

    def _drain(self) -> list[Span]:
        self._pieces, self._spans = [], []
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
            self.search = row.search
            self.plain = self._places.at(row, self._run, self._opened, self._depth, self._fence)
        else:
            self._move(keep)
        spans = self._spans
        self._pieces = self._spans = _IDLE
        return spans

    def _move(self, keep: int) -> None:
        """Let the window begin at what is kept."""
        self._window = self._window[keep:]
        self._cursor -= keep
        if self._unclosed is not None:
            self._unclosed = {
                opened: (place - keep, row, run)
                for opened, (place, row, run) in self._unclosed.items()
                if place > keep
            }
        if self._held is not None:
            self._held -= keep
        if self._candidate is not None:
            self._candidate.start -= keep
        self._released = 0
        self.search, self.plain = ANYTHING, NOTHING_KNOWN

    # Reading ----------------------------------------------------------------------------------

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
                _DECIDE[following.state](self)
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
        if self._cursor < min(limit, len(self._window)):
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

    def _enter(self, state: State) -> None:
        self._row = self._rows[state]

    # Candidates -------------------------------------------------------------------------------

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
            _DECIDE[following.state](self)
        else:
            self._row = following
            self._cursor += 1

    def _accept(self, candidate: Candidate, end: int) -> None:
        self._candidate = None
        self._release(candidate.start)
        if self._row.state is not _IN_TEXT and candidate.opener not in self._dropped:
            self._held, self._cursor = candidate.start, end
            if self._unclosed is None or not self._skip_unclosed(self._unclosed):
                self._row = self._row[candidate.opener]
            return
        self._flush()
        text = self._window[candidate.start : end]
        grammar = candidate.grammar
        self._spans.append(Marker(text, grammar.name, grammar.read(text)))
        self.look_back.add(text)
        self.look_back.after_marker = True
        self._released = self._cursor = end

    def _skip_unclosed(self, known: _Unclosed) -> bool:
        """Go on from where a span of this kind was read to in vain, if one was.

        Behind its first characters it would read the same, and so would each of many. What it
        hides counts too, since that may close on the way.
        """
        opened = self._opened if self._row.state in _CODE else 0
        if opened:
            self._hidden = open_runs(self._behind_opener)
        found = known.get((opened, self._hidden))
        if found is None or found[0] <= self._cursor:
            return False
        self._cursor, self._row, self._run = found
        return True

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
        verdict = self._judge.right(window, end, limit, candidate.glued, at_start)
        if verdict is WAIT and (self._final or len(window) >= limit):
            return MARKER
        return verdict

    # Decisions of the contexts' table ---------------------------------------------------------

    def _again(self) -> None:
        self._enter(_IN_TEXT)

    def _run_over(self) -> None:
        fence = self._fence_here()
        if fence:
            self._open_fence(fence)
        else:
            self._opened = self._run
            self._enter(State.CODE)

    def _tildes_over(self) -> None:
        fence = self._fence_here()
        if fence:
            self._open_fence(fence)
        else:
            self._enter(_IN_TEXT)

    def _fence_here(self) -> str | None:
        """Return the run before the cursor if it opens a fence."""
        if self._run < MIN_FENCE:
            return None
        self._release(self._cursor)
        lines = self._lines
        return fence_at_end(lines.head) if lines.length <= MAX_HEAD else None

    def _open_fence(self, fence: str) -> None:
        self._fence = fence
        self._lines.cross(fenced=True)
        self._enter(State.INFO)

    def _info_tick(self) -> None:
        if self._fence[0] == "`":
            self._lines.take_back()
            self._opened, self._run = len(self._fence), 1
            self._enter(State.CODE_TICKS)
        self._cursor += 1

    def _fence_run_over(self) -> None:
        state = self._row.state
        sign = "`" if state is State.FENCE_TICKS else "~"
        closes = self._fence[0] == sign and self._run >= len(self._fence)
        self._enter(State.FENCE_TRAIL if closes else State.FENCE)

    def _fence_closed(self) -> None:
        self._cursor += 1
        self._release(self._cursor)
        self.look_back.cross(fenced=False)
        if self._window.find("\n") + 1 != self._cursor:
            self._looked = True  # it is not where `cross` would say that a fence ends
        self._enter(_IN_TEXT)

    def _code_run_over(self) -> None:
        if self._run == self._opened:
            self._end_span()
        else:
            self._go_on_in_code()

    def _code_fence_over(self) -> None:
        if self._run == self._opened:
            self._end_span()
        elif self._run < MIN_FENCE:
            self._go_on_in_code()
        elif self._held is not None:
            self._stray()
        else:
            self._enter(State.TICKS)

    def _go_on_in_code(self) -> None:
        """Go on behind a run of backticks that is not the one which closes the code.

        It may close code that begins in front of what is held, should the open code be none: in
        the one as in the other what is held is text.
        """
        if self._held is not None:
            if self._hidden is None:
                self._hidden = open_runs(self._behind_opener)
            if self._run in self._hidden:
                self._let_go()
        self._enter(State.CODE)

    @property
    def _behind_opener(self) -> str:
        """The text from the open run of backticks to what is held."""
        if self._behind is not None:
            return self._behind
        return self.look_back.behind_run(self._opened)

    def _let_go(self) -> None:
        """Hold nothing any more."""
        self._held = self._behind = self._hidden = None

    def _math_tick(self) -> None:
        if self._held is not None:
            self._stray()
        else:
            self._enter(_IN_TEXT)

    def _end_span(self) -> None:
        """Inline code or math is closed before the cursor: what it held is text."""
        self._let_go()
        self._enter(_IN_TEXT)

    def _paragraph(self) -> None:
        if self._held is not None:
            self._stray()
        else:
            self._enter(_IN_TEXT)
            self._cursor += 1

    def _stray(self, *, remember: bool = True) -> None:
        """The open span was none: read what it held again, as text.

        Or as inline code, if a run of backticks stands in front of it that the span hid.
        """
        assert self._held is not None
        in_code = self._row.state in _CODE
        before = self._behind_opener if in_code else ""
        if remember:
            opening = (self._opened, open_runs(before)) if in_code else (0, None)
            self._unclosed = self._unclosed or {}
            self._unclosed[opening] = (self._cursor, self._row, self._run)
        self._cursor = self._held
        self._looked = True
        # What is left to look at gets shorter each time, so that this comes to its end.
        hidden, behind = open_run(before)
        self._let_go()
        if hidden:
            self._opened, self._behind = hidden, behind
        self._enter(State.CODE if hidden else _IN_TEXT)

    def _end_held(self) -> None:
        """Decide a span that the end of the text leaves open."""
        state = self._row.state
        closed = state in (State.CODE_TICKS, State.CODE_FENCE) and self._run == self._opened
        if closed or state is State.MATH_END:
            self._end_span()
        else:
            self._stray()

    def _link(self) -> None:
        self._depth = 0
        self._enter(State.TARGET)
        self._cursor += 1

    def _deeper(self) -> None:
        self._depth += 1
        self._enter(State.PLAIN_TARGET)
        self._cursor += 1

    def _shallower(self) -> None:
        self._depth -= 1
        self._enter(_IN_TEXT if self._depth < 0 else State.PLAIN_TARGET)
        self._cursor += 1

    # Releasing --------------------------------------------------------------------------------

    def _release(self, upto: int) -> None:
        if upto > self._released:
            text = self._window[self._released : upto]
            self._pieces.append(text)
            self.look_back.add(text)
            self._released = upto

    def _flush(self) -> None:
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        pieces.clear()
        # Only text held for inline code or math can still have such signs in it.
        for sign in self._dropped:
            text = text.replace(sign, "")
        if text:
            self._spans.append(Text(text))


_CODE = (State.CODE, State.CODE_TICKS, State.CODE_BREAK, State.CODE_FENCE)

_DECIDE: dict[State, Callable[[MarkdownScanner], None]] = {
    State.AGAIN: MarkdownScanner._again,
    State.RUN_OVER: MarkdownScanner._run_over,
    State.TILDES_OVER: MarkdownScanner._tildes_over,
    State.INFO_TICK: MarkdownScanner._info_tick,
    State.FENCE_RUN_OVER: MarkdownScanner._fence_run_over,
    State.FENCE_CLOSED: MarkdownScanner._fence_closed,
    State.CODE_RUN_OVER: MarkdownScanner._code_run_over,
    State.CODE_FENCE_OVER: MarkdownScanner._code_fence_over,
    State.PARAGRAPH: MarkdownScanner._paragraph,
    State.MATH_OVER: MarkdownScanner._end_span,
    State.MATH_TICK: MarkdownScanner._math_tick,
    State.LINK: MarkdownScanner._link,
    State.DEEPER: MarkdownScanner._deeper,
    State.SHALLOWER: MarkdownScanner._shallower,
}

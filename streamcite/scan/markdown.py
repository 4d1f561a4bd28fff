"""Text in, text and markers out: the built-in grammars among their markdown contexts.

A window holds the text that cannot be released yet, and a cursor says how far it was read:

    released │ h ── held ── cursor ── not read
             └ a candidate, or inline code and math with a candidate in it

The registers (left context, line, context) always describe the text up to h or, for the
context's row, up to the cursor. So a candidate that dies costs one step back: its opener is
released and what follows it is read again, at most `max_length` characters.
"""

from collections.abc import Callable, Sequence

from streamcite.scan.context_rows import ANYTHING, CANDIDATE_STATES, rows_for
from streamcite.scan.contexts import DECISIONS, State
from streamcite.scan.judge import Judge, Verdict
from streamcite.scan.lines import MAX_HEAD, Lines, closes_fence, opens_fence
from streamcite.scan.markers import Candidate, Grammar
from streamcite.spans import Dropped, Marker, Span, Text

__all__ = ["MarkdownScanner"]

# Left context for what a bracket is glued to: a name or an address of this length decides.
MAX_LEFT = 256


class MarkdownScanner:
    """Finds markers of the built-in grammars in one text.

    Args:
        grammars: What a marker looks like; the first listed wins where two match.
        guards: The markdown contexts in which nothing is a marker.
        max_length: Longest text held, in code points.
        stops: Characters that `search` must find too, for another scanner's sake.
    """

    def __init__(
        self,
        grammars: Sequence[Grammar],
        guards: frozenset[str],
        max_length: int,
        stops: str = "",
    ) -> None:
        self._by_start: dict[str, tuple[Grammar, ...]] = {}
        for grammar in grammars:
            for character in grammar.starts:
                known = self._by_start.get(character, ())
                self._by_start[character] = (*known, grammar)
        self._judge = Judge(guards, self._by_start.get("[", ()))
        self._max_length = max_length
        self._dropped = "".join(grammar.dropped for grammar in grammars)
        starts = "".join(sorted(self._by_start)) + stops
        self._rows = rows_for(guards, starts, self._dropped + stops)
        self._row = self._rows[State.TEXT]
        self.in_text = True
        """Whether nothing is held and no context is open."""
        self.plain = self._row.plain
        """Some texts in which `search` finds nothing, once it was asked."""
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
        self._run = 0
        self._opened = 0
        self._fence = ""
        self._depth = 0
        self._left = ""
        self._after_marker = False
        self._lines = Lines()
        self._pieces: list[str] = []
        self._spans: list[Span] = []

    @property
    def held(self) -> str:
        """Text received that is neither released nor found to be a marker."""
        return self._window

    @property
    def last_character(self) -> str:
        """The last character released; empty at the start."""
        return self._left[-1:]

    def may_indent(self, run: str) -> bool:
        """Say whether a line that reaches behind `run`, plain text, may be indented code."""
        return self._lines.may_indent(run)

    def skip(self, text: str) -> None:
        """Pass text in which `search` found nothing."""
        self._remember(text)

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""
        self._window += text
        return self._drain()

    def close(self) -> list[Span]:
        """End this stretch of text and return the rest; contexts stay open for the next."""
        self._final = True
        spans = self._drain()
        self._final = False
        return spans

    def _drain(self) -> list[Span]:
        self._read()
        self._release(self._keep_from())
        self._flush()
        if self._released:
            self._window = self._window[self._released :]
            self._cursor -= self._released
            if self._held is not None:
                self._held -= self._released
            if self._candidate is not None:
                self._candidate.start -= self._released
            self._released = 0
        row = self._row
        self.search = ANYTHING if self._window else row.search
        self.plain = row.plain
        self.in_text = not self._window and row.state is State.TEXT
        spans, self._spans = self._spans, []
        return spans

    def _keep_from(self) -> int:
        if self._held is not None:
            return self._held
        return self._cursor if self._candidate is None else self._candidate.start

    # Reading ----------------------------------------------------------------------------------

    def _read(self) -> None:
        """Move the cursor to the end of the window, or to where more text is needed."""
        while True:
            if self._candidate is not None:
                if not self._read_candidate(self._candidate):
                    return
            elif self._held is not None and self._cursor >= self._held + self._max_length:
                self._stray()
            elif self._cursor < len(self._window):
                self._read_context()
            elif self._held is not None and self._final:
                self._end_held()
            else:
                return

    def _read_context(self) -> None:
        """Go to the next character that matters and let the table decide."""
        window, row = self._window, self._row
        limit = len(window)
        if self._held is not None:
            limit = min(limit, self._held + self._max_length)
        match = row.search(window, self._cursor, limit)
        if match is None:
            self.steps += limit - self._cursor
            self._cursor = limit
            return
        place = match.start()
        self.steps += place - self._cursor + 1
        self._cursor = place
        character = window[place]
        if self._held is None and (row.state in CANDIDATE_STATES or character in self._dropped):
            grammars = self._by_start.get(character)
            if grammars and self._begin(grammars, place, character):
                return
        self._step(character)

    def _step(self, character: str) -> None:
        """Let the character at the cursor act on the context."""
        following = self._row[character]
        if following.state in DECISIONS:
            _DECIDE[following.state](self)
        else:
            if following.state in _COUNTING:
                self._run = self._run + 1 if following is self._row else 1
            self._row = following
            self._cursor += 1
            # Such a run at the start of a line cannot close the code any more: it is a fence.
            overlong = following.state is State.CODE_FENCE and self._run > max(self._opened, 2)
            if overlong and self._held is not None:
                self._stray()

    def _enter(self, state: State) -> None:
        self._row = self._rows[state]

    # Candidates -------------------------------------------------------------------------------

    def _begin(self, grammars: Sequence[Grammar], place: int, opener: str) -> bool:
        """Begin a candidate, unless what stands before it says that it is text."""
        self._release(place)
        glued: bool | None = False
        if opener not in self._dropped:
            left = "" if self._after_marker else self._left
            glued = self._judge.left(opener, left, self._lines.in_indented_code)
        if glued is None:
            return False
        self._candidate = Candidate(grammars, place, opener, glued)
        return True

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
        end = candidate.start + candidate.length
        verdict = self._decide(candidate, end)
        if verdict is Verdict.WAIT:
            return False
        if verdict is Verdict.TEXT:
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

    def _accept(self, candidate: Candidate, end: int) -> None:
        self._candidate = None
        self._release(candidate.start)
        if self._row.state is not State.TEXT and candidate.opener not in self._dropped:
            self._held = candidate.start
            self._row = self._row[candidate.opener]
            self._cursor = end
            return
        self._flush()
        text = self._window[candidate.start : end]
        grammar = candidate.grammar
        self._spans.append(Marker(text, grammar.name, grammar.read(text)))
        self._remember(text)
        self._after_marker = True
        self._released = self._cursor = end

    def _decide(self, candidate: Candidate, end: int) -> Verdict:
        """Say what a complete candidate is, by what follows it."""
        if candidate.opener in self._dropped or self._window[end - 1] != "]":
            return Verdict.MARKER
        # The cap bounds the look-ahead too, but one character is always looked at.
        limit = max(candidate.start + self._max_length, end + 1)
        at_start = self._lines.at_start
        verdict = self._judge.right(self._window, end, limit, candidate.glued, at_start)
        if verdict is Verdict.WAIT and (self._final or len(self._window) >= limit):
            return Verdict.MARKER
        return verdict

    # Decisions of the contexts' table ---------------------------------------------------------

    def _again(self) -> None:
        self._enter(State.TEXT)

    def _run_over(self) -> None:
        self._release(self._cursor)
        fence = self._fence_here()
        if fence:
            self._open_fence(fence)
        else:
            self._opened = self._run
            self._enter(State.CODE)

    def _tildes_over(self) -> None:
        self._release(self._cursor)
        fence = self._fence_here()
        if fence:
            self._open_fence(fence)
        else:
            self._enter(State.TEXT)

    def _fence_here(self) -> str | None:
        if self._run < 3 or self._lines.length > MAX_HEAD:
            return None
        fence = opens_fence(self._lines.head)
        return fence if fence and self._lines.head.endswith(fence) else None

    def _open_fence(self, fence: str) -> None:
        self._fence = fence
        self._lines.fenced = True
        self._enter(State.INFO)

    def _info_tick(self) -> None:
        if self._fence[0] == "`":
            self._lines.fenced = False
            self._opened, self._run = len(self._fence), 1
            self._enter(State.CODE_TICKS)
        self._cursor += 1

    def _fence_line(self) -> None:
        self._release(self._cursor)
        line = self._lines
        closed = line.length <= MAX_HEAD and closes_fence(self._fence, line.head)
        self._cursor += 1
        self._release(self._cursor)
        if closed:
            line.end_fence()
            self._enter(State.TEXT)

    def _code_run_over(self) -> None:
        if self._run == self._opened:
            self._end_span()
        else:
            self._enter(State.CODE)

    def _code_fence_over(self) -> None:
        if self._run == self._opened:
            self._end_span()
        elif self._run < 3:
            self._enter(State.CODE)
        elif self._held is not None:
            self._stray()
        else:
            self._enter(State.TICKS)

    def _end_span(self) -> None:
        """Inline code or math is closed before the cursor: what it held is text."""
        self._held = None
        self._enter(State.TEXT)

    def _paragraph(self) -> None:
        if self._held is not None:
            self._stray()
        else:
            self._enter(State.TEXT)
            self._cursor += 1

    def _stray(self) -> None:
        """The open span was none: read what it held again, as text."""
        assert self._held is not None
        self._cursor = self._held
        self._held = None
        self._enter(State.TEXT)

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
        self._enter(State.TEXT if self._depth < 0 else State.PLAIN_TARGET)
        self._cursor += 1

    # Releasing --------------------------------------------------------------------------------

    def _release(self, upto: int) -> None:
        if upto > self._released:
            text = self._window[self._released : upto]
            self._pieces.append(text)
            self._remember(text)
            self._released = upto

    def _remember(self, text: str) -> None:
        self._left = (self._left + text)[-MAX_LEFT:]
        self._lines.advance(text)
        self._after_marker = False

    def _flush(self) -> None:
        if self._pieces:
            text = "".join(self._pieces)
            self._pieces.clear()
            # Only text held for inline code or math can still have such signs in it.
            for sign in self._dropped:
                text = text.replace(sign, "")
            self._spans.append(Text(text))


_COUNTING = frozenset({State.TICKS, State.TILDES, State.CODE_TICKS, State.CODE_FENCE})

_DECIDE: dict[State, Callable[[MarkdownScanner], None]] = {
    State.AGAIN: MarkdownScanner._again,
    State.RUN_OVER: MarkdownScanner._run_over,
    State.TILDES_OVER: MarkdownScanner._tildes_over,
    State.INFO_TICK: MarkdownScanner._info_tick,
    State.FENCE_LINE: MarkdownScanner._fence_line,
    State.CODE_RUN_OVER: MarkdownScanner._code_run_over,
    State.CODE_FENCE_OVER: MarkdownScanner._code_fence_over,
    State.PARAGRAPH: MarkdownScanner._paragraph,
    State.MATH_OVER: MarkdownScanner._end_span,
    State.LINK: MarkdownScanner._link,
    State.DEEPER: MarkdownScanner._deeper,
    State.SHALLOWER: MarkdownScanner._shallower,
}

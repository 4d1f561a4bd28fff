"""What the contexts' table leaves to decide: lengths of runs, lines, whether a span is closed.

While it is not known whether inline code or math is closed, a candidate in it is held.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from streamcite.scan.context_rows import IN_TEXT
from streamcite.scan.contexts import State
from streamcite.scan.lines import MAX_HEAD, MIN_FENCE, Lines, fence_at_end
from streamcite.scan.lookback import open_run, open_runs
from streamcite.scan.tables import Row
from streamcite.scan.window import Window

__all__ = ["DECIDE", "Decisions"]

_CODE = (State.CODE, State.CODE_TICKS, State.CODE_BREAK, State.CODE_FENCE)


@dataclass(slots=True)
class _Unclosed:
    """To where inline code or math was read whose close did not come."""

    place: int
    row: Row[State]
    run: int
    """The run that was counted there."""
    ends: dict[int, int]
    """Where the last run of each length ended that was met on the way."""

    def holds(self, runs: Iterable[int], place: int) -> bool:
        """Say whether a run of one of these lengths was met behind a place."""
        return any(self.ends.get(run, 0) > place for run in runs)

    def move(self, distance: int) -> None:
        """Let the window begin later."""
        self.place -= distance
        self.ends = {run: end - distance for run, end in self.ends.items()}


class Decisions(Window):
    """Decides where the contexts' table asks for it; `MarkdownScanner` moves the registers.

    Args:
        rows: The table as it runs.
        dropped: Signs that no reader may see.
    """

    __slots__ = (
        "_behind",
        "_cursor",
        "_depth",
        "_ends",
        "_fence",
        "_held",
        "_hidden",
        "_looked",
        "_opened",
        "_row",
        "_rows",
        "_run",
        "_unclosed",
    )

    def __init__(self, rows: Mapping[State, Row[State]], dropped: str) -> None:
        super().__init__(dropped)
        self._rows = rows
        self._row = rows[IN_TEXT]
        self._cursor = 0
        # Where the candidate stands that is held.
        self._held: int | None = None
        # Of an open run of backticks that other code hid, the text from there to what is held.
        self._behind: str | None = None
        # The lengths of the runs that are open in the text from the opener to what is held.
        self._hidden: frozenset[int] | None = None
        # Of runs of backticks behind what is held, by their length, where the last of them ended.
        self._ends: dict[int, int] | None = None
        # What was read in vain: inline code, by True, and math.
        self._unclosed: dict[bool, _Unclosed] | None = None
        # Whether the text before had a say in what the last text did.
        self._looked = False
        self._run = 0
        self._opened = 0
        self._fence = ""
        self._depth = 0

    def _enter(self, state: State) -> None:
        self._row = self._rows[state]

    @property
    def _lines(self) -> Lines:
        """The line that the text has come to; whoever asks may decide by it."""
        self._looked = True
        return self.look_back.lines

    def _again(self) -> None:
        self._enter(IN_TEXT)

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
            self._enter(IN_TEXT)

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
        if self._window.rfind("\n", 0, self._cursor - 1) >= 0:
            self._looked = True  # it is not where `cross` would say that a fence ends
        self._enter(IN_TEXT)

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
            else:
                self._ends = self._ends or {}
                self._ends[self._run] = self._cursor
        self._enter(State.CODE)

    @property
    def _behind_opener(self) -> str:
        """The text from the open run of backticks to what is held."""
        if self._behind is not None:
            return self._behind
        return self.look_back.behind_run(self._opened)

    def _let_go(self) -> None:
        """Hold nothing any more."""
        self._held = self._behind = self._hidden = self._ends = None

    def _math_tick(self) -> None:
        if self._held is not None:
            self._stray()
        else:
            self._enter(IN_TEXT)

    def _end_span(self) -> None:
        """Inline code or math is closed before the cursor: what it held is text."""
        self._let_go()
        self._enter(IN_TEXT)

    def _paragraph(self) -> None:
        if self._held is not None:
            self._stray()
        else:
            self._enter(IN_TEXT)
            self._cursor += 1

    def _stray(self, *, remember: bool = True) -> None:
        """The open span was none: read what it held again, as text.

        Or as inline code, if a run of backticks stands in front of it that the span hid.
        """
        assert self._held is not None
        in_code = self._row.state in _CODE
        before = self._behind_opener if in_code else ""
        if remember:
            read = _Unclosed(self._cursor, self._row, self._run, self._ends or {})
            self._unclosed = self._unclosed or {}
            self._unclosed[in_code] = read
        self._cursor = self._held
        self._looked = True
        # What is left to look at gets shorter each time, so that this comes to its end.
        hidden, behind = open_run(before)
        self._let_go()
        if hidden:
            self._opened, self._behind = hidden, behind
        self._enter(State.CODE if hidden else IN_TEXT)

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
        self._enter(IN_TEXT if self._depth < 0 else State.PLAIN_TARGET)
        self._cursor += 1

    def _skip_unclosed(self, unclosed: Mapping[bool, _Unclosed]) -> bool:
        """Go on from where such a span was read to in vain, if one was.

        Up to there this one would read the same, and so would each of many: unless a run that
        closes it came on the way, or one that closes what it hides.
        """
        in_code = self._row.state in _CODE
        known = unclosed.get(in_code)
        if known is None or known.place <= self._cursor:
            return False
        if in_code:
            self._hidden = open_runs(self._behind_opener)
            if known.holds((self._opened, *self._hidden), self._cursor):
                return False
        self._cursor, self._row, self._run = known.place, known.row, known.run
        self._ends = known.ends
        return True


DECIDE: dict[State, Callable[[Decisions], None]] = {
    State.AGAIN: Decisions._again,
    State.RUN_OVER: Decisions._run_over,
    State.TILDES_OVER: Decisions._tildes_over,
    State.INFO_TICK: Decisions._info_tick,
    State.FENCE_RUN_OVER: Decisions._fence_run_over,
    State.FENCE_CLOSED: Decisions._fence_closed,
    State.CODE_RUN_OVER: Decisions._code_run_over,
    State.CODE_FENCE_OVER: Decisions._code_fence_over,
    State.PARAGRAPH: Decisions._paragraph,
    State.MATH_OVER: Decisions._end_span,
    State.MATH_TICK: Decisions._math_tick,
    State.LINK: Decisions._link,
    State.DEEPER: Decisions._deeper,
    State.SHALLOWER: Decisions._shallower,
}

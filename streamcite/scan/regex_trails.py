"""Searches again from a later start, without reading all of the text again.

A search that is given up, since its match ended early or its oldest thread is too old, is made
again from a later start. Most often it soon stands as the search before it stood at that place;
from there on the two differ only in the offsets of what began before. So a search that is made
again leaves a trail: how it stood, place by place, and where it has come. A later one that meets
the trail goes to its end at once, and takes its own offsets along.
"""

from collections.abc import Callable
from typing import NamedTuple

from streamcite.scan.program import Program
from streamcite.scan.regex_conditions import Neighbour
from streamcite.scan.regex_search import Search, search_for
from streamcite.scan.regex_threads import Progress, Recorded

__all__ = ["SHORT", "HeldText", "Trails"]

# What is read again without further ado: most matches are decided a few characters late.
SHORT = 16

# Searches from different starts may never meet: those of `(?:ab)*\[` over `ababab` come in two
# kinds, which take turns. Each kind has its own trail.
MAX_TRAILS = 8

# The offsets that replace those of a trail: by slot, start of the thread, and offset.
_Offsets = dict[tuple[int, int, int], int]

_NOTHING: list[Progress] = []


class HeldText(NamedTuple):
    """Text that can be read again."""

    text: str
    base: int
    """Offset of its first character."""
    previous: Neighbour
    """What stands before it."""
    ended: bool
    """Nothing follows it."""


class _Trail:
    """How one search stood from place to place; it knows no longest match."""

    __slots__ = ("_next", "_start", "_states", "_threads", "end", "search")

    def __init__(self, search: Search, start: int) -> None:
        self.search = search
        """The search, as it stands at the end."""
        self.end = start
        """How far it has come."""
        self._start = self._next = start
        self._states: list[object] = []
        self._threads: list[list[Progress]] = []

    def mark(self, place: int, state: object, threads: list[Progress]) -> None:
        """Write down how the search stands, each place behind the last one."""
        missing = place - self._start - len(self._states)
        self._states += [None] * missing
        self._threads += [_NOTHING] * missing
        if place < self._next:
            state, threads = None, _NOTHING
        else:
            # After many threads comes a gap, so that memory grows with the text only.
            self._next = place + len(threads)
            if self._threads and self._threads[-1] == threads:
                threads = self._threads[-1]
        self._states.append(state)
        self._threads.append(threads)

    def release(self, before: int) -> None:
        """Forget what stands before a place; at least half goes at a time, or nothing."""
        gone = before - self._start
        if gone * 2 > len(self._states):
            del self._states[:gone], self._threads[:gone]
            self._start = before

    def met(self, place: int, state: object, threads: list[Progress]) -> _Offsets | None:
        """Say which offsets another search has for those of this one, if it stands the same."""
        index = place - self._start
        if not 0 <= index < len(self._states) or self._states[index] != state:
            return None
        return _exchange(self._threads[index], threads, place)

    def follow(self, held: HeldText, upto: int) -> None:
        """Let the search go on, as far as an offset."""
        while self.end < upto and self.search.oldest is not None:
            self.end = held.base + _step(self.search, held, self.end - held.base)
            if self.search.undecided:
                break
            self.mark(self.end, *self.search.standing(self.end))


class Trails:
    """The trails of one matcher, while it has anything open."""

    __slots__ = ("_program", "_read", "_trails", "steps")

    def __init__(self, program: Program) -> None:
        self.steps = 0
        """Work of the trails' own searches."""
        self._trails: list[_Trail] = []
        self._program = program
        self._read = 0

    def again(
        self, search: Search, held: HeldText, read: int, index: int, leap: Callable[[int], int]
    ) -> int:
        """Begin a search again.

        Args:
            search: A search that has forgotten everything.
            held: The text.
            read: Index up to which it was read.
            index: Where to begin.
            leap: Says where from an index on a match could start, the end of the text if nowhere.

        Returns:
            The index of the first character not consumed.
        """
        self._read = max(self._read, held.base + read)
        if self._read - held.base - index <= SHORT:
            return index
        self._trails = [trail for trail in self._trails if trail.end > held.base + index]
        for trail in self._trails:
            trail.release(held.base + index)
        while search.recorded is None and search.oldest is None:
            index = leap(index)
            if held.base + index >= self._read:
                break
            index = self._read_again(search, held, index)
        return index

    def _read_again(self, search: Search, held: HeldText, index: int) -> int:
        """Go on until a trail is met, something is decided, or all is read."""
        own = _Trail(search_for(self._program), held.base + index)
        place = own.end
        while place < self._read:
            index = _step(search, held, index)
            place = held.base + index
            if search.undecided or search.oldest is None:
                break
            state, threads = search.standing(place)
            for trail in self._trails:
                offsets = trail.met(place, state, threads)
                if offsets is not None:
                    self._keep(own, search, place)
                    self._go_to_end(search, trail, held, place, offsets)
                    return trail.end - held.base
            own.mark(place, state, threads)
        self._keep(own, search, place)
        return index

    def _keep(self, trail: _Trail, search: Search, place: int) -> None:
        """Keep a trail, unless it is short or leads nowhere."""
        is_open = search.recorded is not None or search.oldest is not None
        if is_open and place - trail.end > SHORT:
            trail.search.resume(search, search.progress(), search.recorded)
            trail.end = place
            if len(self._trails) == MAX_TRAILS:
                # Not the oldest: where kinds take turns, that is the one needed next.
                del self._trails[self._read % MAX_TRAILS]
            self._trails.append(trail)

    def _go_to_end(
        self, search: Search, trail: _Trail, held: HeldText, place: int, offsets: _Offsets
    ) -> None:
        """Let a search that met a trail at a place stand at its end."""
        done = trail.search.steps
        trail.follow(held, self._read)
        self.steps += trail.search.steps - done
        threads = [_exchanged(progress, offsets, place) for progress in trail.search.progress()]
        recorded: Recorded | None = trail.search.recorded
        if recorded is None or recorded[1] <= place:
            recorded = search.recorded
        else:
            start, end, opened, closed = recorded
            start, opened, closed = _exchanged((start, opened, closed), offsets, place)
            recorded = start, end, opened, closed
        search.resume(trail.search, threads, recorded)


def _step(search: Search, held: HeldText, index: int) -> int:
    text, base, previous, ended = held
    return search.step(text, index, base, previous, ended=ended)


def _exchange(old: list[Progress], new: list[Progress], place: int) -> _Offsets | None:
    """Say which offset is to replace which, None if that depends on more than the start.

    Both are the threads of a search at one place, in the same order.
    """
    offsets: _Offsets = {}
    for before, after in zip(old, new, strict=True):
        for slot in range(3):
            offset = before[slot]
            # The same offset may be that of an end of the group passed later, at the same place.
            if offset == place != after[slot]:
                return None
            if offsets.setdefault((slot, before[0], offset), after[slot]) != after[slot]:
                return None
    return offsets


def _exchanged(progress: Progress, offsets: _Offsets, place: int) -> Progress:
    """Exchange the offsets of a thread or match that are older than the place."""
    start, opened, closed = progress
    if start >= place:
        return progress
    return (
        offsets[0, start, start],
        opened if opened >= place else offsets[1, start, opened],
        closed if closed >= place else offsets[2, start, closed],
    )

"""Which section text stands in: a reply parted into text, open tags and close tags.

A candidate that dies gives up one character, its `<`, and what follows is read again, at most
`max_length` characters.
"""

import re
from collections.abc import Mapping

from streamcite.scan.lines import FenceTracker
from streamcite.scan.tables import ANYTHING
from streamcite.scan.tag_table import State, start_rows
from streamcite.spans import Span, TagClosed, TagOpened, Text

__all__ = ["TagScanner"]

_NAME = re.compile(r"<([^\s/>]+)")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")


class TagScanner:
    """Parts a reply into text, open tags and close tags.

    Args:
        names: Canonical name by spelling; aliases stand beside the names themselves.
        start_in: Section that is open before the first character.
        code_aware: Whether a tag in a fence, or right behind a backtick, is text.
        max_length: Longest tag, in code points.
    """

    __slots__ = (
        "_before",
        "_cursor",
        "_fences",
        "_max_length",
        "_names",
        "_noted",
        "_open",
        "_released",
        "_row",
        "_spans",
        "_start",
        "_starts",
        "_window",
        "steps",
        "unclosed",
    )

    def __init__(
        self,
        names: Mapping[str, str],
        *,
        start_in: str | None = None,
        code_aware: bool = True,
        max_length: int = 256,
    ) -> None:
        self._names = dict(names)
        self._starts = start_rows(tuple(names.items()))
        self._max_length = max_length
        self._fences = FenceTracker() if code_aware else None
        self._open = start_in
        self._window = ""
        # Up to here the window is in spans, and `_in_code` knows of it.
        self._released = self._noted = 0
        self._start: int | None = None
        self._cursor = 0
        self._row = self._starts[None]
        self._before = ""
        self._spans: list[Span] = []
        self.unclosed: str | None = None
        """The section that was open when the text ended."""
        self.steps = 0
        """Characters examined so far, those read again included."""
        if start_in is not None:
            self._spans.append(TagOpened(start_in, ""))

    @property
    def held(self) -> str:
        """Text that may still become a tag."""
        return self._window

    @property
    def idle(self) -> bool:
        """Whether text without `<` can be passed to `skip` instead of `feed`."""
        return not self._window and not self._spans

    def closes(self, text: str) -> bool:
        """Say whether a text that comes now would be the close tag, and nothing else."""
        if self._open is None or self._window or not text.startswith("<"):
            return False
        row = self._starts[self._open]
        self.steps += min(len(text), self._max_length)
        for character in text[1 : self._max_length]:
            row = row[character]
        return row.accepts and len(text) <= self._max_length

    def skip(self, text: str) -> None:
        """Pass text, not empty, without `<`."""
        if self._open is None:
            self._note(text)

    def feed(self, text: str) -> list[Span]:
        """Take text and return what is decided by it."""
        if not (self._window or self._spans):
            place = text.find("<")
            if place < 0:
                return self._pass(text)
            self._cursor = place
            self.steps += place
        self._window += text
        self._read()
        return self._drain()

    def _pass(self, text: str) -> list[Span]:
        """Take text in which no tag begins."""
        if not text:
            return []
        self.steps += len(text)
        if self._open is None:
            self._note(text)
        return [Text(text)]

    def close(self) -> list[Span]:
        """End the reply: a candidate is text, an open section is over."""
        while self._start is not None:
            self._reject(self._start)
            self._read()
        spans = self._drain()
        if self._open is not None:
            spans.append(TagClosed(self._open, "", complete=False))
            self.unclosed, self._open = self._open, None
        return spans

    def _drain(self) -> list[Span]:
        window, keep = self._window, self._start
        if keep is None:
            keep = len(window)
        if keep > self._released:
            self._release(keep)
        if keep:
            self._window = window[keep:]
            self._cursor -= keep
            self._released = self._noted = 0
            if self._start is not None:
                self._start = 0
        spans, self._spans = self._spans, []
        return spans

    def _read(self) -> None:
        length = len(self._window)
        while self._cursor < length:
            if self._start is None:
                self._find_start()
            else:
                self._read_candidate(self._start)

    def _find_start(self) -> None:
        window, cursor = self._window, self._cursor
        place = window.find("<", cursor)
        if place < 0:
            self.steps += len(window) - cursor
            self._cursor = len(window)
            return
        self.steps += place - cursor
        self._cursor = place + 1
        if self._open is None and self._in_code(place):
            return
        self._start = place
        self._row = self._starts[self._open]

    def _read_candidate(self, start: int) -> None:
        window, row, cursor = self._window, self._row, self._cursor
        limit = start + self._max_length
        stop = min(len(window), limit)
        begun = cursor
        while cursor < stop and not row.over:
            if row.search is not ANYTHING:
                match = row.search(window, cursor, stop)
                if match is None:
                    cursor = stop
                    break
                cursor = match.start()
            row = row[window[cursor]]
            cursor += 1
        self.steps += cursor - begun
        self._row, self._cursor = row, cursor
        if row.accepts:
            self._accept(start, row.state)
        elif row.over or cursor >= limit:
            self._reject(start)

    def _reject(self, start: int) -> None:
        self._cursor = start + 1
        self._start = None

    def _accept(self, start: int, state: State) -> None:
        if start > self._released:
            self._release(start)
        self._released = self._noted = self._cursor
        self._start = None
        self._before = ">"
        raw = self._window[start : self._cursor]
        if self._open is not None:
            self._spans.append(TagClosed(self._open, raw, complete=True))
            self._open = None
            return
        name, attributes = self._read_tag(raw)
        self._spans.append(TagOpened(name, raw, attributes))
        if state is State.OPENED_EMPTY:
            self._spans.append(TagClosed(name, "", complete=True))
        else:
            self._open = name

    def _read_tag(self, raw: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return the canonical name of an open tag, and its attributes."""
        name = self._names.get(raw[1:-1])
        if name is not None:
            return name, ()
        match = _NAME.match(raw)
        assert match is not None
        return self._names[match[1]], _read_attributes(raw[match.end() :].rstrip("/>"))

    def _in_code(self, place: int) -> bool:
        """Say whether a place outside sections is in a fence, or right behind a backtick."""
        if self._fences is None:
            return False
        if place > self._noted:
            self._note(self._window[self._noted : place])
            self._noted = place
        return self._before == "`" or self._fences.inside

    def _note(self, text: str) -> None:
        """Pass text outside sections, not empty; what stands in one says nothing of it."""
        if self._fences is not None:
            self._before = text[-1]
            self._fences.advance(text)

    def _release(self, upto: int) -> None:
        self._spans.append(Text(self._window[self._released : upto]))
        if self._open is None and upto > self._noted:
            self._note(self._window[self._noted : upto])
        self._released = self._noted = upto


def _read_attributes(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, double or single or bare) for name, double, single, bare in _ATTRIBUTE.findall(text)
    )

"""The answer's `pattern` as a stage: spans in, those of the answer text out."""

import re
from collections import deque
from collections.abc import Iterator

from streamcite.errors import PatternError
from streamcite.scan.extract import Extractor
from streamcite.scan.program import compile_pattern
from streamcite.scan.timed import TIMEOUT, Allowance
from streamcite.spans import Dropped, Located, Marker, Outside, Span, Text

__all__ = ["Extraction"]


class Extraction:
    """Lets pass what the pattern picks out, as soon as no continuation takes it back.

    Text outside it is left out; markers outside it come as `Outside`, since a citation there
    is one all the same.

    Args:
        pattern: As for `re.search`. What cannot be streamed shows nothing before the end.
        allowance: The time that such a pattern may take in the texts of the reply.

    Raises:
        PatternError: It is invalid, or has two or more groups.
    """

    def __init__(self, pattern: str, allowance: Allowance) -> None:
        self._pattern = pattern
        self._allowance = allowance
        self._found = False
        self.begin()

    def begin(self) -> None:
        """Begin a text of its own, such as that of another section."""
        try:
            self._extractor = Extractor(compile_pattern(self._pattern, allow_empty=True))
        except PatternError:
            self._extractor = Extractor.at_end(self._pattern, self._allowance)
            if re.compile(self._pattern).groups > 1:
                raise
        self._waiting: deque[tuple[int, Text | Marker]] = deque()
        self._fed = 0

    @property
    def problem(self) -> tuple[str, str] | None:
        """A warning's code and its message, if no text had any answer; known at the end."""
        if self._pattern in self._allowance.given_up:
            return "pattern-timeout", f"took over {TIMEOUT} s and was given up"
        return None if self._found else ("pattern-not-found", "finds nothing in the reply")

    @property
    def held(self) -> str:
        """Text that may still be part of the answer, or not."""
        return "".join(span.text for _, span in self._waiting)

    @property
    def provisional(self) -> str:
        """What the answer would have behind its committed text if the reply ended here."""
        return self._extractor.uncommitted

    def feed(self, spans: list[Span]) -> list[Span]:
        """Take the spans of a text; return those that are decided."""
        for span in spans:
            if isinstance(span, Text | Marker):
                self._waiting.append((self._fed, span))
                self._fed += len(span.text)
                self._extractor.feed(span.text)
            else:
                assert isinstance(span, Dropped | Located | Outside)
        committed = self._extractor.committed_span
        return [] if committed is None else self._pass(*committed, final=False)

    def close(self) -> list[Span]:
        """End the text and return the rest."""
        self._extractor.close()
        span = self._extractor.span
        self._found = self._found or span is not None
        start, end = span or (self._fed, self._fed)
        return self._pass(start, end, final=True)

    def _pass(self, start: int, end: int, *, final: bool) -> list[Span]:
        spans: list[Span] = []
        while self._waiting:
            place, span = self._waiting[0]
            over = place + len(span.text)
            if over > end and not final:
                if isinstance(span, Text) and place < end:
                    spans.extend(_clipped(span.text, place, start, end))
                    self._waiting[0] = (end, Text(span.text[end - place :]))
                break
            self._waiting.popleft()
            if isinstance(span, Text):
                spans.extend(_clipped(span.text, place, start, end))
            elif start <= place and over <= end:
                spans.append(span)
            else:
                spans.extend(_clipped(span.text, place, start, end))
                spans.append(Outside(span))
        return spans


def _clipped(text: str, place: int, start: int, end: int) -> Iterator[Text]:
    """Yield the part of a text at `place` that lies between two offsets."""
    inside = text[max(start - place, 0) : max(end - place, 0)]
    if inside:
        yield Text(inside)

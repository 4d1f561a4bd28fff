"""The short cut for `[1]`, or a match of a user's own pattern, in plain text, however it is shown.

The whole way through scanner and assembler costs thirty times a plain token for each token of a
marker. The lane takes the steps that `scan.steps` and `scan.pattern_steps` know, by the grammar's
own table, the guards' own rules and the pattern's own matcher. Whatever is not as simple as that
it leaves, with the text it holds, and the whole way decides; so the two cannot but agree, and the
property tests cut every text both ways.
"""

from streamcite.assemble.shown import Shown
from streamcite.assemble.shown_text import FOLD_LENGTH
from streamcite.engine.host import DECLINED, Declined, Host
from streamcite.engine.rewriting import show_cited, show_head
from streamcite.events import CitingPartial, FreshPartial, PartialAnswer
from streamcite.resolutions import Resolution
from streamcite.resolve import Resolver
from streamcite.scan.judge import judge_left
from streamcite.scan.lines import is_flush, takes_marker
from streamcite.scan.lookback import MAX_LEFT, LookBack
from streamcite.scan.markdown import MarkdownScanner
from streamcite.scan.steps import Held, Step, Steps, judge_word, last_word
from streamcite.scan.tables import ANYTHING, BEHIND_UNSHOWN, MAX_KNOWN_LENGTH, KnownTexts

__all__ = ["Lane"]


class Lane:
    """Takes simple markers of one text.

    Args:
        shown: Where it is shown.
        place: The place outside all contexts in it.
        resolver: Resolves them.
        steps: What tokens do around markers.
    """

    __slots__ = (
        "_assembles",
        "_before",
        "_cited_to",
        "_flush",
        "_line",
        "_never_direct",
        "_outside",
        "_resolver",
        "_shown",
        "_steps",
        "holds",
    )

    def __init__(self, shown: Shown, place: KnownTexts, resolver: Resolver, steps: Steps) -> None:
        self._shown = shown
        self._resolver = resolver
        self._outside = place
        self._steps = steps
        self.holds: Held | None = None
        """The marker so far, or all of it while what follows is awaited."""
        # Whether what is shown is never written to the buffer as it is.
        self._never_direct = shown.trims or not shown.keeps
        # Whether it may not be now, since a citation is not shown yet that may still be joined.
        self._assembles = self._never_direct
        # Whether the current line is known not to be indented, so that it is no code.
        self._flush = False
        # How the line begins that the text noted last ends with; None if that is not known.
        self._line = shown.last_line()
        # How much of the text that is not settled ends with its last citation.
        self._cited_to = 0
        # What stands between that and the marker that is held.
        self._before = ""

    @property
    def held(self) -> str:
        """A marker so far, or all of it while what follows is awaited; empty if there is none."""
        return "" if self.holds is None else self.holds.text

    def end(self, host: Host) -> PartialAnswer | Declined | None:
        """Take what is held for a marker if it is a whole one, since the text ends; see `take`."""
        if self.holds is None or not self.holds.closed:
            return DECLINED
        return self._cite(host, "", self._before, self.holds.text, "", None)

    def leave(self, token: str = "") -> str:
        """Give up what is held; return it with the token that follows."""
        text = self.held + token
        self.holds = None
        self._before = ""
        return text

    def note(self, text: str) -> bool:
        """Take note of text that the scanner was given; what is written now begins anew.

        Returns:
            Whether it ended with a marker, where that matters to the next one.
        """
        ends_with_marker = self._cited_to == len(text) and self._steps.guarded
        self._cited_to = 0
        self._before = ""
        place = text.rfind("\n") + 1
        if place:
            self._flush, self._line = False, text[place : place + 4]
        elif self._line is not None and len(self._line) < 4:
            self._line += text[:4]
        return ends_with_marker

    def forget(self) -> None:
        """Take note that the text goes on the whole way, or comes back to from another."""
        self._flush, self._line = False, None
        self._cited_to = 0
        self._before = ""

    def begin(self, host: Host, token: str) -> PartialAnswer | Declined | None:
        """Take a token with no marker held before it; see `take`."""
        text = self._outside
        if not host.place.in_text:
            return DECLINED
        if host.place is BEHIND_UNSHOWN:
            self._assembles = True
        step = text.passed.get(token)
        if step is text or (self._assembles and not self._steps.search(token)):
            return self._show_head(host, token)  # it ends with a blank, or follows what is held
        if step is None:
            step = self._steps.begin(token)
            if step is None:
                return DECLINED
            text.teach(token, text if step.is_text else step)
        return self.take(host, step) if isinstance(step, Step) else DECLINED

    def go_on(
        self, host: Host, place: Held, token: str, step: object
    ) -> PartialAnswer | Declined | None:
        """Take a token behind what is held; see `take`.

        Args:
            host: The reply.
            place: What is held.
            token: The token.
            step: What it does there, if that is known: a step, or no more than what is held then.
        """
        if step.__class__ is Held:
            host.place = self.holds = step
            return None
        if step.__class__ is Step:
            return self.take(host, step)
        text = self._outside
        # Any word of the language may follow a marker or an opener: such steps are not remembered.
        if token in text.texts or not text.search(token):
            if place.takes(token):
                return self._cite(host, "", self._before, place.text, token, None)
            if place.is_text_before(token):
                return self.take(host, Step(place.text + token, None, "", None))
        found = self._steps.go_on(place, token)
        return DECLINED if found is None else self.take(host, found)

    def take(self, host: Host, step: Step) -> PartialAnswer | Declined | None:
        """Let a token do what it does.

        Returns:
            The event it makes; None if all of it is held; DECLINED if it is not for the lane.
        """
        head, before = step.head, self._before
        if head or self.holds is None:
            before = self._shown.run.getvalue()[self._cited_to :] + head
            if not self._flush or "\n" in before:
                found = self._judge_line(host, head, before)
                if found is None:
                    return DECLINED
                before = found
            glued = step.asks and self._is_glued(host, head, before)
            if glued is None:
                return host.pass_opener(step.text) if self.holds is None else DECLINED
            if glued:
                if step.behind_word is None:
                    return DECLINED
                step = step.behind_word
        if step.marker is not None:
            return self._cite(host, head, before, step.marker, step.body, step.held)
        self._before = before
        if step.held is not None:
            host.search = ANYTHING
            host.place = self.holds = step.held
        else:
            self._let_go(host)
        if not head:
            return None
        if self._assembles:
            return self._show_head(host, head)
        event: PartialAnswer = FreshPartial()
        event._stand = host.stand
        event.offset = offset = host.offset  # type: ignore[misc]  # as in its `at`
        event.delta = head  # type: ignore[misc]  # as in its `at`
        host.offset = offset + host.write(head)
        if len(before) >= FOLD_LENGTH:
            host.fold()
        return event

    def _let_go(self, host: Host) -> None:
        """Hold nothing any more: the text goes on as plain text."""
        self.holds = None
        host.search, host.place = self._outside.search, self._outside

    def _judge_line(self, host: Host, head: str, before: str) -> str | None:
        """Find out whether a marker's line is flush; return the text before it that is not settled.

        Args:
            host: The reply.
            head: What of that the marker's own token begins with.
            before: All of it.

        Returns:
            None if the line may be indented code.
        """
        if not self._steps.guarded:
            self._flush = True
        elif "\n" in before:
            self._flush = takes_marker(before[before.rfind("\n") + 1 :])
        else:
            self._flush = self._line is not None and takes_marker(self._line + before)
        if self._flush:
            return before
        host.fold()
        self._flush = not _line_is_code(host, head)
        return head if self._flush else None

    def _is_glued(self, host: Host, head: str, before: str) -> bool | None:
        """Say whether an opener follows a word at once; None if that is not for the lane."""
        if not head:
            if not before and (self._cited_to or _look_back(host).after_marker):
                return False  # it follows a marker
            if before[-1:] in (" ", "\n"):
                return False
        word = last_word(before)
        if len(word) == len(before):
            before = self._left(host, head, before)
            word = last_word(before)
        if len(word) <= MAX_KNOWN_LENGTH and not word.rstrip("[").endswith((")", "]")):
            return judge_word(word)
        # What stands in brackets may hold blanks, so that it begins before the word.
        return judge_left(self._left(host, head, before)[-MAX_LEFT:])

    def _left(self, host: Host, head: str, known: str) -> str:
        """Return the end of the text that came, as it was written, with the head behind it.

        Args:
            host: The reply.
            head: The head.
            known: As much of it as is known.
        """
        if len(known) >= MAX_LEFT:
            return known
        if not self._assembles:
            return self._shown.tail(MAX_LEFT) + head
        return _look_back(host).left + self._shown.run.getvalue() + head

    def _cite(
        self,
        host: Host,
        head: str,
        before: str,
        marker: str,
        body: str,
        following: Held | None,
    ) -> PartialAnswer | Declined | None:
        """Show a marker and the text around it."""
        resolver = self._resolver
        if resolver.known_size != resolver.sources.size:
            return DECLINED
        resolution = resolver.whole.get(marker)
        if resolution is None:
            resolution = resolver.resolve_whole(self._steps.marker(marker))
        if self._assembles or resolution is None or (self._shown.merges and not body):
            resolution = resolution or resolver.resolve(self._steps.marker(marker))
            return self._show_cited(host, head, marker, body, following, resolution)
        offset = host.offset
        event: CitingPartial = CitingPartial()
        event._stand = host.stand
        event.offset = offset  # type: ignore[misc]  # as in its `at`
        event.citing = self._shown.cite_whole(before, marker, offset + len(head), resolution)
        event.delta = text = head + marker + body  # type: ignore[misc]  # as in its `at`
        host.offset = offset + host.write(text)
        # What follows the marker belongs to the next claim.
        self._cited_to += len(before) + len(marker)
        self._before = body if following is not None else ""
        if self._cited_to >= FOLD_LENGTH:
            host.fold()
        if following is not None:
            host.search = ANYTHING
            host.place = self.holds = following
        elif self.holds is not None:
            # What `_let_go` does: a call would cost a hundredth of a citation.
            self.holds, place = None, self._outside
            host.search, host.place = place.search, place
        return event

    def _show_head(self, host: Host, head: str) -> PartialAnswer | None:
        """Show text that is followed by what is held, or by nothing that matters."""
        event = show_head(host, self._shown, head)
        self._assembles = self._never_direct
        if self.holds is None:
            host.expect_text()
        return event

    def _show_cited(
        self,
        host: Host,
        head: str,
        marker: str,
        body: str,
        following: Held | None,
        resolution: Resolution,
    ) -> PartialAnswer | None:
        """Show a marker as what it means, and the text around it."""
        # Whatever the reader's own function does or asks, nothing is held any more.
        self._let_go(host)
        if not body:  # the marker ends the text that `note` is told of when that is folded
            self._cited_to = self._shown.run.tell() + len(head) + len(marker)
        event = show_cited(host, self._shown, head, self._steps.marker(marker), body, resolution)
        self._assembles = self._never_direct or not self._shown.idle
        self.holds = following
        if following is None:
            host.expect_text()
        else:
            host.search, host.place = ANYTHING, following
        return event


def _look_back(host: Host) -> LookBack:
    scanner = host.scanner
    assert isinstance(scanner, MarkdownScanner)  # that of the grammar which a lane is for
    return scanner.look_back


def _line_is_code(host: Host, head: str) -> bool:
    """Say whether the current line may be code, all but this end of it being folded."""
    lines = _look_back(host).lines
    if not head:
        return lines.in_indented_code
    return "\n" in head or not is_flush(lines.head + head)

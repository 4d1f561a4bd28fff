"""The terminal's cursor and its echo: who takes them is remembered, so that they come back.

The cursor is hidden while an answer is drawn. What is typed meanwhile would stand in the midst of
it, so it is not shown either; whoever reads the terminal next, mostly a shell, still gets it.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress

from rich.console import Console

if sys.platform != "win32":  # there is no such setting
    import termios

__all__ = [
    "CursorConsole",
    "drawn",
    "give_back_cursor",
    "keep_hidden",
    "lent_cursor",
    "lent_terminal",
]

_SHOW, _HIDE = b"\x1b[?25h", b"\x1b[?25l"
# Below what was drawn there is at most half a line.
_ERASE_LINE = b"\r\x1b[K"
# Where the settings of a terminal have the one for its echo.
_LOCAL_MODES = 3

# The terminals where the cursor is hidden, by descriptor, and whether they showed what is typed.
_hidden: dict[int, bool] = {}

drawn: list[Callable[[], AbstractContextManager[None]]] = []
"""Of each area that is drawn anew in a terminal, what takes it away while a block runs."""


class CursorConsole(Console):
    """A console that remembers that it hid the cursor, and leaves the exit code to the command."""

    def show_cursor(self, show: bool = True) -> bool:
        """Show or hide the cursor, and what is typed; a signal may come at any point of this."""
        if not self.is_terminal:
            return super().show_cursor(show)
        descriptor = self.file.fileno()
        _hidden[descriptor] = _hidden.get(descriptor, False) or _echoes(descriptor)
        if not show:
            _set_echo(descriptor, echo=False)
        done = super().show_cursor(show)
        if show:
            _set_echo(descriptor, echo=_hidden[descriptor])
            del _hidden[descriptor]
        return done

    def on_broken_pipe(self) -> None:
        """Pass on what rich would end the process for."""
        raise BrokenPipeError


def give_back_cursor() -> None:
    """Show the cursor again where it is still hidden; Python's own buffers must be empty."""
    for descriptor, echo in tuple(_hidden.items()):
        _write(descriptor, _ERASE_LINE + _SHOW)
        _set_echo(descriptor, echo=echo)
        _hidden.pop(descriptor, None)


def keep_hidden() -> None:
    """Show nothing that is typed while an answer is drawn, now that the terminal is this one's."""
    for descriptor in tuple(_hidden):
        _set_echo(descriptor, echo=False)


@contextmanager
def lent_cursor() -> Iterator[None]:
    """Show the cursor while a shell has the terminal, and hide it again where it was hidden."""
    hidden = tuple(_hidden.items())
    for descriptor, echo in hidden:
        _write(descriptor, _SHOW)
        _set_echo(descriptor, echo=echo)
    yield
    for descriptor, _ in hidden:
        _set_echo(descriptor, echo=False)
        _write(descriptor, _HIDE)


@contextmanager
def lent_terminal() -> Iterator[None]:
    """Lend the cursor, and take away what is drawn; this thread must not be drawing just now."""
    with ExitStack() as lent:
        for take_away in tuple(drawn):
            lent.enter_context(take_away())
        lent.enter_context(lent_cursor())
        yield


def _write(descriptor: int, codes: bytes) -> None:
    with suppress(OSError):  # the terminal has gone
        os.write(descriptor, codes)


def _echoes(descriptor: int) -> bool:
    """Say whether a terminal shows what is typed."""
    if sys.platform == "win32":
        return False
    with suppress(OSError, termios.error):
        return bool(termios.tcgetattr(descriptor)[_LOCAL_MODES] & termios.ECHO)
    return False


def _set_echo(descriptor: int, *, echo: bool) -> None:
    """Let a terminal show what is typed, or not; nothing that was typed is lost."""
    if sys.platform == "win32":
        return
    with suppress(OSError, termios.error):  # the terminal has gone, or is another one's
        # In the background the system would stop whoever changes it.
        if os.tcgetpgrp(descriptor) != os.getpgrp():
            return
        modes = termios.tcgetattr(descriptor)
        kept = modes[_LOCAL_MODES] & ~termios.ECHO
        modes[_LOCAL_MODES] = kept | termios.ECHO if echo else kept
        termios.tcsetattr(descriptor, termios.TCSANOW, modes)

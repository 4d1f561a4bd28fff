"""Signals that end the command: what was being shown is put in order first, as with Ctrl-C."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

from streamcite.cli.cursor import give_back_cursor

__all__ = ["Ending", "interrupted_by_signals"]

# Windows has no terminal that hangs up, and none with a Ctrl-\.
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


class Ending:
    """Which signal ended the command, if one did."""

    def __init__(self) -> None:
        self.code: int | None = None
        """The exit code: 128 and the signal's number, as shells count."""
        self.interrupts = True
        """Whether a signal interrupts: the first one does, until the command is over."""

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the command; whoever sends the signal once more ends it on the spot."""
        if self.code == 128 + number:
            give_back_cursor()
            os._exit(self.code)
        if self.code is None:
            self.code = 128 + number
        if not self.interrupts:
            return
        self.interrupts = False
        # An event loop has put its own handler there, which lets its tasks clean up.
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt):
            interrupt(signal.SIGINT, frame)
        else:  # a shell lets its background jobs ignore Ctrl-C
            raise KeyboardInterrupt


@contextmanager
def interrupted_by_signals(ending: Ending) -> Iterator[None]:
    """Let what ends the process interrupt the block instead; what is ignored stays so."""
    # Only the main thread may say what signals do.
    before = _handlers() if current_thread() is main_thread() else {}
    try:
        for number in before:
            is_ctrl_c = number == signal.SIGINT
            # Python's own, since an event loop takes the place of no other.
            own = signal.default_int_handler if is_ctrl_c else ending.interrupt
            signal.signal(number, own)
        yield
    finally:
        # Else the next signal would leave the handlers of the others where they are.
        ending.interrupts = False
        for number, handler in before.items():
            signal.signal(number, handler)


def _handlers() -> "dict[int, signal.Handlers | signal._HANDLER]":
    """Return what the signals do now; not those that are ignored, or another language's."""
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    found = {number: signal.getsignal(number) for number in numbers}
    kept = (signal.SIG_IGN, None)
    return {number: handler for number, handler in found.items() if handler not in kept}

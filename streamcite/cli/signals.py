"""Signals that end the command: what was being shown is put in order first, as with Ctrl-C."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

__all__ = ["Ending", "interrupted_by_signals"]

# Windows has no terminal that hangs up, and none with a Ctrl-\.
NAMES = ("SIGTERM", "SIGHUP", "SIGQUIT")


class Ending:
    """Which signal ended the command, if one did."""

    def __init__(self) -> None:
        self.code: int | None = None
        """The exit code: 128 and the signal's number, as shells count."""
        self.interrupts = True
        """Whether a signal interrupts: the first one does, until the command is over."""

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Interrupt the command; whoever sends the signal once more ends it on the spot."""
        signal.signal(number, signal.SIG_DFL)
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
    taken = [number for number in _numbers() if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in taken:
            signal.signal(number, ending.interrupt)
        yield
    finally:
        # Else the next signal would leave the handlers of the others where they are.
        ending.interrupts = False
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _numbers() -> list[signal.Signals]:
    # Only the main thread may say what signals do.
    names = NAMES if current_thread() is main_thread() else ()
    return [getattr(signal, name) for name in names if hasattr(signal, name)]

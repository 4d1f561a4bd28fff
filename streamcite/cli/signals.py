"""Signals that end the command: what was being shown is put in order first, as with Ctrl-C."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

import anyio

from streamcite.cli.cursor import give_back_cursor, keep_hidden, lent_cursor, lent_terminal

__all__ = ["Ending", "interrupted_by_signals"]

# Windows has no terminal that hangs up, and none with a Ctrl-\.
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP", "SIGCONT")

_STOP, _CONTINUE = getattr(signal, "SIGTSTP", None), getattr(signal, "SIGCONT", None)


class Ending:
    """Which signal ended the command, if one did.

    Args:
        owns_process: Whether there is nothing but the command in the process.
    """

    def __init__(self, *, owns_process: bool = False) -> None:
        self.code: int | None = None
        """The exit code: 128 and the signal's number, as shells count."""
        self.interrupts = True
        """Whether a signal raises KeyboardInterrupt, until the command is over."""
        self._owns_process = owns_process
        self._cancel: Callable[[], object] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stops = False

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """End the command; whoever sends the signal once more ends the process on the spot."""
        if self.code is not None:
            if self.code == 128 + number:
                self._leave(self.code)
            return
        self.code = 128 + number
        if self._cancel:
            self._cancel()
        elif self._owns_process:
            # An exception could get lost, or become another one, in whatever runs just now.
            self._leave(self.code)
        elif self.interrupts:
            raise KeyboardInterrupt

    def pause(self, number: int, frame: FrameType | None) -> None:
        """Stop, as Ctrl-Z asks for; whoever asks once more does not wait for the loop's turn."""
        if self._loop and not self._stops:
            self._stops = True
            self._loop.call_soon_threadsafe(self._stop_in_turn, number)
            return
        self._stops = False
        with lent_cursor():
            _stop(number)

    def _stop_in_turn(self, number: int) -> None:
        """Stop where nothing is being drawn, so that what is drawn can be taken away."""
        with lent_terminal():
            if self._stops:  # else it has stopped on the spot
                self._stops = False
                _stop(number)

    def run(self, call: Callable[..., Awaitable[int]], *arguments: object) -> int:
        """Run the call in an event loop, where a signal cancels it at one of its turns."""
        return anyio.run(self._run, call, arguments)

    async def _run(self, call: Callable[..., Awaitable[int]], arguments: tuple[object, ...]) -> int:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        self._loop = loop
        try:
            return await call(*arguments)
        except asyncio.CancelledError:
            if self.code is None:
                raise
            return self.code
        finally:
            self._cancel = self._loop = None

    def _leave(self, code: int) -> None:
        give_back_cursor()
        os._exit(code)


@contextmanager
def interrupted_by_signals(ending: Ending) -> Iterator[None]:
    """Let what ends the process interrupt the block instead; what is ignored stays so."""
    # Only the main thread may say what signals do.
    before = _handlers() if current_thread() is main_thread() else {}
    handlers = {_STOP: ending.pause, _CONTINUE: _go_on}
    try:
        for number in before:
            signal.signal(number, handlers.get(number, ending.interrupt))
        yield
    finally:
        # Else the next signal would leave the handlers of the others where they are.
        ending.interrupts = False
        for number, handler in before.items():
            signal.signal(number, handler)


def _go_on(number: int, frame: FrameType | None) -> None:
    """Go on, perhaps in the foreground, where the command was not before."""
    keep_hidden()


def _stop(number: int) -> None:
    handler = signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    # Here it goes on when it is continued.
    signal.signal(number, handler)


def _handlers() -> "dict[int, signal.Handlers | signal._HANDLER]":
    """Return what the signals do now; not those that are ignored, or another language's."""
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    found = {number: signal.getsignal(number) for number in numbers}
    kept = (signal.SIG_IGN, None)
    return {number: handler for number, handler in found.items() if handler not in kept}

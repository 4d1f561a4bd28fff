"""The terminal's cursor: whoever hides it is remembered, so that it comes back in any case."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.console import Console

__all__ = ["CursorConsole", "give_back_cursor", "lent_cursor"]

_SHOW, _HIDE = b"\x1b[?25h", b"\x1b[?25l"
# Below what was drawn there is at most half a line.
_ERASE_LINE = b"\r\x1b[K"

# Descriptors of the terminals where it is hidden.
_hidden: set[int] = set()


class CursorConsole(Console):
    """A console that remembers that it hid the cursor, and leaves the exit code to the command."""

    def show_cursor(self, show: bool = True) -> bool:
        """Show or hide the cursor; a signal may come at any point of this."""
        if not self.is_terminal:
            return super().show_cursor(show)
        descriptor = self.file.fileno()
        _hidden.add(descriptor)
        done = super().show_cursor(show)
        if show:
            _hidden.discard(descriptor)
        return done

    def on_broken_pipe(self) -> None:
        """Pass on what rich would end the process for."""
        raise BrokenPipeError


def give_back_cursor() -> None:
    """Show the cursor again where it is still hidden; Python's own buffers must be empty."""
    for descriptor in tuple(_hidden):
        _write(descriptor, _ERASE_LINE + _SHOW)
        _hidden.discard(descriptor)


@contextmanager
def lent_cursor() -> Iterator[None]:
    """Show the cursor while a shell has the terminal, and hide it again where it was hidden."""
    hidden = tuple(_hidden)
    for descriptor in hidden:
        _write(descriptor, _SHOW)
    yield
    for descriptor in hidden:
        _write(descriptor, _HIDE)


def _write(descriptor: int, codes: bytes) -> None:
    with suppress(OSError):  # the terminal has gone
        os.write(descriptor, codes)

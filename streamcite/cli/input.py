"""A file or standard input to bytes, while the event loop goes on."""

import asyncio
import os
import stat
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Thread
from typing import TextIO, TypeVar

import anyio

from streamcite.cli.failure import MISUSED, CommandError, tell

__all__ = ["STANDARD_INPUT", "is_standard_input", "is_typed", "opened", "pieces_of",
           "read_typed", "refuse_typed"]  # fmt: skip

# As much as a pipe holds; a shorter piece is read as soon as it is there.
PIECE = 1 << 16

STANDARD_INPUT = Path("/dev/stdin")
"""What a hyphen stands for where documents are given."""

_NAMES = (str(STANDARD_INPUT), "/dev/fd/0", "/proc/self/fd/0")

_END_KEY = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"

Result = TypeVar("Result")


def is_standard_input(path: Path) -> bool:
    """Tell whether a file is standard input: by one of its names, or as the same pipe."""
    if str(path) in _NAMES:
        return True
    try:
        is_same = os.path.samestat(path.stat(), os.fstat(0))
    except OSError:
        return False
    # A plain file that is opened twice is read twice.
    return is_same and _is_pipe(0)


@asynccontextmanager
async def opened(file: str) -> AsyncIterator[int]:
    """Open a file, or standard input for "-", and close what was opened.

    Raises:
        CommandError: The file cannot be opened.
    """
    if file == "-":
        source: TextIO | None = sys.stdin
        if source is None:
            raise CommandError("standard input is closed; give a file", MISUSED)
        if source.isatty():
            tell(f"reading from the terminal; {_END_KEY} ends the text")
        yield source.fileno()
        return
    try:
        # A named pipe opens when somebody writes to it.
        descriptor = await _abandonable(lambda: os.open(file, os.O_RDONLY))
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}", MISUSED) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def refuse_typed(documents: Iterable[Path]) -> None:
    """Refuse documents that would have to be typed.

    Raises:
        CommandError: Standard input is one of them, and a terminal.
    """
    source: TextIO | None = sys.stdin
    if source is not None and source.isatty() and any(map(is_standard_input, documents)):
        raise CommandError("documents are not typed: give a file or a folder, or a pipe", MISUSED)


def is_typed(file: str) -> bool:
    """Tell whether somebody types the file into the terminal that shows the answer too."""
    source: TextIO | None = sys.stdin
    is_shared = file == "-" or is_standard_input(Path(file))
    return is_shared and source is not None and source.isatty() and sys.stdout.isatty()


def read_typed() -> bytes:
    """Return all that is typed: an answer that grows would be drawn across what is echoed."""
    tell(f"reading from the terminal; the answer comes after {_END_KEY}")
    typed = sys.stdin.buffer.read()
    # The answer stands below a blank line.
    sys.stderr.write("\n" if not typed or typed.endswith(b"\n") else "\n\n")
    sys.stderr.flush()
    return typed


async def pieces_of(descriptor: int) -> AsyncGenerator[bytes, None]:
    """Yield bytes as soon as they are there; the event loop gets a turn before each piece.

    Raises:
        CommandError: It is a folder.
    """
    waits = _can_wait(descriptor)
    while True:
        try:
            if waits:
                await anyio.wait_readable(descriptor)
                piece = os.read(descriptor, PIECE)
            else:
                piece = await _abandonable(lambda: os.read(descriptor, PIECE))
        except IsADirectoryError as error:
            raise CommandError("the input is a folder; give a file", MISUSED) from error
        if not piece:
            return
        yield piece


def _can_wait(descriptor: int) -> bool:
    # Event loops wait for pipes and terminals; plain files are always ready, and Windows' loops
    # know sockets only.
    return sys.platform != "win32" and _is_pipe(descriptor)


def _is_pipe(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


async def _abandonable(call: Callable[[], Result]) -> Result:
    """Make a call that may block in a thread, which Ctrl-C leaves behind.

    The threads of anyio, and those of asyncio, are waited for before the process ends.
    """
    outcome: Future[Result] = Future()
    Thread(target=_settle, args=(outcome, call), daemon=True).start()
    return await asyncio.wrap_future(outcome)


def _settle(outcome: "Future[Result]", call: Callable[[], Result]) -> None:
    if not outcome.set_running_or_notify_cancel():
        return
    try:
        outcome.set_result(call())
    except BaseException as error:  # the caller's to judge
        outcome.set_exception(error)

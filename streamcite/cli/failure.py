"""What the command says beside its answer: exit codes, errors, and lines on stderr."""

import shutil
import sys
import textwrap
from contextlib import suppress
from typing import TextIO

from streamcite.cli.pieces import clean

__all__ = ["FAILED", "INTERRUPTED", "MISUSED", "PIPE_CLOSED", "CommandError", "tell"]

FAILED = 1
"""The stream failed, or ended before the reply was over."""
MISUSED = 2
"""Wrong usage, or input that cannot be read."""
INTERRUPTED = 130
"""Stopped by Ctrl-C: 128 and the signal's number, as shells count."""
PIPE_CLOSED = 141
"""The reader of the output has gone: the same with SIGPIPE."""


class CommandError(Exception):
    """Ends the command with a code and one line on stderr."""

    def __init__(self, message: str, code: int = FAILED) -> None:
        super().__init__(message)
        self.code = code


def tell(message: str) -> None:
    """Write one line on stderr; a terminal gets it broken between words."""
    output: TextIO | None = sys.stderr
    if output is None:  # it was closed by whoever started the command
        return
    # It may quote a server, or a file's name.
    line = clean(f"streamcite: {' '.join(message.split())}")
    if output.isatty():
        line = textwrap.fill(line, shutil.get_terminal_size().columns)
    with suppress(OSError):  # there is nobody left to tell
        output.write(f"{line}\n")
        output.flush()

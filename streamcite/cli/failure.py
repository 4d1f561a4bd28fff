"""Exit codes, and the exception that carries one with its message."""

__all__ = ["FAILED", "INTERRUPTED", "MISUSED", "PIPE_CLOSED", "CommandError"]

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

"""The command `streamcite`, and `python -m streamcite`: signals are heeded before it is loaded."""

import os
import signal
import sys
from contextlib import suppress
from types import FrameType

__all__ = ["main"]

# Windows has no terminal that hangs up, and none with a Ctrl-\.
NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")


def main() -> None:
    """Run the command and end the process with its exit code."""
    for number in [getattr(signal, name) for name in NAMES if hasattr(signal, name)]:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _leave)
    from streamcite.cli import main as command

    try:
        command()
    except SystemExit as left:
        if not isinstance(left.code, int):
            raise
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # closed, or with no reader
                stream.flush()
        # While Python takes itself apart it heeds no signal, or shows a traceback.
        os._exit(left.code)


def _leave(number: int, frame: FrameType | None) -> None:
    # Nothing is on the screen, or nothing more comes. An exception could get lost in an import.
    os._exit(128 + number)


if __name__ == "__main__":
    main()

"""From the command's arguments to its exit code: what failed, in one line."""

import logging
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import typer

from streamcite.cli.app import app
from streamcite.cli.cursor import give_back_cursor
from streamcite.cli.failure import FAILED, INTERRUPTED, MISUSED, PIPE_CLOSED, CommandError, tell
from streamcite.cli.signals import Ending, interrupted_by_signals
from streamcite.errors import StreamciteError

__all__ = ["run"]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code; errors are one line on stderr."""
    # With arguments of its own it is called by another program.
    ending = Ending(owns_process=arguments is None)
    try:
        with interrupted_by_signals(ending):
            try:
                code = _run(arguments, ending)
            finally:
                _empty(sys.stdout)
                _empty(sys.stderr)
                give_back_cursor()
    # Out here, since a signal may come while an error is told or the handlers are put back.
    except KeyboardInterrupt:
        code = INTERRUPTED
    return code if ending.code is None else ending.code


def _run(arguments: Sequence[str] | None, ending: Ending) -> int:
    output: TextIO | None = sys.stdout
    if output is None:  # it was closed by whoever started the command
        return _complain("standard output is closed", FAILED)
    _prepare_streams()
    try:
        return _invoke(arguments, ending)
    except CommandError as failure:
        return _complain(str(failure), failure.code)
    except StreamciteError as error:
        return _complain(str(error), MISUSED)
    except typer.Abort:
        return INTERRUPTED
    except BrokenPipeError:
        return PIPE_CLOSED
    except OSError as error:
        return _complain(_os_message(error), FAILED)


def _invoke(arguments: Sequence[str] | None, ending: Ending) -> int:
    try:
        code = app(
            None if arguments is None else list(arguments),
            prog_name="streamcite",
            standalone_mode=False,
            obj=ending,
        )
        sys.stdout.flush()
    except typer.Exit as left:
        return left.exit_code
    except SystemExit as left:
        # typer ends the process where a pipe is closed, with a code of its own.
        if isinstance(left.__context__, BrokenPipeError):
            return PIPE_CLOSED
        raise
    except Exception as error:
        # Misuse has a class of its own in typer, in another module with each release.
        if (message := getattr(error, "format_message", None)) is None:
            raise
        # typer passes on what pydantic puts before every message of a check.
        said = message().replace(": Value error, ", ": ", 1)
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else _command(arguments)
        return _complain(f"{said} ({command} --help lists what there is)", MISUSED)
    return code if isinstance(code, int) else 0


def _command(arguments: Sequence[str] | None) -> str:
    """Return the command that the arguments name; typer does not say where a value is missing."""
    first = next(iter(sys.argv[1:] if arguments is None else arguments), "")
    names = {each.callback.__name__ for each in app.registered_commands if each.callback}
    return f"streamcite {first}" if first in names else "streamcite"


def _prepare_streams() -> None:
    """Let no character that the terminal's encoding lacks end the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    # What is wrong with a PDF file it says in an exception too, or it has put it right.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def _complain(message: str, code: int) -> int:
    # Nobody is there to be told that nobody is there.
    if code != PIPE_CLOSED:
        tell(message)
    return code


def _empty(stream: TextIO | None) -> None:
    # Python flushes it once more at exit, which would fail again and set a code of its own.
    if stream is not None:
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _os_message(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)

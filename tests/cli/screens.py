"""Running the command in a real pseudo-terminal, and reading what a person sees there."""

import os
import re
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pexpect
import pyte

__all__ = ["COMMAND", "ENVIRONMENT", "Seen", "deaf", "interrupt", "lines_of", "play", "spawn"]

COMMAND = (sys.executable, "-P", "-c", "from streamcite.__main__ import main; main()")
ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
    "PYTHONPATH": str(ROOT),
    "TERM": "xterm-256color",
    "LANG": "C.UTF-8",
}

# Long enough for a loaded machine; a command that hangs fails.
PATIENCE = 60


class Seen(NamedTuple):
    """What a terminal showed by the end."""

    lines: list[str]
    """Every line, those that scrolled away included, without blanks at their ends."""
    code: int | None
    raw: str

    @property
    def links(self) -> set[str]:
        """The addresses that can be clicked."""
        return set(re.findall(r"\x1b\]8;[^;]*;([^\x1b\x07]+)", self.raw))


def interruptible() -> None:
    """Undo what a background job passes on, and `nohup`: that Ctrl-C and hanging up are ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def deaf() -> None:
    """Ignore Ctrl-C, as what a script starts in the background does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def spawn(
    arguments: Sequence[str],
    size: tuple[int, int] = (80, 24),
    env: Mapping[str, str] | None = None,
    before: Callable[[], None] = interruptible,
    command: Sequence[str] = COMMAND,
) -> "pexpect.spawn[str]":
    """Start the command in a terminal of so many columns and rows."""
    columns, rows = size
    return pexpect.spawn(
        command[0],
        [*command[1:], *arguments],
        env={**ENVIRONMENT, **(env or {})},
        dimensions=(rows, columns),
        encoding="utf-8",
        timeout=PATIENCE,
        preexec_fn=before,
    )


def play(
    arguments: Sequence[str], size: tuple[int, int] = (80, 24), env: Mapping[str, str] | None = None
) -> Seen:
    """Run the command to its end."""
    child = spawn(arguments, size, env)
    raw = child.read()
    child.close()
    return Seen(lines_of(raw, size), child.exitstatus, raw)


def interrupt(
    arguments: Sequence[str],
    pipe: Path,
    fed: str,
    shown: str,
    number: int | None = None,
    before: Callable[[], None] = interruptible,
) -> Seen:
    """Run the command, feed a pipe that it reads, and send a signal once something is shown.

    Args:
        arguments: Those of the command.
        pipe: Where it is made.
        fed: What is written to it.
        shown: What the command shows of that.
        number: The signal; by default Ctrl-C is pressed.
        before: What is done in the process before the command starts.
    """
    os.mkfifo(pipe)
    child = spawn(arguments, before=before)
    with pipe.open("w") as body:
        body.write(fed)
        body.flush()
        child.expect_exact(shown)
        raw = f"{child.before}{shown}"
        if number is None:
            child.sendintr()
        else:
            child.kill(number)
        raw += child.read()
    child.close()
    return Seen(lines_of(raw, (80, 24)), child.exitstatus, raw)


def lines_of(raw: str, size: tuple[int, int] = (80, 24)) -> list[str]:
    """Return what a terminal shows that gets this, and what has scrolled away above."""
    screen = pyte.HistoryScreen(*size, history=10_000)
    # The emulator shows links' escape sequences as text, which terminals do not.
    pyte.Stream(screen).feed(re.sub(r"\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)", "", raw))
    gone = ["".join(row[x].data for x in range(size[0])) for row in screen.history.top]
    lines = [line.rstrip() for line in (*gone, *screen.display)]
    while lines and not lines[-1]:
        lines.pop()
    return lines

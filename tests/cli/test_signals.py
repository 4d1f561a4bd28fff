"""Signals that end the command, at every moment of its life."""

import io
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import anyio
import anyio.lowlevel
import pexpect
import pytest

from tests.cli.screens import COMMAND, lines_of, spawn

pytest.importorskip("typer", reason="the command line needs the extra cli")

from streamcite.cli import main, run, signals
from streamcite.cli.signals import Ending, interrupted_by_signals

NUMBERS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Begin as a terminal starts a command, whatever started the tests; leave all as it was."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in NUMBERS}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def send(number: int) -> Callable[..., int]:
    """Make a function that sends a signal to this process."""

    def sends(*_: object) -> int:
        signal.raise_signal(number)
        return 0

    return sends


def put_back(number: int) -> Callable[..., object]:
    """Make a `signal.signal` during which a signal arrives, once, as a handler is put back."""
    real, left = signal.signal, [number]

    def puts(each: int, handler: signal.Handlers) -> object:
        if handler == signal.SIG_DFL and left:
            signal.raise_signal(left.pop())
        return real(each, handler)

    return puts


# What is running in `streamcite.cli.run`, what stands in for it, and the exit code.
MOMENTS = {
    "while an error is told": ("tell", send(signal.SIGTERM), 143),
    "while misuse is told": ("_complain", send(signal.SIGHUP), 129),
    "when the command returns": ("_run", send(signal.SIGTERM), 143),
    "while the first handler is put back": ("signal", put_back(signal.SIGTERM), 143),
    "while a handler is put back, the other": ("signal", put_back(signal.SIGHUP), 129),
    "Ctrl-C while an error is told": ("tell", send(signal.SIGINT), 130),
    "Ctrl-C while a handler is put back": ("signal", put_back(signal.SIGINT), 130),
    "Ctrl-C while the output is emptied": ("_empty", send(signal.SIGINT), 130),
}


@pytest.mark.parametrize(("name", "instead", "code"), MOMENTS.values(), ids=MOMENTS.keys())
def test_a_signal_at_any_moment_is_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, name: str, instead: Callable[..., object], code: int
) -> None:
    """No moment has a traceback."""
    monkeypatch.setattr(signal if name == "signal" else run, name, instead)

    with pytest.raises(SystemExit) as left:
        main(["cite", "missing"])
    assert left.value.code == code


@pytest.mark.parametrize("number", NUMBERS)
def test_the_handlers_are_put_back(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Each signal does afterwards what it did before, even if one arrives meanwhile."""
    monkeypatch.setattr(signal, "signal", put_back(number))

    with interrupted_by_signals(ending := Ending()):
        pass
    assert ending.code == 128 + number
    assert {signal.getsignal(each) for each in NUMBERS} == {signal.SIG_DFL}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_interrupts_the_block(number: int) -> None:
    """The exit code is 128 and the signal's number."""
    ending = Ending()

    with pytest.raises(KeyboardInterrupt), interrupted_by_signals(ending):
        signal.raise_signal(number)
    assert ending.code == 128 + number


def test_a_second_signal_does_not_disturb_the_first() -> None:
    """What is put in order is not interrupted again; service managers send both at once."""
    ending = Ending()

    with interrupted_by_signals(ending):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGHUP)
    assert ending.code == 143


def test_the_same_signal_once_more_ends_on_the_spot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever insists is not kept waiting by what is put in order."""
    left: list[int] = []
    monkeypatch.setattr(os, "_exit", left.append)

    with interrupted_by_signals(Ending()):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
    assert left == [143]


def test_a_process_of_its_own_is_left_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is raised where other code could make something else of it."""
    left: list[int] = []
    monkeypatch.setattr(os, "_exit", left.append)

    with interrupted_by_signals(Ending(owns_process=True)):
        signal.raise_signal(signal.SIGHUP)
    assert left == [129]


@pytest.mark.parametrize("number", [signal.SIGINT, *NUMBERS])
def test_an_event_loop_comes_to_its_end(number: int) -> None:
    """What runs there is cancelled, so that it can put its things in order."""
    seen = []

    async def waits() -> int:
        try:
            signal.raise_signal(number)
            seen.append("goes on to its next turn")
            await anyio.sleep_forever()
        finally:
            seen.append("ends")
        return 0

    with interrupted_by_signals(ending := Ending(owns_process=True)):
        assert ending.run(waits) == 128 + number
    assert seen == ["goes on to its next turn", "ends"]


# Sends itself a signal when a function of some file is called, or returns, for the first time.
SELF_SENDING = """
import os, sys, threading
number, file, name, kind = int(sys.argv[1]), *sys.argv[2:5]
del sys.argv[1:5]
def send(frame, event, _):
    code = frame.f_code
    if event == kind and code.co_name == name and code.co_filename.endswith(file):
        sys.setprofile(None)
        os.kill(os.getpid(), number)
sys.setprofile(send)
from streamcite.__main__ import main; main()
"""

ASK, CITE = ("ask", "Paris?"), ("cite", "{text}")
INT, TERM = signal.SIGINT, signal.SIGTERM

# A command, a signal, and when it comes: a file, a function in it, and what it does just then.
PLACES = {
    "an import": (ASK, TERM, "cli/app.py", "<module>", "call"),
    "an import by the commands": (CITE, INT, "cli/formats/terminal.py", "<module>", "return"),
    "options are checked": (ASK, TERM, "cli/flags.py", "to_options", "call"),
    "documents are indexed": (ASK, TERM, "retrieve/files.py", "read_documents", "call"),
    "the loop starts": (ASK, INT, "cli/signals.py", "run", "call"),
    "the writer is opened": (ASK, INT, "cli/output.py", "open_writer", "call"),
    "the cursor is being hidden": (ASK, INT, "cli/cursor.py", "show_cursor", "call"),
    "the cursor is hidden": (CITE, TERM, "cli/cursor.py", "show_cursor", "return"),
    "the writer is open": (CITE, INT, "cli/output.py", "open_writer", "return"),
    "the writer is being closed": (ASK, INT, "cli/formats/terminal.py", "close", "call"),
    "the writer is closed": (CITE, TERM, "cli/formats/live_area.py", "stop", "return"),
    "the loop is over": (CITE, INT, "cli/signals.py", "run", "return"),
    "the command is over": (CITE, TERM, "cli/run.py", "run", "return"),
}


@pytest.mark.parametrize(
    ("command", "number", "file", "name", "kind"), PLACES.values(), ids=PLACES.keys()
)
def test_a_signal_anywhere_gives_the_terminal_back(
    tmp_path: Path, command: tuple[str, str], number: int, file: str, name: str, kind: str
) -> None:
    """The cursor is shown, the exit code tells the signal, and there is no traceback."""
    text = tmp_path / "a.txt"
    text.write_text("Paris is a city.\n")
    if command is ASK:
        pytest.importorskip("aiostream", reason="asking needs the extra demo")
    script = (sys.executable, "-P", "-c", SELF_SENDING, str(int(number)), file, name, kind)

    arguments = [each.format(text=text) for each in command]
    child = spawn([*arguments, "-d", str(tmp_path)], command=script)
    raw = child.read()
    child.close()

    assert (child.exitstatus, "Traceback" in raw) == (128 + number, False)
    assert raw.rfind("\x1b[?25h") >= raw.rfind("\x1b[?25l")


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[tuple[Path, ExitStack]]:
    """A pipe that holds the beginning of an answer, and what ends it when it is closed."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with ExitStack() as end:
        descriptor = os.open(path, os.O_RDWR)
        end.callback(os.close, descriptor)
        os.write(descriptor, b"Paris is")
        yield path, end


def test_what_is_typed_is_not_shown_in_the_answer(pipe: tuple[Path, ExitStack]) -> None:
    """While an answer is drawn the terminal shows no keys, and does again behind it."""
    child = spawn(["cite", str(pipe[0])])
    child.expect_exact("Paris is")
    assert not child.getecho()
    child.send("typed")
    child.kill(signal.SIGTERM)

    assert "typed" not in child.read()
    assert child.getecho()


def test_a_stopped_command_lends_the_terminal(pipe: tuple[Path, ExitStack]) -> None:
    """The shell has the echo until the command goes on, and gets what was typed meanwhile."""
    shell = spawn(["-i"], command=["sh"])
    shell.sendline(shlex.join([*COMMAND, "cite", str(pipe[0])]))
    shell.expect_exact("Paris is")
    for _ in range(2):
        assert not shell.getecho()
        shell.sendcontrol("z")
        shell.expect_exact("Stopped")
        assert shell.getecho()
        shell.sendline("fg")
        shell.expect_exact("\x1b[?25l")
    shell.sendline("echo ty''ped")
    pipe[1].close()
    shell.expect_exact("typed")


def test_a_stopped_answer_is_drawn_below(tmp_path: Path, pipe: tuple[Path, ExitStack]) -> None:
    """Once it goes on, nothing of it stays above what the shell wrote, or stands across that."""
    (docs := tmp_path / "docs.jsonl").write_text('{"content": "a"}\n' * 3)
    shell = spawn(["-i"], size=(999, 24), env={"PS1": "$ "}, command=["sh"])
    shell.logfile_read = raw = io.StringIO()
    shell.sendline(shlex.join([*COMMAND, "cite", str(pipe[0]), "-d", str(docs)]))
    for key, shown in (("", "docs.jsonl:3"), ("\x1a", "Stopped"), ("fg\n", "\x1b[?25l")):
        shell.send(key)
        shell.expect_exact(shown)
    pipe[1].close()
    shell.sendline("exit")
    shell.expect_exact(pexpect.EOF)

    starts = [line[:4] for line in lines_of(raw.getvalue(), (999, 24))]
    assert [each for each in starts if each in ("$ fg", "Pari", "Sour")] == ["$ fg", "Pari", "Sour"]


def test_ctrl_z_twice_stops_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who does not wait for the loop's turn stops it on the spot, and goes on once."""
    ending, stops = Ending(), list[str]()
    monkeypatch.setattr(signals, "_stop", lambda _: stops.append("stopped"))

    async def is_busy() -> int:
        for _ in range(2):
            ending.pause(signal.SIGTSTP, None)
            stops.append("busy")
        await anyio.lowlevel.checkpoint()
        return 0

    assert ending.run(is_busy) == 0
    assert stops == ["busy", "stopped", "busy"]


def test_a_command_in_the_background_goes_on(pipe: tuple[Path, ExitStack]) -> None:
    """Who sends it there is not told that it wants to change the terminal."""
    shell = spawn(["-i"], command=["sh"])
    shell.sendline(shlex.join([*COMMAND, "cite", str(pipe[0])]))
    shell.expect_exact("Paris is")
    shell.sendcontrol("z")
    shell.expect_exact("Stopped")
    shell.sendline("bg")
    pipe[1].close()
    shell.sendline("wait; jobs; echo o''ver")

    shell.expect_exact("over")
    assert "Stopped" not in str(shell.before)


# How a command comes into the background: what is written behind it, what is done then.
TO_BACKGROUND = {"begun there": (" &", ()), "sent there": ("", ("\x1a", "bg\n"))}


@pytest.mark.parametrize("row", TO_BACKGROUND.values(), ids=TO_BACKGROUND.keys())
def test_a_command_that_comes_back_to_the_foreground(
    pipe: tuple[Path, ExitStack], row: tuple[str, tuple[str, ...]]
) -> None:
    """What is typed is not shown in its answer then."""
    end, keys = row
    shell = spawn(["-i"], env={"PS1": "$ "}, command=["sh"])
    shell.sendline(shlex.join([*COMMAND, "cite", str(pipe[0])]) + end)
    shell.expect_exact("Paris is")
    for key in keys:
        shell.send(key)
        shell.expect_exact("$ ")

    shell.sendline("fg")
    shell.waitnoecho(timeout=20)
    assert not shell.getecho()


def test_a_signal_that_is_ignored_stays_so() -> None:
    """What `nohup` starts does not end with its terminal."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with interrupted_by_signals(ending := Ending()):
        signal.raise_signal(signal.SIGHUP)
    assert ending.code is None

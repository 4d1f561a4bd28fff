"""Bytes of files, pipes and devices, and Ctrl-C while they are read."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.screens import COMMAND, PATIENCE, ROOT, interruptible

pytest.importorskip("typer", reason="the command line needs the extra cli")

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

# Opens a named pipe that nobody writes to, and gives up.
IMPATIENT = """
import anyio
from streamcite.cli.input import opened

async def main():
    with anyio.move_on_after(0.1):
        async with opened("pipe"):
            pass
    print("gave up", flush=True)

anyio.run(main)
"""

# An input that never waits and is longer than a test: a device without an end, and lines of JSON.
ENDLESS = {"a device": ("/dev/zero", ""), "a file": ("lines.jsonl", '"token"\n' * 2_000_000)}


def start(file: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Let the command cite a file."""
    return subprocess.Popen(
        [*COMMAND, "cite", str(file), *arguments],
        bufsize=0,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=interruptible,
    )


def interrupt(process: subprocess.Popen[bytes], shown: int) -> tuple[int, bytes, bytes]:
    """Press Ctrl-C once so much is shown; return the exit code and what both streams said."""
    assert process.stdout
    first = process.stdout.read(shown)
    process.send_signal(signal.SIGINT)
    try:
        rest, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, first + rest, errors


@pytest.mark.parametrize("row", ENDLESS.values(), ids=ENDLESS.keys())
def test_ctrl_c_ends_what_never_waits(tmp_path: Path, row: tuple[str, str]) -> None:
    """An input that is always ready leaves the event loop its turns."""
    name, text = row
    if text:
        (tmp_path / name).write_text(text)

    code, _, errors = interrupt(start(tmp_path / name), 1)

    assert (code, errors) == (130, b"")


@pytest.mark.parametrize("name", ["text", "markdown", "ndjson"])
def test_ctrl_c_leaves_a_file_where_it_is(tmp_path: Path, name: str) -> None:
    """What came so far stands there; nothing is said, and nothing added."""
    os.mkfifo(pipe := tmp_path / "pipe")
    process = start(pipe, "-f", name)

    with pipe.open("wb", buffering=0) as body:
        body.write(b"Paris so far.")
        code, output, errors = interrupt(process, 13)

    assert (code, errors) == (130, b"")
    assert output.count(b"\n") == (name == "ndjson")


def test_nobody_waits_for_a_pipe_that_never_opens(tmp_path: Path) -> None:
    """Who gives up on a named pipe is free at once, and so is the process at its end."""
    os.mkfifo(tmp_path / "pipe")

    command = [sys.executable, "-c", IMPATIENT]
    done = subprocess.run(
        command, env=ENVIRONMENT, cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"gave up\n", b"")


def test_a_named_pipe_is_read(tmp_path: Path) -> None:
    """The answer comes once somebody has written to the pipe."""
    os.mkfifo(pipe := tmp_path / "pipe")

    with subprocess.Popen(
        [*COMMAND, "cite", str(pipe)], env=ENVIRONMENT, stdout=subprocess.PIPE
    ) as process:
        pipe.write_text("Paris.")
        output, _ = process.communicate(timeout=PATIENCE)

    assert (process.returncode, output) == (0, b"Paris.\n")

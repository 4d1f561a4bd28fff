"""Reads the fenced blocks of a Markdown page and runs them as a reader would."""

import ast
import asyncio
import contextlib
import doctest
import inspect
import io
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^\n`]*)\n"
    r"(?P<body>.*?)^(?P=indent)(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
TITLE = re.compile(r'title="([^"]+)"')
# Stands above a block that needs what a test has not: `<!-- not run: needs a key -->`.
NOT_RUN = re.compile(r"<!-- not run: [^>]+ -->\s*\Z")
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)

RUN = ("cat ", "echo ", "printf ", "streamcite ", "python ")
# Commands for people who install or work on the project; the tests of these are elsewhere.
LEFT = (
    "python -m pip install ",
    "python -m tests.",
    "pytest",
    "ruff ",
    "mypy",
    "mkdocs ",
    "bash .ci/run",
)
SECONDS = 120  # bound for one command: a page that hangs must fail

MATCH = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page."""

    language: str
    title: str
    body: str
    line: int
    """Line of the page at which the body starts, from 1."""
    runs: bool
    """False if the page says why it is not run."""


def blocks(text: str) -> Iterator[Block]:
    """List the fenced blocks of a page in order."""
    for match in FENCE.finditer(text):
        words = match["info"].split() or [""]
        title = TITLE.search(match["info"])
        yield Block(
            language=words[0],
            title=title[1] if title else "",
            body=textwrap.dedent(match["body"]),
            line=text.count("\n", 0, match.start("body")) + 1,
            runs=not NOT_RUN.search(text[: match.start()]),
        )


def commands(block: Block) -> list[tuple[str, str]]:
    """List the commands of a console block, each with the output shown below it."""
    return [(match["command"], match["output"]) for match in COMMAND.finditer(block.body)]


def is_run(command: str) -> bool:
    """Tell whether the tests run such a command."""
    return command.startswith(RUN) and not command.startswith(LEFT)


@dataclass
class Reader:
    """Works through a page in a folder of its own: files, Python code, commands, output."""

    page: str
    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    printed: str = ""
    mismatches: list[str] = field(default_factory=list)

    def read(self, text: str) -> list[str]:
        """Run all blocks; return what was shown and did not come."""
        for block in blocks(text):
            if block.runs:
                self._follow(block)
        return self.mismatches

    def _follow(self, block: Block) -> None:
        if block.title == "Output":
            self._expect(block.body, self.printed, block.line)
        elif block.title:
            Path(block.title).write_text(block.body, "utf-8")
        if block.language == "python":
            self._execute(block)
        elif block.language == "console":
            self._type(block)

    def _execute(self, block: Block) -> None:
        source = "\n" * (block.line - 1) + block.body
        code = compile(source, self.page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            result = FunctionType(code, self.namespace)()
            if inspect.iscoroutine(result):
                asyncio.run(result)
        self.printed = printed.getvalue()

    def _type(self, block: Block) -> None:
        for command, output in commands(block):
            if is_run(command):
                shown = run_command(command)
                if output.strip():
                    self._expect(output, shown, block.line)

    def _expect(self, want: str, got: str, line: int) -> None:
        if not doctest.OutputChecker().check_output(want, got, MATCH):
            self.mismatches.append(f"{self.page}:{line}: shown:\n{want}\ncame:\n{got}")


def run_command(command: str) -> str:
    """Run a command line with this interpreter's scripts on the path; return all it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
    assert result.returncode == 0, f"$ {command}\nexit code {result.returncode}\n{result.stdout}"
    return result.stdout

"""Every file of examples/ runs as it stands, offline, and prints what it says it prints."""

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)

# A comment `# Output:`, then what is printed, each line behind `# `; "..." stands for anything.
OUTPUT = re.compile(r"^# Output:\n(?P<lines>(?:#.*(?:\n|\Z))+)", re.MULTILINE)
MATCH = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 120  # bound for one example: one that hangs must fail


def expected_output(source: str) -> str:
    """Read the output that an example promises; "..." if it promises none."""
    match = OUTPUT.search(source)
    return re.sub(r"^# ?", "", match["lines"], flags=re.MULTILINE) if match else "...\n"


@each_example
@pytest.mark.usefixtures("offline")
def test_an_example_prints_what_it_promises(example: Path, tmp_path: Path) -> None:
    """The example ends well, complains about nothing and prints its `# Output:`."""
    command = [sys.executable, str(example)]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS)

    assert (done.returncode, done.stderr) == (0, "")
    want = expected_output(example.read_text("utf-8"))
    assert doctest.OutputChecker().check_output(want, done.stdout, MATCH), done.stdout


@each_example
def test_an_example_says_what_it_shows(example: Path) -> None:
    """The first line of an example is a docstring."""
    assert ast.get_docstring(ast.parse(example.read_text("utf-8")))


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("print(1)\n# Output:\n# 1\n#  2\n", "1\n 2\n"),
        ("# Output:\n# a", "a"),
        ("x = 1\n", "...\n"),
    ],
)
def test_the_promise_is_read(source: str, output: str) -> None:
    """The comment behind `# Output:` is the promise; without one anything may be printed."""
    assert expected_output(source) == output


def test_there_are_examples() -> None:
    """The folder is not empty, so that the tests above test something."""
    assert EXAMPLES

"""The package: what it asks for when its extra is missing, and what its docstrings show."""

import inspect
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import streamcite.haystack

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
WITH_EXAMPLES = [
    name
    for name in streamcite.haystack.__all__
    if EXAMPLE.search(inspect.getdoc(getattr(streamcite.haystack, name)) or "")
]


def run(code: str) -> str:
    """Return what a program prints in a new interpreter."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_without_haystack_the_extra_is_named() -> None:
    """The error says what to install."""
    code = (
        "import sys; sys.modules['haystack'] = None\n"
        "from streamcite.errors import MissingExtraError\n"
        "try: import streamcite.haystack\n"
        "except MissingExtraError as error: print(error)"
    )

    printed = run(code)
    assert "haystack-ai is not installed" in printed
    assert "streamcite[haystack]" in printed


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_example_of_a_docstring_prints_what_it_says(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each runs as it stands; the lines behind `# >>` are its output."""
    found = EXAMPLE.search(inspect.getdoc(getattr(streamcite.haystack, name)) or "")
    assert found is not None
    file = tmp_path / "example.py"
    file.write_text(found[1], "utf-8")

    runpy.run_path(str(file))

    promised = re.findall(r"^# >> (.*)$", found[1], re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == promised


def test_every_component_shows_an_example() -> None:
    """Components and the callback have one."""
    assert set(WITH_EXAMPLES) == {
        "AnswerBuilder",
        "ChatPromptBuilder",
        "CitingCallback",
        "CitingChatGenerator",
        "DeepsetAnswerBuilder",
        "PromptBuilder",
    }

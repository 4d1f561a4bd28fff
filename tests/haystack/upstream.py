"""Runs Haystack's own tests for its builders on ours, with only the import changed.

Haystack's source distribution holds no tests, so they come from a checkout of its repository at
the tag of the version that is installed:

    git clone --depth 1 --branch v3.4.1 https://github.com/deepset-ai/haystack
    python -m tests.haystack.upstream haystack

The tests run on Haystack's builders first. What fails there says nothing about ours.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = Path("test", "components", "builders")

# Test file: (Haystack's module, ours). Where a test spells the module's name, in a type written
# to YAML, that is the import too.
IMPORTS = {
    "test_answer_builder.py": ("answer_builder", "answer_builder"),
    "test_prompt_builder.py": ("prompt_builder", "prompt_builders"),
    "test_chat_prompt_builder.py": ("chat_prompt_builder", "prompt_builders"),
}

_RESULT = re.compile(r"^(PASSED|FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)


def with_our_import(source: str, theirs: str, ours: str) -> str:
    """Return a test file that imports our module instead of Haystack's."""
    module = rf"\bhaystack\.components\.builders\.{theirs}\b"
    return re.sub(module, f"streamcite.haystack.{ours}", source)


def results(file: Path) -> dict[str, str]:
    """Run a test file and map each test to its result."""
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=no", "-c", os.devnull]
    options = ["-p", "no:cacheprovider", "--rootdir", str(file.parent), str(file)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HAYSTACK_TELEMETRY_ENABLED": "False"}
    done = subprocess.run(
        [*command, *options], env=environment, cwd=file.parent, capture_output=True, text=True
    )
    found = {name.partition("::")[2]: result for result, name in _RESULT.findall(done.stdout)}
    if not found:
        raise SystemExit(done.stdout + done.stderr)
    return found


def say(line: str) -> None:
    """Print for whoever runs the command."""
    sys.stdout.write(f"{line}\n")


def compare(checkout: Path, name: str, scratch: Path) -> bool:
    """Run a test file on both builders, say what came of it, and tell whether ours did as well."""
    source = (checkout / FOLDER / name).read_text("utf-8")
    outcomes = []
    for folder, text in (("theirs", source), ("ours", with_our_import(source, *IMPORTS[name]))):
        file = scratch / folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
        if (fixtures := checkout / "test" / "conftest.py").exists():
            shutil.copy(fixtures, file.parent)
        outcomes.append(results(file))
    theirs, ours = outcomes
    passed = [test for test, result in theirs.items() if result == "PASSED"]
    missed = [test for test in passed if ours.get(test) != "PASSED"]
    say(f"{name}: Haystack's passes {len(passed)} of {len(theirs)}, ours misses {len(missed)}")
    for test in missed:
        say(f"    {test}")
    return not missed


def main(arguments: list[str]) -> int:
    """Run the tests of a checkout."""
    if len(arguments) != 1:
        say(__doc__ or "")
        return 2
    checkout = Path(arguments[0])
    with tempfile.TemporaryDirectory() as scratch:
        names = [name for name in IMPORTS if (checkout / FOLDER / name).exists()]
        if not names:
            say(f"there are no tests of builders in {checkout / FOLDER}")
            return 2
        good = [compare(checkout, name, Path(scratch)) for name in names]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

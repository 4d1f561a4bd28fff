"""What the shared configuration does to skipped tests."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SKIPPING_TEST = "import pytest\ndef test_never() -> None: pytest.skip('no such thing here')\n"
SKIPPING_MODULE = "import pytest\npytest.importorskip('no_such_package')\n"


def run(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run pytest over one test file beside a copy of this project's conftest."""
    shutil.copy(Path(__file__).parent / "conftest.py", folder)
    (folder / "test_it.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("source", [SKIPPING_TEST, SKIPPING_MODULE], ids=["test", "module"])
def test_a_skip_fails_where_all_is_required(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With STREAMCITE_REQUIRE_ALL set, the run fails and says what was skipped and why."""
    monkeypatch.setenv("STREAMCITE_REQUIRE_ALL", "1")

    result = run(tmp_path, source)

    assert (result.returncode != 0, "yet this was skipped: " in result.stdout) == (True, True)


def test_a_skip_is_a_skip_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable a skipped test stays skipped."""
    monkeypatch.delenv("STREAMCITE_REQUIRE_ALL", raising=False)

    result = run(tmp_path, SKIPPING_TEST)

    assert (result.returncode, "1 skipped" in result.stdout) == (0, True)

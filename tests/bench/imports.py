"""How long `import streamcite` takes in a new interpreter."""

import os
import subprocess
import sys
from collections.abc import Mapping
from statistics import median
from tempfile import TemporaryDirectory

__all__ = ["import_time"]

_PROGRAM = (
    "from time import process_time as now; start = now(); import streamcite; print(now() - start)"
)


def import_time(quick: bool) -> Mapping[str, float]:
    """Measure it in the new interpreter itself, so that Python's own start does not count.

    The first one writes the bytecode, as an installation does, and is not counted.
    """
    command = [sys.executable, "-c", _PROGRAM]
    environment = {key: value for key, value in os.environ.items() if "BYTECODE" not in key}
    with TemporaryDirectory() as cache:
        environment["PYTHONPYCACHEPREFIX"] = cache
        times = [_seconds(command, environment) for _ in range(6 if quick else 16)]
    return {"import streamcite": median(times[1:]) * 1_000}


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)

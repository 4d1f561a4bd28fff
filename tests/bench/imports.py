"""How long `import streamcite` takes in a new interpreter."""

import subprocess
import sys
from collections.abc import Mapping
from statistics import median

__all__ = ["import_time"]

_PROGRAM = (
    "from time import perf_counter as now; start = now(); import streamcite; print(now() - start)"
)


def import_time(quick: bool) -> Mapping[str, float]:
    """Measure it in the new interpreter itself, so that Python's own start does not count."""
    command = [sys.executable, "-c", _PROGRAM]
    times = [
        float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(5 if quick else 15)
    ]
    return {"import streamcite": median(times) * 1_000}

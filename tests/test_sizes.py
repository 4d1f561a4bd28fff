"""The package stays small in its parts."""

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

import pytest

from tests.layers import modules

MODULES = modules()
MAX_FILE = 350
MAX_FUNCTION = 60
MEDIAN_FUNCTION = 8
MOST_FUNCTIONS = 30
each_module = pytest.mark.parametrize("path", MODULES.values(), ids=MODULES.keys())


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the name of each function and how many lines it has, its docstring included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


@each_module
def test_a_file_is_short(path: Path) -> None:
    """What does not fit has two subjects."""
    assert len(path.read_text("utf-8").splitlines()) <= MAX_FILE


@each_module
def test_a_function_is_short(path: Path) -> None:
    """What does not fit on a screen is more than one step, or a missing row in a table."""
    found = functions(path.read_text("utf-8"))

    assert [(name, count) for name, count in found if count > MAX_FUNCTION] == []


def test_most_functions_are_small() -> None:
    """Half of all have a few lines, nine in ten half a screen."""
    sources = [path.read_text("utf-8") for path in MODULES.values()]
    *_, ninth = quantiles((count for each in sources for _, count in functions(each)), n=10)

    assert median(count for each in sources for _, count in functions(each)) <= MEDIAN_FUNCTION
    assert ninth <= MOST_FUNCTIONS

"""The import rule: a file sees only rows beneath its own, and stages never one another."""

import ast
import subprocess
import sys
import tokenize
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.layers import (
    ASYNC,
    CORE,
    OWNERS,
    PACKAGE,
    ROOT,
    ROWS,
    head,
    imports,
    may_see,
    may_use,
    modules,
)

MODULES = modules()
KNOWN = frozenset(MODULES)
each_module = pytest.mark.parametrize(("module", "path"), MODULES.items(), ids=MODULES.keys())


def inside(source: str) -> set[str]:
    """List the package's own modules that a file imports."""
    return {name for name in imports(source, KNOWN) if name.split(".")[0] == PACKAGE}


def outside(source: str) -> set[str]:
    """List the packages that a file imports from neither here nor the standard library."""
    roots = {name.split(".")[0] for name in imports(source, KNOWN)}
    return roots - {PACKAGE} - sys.stdlib_module_names


@each_module
def test_every_file_has_a_row(module: str, path: Path) -> None:
    """The table names the file, or the folder that it lies in."""
    assert head(module) in ROWS, f"give {path} its row in tests/layers.py"


@each_module
def test_a_file_sees_only_what_lies_beneath(module: str, path: Path) -> None:
    """No import leads to the file's own row or above."""
    seen = inside(path.read_text("utf-8"))

    assert {target for target in seen if not may_see(module, target)} == set()


@each_module
def test_a_package_is_used_only_by_its_owner(module: str, path: Path) -> None:
    """pydantic, anyio, each SDK and each extra stand only in the files that own them."""
    used = outside(path.read_text("utf-8"))

    assert {package for package in used if not may_use(module, package)} == set()


@pytest.mark.parametrize("name", [name for name in MODULES if ".inputs." in name])
def test_an_adapter_runs_without_its_sdk(name: str) -> None:
    """An adapter imports its SDK under TYPE_CHECKING only."""
    guarded = ast.parse(MODULES[name].read_text("utf-8"))
    guarded.body = [node for node in guarded.body if not isinstance(node, ast.If)]

    assert outside(ast.unparse(guarded)) == set()


@each_module
def test_only_the_edge_is_async(module: str, path: Path) -> None:
    """`async` and `await` stand only in the stream and the faces."""
    with path.open("rb") as file:
        words = {token.string for token in tokenize.tokenize(file.readline)}

    assert head(module) in ASYNC or not words & {"async", "await"}


def test_nothing_is_allowed_in_vain() -> None:
    """Each row is that of a file or folder, and each owner imports its package."""
    sources = {name: path.read_text("utf-8") for name, path in MODULES.items()}
    used = {(package, head(name)) for name, text in sources.items() for package in outside(text)}

    assert {head(module) for module in MODULES} == ROWS.keys()
    assert {(name, owner) for name, owners in OWNERS.items() for owner in owners} <= used


def test_no_imports_go_in_a_circle() -> None:
    """The files of the package can be put in an order in which each sees earlier ones only."""
    graph = {name: inside(path.read_text("utf-8")) - {name} for name, path in MODULES.items()}

    assert set(TopologicalSorter(graph).static_order()) >= KNOWN


def test_import_streamcite_brings_no_extra() -> None:
    """In a new interpreter, `import streamcite` loads nothing that the core does not need."""
    code = "import sys, streamcite; print(*{name.split('.')[0] for name in sys.modules})"
    command = [sys.executable, "-c", code]

    loaded = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert set(loaded.split()) & (OWNERS.keys() - CORE) == set()


RULE = (
    ("streamcite.resolve", "streamcite.sources", True),
    ("streamcite.events", "streamcite.answers", True),
    ("streamcite.answers", "streamcite.events", False),
    ("streamcite.answers", "streamcite.answers", False),
    ("streamcite.resolve", "streamcite.scan.tags", False),
    ("streamcite.scan.tags", "streamcite.scan.markdown", True),
    ("streamcite.engine.citer", "streamcite.scan.tags", True),
    ("streamcite.engine.citer", "streamcite.engine.reply", True),
    ("streamcite.engine.citer", "streamcite.stream", False),
    ("streamcite.scan.tags", "streamcite.engine.citer", False),
    ("streamcite.stream", "streamcite", False),
    ("streamcite.haystack.callbacks", "streamcite.stream", True),
    ("streamcite.haystack.callbacks", "streamcite.cli.run", False),
    ("streamcite.cli", "streamcite.generators.local", True),
    ("streamcite.generators.local", "streamcite.cli", False),
)


@pytest.mark.parametrize(("module", "target", "allowed"), RULE)
def test_the_rule(module: str, target: str, allowed: bool) -> None:
    """The rule tells what may be seen from what may not."""
    assert may_see(module, target) == allowed


HIDDEN_IMPORTS = (
    "import streamcite.errors",
    "from streamcite.errors import StateError",
    "from streamcite import errors",
    "def later():\n    import streamcite.errors",
    "if TYPE_CHECKING:\n    from streamcite.errors import StateError",
    "import_module('streamcite.errors')",
)


@pytest.mark.parametrize("source", HIDDEN_IMPORTS)
def test_no_import_is_hidden(source: str) -> None:
    """An import is seen wherever it stands and however it is spelled."""
    assert inside(source) == {"streamcite.errors"}

"""What each module promises is what its `__all__` lists, sorted, and nothing else."""

import ast
import importlib
from pathlib import Path
from types import ModuleType

import pytest

import streamcite
from streamcite.errors import MissingExtraError

ROOT = Path(__file__).parents[1]
MAX_PUBLIC_NAMES = 25  # what a reader takes in at one look


def public_modules() -> list[str]:
    """Name every module whose path has no underscore in front of a part."""
    paths = sorted((ROOT / "streamcite").rglob("*.py"))
    parts = [path.relative_to(ROOT).with_suffix("").parts for path in paths]
    names = [".".join(part for part in each if part != "__init__") for each in parts]
    return [name for name in names if "._" not in name]


def path_of(module: str) -> Path:
    """Find the file of a module."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def order(name: str) -> tuple[bool, bool, str]:
    """Sort key: SHOUTING constants, then types, then functions."""
    return (not name.isupper(), not name[0].isupper(), name)


def load(module: str) -> object:
    """Import a module; one whose extra is missing is skipped."""
    try:
        return importlib.import_module(module)
    except MissingExtraError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("module", public_modules())
def test_every_promise_is_kept(module: str) -> None:
    """`__all__` is sorted and every name in it exists."""
    loaded = load(module)

    promised = list(getattr(loaded, "__all__", ()))

    assert promised == sorted((name for name in promised if hasattr(loaded, name)), key=order)


@pytest.mark.parametrize("module", public_modules())
def test_every_public_definition_is_promised(module: str) -> None:
    """A class or function without a leading underscore is in `__all__`."""
    tree = ast.parse(path_of(module).read_text("utf-8"))
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    defined = {node.name for node in tree.body if isinstance(node, kinds)}

    promised = set(getattr(load(module), "__all__", ()))

    assert {name for name in defined if not name.startswith("_")} <= promised


def test_the_top_is_small() -> None:
    """`streamcite` itself lists at most 25 names."""
    assert len(streamcite.__all__) <= MAX_PUBLIC_NAMES


def test_the_top_lists_all_it_shows() -> None:
    """Every public name that is no module is listed."""
    shown = {name for name, value in vars(streamcite).items() if not isinstance(value, ModuleType)}

    assert {name for name in shown if not name.startswith("_")} <= set(streamcite.__all__)

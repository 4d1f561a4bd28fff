"""Each extra brings what the errors that name it promise."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]


def brought_by(extra: str) -> set[str]:
    """Name the packages that an extra installs, by way of other extras too; words parted by _."""
    found: set[str] = set()
    for requirement in EXTRAS[extra]:
        if inner := re.fullmatch(r"streamcite\[(.+)\]", requirement):
            found.update(*(brought_by(each) for each in inner[1].split(",")))
        else:
            found.add(re.split(r"[^\w-]", requirement)[0].replace("-", "_"))
    return found


def complaints() -> list[tuple[str, ...]]:
    """List the (package, extra) of every MissingExtraError that spells out both."""
    paths = sorted((ROOT / "streamcite").rglob("*.py"))
    nodes = [node for path in paths for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    raised = [call.args for call in calls if ast.unparse(call.func) == "MissingExtraError"]
    spelled = [[arg.value for arg in args if isinstance(arg, ast.Constant)] for args in raised]
    return [tuple(map(str, values)) for values in spelled if len(values) == 2]


@pytest.mark.parametrize(("package", "extra"), complaints())
def test_an_error_names_the_extra_that_brings_the_package(package: str, extra: str) -> None:
    """Who follows the error's advice has the package."""
    assert package.replace("-", "_") in brought_by(extra)


def test_dev_brings_every_light_extra() -> None:
    """`dev` installs all that tests need; only the model is left out, for its size."""
    packages = {extra: brought_by(extra) for extra in EXTRAS}

    assert {extra for extra in packages if not packages[extra] <= packages["dev"]} == {"local"}


def test_the_core_is_two_packages() -> None:
    """Without an extra only pydantic and anyio are installed."""
    names = [re.split(r"\W", requirement)[0] for requirement in PROJECT["dependencies"]]

    assert names == ["anyio", "pydantic"]

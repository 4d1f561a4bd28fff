"""Importing the package where its extra is missing."""

import subprocess
import sys

import pytest

CODE = """
import sys
sys.modules[{package!r}] = None
from streamcite.errors import MissingExtraError
try:
    import streamcite.prompts
except MissingExtraError as error:
    print(error.package, error.extra)
"""


@pytest.mark.parametrize("package", ["jinja2", "filetype"])
def test_a_missing_package_names_the_extra(package: str) -> None:
    """Without Jinja2 or filetype the import says what to install."""
    command = [sys.executable, "-c", CODE.format(package=package)]

    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert output == f"{package} prompts\n"

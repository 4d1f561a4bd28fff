"""Checks a built wheel in an environment that has the core's dependencies and nothing else."""

from importlib import metadata, resources
from importlib.util import find_spec

import streamcite

files = resources.files("streamcite")
names = [str(path) for path in metadata.files("streamcite") or ()]

assert "site-packages" in str(files), f"not the installed wheel: {files}"
assert files.joinpath("py.typed").is_file(), "py.typed is missing"
assert any(name.endswith(".j2") for name in names), "the prompts' templates are missing"
assert "streamcite_command.py" in names, "what the command begins with is missing"
assert not any(name.startswith("tests/") for name in names), "tests are in the wheel"
assert metadata.version("streamcite") == streamcite.__version__
assert find_spec("typer") is None, "an extra is installed; the check shows nothing"

answer = streamcite.cite_text("Paris [2].", documents=["Berlin", "Paris"])
assert [document.content for document in answer.documents] == ["Paris"]

print(f"the wheel of streamcite {streamcite.__version__} cites without extras")

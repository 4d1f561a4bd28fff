"""What the README and the docs show is what happens: every block is run, offline."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.fences import LEFT, Block, Reader, blocks, commands, is_run

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)

MAX_PAGES = 10
MAX_FIRST_EXAMPLE = 15  # lines that a reader takes in before going on
NOT_FOR_USERS = {"contributing.md", "internals.md", "reference.md"}


def examples(page: Path) -> list[Block]:
    """List the blocks of a page that a reader would run."""
    found = blocks(page.read_text("utf-8"))
    return [block for block in found if block.language in {"python", "console"}]


@each_page
@pytest.mark.usefixtures("offline")
def test_every_block_does_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks of a page run in order, without a network, and print what stands below them."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)

    assert Reader(page.name).read(page.read_text("utf-8")) == []


@each_page
def test_every_command_is_run_or_left_on_purpose(page: Path) -> None:
    """No command of a console block goes unchecked because of its spelling."""
    shells = [block for block in examples(page) if block.language == "console" and block.runs]
    typed = [command for block in shells for command, _ in commands(block)]

    assert [each for each in typed if not is_run(each) and not each.startswith(LEFT)] == []


@each_page
def test_every_extra_named_exists(page: Path) -> None:
    """`streamcite[extra]` and `.[extra]` name extras that pyproject.toml has."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    named = re.findall(r"(?:streamcite|[\"'.])\[([a-z,]+)\][\"'`]", page.read_text("utf-8"))

    extras = {extra for group in named for extra in group.split(",")}
    assert extras <= set(project["optional-dependencies"])


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in NOT_FOR_USERS], ids=lambda page: page.name
)
def test_the_first_example_is_short(page: Path) -> None:
    """Each page for users has an example, and the first has at most 15 lines."""
    first = examples(page)[0]

    assert first.body.count("\n") <= MAX_FIRST_EXAMPLE


@each_page
def test_no_code_parts_a_cell(page: Path) -> None:
    """Of code with a `|` GitHub makes two cells; with a backslash before it, MkDocs shows that."""
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]

    assert [row for row in rows if "|" in "".join(re.findall("`[^`]*`", row))] == []


def test_the_docs_are_few_pages() -> None:
    """A reader can hold the table of contents in mind."""
    assert len(PAGES[1:]) <= MAX_PAGES


def test_every_page_is_in_the_navigation() -> None:
    """mkdocs.yml lists each page of the docs once."""
    listed = re.findall(r"[\w-]+\.md$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)

    assert sorted(listed) == [page.name for page in PAGES[1:]]


@pytest.mark.parametrize("name", ["upstream.Source", "sources.Sources", "options.CiteOptions"])
def test_types_of_cite_stand_in_the_reference(name: str) -> None:
    """What the signature of `cite` names can be looked up."""
    reference = (ROOT / "docs" / "reference.md").read_text("utf-8")

    assert f"::: streamcite.{name}\n" in reference

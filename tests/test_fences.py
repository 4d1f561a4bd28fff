"""The reader of pages finds every block and notices what differs."""

from pathlib import Path

import pytest

from tests.fences import Block, Reader, blocks, commands, is_run


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that a page writes go to a folder that is thrown away."""
    monkeypatch.chdir(tmp_path)


def test_a_block_is_read_with_its_place() -> None:
    """An indented fence is a block too; its line is that of its first line of code."""
    page = 'Text\n\n    ```python title="a.py"\n    x = 1\n    ```\n'

    assert list(blocks(page)) == [Block("python", "a.py", "x = 1\n", 4, True)]


def test_blocks_share_names() -> None:
    """A later block sees what an earlier one defined; both may await."""
    page = (
        "```python\nimport asyncio\nx = await asyncio.sleep(0, 1)\n```\n"
        "```python\nprint(x)\n```\n"
        '```text title="Output"\n1\n```\n'
    )

    assert Reader("page.md").read(page) == []


def test_a_failing_block_fails() -> None:
    """An error in a block is not swallowed."""
    with pytest.raises(ZeroDivisionError):
        Reader("page.md").read("```python\n1 / 0\n```\n")


def test_other_output_is_noticed() -> None:
    """Output that differs from what the page shows is reported with its line."""
    page = '```python\nprint(1)\n```\n```text title="Output"\n2\n```\n'

    assert Reader("page.md").read(page) == ["page.md:5: shown:\n2\n\ncame:\n1\n"]


def test_commands_read_the_files_of_the_page() -> None:
    """A titled block is a file that the next command finds."""
    page = '```json title="a.json"\n[1]\n```\n```console\n$ cat a.json\n[2]\n```\n'

    assert Reader("page.md").read(page) == ["page.md:5: shown:\n[2]\n\ncame:\n[1]\n"]


def test_a_failing_command_fails() -> None:
    """A command that a page shows must succeed."""
    with pytest.raises(AssertionError, match="exit code 1"):
        Reader("page.md").read("```console\n$ cat no-such-file\n```\n")


def test_a_block_may_say_why_it_is_not_run() -> None:
    """A comment above a block takes it out, and only it."""
    page = "<!-- not run: needs a key -->\n```python\n1 / 0\n```\n```python\nx = 1\n```\n"

    assert [block.runs for block in blocks(page)] == [False, True]


def test_a_command_may_take_several_lines() -> None:
    """A backslash at the end goes on with the command; what follows is output."""
    block = Block("console", "", "$ streamcite cite \\\n  x\nA\nB\n$ pytest\n", 1, True)

    assert commands(block) == [("streamcite cite \\\n  x", "A\nB\n"), ("pytest", "")]


@pytest.mark.parametrize(
    ("command", "run"),
    [("streamcite demo", True), ("python -m pip install x", False), ("rm -r /", False)],
)
def test_only_harmless_commands_are_run(command: str, run: bool) -> None:
    """Commands of users are run; installs and unknown ones are not."""
    assert is_run(command) == run

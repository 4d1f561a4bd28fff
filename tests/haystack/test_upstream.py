"""The command that runs Haystack's own tests on our builders."""

from pathlib import Path

import pytest

from tests.haystack import upstream
from tests.haystack.upstream import FOLDER, IMPORTS, main, with_our_import

SOURCE = """
from haystack.components.builders.answer_builder import AnswerBuilder

def test_both_can():
    assert AnswerBuilder().run(query="q", replies=["x"])["answers"][0].data == "x"

def test_only_ours_can():
    assert AnswerBuilder(reference_pattern=r"(\\d)-?").run(query="q", replies=["1"])

def test_only_haystacks_can():
    assert AnswerBuilder.__module__.startswith("haystack.")
"""


def checkout(folder: Path, source: str) -> str:
    """Make a folder that looks like Haystack's repository."""
    file = folder / FOLDER / "test_answer_builder.py"
    file.parent.mkdir(parents=True)
    file.write_text(source, "utf-8")
    return str(folder)


def test_only_the_import_is_changed() -> None:
    """Other modules whose name begins alike stay."""
    source = "from haystack.components.builders.prompt_builder import A\nimport haystack\n"

    changed = with_our_import(source, *IMPORTS["test_prompt_builder.py"])

    assert changed == "from streamcite.haystack.prompt_builders import A\nimport haystack\n"


def test_what_ours_misses_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A test that Haystack's passes and ours does not makes the command fail."""
    assert main([checkout(tmp_path, SOURCE)]) == 1

    printed = capsys.readouterr().out
    assert "passes 3 of 3, ours misses 1" in printed
    assert "test_only_haystacks_can" in printed


def test_all_is_well_if_nothing_is_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command succeeds; a test that fails on Haystack's builder does not count."""
    outcomes = iter([{"a": "PASSED", "b": "FAILED"}, {"a": "PASSED", "b": "FAILED"}])
    monkeypatch.setattr(upstream, "results", lambda file: next(outcomes))

    assert main([checkout(tmp_path, SOURCE)]) == 0


@pytest.mark.parametrize("arguments", [[], ["nowhere"]])
def test_without_a_checkout_it_says_how(arguments: list[str]) -> None:
    """It is no success to have run nothing."""
    assert main(arguments) == 2

"""The benchmarks run, and their texts have the shape that the targets are stated for."""

import re
from importlib import import_module

import pytest

from tests.bench.adversarial import ADVERSARIAL, Attack
from tests.bench.corpora import CORPORA, TRIGGERS, corpus, documents
from tests.bench.targets import TARGETS, Target

MODULES = "__main__ adversarial concurrency corpora growth imports memory patterns targets".split()


@pytest.mark.parametrize("name", [*MODULES, "throughput", "timing"])
def test_modules_import(name: str) -> None:
    """Every module of the benchmarks can be imported."""
    module = import_module(f"tests.bench.{name}")

    assert module.__doc__


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("length", [2_000, 20_000])
def test_corpora_have_the_length_asked_for(name: str, length: int) -> None:
    """A corpus has exactly as many tokens as it should, and the same ones each time."""
    tokens = corpus(name, length)

    assert (len(tokens), tokens) == (length, corpus(name, length))


def test_standard_tokens_have_about_4_2_characters() -> None:
    """Tokens of the standard corpus are as long as those of real models."""
    tokens = corpus("standard", 2_000)

    assert len("".join(tokens)) / len(tokens) == pytest.approx(4.2, abs=0.1)


@pytest.mark.parametrize(("name", "per_citation"), [("standard", 42), ("dense", 8)])
def test_citations_come_as_often_as_stated(name: str, per_citation: int) -> None:
    """There is a citation per 42 tokens of standard text and per 8 of dense text."""
    tokens = corpus(name, 2_000)

    found = re.findall(r"(?<!row)\[\d(?:, \d)?\]", "".join(tokens))
    assert len(tokens) / len(found) == pytest.approx(per_citation, rel=0.03)


def test_free_text_has_no_citation() -> None:
    """The citation-free corpus has code and links, and a bracket only in those."""
    text = "".join(corpus("free", 2_000))

    assert re.findall(r"\S*\[\d+\]", text) == ["row[1]", "row[1]"]


@pytest.mark.parametrize(("name", "count"), [("```", 4), ("`get_rows`", 5), ("](https", 3)])
def test_standard_text_is_marked_up(name: str, count: int) -> None:
    """An article has two code fences, inline code and links."""
    assert "".join(corpus("standard", 2_000)).count(name) == count


def test_six_percent_of_standard_tokens_hold_a_trigger() -> None:
    """Six tokens in a hundred hold a character at which the scanner must look."""
    tokens = corpus("standard", 2_000)

    triggers = sum(not TRIGGERS.isdisjoint(token) for token in tokens)
    assert triggers / len(tokens) == pytest.approx(0.06, abs=0.005)


def test_documents_cover_the_citations() -> None:
    """Every number of the corpora has a document."""
    numbers = re.findall(r"\[(\d)", "".join(corpus("dense", 2_000)))

    assert max(map(int, numbers)) == len(documents())


@pytest.mark.parametrize("attack", ADVERSARIAL, ids=lambda attack: attack.name)
def test_attacks_have_the_length_asked_for(attack: Attack) -> None:
    """An attack of so many tokens has so many tokens."""
    assert len(attack.tokens(300)) == 300


@pytest.mark.parametrize(("measured", "verdict"), [(1, "aim"), (2, "gate"), (3, "MISSED")])
def test_verdicts(measured: float, verdict: str) -> None:
    """A verdict names the better bound that a figure keeps."""
    target = Target("cost", gate=2, aim=1)

    assert target.verdict(measured) == verdict


def test_more_may_be_better() -> None:
    """Where more is better the bounds turn around."""
    target = Target("speed", gate=2, aim=4, higher=True)

    assert [target.verdict(each) for each in (1, 3, 5)] == ["MISSED", "gate", "aim"]


def test_names_of_targets_are_unique() -> None:
    """A target is found by its name."""
    names = [target.name for target in TARGETS]

    assert sorted(set(names)) == sorted(names)

"""The generator without a model."""

import pytest

from streamcite.generators import ExtractiveGenerator
from streamcite.generators.extractive import NOTHING_FOUND, compose
from streamcite.sources import Sources

TEXTS = (
    "Berlin is the capital of Germany. It has about four million inhabitants [7].",
    "# Paris\n\n- Paris is the capital of France.\n- Its great river is the Seine!",
    "フランスの首都はパリです、そして川はセーヌ川と呼ばれています。",
)


def test_the_answer_is_cited() -> None:
    """Every sentence is one of a document's, with that document's number before its end."""
    answer = compose("Which river flows through the capital of France?", Sources(TEXTS[:2]))

    assert answer == "Paris is the capital of France [2]. Its great river is the Seine [2]!"


def test_a_source_is_read_in_its_own_order() -> None:
    """What answers best comes first, and no sentence before the one that says what it is about."""
    texts = ["The old bridge is of stone. It is 90 metres long and 9 wide.", "A ferry is 90 feet."]
    answer = compose("How long and how wide is the bridge, and how long the ferry?", Sources(texts))

    assert answer.startswith("The old bridge is of stone [1]. It is 90 metres long and 9 wide [1].")


@pytest.mark.parametrize("marker", ["[7]", " [[7]]", "【1、2】", " [1—3]", "［7, 8］", " [1 ]"])
def test_what_looks_like_a_citation_is_left_out(marker: str) -> None:
    """A document's own markers would be numbers of something else."""
    answer = compose("How many inhabitants has Berlin?", Sources([f"Berlin has many{marker}."]))

    assert answer == "Berlin has many [1]."


def test_without_a_grammar_nothing_is_cited() -> None:
    """Where nothing is read as a citation, none is written."""
    answer = compose("Which river is in Paris?", Sources(TEXTS[:2]), None)

    assert answer == "Paris is the capital of France. Its great river is the Seine!"


def test_nothing_in_common_is_said() -> None:
    """Without a word in common there is no answer."""
    assert compose("Why do cats purr?", Sources(TEXTS)) == NOTHING_FOUND


def test_scripts_without_blanks_work() -> None:
    """A question in Japanese finds its sentence."""
    assert compose("首都はどこですか", Sources(TEXTS)).startswith("フランスの首都")


@pytest.mark.anyio
async def test_the_answer_streams() -> None:
    """Tokens are short, and together they are the answer."""
    sources = Sources(TEXTS)
    question = "What is the capital of France?"

    generator = ExtractiveGenerator(tokens_per_second=1e6)
    tokens = [token async for token in generator.stream(question, sources)]

    assert "".join(tokens) == compose(question, sources)
    assert max(map(len, tokens)) <= 8

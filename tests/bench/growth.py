"""Whether work grows with the text and with nothing else, on every corpus and every attack."""

from collections.abc import Awaitable, Callable, Mapping
from time import process_time
from typing import Any, NamedTuple

from streamcite import Citation
from tests.bench.adversarial import ADVERSARIAL
from tests.bench.corpora import CORPORA, TAG_OPTIONS, corpus
from tests.bench.timing import exponent, fed, in_turn, own_heap_only

__all__ = ["Growth", "attacks", "corpora", "growth_of"]


class Growth(NamedTuple):
    """How the work on a text grows with its length."""

    exponent: float
    seconds: float
    """What a token costs in the longer text."""


def corpora(quick: bool) -> Mapping[str, float]:
    """Measure the corpora; the worst exponent counts."""
    short, long = (2_000, 20_000) if quick else (20_000, 200_000)
    exponents = {}
    for name in (*CORPORA, "recorded"):
        tokens = corpus(name, long)
        options = TAG_OPTIONS if name == "tagged" else {}
        if tokens:
            exponents[f"  {name}"] = growth_of(tokens, short, options, 5 if quick else 9).exponent
    return {"growth exponent, corpora": max(exponents.values()), **exponents}


def attacks(quick: bool) -> Mapping[str, float]:
    """Measure the attacks: the worst exponent, and the worst mean cost of a token."""
    short, long = (2_000, 20_000) if quick else (20_000, 200_000)
    plain = growth_of(corpus("plain", long), short, {}, 5).seconds
    exponents, costs = {}, {}
    for attack in ADVERSARIAL:
        measured = growth_of(attack.tokens(long), short, attack.options, 3 if quick else 5)
        exponents[f"  {attack.name}: exponent"] = measured.exponent
        costs[f"  {attack.name}: cost"] = measured.seconds / plain
    return {
        "growth exponent, adversarial": max(exponents.values()),
        "worst adversarial token / plain token": max(costs.values()),
        **exponents,
        "  a citation for each token, made and kept: exponent": _citations(short, long),
        **costs,
    }


def _citations(short: int, long: int) -> float:
    """Measure what the collector makes of so many citations, with nothing else done."""

    def kept(count: int) -> Callable[[], Awaitable[float]]:
        async def measure() -> float:
            start = process_time()
            list(map(_citation, range(count)))
            return process_time() - start

        return measure

    with own_heap_only():
        samples = in_turn({"short": kept(short), "long": kept(long)}, 5)
    return exponent(min(samples["short"]), min(samples["long"]), long / short)


def _citation(number: int) -> Citation:
    place = 3 * number
    return Citation.trusted(f"c{number}", "[1]", None, 0, place, place + 3, (place, place), (), "1")


def growth_of(tokens: list[str], short: int, options: Mapping[str, Any], rounds: int) -> Growth:
    """Measure a text and its beginning."""
    candidates = {"short": fed(tokens[:short], options), "long": fed(tokens, options)}
    with own_heap_only():
        samples = in_turn(candidates, rounds)
    # The least of some rounds: what else the machine does only ever adds.
    least, most = min(samples["short"]), min(samples["long"])
    return Growth(exponent(least, most, len(tokens) / short), most / len(tokens))

"""Whether work grows with the text and with nothing else, on every corpus and every attack."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import process_time
from typing import Any, NamedTuple

from streamcite import Citation
from tests.bench.adversarial import ADVERSARIAL
from tests.bench.corpora import CORPORA, TAG_OPTIONS, corpus
from tests.bench.timing import exponent, fed, in_turn, own_heap_only

__all__ = ["Growth", "attacks", "corpora", "growth_of", "whole_texts"]


# What may be done with a text as it comes, beside what the default options do.
_WAYS: Mapping[str, Mapping[str, Any]] = {
    "as written": {},
    "removed": {"display": "remove"},
    "linked": {"display": "link"},
    "renumbered": {"display": "renumber"},
    "merged": {"merge_adjacent": True},
    "acm": {"reference_pattern": "acm"},
    "look-around": {"reference_pattern": r"(?<!\w)\[(\d+)\](?!\()"},
    "at the end": {"reference_pattern": r"\[(\d+)\]", "when": "at_end"},
}


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


def whole_texts(quick: bool) -> Mapping[str, float]:
    """Measure texts of some 20,000 and 200,000 code points that come all at once."""
    lengths, rounds = ((500, 5_000), 3) if quick else ((5_000, 50_000), 5)
    texts: dict[str, Callable[[int], list[str]]] = {"fences behind a long line": _fences}
    texts |= {name: partial(corpus, name) for name in CORPORA}
    ways = [
        (f"  {name}, {way}", tokens, options)
        for name, tokens in texts.items()
        for way, options in _WAYS.items()
    ]
    ways += [(f"  {each.name}, at once", each.tokens, each.options) for each in ADVERSARIAL]
    exponents = {
        name: _growth_at_once(tokens, lengths, options, rounds) for name, tokens, options in ways
    }
    return {"growth exponent, whole texts": max(exponents.values()), **exponents}


def _fences(length: int) -> list[str]:
    return ["word"] * (length // 2) + ["\n```\nx\n```\n"] * (length // 2)


def _growth_at_once(
    tokens: Callable[[int], list[str]],
    lengths: tuple[int, int],
    options: Mapping[str, Any],
    rounds: int,
) -> float:
    short, long = ("".join(tokens(length)) for length in lengths)
    with own_heap_only():
        samples = in_turn({"short": fed([short], options), "long": fed([long], options)}, rounds)
    return exponent(min(samples["short"]), min(samples["long"]), len(long) / len(short))


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
    return Citation.trusted(f"c{number}", "[1]", None, 0, place, place + 3, place, place, (), "1")


def growth_of(tokens: list[str], short: int, options: Mapping[str, Any], rounds: int) -> Growth:
    """Measure a text and its beginning."""
    candidates = {"short": fed(tokens[:short], options), "long": fed(tokens, options)}
    with own_heap_only():
        samples = in_turn(candidates, rounds)
    # The least of some rounds: what else the machine does only ever adds.
    least, most = min(samples["short"]), min(samples["long"])
    return Growth(exponent(least, most, len(tokens) / short), most / len(tokens))

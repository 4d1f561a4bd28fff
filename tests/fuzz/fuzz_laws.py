"""Invariant: laws 1 to 5 and 7 hold for every text, every cut and every combination of options.

    python -m tests.fuzz.fuzz_laws --minutes 30 --seed 1

Texts are made of biased fragments and of pieces of the case files and recorded streams. Each
kind of failure is printed once, with the shortest text found for it; the exit status says
whether there was one.
"""

import argparse
import asyncio
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tests import laws
from tests.cases import load_cases
from tests.strategies import OPTIONS, PATTERN_OPTIONS, PRELUDE, TOKENS, generate
from tests.transcripts import feedings, random_cut, seeded

Check = Callable[[str, dict[str, Any], random.Random], None]

MAX_EVERY_CUT = 10
MAX_LEAST_HELD = 30
# What is mutated is a window of a case: long texts hide what is hard in them.
MAX_PIECE = 60

_BREAKERS = "[]()`$\\<>/ \n1,^-【】\ue200\ue202\ue201\ud83dé"


def _mutate(text: str, source: random.Random) -> str:
    """Change a piece of a known text in some places."""
    start = source.randint(0, max(len(text) - MAX_PIECE, 0))
    characters = list(text[start : start + MAX_PIECE])
    for _ in range(source.randint(0, 4)):
        place = source.randint(0, len(characters))
        characters[place : place + source.randint(0, 2)] = source.choice(("", *_BREAKERS))
    return "".join(characters)


def texts(source: random.Random) -> Iterator[str]:
    """Yield texts without end."""
    known = [case.text for case in load_cases() if 0 < len(case.text) < 5_000]
    while True:
        yield generate(source)
        yield generate(source, 5)
        yield _mutate(source.choice(known), source)


def _lossless(text: str, options: dict[str, Any], source: random.Random) -> None:
    if laws.is_lossless(options):
        laws.check_lossless(random_cut(text, source), options)


def _bounded(text: str, options: dict[str, Any], source: random.Random) -> None:
    if "pattern" not in options:
        laws.check_bounded_hold(text, options)


def _least_held(text: str, options: dict[str, Any], source: random.Random) -> None:
    if "pattern" in options or "reference_pattern" in options or "max_marker_length" in options:
        return
    laws.check_least_held(text[:MAX_LEAST_HELD], options)
    if options.get("extract_xml_tags"):
        laws.check_least_held_tags(text[:MAX_LEAST_HELD], options)


def _linear(text: str, options: dict[str, Any], source: random.Random) -> None:
    if "reference_pattern" not in options:
        # A user's regex may cost the text times the longest marker.
        laws.check_linear(text, options)


def _every_cut(text: str, options: dict[str, Any], source: random.Random) -> None:
    if len(text) <= MAX_EVERY_CUT:
        laws.check_every_cut(text, options)


# One loop for all: making one costs more than a run.
_RUNNER = asyncio.Runner()


def _live(text: str, options: dict[str, Any], source: random.Random) -> None:
    for items in feedings(text, source):
        _RUNNER.run(laws.check_live(items, options))


def _live_tokens(text: str, options: dict[str, Any], source: random.Random) -> None:
    """Take no text but tokens, as a model would send them."""
    items = [PRELUDE] * source.randint(0, 1) + source.choices(TOKENS, k=source.randint(1, 14))
    try:
        _RUNNER.run(laws.check_live(items, options))
    except Exception as error:
        raise AssertionError(f"tokens {items!r}") from error


CHECKS: dict[str, Check] = {
    "1 any cut": laws.check_any_cut,
    "1 every cut": _every_cut,
    "1 live stream": _live,
    "1 live tokens": _live_tokens,
    "2 batch": lambda text, options, source: laws.check_batch(random_cut(text, source), options),
    "3 lossless": _lossless,
    "3 failing source": lambda text, options, source: laws.check_error_close([text], options),
    "4 no take-back": lambda text, options, source: laws.check_no_take_back([*text], options),
    "4 partial answers": lambda text, options, source: laws.check_partial_answers([*text], options),
    "5 bounded": _bounded,
    "5 least held": _least_held,
    "6 linear": _linear,
}
"""Law 7 is in all of them: whatever raises is a failure."""


class Findings:
    """The failures so far, the shortest text of each kind."""

    def __init__(self) -> None:
        self.shortest: dict[tuple[str, str, str], str] = {}
        self.count: Counter[str] = Counter()

    def add(self, law: str, options: dict[str, Any], text: str, error: Exception) -> None:
        """Take note of a failure; print it if it is the first of its kind, or a shorter one."""
        self.count[law] += 1
        place = traceback.extract_tb(error.__traceback__)[-1].name
        key = (law, f"{type(error).__name__} in {place}", str(options))
        if key not in self.shortest or len(text) < len(self.shortest[key]):
            self.shortest[key] = text
            lines = (f"law {law}: {key[1]}", str(options), repr(text), f"{error!s:.300}")
            print(*lines, sep="\n    ", flush=True)


def fuzz(minutes: float, seed: int) -> Findings:
    """Try texts for as long as this."""
    source = seeded(seed)
    findings = Findings()
    end = time.monotonic() + minutes * 60
    tried = 0
    for text in texts(source):
        options = source.choice((*OPTIONS, *OPTIONS, *PATTERN_OPTIONS))
        for law, check in CHECKS.items():
            try:
                check(text, options, source)
            except Exception as error:
                findings.add(law, options, text, error)
        tried += 1
        if time.monotonic() > end:
            break
    failures = dict(findings.count) or "no failure"
    print(f"seed {seed}: {tried} texts, {len(CHECKS)} checks each: {failures}")
    return findings


def main() -> int:
    """Run the fuzzer from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    return 1 if fuzz(arguments.minutes, arguments.seed).count else 0


if __name__ == "__main__":
    sys.exit(main())

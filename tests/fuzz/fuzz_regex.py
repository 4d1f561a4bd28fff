"""Random patterns, texts and cuts: the regex engine does exactly what `re` does, or refuses.

Invariants, each a function of `tests/scan/regex_oracles.py`:
- a `Matcher` finds the spans and groups of `re.finditer`, whatever the chunks;
- under a cap it finds, at each start, what `re` matches in the window of that length;
- an `Extractor` selects the span of `re.search`, and what it has shown it never takes back;
- an `Automaton` accepts what `re.fullmatch` accepts.

    python -m tests.fuzz.fuzz_regex --runs 1000000 --seed 0
"""

import argparse
import sys
import time
import warnings

from streamcite.errors import PatternError
from streamcite.scan.program import Program, compile_pattern
from tests.scan.regex_oracles import (
    check_automaton,
    check_cap,
    check_extractor,
    check_matcher,
    check_provisional,
)
from tests.scan.regex_strategies import Grammar, random_cut, random_text, seeded

TEXTS_PER_PATTERN = 6


def compiled(pattern: str, *, allow_empty: bool) -> Program | None:
    try:
        return compile_pattern(pattern, allow_empty=allow_empty)
    except PatternError:
        return None


def run(seed: int, runs: int) -> tuple[int, int]:
    """Make so many comparisons; return how many patterns were refused and compared."""
    done = refused = accepted = 0
    while done < runs:
        source = seeded(seed)
        pattern = Grammar(source).pattern()
        anywhere = compiled(pattern, allow_empty=True)
        program = compiled(pattern, allow_empty=False)
        refused += anywhere is None
        accepted += anywhere is not None
        for _ in range(TEXTS_PER_PATTERN if anywhere is not None else 0):
            text = random_text(source, pattern)
            chunks = random_cut(source, text)
            cap = source.randint(1, 6)
            try:
                done += _compare(anywhere, program, chunks, cap)
            except Exception as error:
                raise AssertionError(f"seed {seed}: {pattern!r} on {chunks!r}") from error
        seed += 1
    return refused, accepted


def _compare(anywhere: Program | None, program: Program | None, chunks: list[str], cap: int) -> int:
    count = 0
    if anywhere is not None:
        check_extractor(anywhere, chunks)
        check_provisional(anywhere, chunks)
        count += 1
        if not anywhere.has_assertions:
            check_automaton(anywhere, "".join(chunks))
            count += 1
    if program is not None:
        check_matcher(program, chunks)
        check_cap(program, chunks, cap)
        count += 2
    return count


def main() -> None:
    arguments = argparse.ArgumentParser(description="Compare the regex engine with `re`.")
    arguments.add_argument("--runs", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    warnings.simplefilter("ignore", FutureWarning)
    begun = time.perf_counter()
    refused, accepted = run(options.seed, options.runs)
    sys.stdout.write(
        f"{options.runs:,} runs, {accepted:,} patterns, {refused:,} refused, no difference, "
        f"{time.perf_counter() - begun:.0f} s\n"
    )


if __name__ == "__main__":
    main()

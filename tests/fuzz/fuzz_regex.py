"""Random patterns, texts and cuts: the regex engine does exactly what `re` does, or refuses.

Invariants, each a function below:
- a `Matcher` finds the spans and groups of `re.finditer`, whatever the chunks;
- under a cap it finds, at each start, what `re` matches in the window of that length;
- an `Extractor` selects the span of `re.search`, and what it has shown it never takes back;
- an `Automaton` accepts what `re.fullmatch` accepts.

    python -m tests.fuzz.fuzz_regex --runs 1000000 --seed 0
"""

import argparse
import re
import sys
import time
import warnings
from collections.abc import Iterable

from streamcite.errors import PatternError
from streamcite.scan.automaton import DEAD, Automaton
from streamcite.scan.extract import Extractor
from streamcite.scan.matcher import Matcher, RegexMatch
from streamcite.scan.program import Program, compile_pattern
from tests.scan.regex_strategies import Grammar, random_cut, random_text, seeded

# Start, end, and the group's span if it took part.
Found = tuple[int, int, tuple[int, int] | None]

TEXTS_PER_PATTERN = 6
UNCAPPED = 4_096


def matches_of(program: Program, chunks: Iterable[str], max_length: int) -> list[Found]:
    """What a matcher finds, passing over what cannot begin a match."""
    matcher, found = Matcher(program, max_length=max_length), list[RegexMatch]()
    for chunk in chunks:
        if matcher.idle and matcher.search(chunk) is None:
            matcher.skip(chunk)
        else:
            found += matcher.feed(chunk)
        if matcher.position - matcher.held_from > max_length + 1:
            raise AssertionError(f"{matcher.position - matcher.held_from} characters are held")
    found += matcher.close()
    return [_checked(match, "".join(chunks)) for match in found]


def _checked(match: RegexMatch, text: str) -> Found:
    assert match.text == text[match.start : match.end]
    if match.group_start is None or match.group_end is None:
        assert match.group is None
        return match.start, match.end, None
    assert match.group == text[match.group_start : match.group_end]
    return match.start, match.end, (match.group_start, match.group_end)


def found_by_re(match: re.Match[str]) -> Found:
    took_part = match.re.groups > 0 and match.start(1) >= 0
    return match.start(), match.end(), match.span(1) if took_part else None


def windowed(pattern: str, text: str, cap: int) -> list[Found]:
    """What `re` finds if no match is longer than the cap: the oracle for capped matchers."""
    head = re.match(r"(?:\(\?[imsx]+\))?", pattern)
    assert head is not None
    found, place = list[Found](), 0
    while place < len(text):
        rest = max(0, len(text) - place - cap)
        inner = f"{head[0]}(?:{pattern[head.end() :]})(?=[\\s\\S]{{{rest}}})"
        match = re.compile(inner).match(text, place)
        place = place + 1 if match is None else match.end()
        found += [found_by_re(match)] if match is not None else []
    return found


def shown_by(program: Program, chunks: list[str]) -> tuple[str, tuple[int, int] | None]:
    """What an extractor shows in all, and its final span; each step is checked."""
    extractor, shown, read = Extractor(program), "", ""
    for chunk in chunks:
        read += chunk
        shown += extractor.feed(chunk)
        if extractor.committed_span is not None:
            start, end = extractor.committed_span
            assert shown == read[start:end]
        best = extractor.snapshot
        assert 0 <= best.start <= best.end <= len(read)
        ended = re.search(program.pattern, read)
        assert ended is None or _answer(ended) == (best.start, best.end), (best, ended)
    return shown + extractor.close(), extractor.span


def _answer(match: re.Match[str]) -> tuple[int, int]:
    start, end, group = found_by_re(match)
    return group or (start, end)


def check_matcher(program: Program, chunks: list[str]) -> None:
    expected = [found_by_re(match) for match in re.finditer(program.pattern, "".join(chunks))]
    actual = matches_of(program, chunks, UNCAPPED)
    assert expected == actual, (expected, actual)


def check_cap(program: Program, chunks: list[str], cap: int) -> None:
    expected = windowed(program.pattern, "".join(chunks), cap)
    actual = matches_of(program, chunks, cap)
    assert expected == actual, (cap, expected, actual)


def check_extractor(program: Program, chunks: list[str]) -> None:
    text = "".join(chunks)
    match = re.search(program.pattern, text)
    shown, span = shown_by(program, chunks)
    expected = None if match is None else _answer(match)
    assert expected == span, (expected, span)
    assert shown == ("" if span is None else text[slice(*span)]), (shown, span)


def check_automaton(program: Program, text: str) -> None:
    automaton = Automaton(program)
    state, pattern = automaton.start, re.compile(program.pattern)
    for end in range(len(text) + 1):
        expected = pattern.fullmatch(text, 0, end) is not None
        assert expected == automaton.accepts(state), (text[:end], expected)
        if state == DEAD or end == len(text):
            break
        state = automaton.step(state, text[end])


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

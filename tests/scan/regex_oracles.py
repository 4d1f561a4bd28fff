"""What the regex engine must find, by way of `re`, and what it does find."""

import re
from collections.abc import Iterable
from itertools import product

from streamcite.scan.automaton import DEAD, Automaton
from streamcite.scan.extract import Extractor
from streamcite.scan.matcher import Matcher, RegexMatch
from streamcite.scan.program import Program

# Start, end, and the group's span if it took part.
Found = tuple[int, int, tuple[int, int] | None]
Span = tuple[int, int]

# Longer than every text of the tests.
UNCAPPED = 4_096

# A condition may wait for the character behind the longest match, and for one more.
LOOKAHEAD = 1


def by_re(match: re.Match[str]) -> Found:
    """A match of `re`."""
    took_part = match.re.groups > 0 and match.start(1) >= 0
    return match.start(), match.end(), match.span(1) if took_part else None


def whole(pattern: str, text: str) -> list[Found]:
    """What `re.finditer` finds."""
    return [by_re(match) for match in re.finditer(pattern, text)]


def windowed(pattern: str, text: str, cap: int) -> list[Found]:
    """What `re` finds if no match may be longer than the cap."""
    head = re.match(r"(?:\(\?[aimsx]+\))?", pattern)
    assert head is not None
    found, place = list[Found](), 0
    while place < len(text):
        rest = max(0, len(text) - place - cap)
        inner = f"{head[0]}(?:{pattern[head.end() :]})(?=[\\s\\S]{{{rest}}})"
        match = re.compile(inner).match(text, place)
        place = place + 1 if match is None else match.end()
        found += [by_re(match)] if match is not None else []
    return found


def selected(match: re.Match[str] | None) -> Span | None:
    """The answer text in a match."""
    if match is None:
        return None
    start, end, group = by_re(match)
    return group or (start, end)


def matched(match: RegexMatch, text: str) -> Found:
    """A match of ours, checked against the text."""
    assert match.text == text[match.start : match.end]
    if match.group_start is None or match.group_end is None:
        assert (match.group, match.group_start, match.group_end) == (None, None, None)
        return match.start, match.end, None
    assert match.group == text[match.group_start : match.group_end]
    return match.start, match.end, (match.group_start, match.group_end)


def streamed(program: Program, chunks: list[str], cap: int = UNCAPPED) -> list[Found]:
    """What a matcher finds, passing over what cannot begin a match."""
    matcher, found = Matcher(program, max_length=cap), list[RegexMatch]()
    for chunk in chunks:
        if matcher.idle and matcher.search(chunk) is None:
            matcher.skip(chunk)
        else:
            found += matcher.feed(chunk)
        assert 0 <= matcher.position - matcher.held_from <= cap + LOOKAHEAD
    found += matcher.close()
    assert matcher.held_from == matcher.position
    return [matched(match, "".join(chunks)) for match in found]


def check_matcher(program: Program, chunks: list[str]) -> None:
    """A matcher finds what `re.finditer` finds."""
    expected = whole(program.pattern, "".join(chunks))
    actual = streamed(program, chunks)
    assert expected == actual


def check_cap(program: Program, chunks: list[str], cap: int) -> None:
    """A capped matcher finds what `re` finds in windows."""
    expected = windowed(program.pattern, "".join(chunks), cap)
    actual = streamed(program, chunks, cap)
    assert expected == actual, cap


def check_extractor(program: Program, chunks: list[str]) -> None:
    """An extractor shows what `re.search` selects, and takes nothing back."""
    text = "".join(chunks)
    expected = selected(re.search(program.pattern, text))
    extractor = Extractor(program)
    shown = "".join(committed(extractor, chunks))
    assert expected == extractor.span
    assert shown == ("" if expected is None else text[slice(*expected)])


def committed(extractor: Extractor, chunks: list[str]) -> list[str]:
    """What is beyond recall with each chunk, and at the end; it must begin as before."""
    texts, text, known = list[str](), "", (-1, -1)
    for chunk in (*chunks, None):
        if chunk is None:
            extractor.close()
        else:
            text += chunk
            extractor.feed(chunk)
        start, end = extractor.committed_span or (-1, -1)
        assert known == (-1, -1) or (known[0] == start and known[1] <= end)
        texts.append(text[max(start, known[1]) : end] if start >= 0 else "")
        known = start, end
    return texts


def check_provisional(program: Program, chunks: list[str]) -> None:
    """With what is provisional the answer is what it would be if the text ended here."""
    extractor, text = Extractor(program), ""
    for chunk in chunks:
        text += chunk
        extractor.feed(chunk)
        start, end = extractor.committed_span or (0, 0)
        best = text[start:end] + extractor.uncommitted
        expected = selected(re.search(program.pattern, text))
        assert best in text
        assert expected is None or best == text[slice(*expected)]


def check_automaton(program: Program, text: str) -> None:
    """An automaton accepts the prefixes that `re.fullmatch` accepts."""
    automaton, pattern = Automaton(program), re.compile(program.pattern)
    state = automaton.start
    for end in range(len(text) + 1):
        assert automaton.accepts(state) == (pattern.fullmatch(text, 0, end) is not None)
        if state == DEAD or end == len(text):
            break
        state = automaton.step(state, text[end])


def texts(alphabet: str, most: int) -> list[str]:
    """Every text over an alphabet, up to a length."""
    lengths = range(most + 1)
    return ["".join(letters) for size in lengths for letters in product(alphabet, repeat=size)]


def certain(pattern: str, text: str, tails: Iterable[str]) -> tuple[list[Found], int]:
    """The matches that all continuations share, and where the first that differs may start."""
    results = [whole(pattern, text + tail) for tail in tails]
    shared = 0
    while all(result[shared : shared + 1] == results[0][shared : shared + 1] for result in results):
        if shared == len(results[0]):
            return results[0], len(text)
        shared += 1
    starts = [result[shared][0] for result in results if len(result) > shared]
    return results[0][:shared], min([len(text), *starts])

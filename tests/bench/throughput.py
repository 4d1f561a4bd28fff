"""What a token costs in one stream, against a bare generator, a regex and a re-run builder."""

import logging
import os
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median
from time import process_time

from streamcite.events import FreshPartial, PartialAnswer
from streamcite.grammar import BLANKS, DASHES, SEPARATORS
from tests.bench.corpora import CORPORA, TAG_OPTIONS, corpus, documents
from tests.bench.timing import cited, fed, in_turn, passed_through, ratio

__all__ = ["GRAMMAR", "answer_builder", "finditer", "pass_through"]

_B = f"[{BLANKS}]"
_ITEM = rf"\d{{1,9}}(?:{_B}*[{re.escape(DASHES)}]{_B}*\d{{1,9}})?"
_BODY = rf"{_B}*{_ITEM}(?:(?:{_B}*[{SEPARATORS}]{_B}*(?:\n{_B}*)?|{_B}+){_ITEM})*{_B}*"
GRAMMAR = re.compile(rf"\[\[{_BODY}\]\]|\[{_BODY}\]|【{_BODY}】|［{_BODY}］")
"""The default grammar as one regex, without any guard."""

GUARDED = re.compile(
    r"(?ms)^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^[ ]{0,3}(?P=fence)[`~]*[ ]*$"  # a fence
    r"|(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"  # inline code
    r"|\$\$.*?\$\$|\$(?![\s\d])[^$\n]*(?<!\s)\$(?!\d)"  # math
    r"|\\.|<[A-Za-z/][^>]*>|https?://[^\s<>]*"  # escapes, HTML, bare URLs
    r"|(?<!\!)\[[^\]\n]*\](?:\([^)\n]*\)|:)"  # links and definitions
    rf"|(?:{GRAMMAR.pattern})"
)
"""The same with what one regex can do of the guards: all but those that look at what is before."""


def pass_through(quick: bool) -> Mapping[str, float]:
    """Measure `cite()` on each corpus; the tagged one is printed, it has no target."""
    found: dict[str, float] = {}
    for name in (*CORPORA, "recorded"):
        tokens = corpus(name, 2_000)
        if not tokens:
            continue
        options = TAG_OPTIONS if name == "tagged" else {}
        candidates = {"bare": passed_through(tokens), "cite": cited(tokens, options)}
        samples = in_turn(candidates, 15 if quick else 151)
        found[f"{name} / pass-through"] = ratio(samples, "cite", "bare")
    return found


def finditer(quick: bool) -> Mapping[str, float]:
    """Measure `Citer.feed` against one regex over the finished text, join included.

    The target is a regex that leaves out most of what the engine leaves out: code, links, math. It
    takes about as long as the one that the target was set by, whose 131 ns a token, times 3.5, are
    the 458 ns of the prototypes. One of the grammar alone takes a seventh of that, and cites
    `arr[0]`; beside it stands the least time that a `feed` takes which makes one event for a token.
    """
    tokens = corpus("standard", 2_000)

    def search(pattern: re.Pattern[str]) -> Callable[[], Awaitable[float]]:
        async def measure() -> float:
            start = process_time()
            for _ in pattern.finditer("".join(tokens)):
                pass
            return process_time() - start

        return measure

    candidates = {
        "feed": fed(tokens, {}),
        "grammar": search(GRAMMAR),
        "guarded": search(GUARDED),
        "least": _listed(tokens),
    }
    samples = in_turn(candidates, 15 if quick else 151)
    return {
        "Citer.feed / one finditer": ratio(samples, "feed", "guarded"),
        "  the grammar alone": ratio(samples, "feed", "grammar"),
        "  the grammar alone, the least feed": ratio(samples, "least", "grammar"),
    }


def _listed(tokens: Sequence[str]) -> Callable[[], Awaitable[float]]:
    """Return the measuring of what any `feed` must do, with nothing cited."""

    def feed(token: str) -> list[PartialAnswer]:
        event: PartialAnswer = FreshPartial()
        event.delta = token  # type: ignore[misc]  # as in its `at`
        return [event]

    async def measure() -> float:
        start = process_time()
        for token in tokens:
            feed(token)
        return process_time() - start

    return measure


def answer_builder(quick: bool) -> Mapping[str, float]:
    """Measure Haystack's AnswerBuilder, run on the text so far after every token.

    At 2,000 tokens it runs 2,000 times. At 200,000 tokens it runs at the middle of each of 40
    equal stretches of the text; its cost grows with the text, so their mean is that of all runs.
    """
    lengths = {"2k": (2_000, 2_000), "200k": (200_000, 40)}
    found: dict[str, float] = {}
    for name, (length, runs) in lengths.items():
        tokens = corpus("standard", length)
        candidates = {"build": _rebuilt(tokens, runs), "cite": cited(tokens, {})}
        samples = in_turn(candidates, 3 if quick else 9)
        per_run = median(samples["build"]) / runs
        per_token = median(samples["cite"]) / length
        found[f"AnswerBuilder at every token / cite, {name}"] = per_run / per_token
    return found


def _rebuilt(tokens: Sequence[str], runs: int) -> Callable[[], Awaitable[float]]:
    os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
    import haystack
    from haystack.components.builders import AnswerBuilder

    # It warns of numbers without a document, and writing that would cost more than the rest.
    logging.getLogger("haystack").setLevel(logging.ERROR)
    builder = AnswerBuilder(reference_pattern=r"\[(\d+)\]")
    known = [haystack.Document(id=each.id, content=each.content) for each in documents()]
    stretch = len(tokens) // runs
    texts = ["".join(tokens[: count * stretch + (stretch + 1) // 2]) for count in range(runs)]

    async def measure() -> float:
        start = process_time()
        for text in texts:
            builder.run(query="q", replies=[text], documents=known)
        return process_time() - start

    return measure

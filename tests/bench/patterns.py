"""What a user's own `reference_pattern` costs, against the default grammar."""

from collections.abc import Mapping

from tests.bench.corpora import corpus
from tests.bench.growth import growth_of
from tests.bench.timing import cited, in_turn, ratio

__all__ = ["growth", "on_plain_text", "on_standard"]

_RANGES = r"\[(\d+(?:\s*[-–]\s*\d+)?(?:\s*,\s*\d+(?:\s*[-–]\s*\d+)?)*)\]"
_ARBITRARY = (
    r"(?<!\w)\[(\d+)\](?!\()",
    r"\b(?:see|source)\s+(\d+)\b",
    r"\w+ \[(\d+)\]",
    r"(?i)\(?(?:doc|report)\s*#?(\d+)\)?",
)
_FIXED = (r"\[(\d+)\]", r"【(\d+)】", r"\^(\d+)")
_BACKTRACKING = (r"\[([^\]]*)\]", r"(?:a|aa)+(\d)", r"a.*(\d)", r"\[(?:(\d+),?\s*)+\]")


def on_standard(quick: bool) -> Mapping[str, float]:
    """Measure each pattern and the default grammar in turn on the standard corpus."""
    tokens = corpus("standard", 2_000)
    named: dict[str, dict[str, object]] = {
        "acm": {"reference_pattern": "acm"},
        r"\[(\d+)\]": {"reference_pattern": r"\[(\d+)\]"},
        "expanded ranges": {"reference_pattern": _RANGES, "expand_reference_ranges": True},
    }
    named |= {f"  {pattern}": {"reference_pattern": pattern} for pattern in _ARBITRARY}
    candidates = {name: cited(tokens, options) for name, options in named.items()}
    samples = in_turn({"default": cited(tokens, {}), **candidates}, 9 if quick else 101)
    found = {f"{name} / default grammar": ratio(samples, name, "default") for name in named}
    worst = max(value for name, value in found.items() if name.startswith("  "))
    return {**found, "arbitrary pattern / default grammar": worst}


def on_plain_text(quick: bool) -> Mapping[str, float]:
    """Measure patterns with a fixed first character on text without it."""
    tokens = corpus("plain", 2_000)
    candidates = {pattern: cited(tokens, {"reference_pattern": pattern}) for pattern in _FIXED}
    samples = in_turn({"default": cited(tokens, {}), **candidates}, 15 if quick else 151)
    worst = max(ratio(samples, pattern, "default") for pattern in _FIXED)
    return {"fixed first character / default grammar": worst}


def growth(quick: bool) -> Mapping[str, float]:
    """Measure patterns that make a backtracking matcher hang, on the texts that do it.

    The shorter text is longer than `max_marker_length` too: up to there nothing is searched again.
    """
    short, long = (5_000, 50_000) if quick else (20_000, 200_000)
    texts = {
        "standard": corpus("standard", long),
        "openers": ["["] * long,
        "digits": ["[", *["11, "] * (long - 1)],
        "letters": ["aaaa"] * long,
    }
    exponents = {}
    for pattern in ("acm", *_ARBITRARY, *_BACKTRACKING):
        options = {"reference_pattern": pattern}
        for name, tokens in texts.items():
            measured = growth_of(tokens, short, options, 2)
            exponents[f"  {pattern} on {name}"] = measured.exponent
    return {"growth exponent, patterns": max(exponents.values()), **exponents}

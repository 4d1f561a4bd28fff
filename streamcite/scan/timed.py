"""Regexes that cannot be streamed, with a bound on the time that they may take."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

__all__ = ["TIMEOUT", "compile_timed", "search_timed"]

# Seconds of processor time that the search in one text may take. A long reply takes some
# milliseconds; a pattern that takes longer is exponential and would never come back.
TIMEOUT = 1.0


def compile_timed(pattern: str) -> "regex.Pattern[str] | None":
    """Compile a valid pattern for the `regex` package, as `re` reads it.

    Returns:
        Its pattern; None if the package is not installed or reads the pattern otherwise.
    """
    try:
        import regex
    except ImportError:
        return None
    try:
        return regex.compile(pattern, regex.VERSION0)
    except regex.error:
        return None


def search_timed(
    pattern: re.Pattern[str], timed: "regex.Pattern[str] | None", text: str
) -> "re.Match[str] | regex.Match[str] | None":
    """Return what `pattern.search` finds, by way of `timed` where there is one.

    Raises:
        TimeoutError: It takes too long.
    """
    if timed is None:
        return pattern.search(text)
    return timed.search(text, timeout=TIMEOUT, concurrent=True)

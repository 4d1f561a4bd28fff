"""Regexes that cannot be streamed, with a bound on the time that they may take."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

__all__ = ["TIMEOUT", "Allowance", "compile_timed", "search_timed"]

# Seconds of processor time that the searches in one reply may take. A long reply takes some
# milliseconds; a pattern that takes longer is exponential and would never come back.
TIMEOUT = 1.0


class Allowance:
    """The time that the searches in all texts of one reply may take together."""

    def __init__(self) -> None:
        self._left = TIMEOUT
        self.given_up: set[str] = set()
        """Patterns of which a search was given up, so that it is not known what they match."""

    @contextmanager
    def spending(self, pattern: str) -> Iterator[float]:
        """Give what is left, in seconds of processor time, and take what the body spends of it.

        Raises:
            TimeoutError: Nothing is left.
        """
        start = process_time()
        try:
            if self._left <= 0:
                raise TimeoutError
            yield self._left
        except TimeoutError:
            self.given_up.add(pattern)
            raise
        finally:
            self._left -= process_time() - start


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
    pattern: re.Pattern[str],
    timed: "regex.Pattern[str] | None",
    text: str,
    allowance: Allowance,
) -> "re.Match[str] | regex.Match[str] | None":
    """Return what `pattern.search` finds, by way of `timed` where there is one.

    Raises:
        TimeoutError: It takes too long.
    """
    if timed is None:
        return pattern.search(text)
    with allowance.spending(pattern.pattern) as left:
        return timed.search(text, timeout=left, concurrent=True)

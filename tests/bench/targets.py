"""What is to be reached: the table of section 4 of the performance page, as data."""

import sys
from dataclasses import dataclass

__all__ = ["TARGETS", "Target"]


@dataclass(frozen=True)
class Target:
    """One figure and its two bounds."""

    name: str
    gate: float
    """What must hold."""
    aim: float
    """What is wanted."""
    unit: str = ""
    higher: bool = False
    """Whether more is better."""

    def verdict(self, measured: float) -> str:
        """Say which bound the figure keeps."""
        sign = -1 if self.higher else 1
        if sign * measured <= sign * self.aim:
            return "aim"
        return "gate" if sign * measured <= sign * self.gate else "MISSED"


def _by_version(older: float, newer: float) -> float:
    """Choose the bound: since 3.12 an async generator costs more, so that the ratio falls."""
    return newer if sys.version_info >= (3, 12) else older


TARGETS = (
    Target("standard / pass-through", _by_version(3.8, 2.8), _by_version(2.7, 2.1), "×"),
    Target("free / pass-through", _by_version(2.6, 2.0), _by_version(1.9, 1.5), "×"),
    Target("dense / pass-through", 5.5, 4, "×"),
    Target("recorded / pass-through", 5, 4, "×"),
    Target("1,000 streams, typed / pass-through", 2.0, 1.5, "×"),
    Target("1,000 streams, SSE JSON / pass-through", 2.5, 1.8, "×"),
    Target("10,000 streams, typed / pass-through", 2.0, 1.5, "×"),
    Target("10,000 streams, SSE JSON / pass-through", 2.5, 1.8, "×"),
    Target("10,000 streams, SSE JSON", 200_000, 300_000, "tokens/s", higher=True),
    Target("AnswerBuilder at every token / cite, 2k", 60, 120, "×", higher=True),
    Target("AnswerBuilder at every token / cite, 200k", 1_000, 3_000, "×", higher=True),
    Target("Citer.feed / one finditer", 3.5, 2, "×"),
    Target("growth exponent, corpora", 1.05, 1.02),
    Target("growth exponent, adversarial", 1.05, 1.02),
    # Of a text in one piece all stays in memory at once, which a longer one has less near at hand.
    Target("growth exponent, whole texts", 1.15, 1.05),
    Target("worst adversarial token / plain token", 20, 8, "×"),
    Target("memory of an open stream", 2, 1, "KB"),
    # 0 is 1.2 × text + 8 KB, 1 is 2 × text + 12 KB.
    Target("memory of text, between aim 0 and gate 1", 1, 0),
    Target("containers kept per token", 0, 0),
    Target("import streamcite", 150, 80, "ms"),
    Target("acm / default grammar", 1.5, 1.5, "×"),
    Target(r"\[(\d+)\] / default grammar", 1.5, 1.5, "×"),
    Target("expanded ranges / default grammar", 1.5, 1.5, "×"),
    Target("arbitrary pattern / default grammar", 8, 8, "×"),
    Target("fixed first character / default grammar", 1, 1, "×"),
    Target("growth exponent, patterns", 1.05, 1.02),
)

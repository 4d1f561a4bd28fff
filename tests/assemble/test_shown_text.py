"""A text as it grows, and what became visible of it."""

import pytest

from streamcite.assemble.claims import claim_span
from streamcite.assemble.shown_text import MAX_LINE, ShownText
from tests.transcripts import documents, run


def test_settled_and_run() -> None:
    """What the caller writes is part of the text at once, and settled when it is asked for."""
    shown = ShownText()
    shown.keep("a ")
    shown.run.write("b")

    assert (shown.text, shown.length, shown.settled) == ("a b", 3, 2)
    assert shown.settle() == "b"
    assert (shown.text, shown.length, shown.settled) == ("a b", 3, 3)
    assert shown.settle() == ""


# Text, and its last line; None if that is too long to be known.
LINES = [
    ("", ""),
    ("a", "a"),
    ("a\nb", "b"),
    ("a\n", ""),
    ("a\n" + "b" * (MAX_LINE - 1), "b" * (MAX_LINE - 1)),
    ("a\n" + "b" * MAX_LINE, None),
]


@pytest.mark.parametrize(("text", "line"), LINES)
def test_last_line(text: str, line: str | None) -> None:
    """The last line is known if its beginning is near."""
    shown = ShownText()
    shown.keep(text)

    assert shown.last_line() == line


def test_claims_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of unknown markers do not make each claim look at all text before it."""
    lengths: list[int] = []

    def count(text: str, begin: int) -> tuple[int, int] | None:
        lengths.append(len(text))
        return claim_span(text, begin)

    monkeypatch.setattr("streamcite.assemble.shown_text.claim_span", count)
    reply = "word [99] " * 5_000
    run([reply], documents=documents(1))

    assert sum(lengths) <= 110 * len(reply)

"""The time that searches in one reply may take together."""

import pytest

from streamcite import CiteOptions, cite_text
from streamcite.scan.timed import Allowance
from tests.transcripts import documents

pytest.importorskip("regex", reason="needs the extra regex")

ENDLESS = r"((?:a|aa)+)\1b"
TAGS = {"extract_xml_tags": ("t", "u"), "answer_tag": "t"}


def test_all_searches_share_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one search took is not there for the next, and in the end none begins."""
    clock = iter([0, 0.75, 5, 5.5, 6, 6])
    monkeypatch.setattr("streamcite.scan.timed.process_time", clock.__next__)
    allowance, begun = Allowance(), []

    def search(pattern: str, *, ends: bool) -> None:
        with allowance.spending(pattern) as left:
            begun.append(left)
            if not ends:
                raise TimeoutError

    search("a", ends=True)
    for pattern in ("b", "c"):
        with pytest.raises(TimeoutError):
            search(pattern, ends=False)
    assert (begun, allowance.given_up) == ([1.0, 0.25], {"b", "c"})


TIMED = [
    (CiteOptions(pattern=ENDLESS, **TAGS), ("{}", "<t>{}</t>", "<t>{}</t><t>{}</t>x")),
    *(
        (
            CiteOptions(reference_pattern=ENDLESS, when="at_end", display=display, **TAGS),
            ("{}", "<u>{}</u>x", "<t>{}</t>", "<t>{}</t><u>{}</u>x<t>{}</t>"),
        )
        for display in ("keep", "remove")
    ),
]


@pytest.mark.parametrize(
    ("options", "text"), [(options, text) for options, texts in TIMED for text in texts]
)
def test_a_search_that_is_given_up_is_told(
    monkeypatch: pytest.MonkeyPatch, options: CiteOptions, text: str
) -> None:
    """Whatever sections it was in, there is one warning."""
    monkeypatch.setattr("streamcite.scan.timed.TIMEOUT", 0.02)
    answer = cite_text(text.replace("{}", "a" * 60), documents=documents(1), options=options)

    assert [each.code for each in answer.warnings].count("pattern-timeout") == 1

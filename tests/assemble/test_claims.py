"""Which words a citation stands for."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite.assemble.claims import MAX_CLAIM, MAX_SEARCHED, MAX_TRIES, claim_span

# The text between the citation before and the marker, and the claim in it.
ROWS = [
    ("Paris is big ", "Paris is big"),
    ("It rains. Paris is big ", "Paris is big"),
    ("It rains. Paris is big. ", "Paris is big."),
    (" and old ", "and old"),
    (". It is old ", "It is old"),
    ("First.\nSecond ", "Second"),
    ("One\n\nTwo\n", "Two"),
    ("He said “yes.” Then left ", "Then left"),
    ("about 3.5 km ", "about 3.5 km"),
    ("see e.g. here ", "see e.g. here"),
    ("Up 3.5, 4.1 and 5.2. It fell 0.5 ", "It fell 0.5"),
    ("It was 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7 ", "It was 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7"),
    ("Yes. Now 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7 ", "Now 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7"),
    ("A day.\nOr 1.2 of it ", "Or 1.2 of it"),
    ("Yes… Now ", "Now"),
    ("Yes! Or 1.5? Now 2.5 ", "Now 2.5"),
    ("Really?! No ", "No"),
    ("山高。水深", "水深"),
    ("山高！", "山高！"),
    ("(so it is) ", "(so it is)"),
    ("山高。　水深　", "水深"),
    ("山高。　", "山高。"),
    ("　", None),
    ("\u2003\u2028", None),
    # Full stops that shorten a word.
    ("It rains. Dr. Smith found it ", "Dr. Smith found it"),
    ("In Fig. 3 it is shown ", "In Fig. 3 it is shown"),
    ("It is approx. 5 km ", "It is approx. 5 km"),
    ("The U.S. Army is big ", "The U.S. Army is big"),
    ("It is far (approx. 5 km) ", "It is far (approx. 5 km)"),
    ("It is (so far. Then ", "Then"),
    ("See (e.g. Berlin) there ", "See (e.g. Berlin) there"),
    ("Yes! In St. Gallen ", "In St. Gallen"),
    ("So it is ca. 5, says z. B. Ann ", "So it is ca. 5, says z. B. Ann"),
    ("See **Fig. 3** for it ", "See **Fig. 3** for it"),
    ("\tDr. No is ", "Dr. No is"),
    ("It—Dr. Foo is ", "Foo is"),
    ("George W. Bush ", "Bush"),
    ("J. R. R. Tolkien ", "J. R. R. Tolkien"),
    ("He said no. 5 came ", "He said no. 5 came"),
    ("He said no. Then he left ", "Then he left"),
    ("He took vitamin C. It helps ", "It helps"),
    ("Look at approximate. Then ", "Then"),
    ("山高Dr. Li ", "Li"),
    # Signs before the words.
    (", Rome ", "Rome"),
    (") and Rome ", "and Rome"),
    ("- Paris is old ", "Paris is old"),
    ("One\n  * Two ", "Two"),
    ("## Title ", "Title"),
    ("> > said ", "said"),
    ("| a | b ", "a | b"),
    ("1. Paris ", "Paris"),
    ("**Bold** word ", "**Bold** word"),
    ("-> there ", "-> there"),
    ("-5 degrees ", "-5 degrees"),
    ("“so” it is ", "“so” it is"),
    (" - ", None),
    (" | ", None),
    ("- - ", None),
    ("", None),
    ("  ", None),
    (", ", None),
    (".\n", None),
    ("; ", None),
]


@pytest.mark.parametrize(("text", "claim"), ROWS)
def test_claim(text: str, claim: str | None) -> None:
    """A claim goes from the end of the sentence or citation before it to the marker."""
    span = claim_span(text)

    assert (None if span is None else text[span[0] : span[1]]) == claim
    assert claim_span(text, 7) == (span and (7 + span[0], 7 + span[1]))


@pytest.mark.parametrize("gap", ["\n", " "])
@pytest.mark.parametrize("claim", ["It is old", "Is it 3.5?! It", "山高", "Él"])
def test_claim_of_a_long_text(claim: str, gap: str) -> None:
    """However much stands before it, on its line or not, a claim is the same."""
    text = f"{'word ' * MAX_SEARCHED}end.{gap}{claim}"

    assert claim_span(text) == (len(text) - len(claim.rpartition("! ")[2]), len(text))


@pytest.mark.parametrize("count", range(2 * MAX_TRIES + 2))
@pytest.mark.parametrize("before", ["", "word " * MAX_SEARCHED])
def test_numbers_end_no_sentence(before: str, count: int) -> None:
    """However many numbers stand in it, a sentence begins behind the one before."""
    claim = "Now " + "1.5 " * count + "x"
    text = before + "end. " + claim

    assert claim_span(text) == (len(text) - len(claim), len(text))


# The rules in one piece; a search through all of the text finds every end of a sentence.
SENTENCE_END = re.compile(
    r"\n|[。！？][”’」』）]*|[.!?…][\"'”’»)\]]*[ \t]+(?![a-zà-öø-ÿ])",
)
PIECES = [
    *("a", "É", "é", " ", "  ", ".", "! ", "?", "…", "。", "\n", "”", "1.5 ", " x" * 120),
    *(" Dr. ", " (no. ", "5", " U.S. ", " - ", ","),
]
LEAD = re.compile(r"(?:[ \n,”]|-(?= ))*")


def is_shortened(text: str, match: re.Match[str]) -> bool:
    """Tell whether a full stop only shortens the word before it."""
    word = re.search(r"(?:^|[ \n])\(*([^ \n(]*)\.\Z", text[: match.start() + 1])
    if word is None or not re.fullmatch(r"[a-z]|Dr|no|[a-zA-Z](?:\.[a-zA-Z])+", word[1]):
        return False
    return word[1] != "no" or text[match.end()].isdigit()


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join), st.sampled_from("xX"))
def test_short_cuts_say_the_same(text: str, word: str) -> None:
    """A claim begins where a plain search says that the last sentence before it ended."""
    text = (text + word)[-MAX_CLAIM:]
    ends = [match.end() for match in SENTENCE_END.finditer(text) if not is_shortened(text, match)]
    lead = LEAD.match(text, max(ends, default=0))

    assert lead is not None
    assert claim_span(text) == (lead.end(), len(text))


def test_bound() -> None:
    """What is further back than the bound is no part of the claim."""
    assert claim_span("a" * 2 * MAX_CLAIM, 5) == (5 + MAX_CLAIM, 5 + 2 * MAX_CLAIM)


def test_hostile_text() -> None:
    """A text full of marks is read once."""
    assert claim_span(". " * 5_000 + "X") == (10_000, 10_001)
    assert claim_span("." * 10_000) is None

"""A stretch of text, with a scanner only when one is needed."""

from streamcite import CiteOptions
from streamcite.assemble.assembler import Assembler
from streamcite.engine.strand import Strand
from streamcite.scan.places import Place
from streamcite.sources import Sources


def strand(options: CiteOptions) -> Strand:
    """Return a strand of the text outside all tags."""
    assembler = Assembler(options, Sources(), None, query="", meta=None, prompt=None)
    return Strand(options, assembler.outer, None, None, simple=True)


def test_plain_text_needs_no_scanner() -> None:
    """A scanner is made when text must be read, and knows what was passed before."""
    text = strand(CiteOptions())
    text.skip("a word")

    assert text.maybe_scanner is None
    assert text.scanner.look_back.left == "a word"  # type: ignore[attr-defined]  # of the default


def test_the_place_is_the_scanners() -> None:
    """Where the text stands does not depend on whether there is a scanner."""
    early, late = strand(CiteOptions()), strand(CiteOptions())
    early.scanner.feed("`")
    code = early.place
    late.go_to(code)

    assert isinstance(code, Place)
    assert late.place is late.scanner.place is code
    assert late.search is late.scanner.search is code.search


def test_patterns_have_a_scanner_at_once() -> None:
    """A scanner that has no places is asked about every text."""
    assert strand(CiteOptions(reference_pattern=r"<(\d)>")).maybe_scanner is not None


def test_begin_anew() -> None:
    """What follows is a text of its own."""
    text = strand(CiteOptions())
    text.scanner.feed("`a")
    text.begin_anew()

    assert text.place.in_text
    assert text.scanner.held == ""

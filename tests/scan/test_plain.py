"""Text in which nothing is looked for."""

from streamcite.scan.plain import PlainScanner
from streamcite.spans import Text


def test_all_is_text() -> None:
    """Without markers to look for, all text is passed on at once."""
    scanner = PlainScanner()

    assert scanner.feed("a [1] <") == [Text("a [1] <")]
    assert scanner.feed("") == []
    assert (scanner.held, scanner.close()) == ("", [])


def test_nothing_is_searched_for() -> None:
    """No text needs to be fed: all of it can be skipped."""
    scanner = PlainScanner()

    assert scanner.search("a [1] <") is None
    scanner.skip("a")
    assert scanner.steps == 0


def test_stops() -> None:
    """Another scanner's sake can make it stop at some characters."""
    search = PlainScanner("<]").search

    assert search("a b") is None
    assert search("a < b") is not None
    assert search("a ] b") is not None

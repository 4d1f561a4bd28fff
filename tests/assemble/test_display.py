"""How each display mode writes a citation."""

from typing import Any

import pytest

from streamcite import Citation, CiteOptions, Citer, Document, Reference, Sources
from streamcite.assemble.display import Numbering, Renderer, safe_destination
from tests.transcripts import documents, run

ADDRESSES = [
    ("https://e.com/a?b=c#d", "https://e.com/a?b=c#d"),
    (" https://e.com ", "https://e.com"),
    ("https://e.com/a b(c)", "https://e.com/a%20b%28c%29"),
    ("https://e.com/<x>", "https://e.com/%3Cx%3E"),
    ("https://e.com/%20", "https://e.com/%20"),
    ("https://e.com/é", "https://e.com/%C3%A9"),
    ('https://e.com/"x"\n', "https://e.com/%22x%22"),
    ("mailto:a@b.c", "mailto:a@b.c"),
    ("/docs/a.md", "/docs/a.md"),
    ("a.md", "a.md"),
    ("?q=a:b", "?q=a:b"),
    ("HTTP://e.com", "HTTP://e.com"),
    ("javascript:alert(1)", None),
    ("java\nscript:alert(1)", None),
    ("\x01javascript:x", None),
    ("data:text/html,x", None),
    ("file:///etc", None),
    ("", None),
    ("  ", None),
    (None, None),
    (3, None),
]


@pytest.mark.parametrize(("url", "expected"), ADDRESSES)
def test_safe_destination(url: object, expected: str | None) -> None:
    """An address is encoded for markdown; what could run or is none is not linked."""
    assert safe_destination(url) == expected


def test_lone_surrogates_in_an_address() -> None:
    """An address with a lone surrogate is encoded like any other character."""
    assert safe_destination("https://e.com/\ud800") == "https://e.com/%ED%A0%80"


def test_numbering() -> None:
    """A document's number is given at its first use, and stays."""
    numbering = Numbering()

    assert [numbering.number(index) for index in (7, 3, 7, 9, 3)] == [1, 2, 1, 3, 2]


CITATION = Citation(
    id="c1",
    marker="[2, 1]",
    number="2, 1",
    references=(
        Reference(source_index=2, document_id="b"),
        Reference(source_index=1, document_id="a"),
    ),
)
SOURCES = Sources(
    [Document(content="a", meta={"url": "https://e.com/a(1)"}), Document(content="b")]
)
MODES: list[tuple[Any, str]] = [
    ("keep", "[2, 1]"),
    ("remove", ""),
    ("link", "[2][[1]](https://e.com/a%281%29)"),
    ("renumber", "[2, 1]"),
    (lambda citation: f"<{citation.id}>", "<c1>"),
]


@pytest.mark.parametrize(("mode", "text"), MODES, ids=str)
def test_modes(mode: Any, text: str) -> None:
    """Each display mode writes a citation in its own way."""
    renderer = Renderer(CiteOptions(display=mode), SOURCES, Numbering())

    assert renderer.text(CITATION, hidden=False) == text


# Options, reply, answer text; three documents.
ANSWERS: list[tuple[dict[str, Any], str, str]] = [
    ({"display": "renumber"}, "a [3] b [1-2] c [3]", "a [1] b [2, 3] c [1]"),
    ({"display": "renumber"}, "a [9] b [2]", "a [9] b [1]"),
    ({"display": "link"}, "a [1].", "a [[1]](https://e.example/1)."),
    ({"display": "link"}, "a [9].", "a [9]."),
    ({"display": "remove"}, "a [1]. b [9].", "a. b [9]."),
    ({"display": "remove", "unknown": "drop"}, "a [1]. b [9].", "a. b."),
    ({"unknown": "drop"}, "a [1]. b [9].", "a [1]. b."),
    ({"unknown": "mark"}, "a [9].", "a [9]."),
    ({"merge_adjacent": True}, "a [1][1] b", "a [1][1] b"),
    ({"merge_adjacent": True, "display": "renumber"}, "a [2][2][1]", "a [1][2]"),
]


@pytest.mark.parametrize(("options", "reply", "data"), ANSWERS)
def test_answers(options: dict[str, Any], reply: str, data: str) -> None:
    """What the reader sees of a reply follows from the display mode."""
    assert run([reply], documents=documents(3), **options).answer.data == data


def test_replies_share_numbers() -> None:
    """Replies of one run number their documents together."""
    numbering = Numbering()
    texts = []
    for reply in range(2):
        citer = Citer(documents=documents(3), display="renumber", numbering=numbering, reply=reply)
        citer.feed("a [3] b [2]" if reply else "a [2]")
        citer.finish()
        texts.append(citer.build_final([]).answer.data)

    assert texts == ["a [1]", "a [2] b [1]"]


def test_failing_function() -> None:
    """A display function that fails leaves the marker as it is, and a warning."""

    def fail(citation: Citation) -> str:
        raise ZeroDivisionError

    answer = run(["a [1] b"], documents=documents(1), display=fail).answer
    assert answer.data == "a [1] b"
    assert [warning.code for warning in answer.warnings] == ["display-failed"]


def test_function_that_returns_no_text() -> None:
    """What a display function returns must be text."""
    answer = run(["a [1] b"], documents=documents(1), display=lambda citation: 3).answer

    assert answer.data == "a [1] b"
    assert "not str" in answer.warnings[0].message

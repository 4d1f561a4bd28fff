"""Which kind of recording an input is."""

import pytest

pytest.importorskip("typer", reason="the command line needs the extra cli")

from streamcite.cli.reading import MAX_LOOK, detect

ROWS = {
    b"data: {}": "sse",
    b"\xef\xbb\xbfdata:": "sse",
    b"\r\n: ping": "sse",
    b"event: x": "sse",
    b"d": None,
    b"even": None,
    b"dates": "plain",
    b'"a"\n': "jsonl",
    b'{"text": "a"}\r\n': "jsonl",
    b'"a"': None,
    b'"a \\" b': None,
    b'"a" he said': "plain",
    b'{"a': None,
    b"{a}\n": "plain",
    b'{"a":' * 10_000 + b"\n": "jsonl",
    b'"a\n': "plain",
    b"{" * (MAX_LOOK + 1): "plain",
    b"{": None,
    b"{\r\n  ": None,
    b'{\r\n  "id"': "json",
    b'\xef\xbb\xbf{ \n\n"': "json",
    b"{\n}": "json",
    b"{\n  return": "plain",
    b"{\n" + b" " * MAX_LOOK: "plain",
    b"Paris [1]": "plain",
    b"[1] Paris": "plain",
    b"": None,
}


@pytest.mark.parametrize(("start", "kind"), ROWS.items(), ids=range(len(ROWS)))
def test_the_first_bytes_tell(start: bytes, kind: str | None) -> None:
    """The kind is known as soon as nothing else is possible, and not before."""
    assert detect(start) == kind


@pytest.mark.parametrize(
    ("start", "kind"),
    [(b'"a"', "jsonl"), (b"d", "plain"), (b'{"a', "plain"), (b"{\n ", "plain"), (b"", "plain")],
)
def test_the_end_tells(start: bytes, kind: str) -> None:
    """What is over is what it is."""
    assert detect(start, ended=True) == kind

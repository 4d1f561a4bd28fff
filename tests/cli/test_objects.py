"""JSON objects over several lines, and text that only looks like them."""

import json

import pytest

pytest.importorskip("typer", reason="the command line needs the extra cli")

from streamcite.cli import objects
from streamcite.cli.objects import ObjectsDecoder
from streamcite.errors import GeneratorError, InputError
from streamcite.inputs import PlainDecoder

CHUNK = {"text": "Paris"}
PRETTY = json.dumps(CHUNK, indent=2)

# What the body is, and the texts of its chunks.
BODIES = {
    "one object": (PRETTY, ["Paris"]),
    "several": (f"\ufeff\n{PRETTY}\n{PRETTY}{json.dumps(CHUNK)}\n", ["Paris"] * 3),
    "a completion": (
        json.dumps({"choices": [{"message": {"content": "Paris"}}]}, indent=2),
        ["Paris"],
    ),
}
TEXTS = ["{", f"{PRETTY} it is.", f"{PRETTY}\n{{", '{\n "text": "half', "{\n}", '{\n "a": ' * 9999]


def texts_of(decoder: ObjectsDecoder, body: str) -> list[str]:
    """Collect what is read of a body that comes character by character."""
    chunks = [chunk for character in body for chunk in decoder.feed(character)]
    return [chunk.text for chunk in (*chunks, *decoder.close()) if chunk.text]


@pytest.mark.parametrize(("body", "texts"), BODIES.values(), ids=BODIES.keys())
def test_objects_are_read(body: str, texts: list[str]) -> None:
    """However many lines they have, guessed or said."""
    assert texts_of(ObjectsDecoder(), body) == texts
    assert texts_of(ObjectsDecoder(PlainDecoder()), body) == texts


@pytest.mark.parametrize("body", TEXTS)
def test_what_is_no_reply_is_text(body: str) -> None:
    """Nothing of it is lost; whoever said that it is JSON is told that it is none."""
    assert "".join(texts_of(ObjectsDecoder(PlainDecoder()), body)) == body
    with pytest.raises(InputError):
        texts_of(ObjectsDecoder(), body)


def test_an_empty_body_is_told() -> None:
    """Whoever said that it is JSON is told that there is none; else it is an empty text."""
    with pytest.raises(InputError, match="which is empty"):
        texts_of(ObjectsDecoder(), "\ufeff\n")
    assert texts_of(ObjectsDecoder(PlainDecoder()), "") == []


def test_an_error_is_one() -> None:
    """What a server says instead of a reply is no text of a model."""
    body = json.dumps({"error": {"message": "busy"}}, indent=2)

    with pytest.raises(GeneratorError, match="busy"):
        texts_of(ObjectsDecoder(PlainDecoder()), body)


def test_a_long_body_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is bounded, and what comes then is shown as it comes."""
    monkeypatch.setattr(objects, "MAX_INCOMPLETE", 4)
    decoder = ObjectsDecoder(PlainDecoder())

    fed = [[chunk.text for chunk in decoder.feed(piece)] for piece in ('{\n"a', "b", "c")]
    assert fed == [[], ['{\n"ab'], ["c"]]
    assert decoder.close() == []

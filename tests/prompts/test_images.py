"""Images from wherever they come."""

import base64
from pathlib import Path
from typing import Any

import pytest

from streamcite.errors import TemplateError
from streamcite.prompts import ImageContent
from streamcite.prompts.images import split_data_url

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)
GIF = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"
ENCODED = base64.b64encode(PNG).decode()


def test_bytes_tell_their_type() -> None:
    """The media type is found in the bytes."""
    images = [ImageContent.of(data) for data in (PNG, GIF)]

    assert [image.mime_type for image in images] == ["image/png", "image/gif"]


@pytest.mark.parametrize("as_text", [True, False])
def test_a_file_is_read(tmp_path: Path, as_text: bool) -> None:
    """A path is opened, and what is in it counts, not its ending."""
    path = tmp_path / "picture.jpg"
    path.write_bytes(PNG)

    assert ImageContent.of(str(path) if as_text else path) == ImageContent(ENCODED, "image/png")


def test_a_data_url_is_taken_apart() -> None:
    """A data URL gives its bytes; a type that is wrong is put right."""
    image = ImageContent.of(f"data:image/jpeg;base64,{ENCODED}", detail="low", meta={"a": 1})

    assert image == ImageContent(ENCODED, "image/png", "low", {"a": 1})
    assert image.data_url == f"data:image/png;base64,{ENCODED}"


def test_a_link_is_not_followed() -> None:
    """An http link stays one, for the provider to follow."""
    image = ImageContent.of("HTTPS://example.com/a.png")

    assert (image.url, image.base64_image) == ("HTTPS://example.com/a.png", "")
    assert image.data_url == "HTTPS://example.com/a.png"


def test_a_declared_type_serves_where_the_bytes_are_silent() -> None:
    """SVG has no magic number, so that its type must be said."""
    encoded = base64.b64encode(b"<svg/>").decode()

    assert ImageContent(encoded, "image/svg+xml").mime_type == "image/svg+xml"


def test_the_repr_is_short() -> None:
    """An image of a megabyte prints in one line."""
    assert len(repr(ImageContent.of(PNG + b"\0" * 1_000_000))) < 100


WRONG: tuple[tuple[Any, str], ...] = (
    ("/no/such/file.png", "cannot read the image"),
    ("a\x00b", "cannot read the image"),
    (b"plain text", "unknown bytes, no image; if it is one, give mime_type="),
    (b"%PDF-1.7 and so on", "application/pdf, no image"),
    ("data:image/png;base64,???", "no base64 text"),
    ("data:image/png,abc", "no data URL of the form"),
    (7, "cannot read the image"),
)


@pytest.mark.parametrize(("value", "message"), WRONG, ids=lambda value: repr(value)[:20])
def test_what_is_no_image_is_refused(value: Any, message: str) -> None:
    """Files that are not there, other files and broken text are TemplateErrors."""
    with pytest.raises(TemplateError, match=message):
        ImageContent.of(value)


@pytest.mark.parametrize("fields", [{}, {"base64_image": ENCODED, "url": "https://a.b"}])
def test_an_image_is_bytes_or_a_link(fields: dict[str, str]) -> None:
    """Neither, or both, is an error."""
    with pytest.raises(TemplateError, match="one of the two"):
        ImageContent(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("url", ["ftp://a.b/c.png", "file:///etc/passwd", "a.png"])
def test_other_schemes_are_no_links(url: str) -> None:
    """Only http and https are links that a provider follows."""
    with pytest.raises(TemplateError, match="no http or https link"):
        ImageContent(url=url)


def test_parameters_of_a_data_url_are_left_aside() -> None:
    """The media type ends at the first semicolon."""
    assert split_data_url("data:image/png;name=a;base64,AAAA") == ("image/png", "AAAA")


def test_a_link_survives_its_dictionary() -> None:
    """The dictionary of a link holds the link and no bytes."""
    assert ImageContent(url="https://a.b/c", detail="high").to_dict() == {
        "url": "https://a.b/c",
        "mime_type": None,
        "detail": "high",
        "meta": {},
    }

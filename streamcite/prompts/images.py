"""Images for messages: from a file, bytes, a data URL or a link, with their media type."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import filetype

from streamcite.answers import Json, Meta
from streamcite.arguments import check_type
from streamcite.errors import TemplateError

__all__ = ["Detail", "ImageContent", "split_data_url"]

Detail = Literal["auto", "high", "low"]


@dataclass(frozen=True)
class ImageContent:
    """An image of a message: its bytes, or a link that the provider follows."""

    base64_image: str = ""
    """The image in base64; empty for a link."""
    mime_type: str | None = None
    """The media type, `image/png`; found from the bytes if none is given."""
    detail: Detail | None = None
    """How closely OpenAI's models look."""
    meta: Meta = field(default_factory=dict)
    """Anything else; not sent."""
    url: str | None = None
    """An http or https link, instead of bytes."""

    def __post_init__(self) -> None:
        for name in ("base64_image", "url", "mime_type"):
            check_type(
                getattr(self, name),
                str | None,
                f"ImageContent: {name}",
                "give a str",
                TemplateError,
            )
        check_type(self.meta, Mapping, "ImageContent: meta", "give a dictionary", TemplateError)
        if self.detail is not None and self.detail not in get_args(Detail):
            raise TemplateError(
                f"ImageContent: detail is {self.detail!r:.60}; give 'auto', 'high' or 'low'"
            )
        if bool(self.base64_image) == bool(self.url):
            raise TemplateError("ImageContent: give base64_image or url, one of the two")
        if self.base64_image:
            found = _checked_type(self.base64_image, self.mime_type)
            object.__setattr__(self, "mime_type", found)
        elif not _is_link(self.url or ""):
            raise TemplateError(
                f"ImageContent: {self.url!r:.60} is no http or https link; for a file or a data "
                "URL use ImageContent.of"
            )

    def __repr__(self) -> str:
        shown = self.url or f"{len(self.base64_image)} base64 characters"
        return f"ImageContent({shown}, {self.mime_type})"

    @classmethod
    def of(
        cls,
        value: str | Path | bytes,
        *,
        detail: Detail | None = None,
        meta: Meta | None = None,
    ) -> "ImageContent":
        """Make an image of a path, bytes, a data URL or an http link; nothing is downloaded.

        Raises:
            TemplateError: The file cannot be read, or holds no image.
        """
        if isinstance(value, str) and _is_link(value):
            return cls(url=value, detail=detail, meta=meta or {})
        if isinstance(value, str) and value[:5].lower() == "data:":
            mime_type, data = split_data_url(value)
            return cls(data, mime_type, detail, meta or {})
        data = _encode(value if isinstance(value, bytes) else _read_file(value))
        return cls(data, None, detail, meta or {})

    def to_dict(self) -> Json:
        """Return the part as a dictionary, the one of Haystack's for an image that has bytes."""
        shared = {"mime_type": self.mime_type, "detail": self.detail, "meta": self.meta}
        own = {"url": self.url} if self.url else {"base64_image": self.base64_image}
        return own | shared

    @property
    def data_url(self) -> str:
        """The image as one URL: the link itself, or its bytes."""
        return self.url or f"data:{self.mime_type};base64,{self.base64_image}"


def split_data_url(url: object) -> tuple[str | None, str]:
    """Return media type and base64 text of a data URL.

    Raises:
        TemplateError: It is none, or not in base64.
    """
    text = url if isinstance(url, str) else ""
    header, comma, data = text.partition(",")
    if header[:5].lower() != "data:" or not comma or not header.lower().endswith(";base64"):
        raise TemplateError(f"{url!r:.60} is no data URL of the form data:image/png;base64,…")
    return header[5:-7].partition(";")[0] or None, data


def _is_link(text: str) -> bool:
    return text[:8].lower().startswith(("http://", "https://"))


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _read_file(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, TypeError, ValueError) as error:
        raise TemplateError(f"cannot read the image {path!r:.100}: {error}") from error


def _checked_type(data: str, declared: str | None) -> str:
    """Return the media type that the bytes have; the declared one where they do not tell."""
    try:
        found = filetype.guess_mime(base64.b64decode(data, validate=True))
    except (binascii.Error, TypeError, ValueError) as error:
        raise TemplateError("ImageContent: the image is no base64 text") from error
    mime_type = str(found or declared or "")
    if not mime_type.startswith("image/"):
        raise TemplateError(
            f"ImageContent: {mime_type or 'unknown bytes'}, no image; if it is one, give mime_type="
        )
    return mime_type

"""A file or standard input to chunks: which kind of recording it is, and at what speed it plays."""

import json
import os
import re
import stat
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Literal

import anyio

from streamcite.chunks import Chunk
from streamcite.cli.failure import CommandError
from streamcite.cli.input import opened, pieces_of
from streamcite.cli.objects import ObjectsDecoder, documents_hint
from streamcite.errors import InputError
from streamcite.inputs import Decoder, JsonlDecoder, PlainDecoder, SseDecoder, to_chunks

__all__ = ["InputKind", "detect", "read_chunks"]

InputKind = Literal["plain", "jsonl", "json", "sse"]

# How many bytes are looked at, however many come at once; a first line of JSON may be that long.
MAX_LOOK = 1 << 17

# How many bytes of a file are searched for a zero, which is in nearly any that is no text.
MAX_ZERO = 4096

# How much is shown, in bytes, of an input that is no recording.
MAX_START = 60

SUFFIXES: dict[str, InputKind] = {".sse": "sse", ".jsonl": "jsonl", ".ndjson": "jsonl"}

_MARK = b"\xef\xbb\xbf"
_SSE_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")
_WORD = re.compile(r"\s*\S+|\s+\Z")

# A line that is, or may become, a JSON string; a backslash at its end is half an escape.
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:(?P<half>\\)|(?P<closed>"\s*))?', re.DOTALL)

# What tells nothing more: behind line ends, in a string, behind it, in a line that begins with a
# brace, and behind that line.
_LINE_ENDS = re.compile(rb"[\r\n]*")
_IN_STRING = re.compile(rb'[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?P<half>\\)?')
_BEHIND_STRING = re.compile(rb"[^\S\n]*")
_IN_LINE = re.compile(rb"[^\n]*")
_BLANKS = re.compile(rb"\s*")


class _NoEventError(CommandError):
    """A body that is none: no server-sent event is in it."""


class _WordDecoder(PlainDecoder):
    """Cuts plain text into words, so that it plays like a stream."""

    def feed(self, body: bytes | str) -> list[Chunk]:
        return [Chunk(word) for chunk in super().feed(body) for word in _WORD.findall(chunk.text)]


DECODERS: dict[InputKind, type[Decoder]] = {
    "plain": PlainDecoder,
    "jsonl": JsonlDecoder,
    "json": ObjectsDecoder,
    "sse": SseDecoder,
}


async def read_chunks(
    file: str,
    kind: InputKind | None = None,
    speed: float | None = None,
    typed: bytes | None = None,
) -> AsyncGenerator[Chunk, None]:
    """Yield a file's chunks as they come.

    Args:
        file: A path, or "-" for standard input.
        kind: What it holds; found out from its name or its first bytes by default.
        speed: Chunks, or words of plain text, per second; as they come by default.
        typed: What was typed instead of the file.

    Raises:
        CommandError: The file cannot be opened, or the body breaks off or has no event.
        InputError: It is no recording of its kind, or a file that is no text.
    """
    decoders = DECODERS if speed is None else DECODERS | {"plain": _WordDecoder}
    kind = kind or SUFFIXES.get(Path(file).suffix.lower())
    async with aclosing(_pieces(file, kind, typed)) as pieces:
        try:
            async for chunk in _decode(pieces, kind, decoders):
                yield chunk
                if speed is not None and chunk.text:
                    await anyio.sleep(1 / speed)
        except (InputError, _NoEventError) as error:
            # What looked like a recording may be none.
            hint = "" if kind else "; with --input plain it is read as text"
            place = "" if file == "-" else f"{file}: "
            raise type(error)(f"{place}{error}{hint}") from error


async def _pieces(
    file: str, kind: InputKind | None, typed: bytes | None
) -> AsyncGenerator[bytes, None]:
    if typed is not None:
        yield typed
        return
    async with opened(file) as descriptor, aclosing(pieces_of(descriptor)) as pieces:
        # What a model says comes on a pipe, and is shown whatever it is.
        is_unchecked = kind is None and stat.S_ISREG(os.fstat(descriptor).st_mode)
        async for piece in pieces:
            if is_unchecked:
                _refuse_binary(piece)
                is_unchecked = False
            yield piece


def _refuse_binary(start: bytes) -> None:
    zero = start.find(b"\0", 0, MAX_ZERO)
    if zero >= 0 and detect(start, ended=True) == "plain":
        raise InputError(f"this is no text in UTF-8: its byte {zero + 1} is zero")


def detect(start: bytes, *, ended: bool = False) -> InputKind | None:
    """Say what kind of recording begins like this; None while more has to be seen.

    A response body begins with a field of server-sent events, JSON lines with a line that is
    a JSON string or object, JSON on several lines with a brace that is alone on its line, and
    everything else is plain text.
    """
    start = start[:MAX_LOOK]
    ended = ended or len(start) == MAX_LOOK
    if not ended and _MARK.startswith(start):
        return None
    text = start.removeprefix(_MARK).lstrip(b"\r\n")
    if any(text.startswith(field) for field in _SSE_FIELDS):
        return "sse"
    line, newline, rest = text.partition(b"\n")
    whole = ended or newline
    if newline and line.strip() == b"{":
        return _detect_member(rest.lstrip(), ended=ended)
    if line.startswith((b'"', b"{")):
        if whole:
            return "jsonl" if _is_json(line) else "plain"
        return None if line.startswith(b"{") or _STRING.fullmatch(line) else "plain"
    if not whole and any(field.startswith(text) for field in _SSE_FIELDS):
        return None
    return "plain"


def _detect_member(rest: bytes, *, ended: bool) -> InputKind | None:
    if not rest and not ended:
        return None
    return "json" if rest.startswith((b'"', b"}")) else "plain"


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    except RecursionError:  # it is, and its decoder says why it cannot be read
        return True
    return True


class _Look:
    """Looks at pieces until they tell what kind of recording begins; at each byte a few times.

    A model's tokens may come by the thousand before the first line of JSON is over.
    """

    def __init__(self) -> None:
        self.seen = bytearray()
        self._dull: re.Pattern[bytes] | None = None
        # Half an escape, which the next piece completes.
        self._half = b""

    def feed(self, piece: bytes) -> InputKind | None:
        self.seen += piece
        if self._dull and len(self.seen) < MAX_LOOK:
            more = self._dull.fullmatch(self._half + piece)
            if more:
                self._half = more.groupdict().get("half") or b""
                return None
        kind = detect(bytes(self.seen[:MAX_LOOK]))
        if kind is None:
            self._wait()
        return kind

    def _wait(self) -> None:
        """Note what may come without telling more; of the beginning of a field, nothing."""
        text = self.seen.removeprefix(_MARK).lstrip(b"\r\n")
        self._half = b""
        if not text:
            self._dull = _LINE_ENDS
        elif text.startswith(b"{"):
            self._dull = _BLANKS if b"\n" in text else _IN_LINE
        elif string := _STRING.fullmatch(text):
            self._dull = _IN_STRING if string["closed"] is None else _BEHIND_STRING
            self._half = string["half"] or b""
        else:
            self._dull = None


async def _decode(
    pieces: AsyncGenerator[bytes, None],
    kind: InputKind | None,
    decoders: Mapping[InputKind, type[Decoder]],
) -> AsyncGenerator[Chunk, None]:
    decoder = None if kind is None else decoders[kind]()
    look, start = _Look(), bytearray()
    async for piece in pieces:
        start += piece[: MAX_LOOK - len(start)]
        if decoder is None:
            if (kind := look.feed(piece)) is None:
                continue
            decoder, piece = _guessed(kind, decoders), bytes(look.seen)
        for chunk in _fed(decoder, piece, start):
            yield chunk
    if decoder is None:
        looked = bytes(look.seen)
        decoder = _guessed(detect(looked, ended=True) or "plain", decoders)
        for chunk in decoder.feed(looked):
            yield chunk
    for chunk in _fed(decoder, None, start):
        yield chunk
    if isinstance(decoder, SseDecoder) and not decoder.events:
        raise _NoEventError(f"no event was found in the input, {_beginning(start)}")
    if isinstance(decoder, SseDecoder) and not decoder.complete:
        raise CommandError("the body breaks off: it has neither a finish reason nor [DONE]")


def _fed(decoder: Decoder, piece: bytes | None, start: bytearray) -> list[Chunk]:
    """Feed a piece, or close; say of a recording that is none if it looks like documents."""
    try:
        return decoder.close() if piece is None else decoder.feed(piece)
    except InputError as error:
        # The rest is what a program could do about it.
        message = str(error).partition("; of any other item")[0]
        try:
            item = json.loads(start.partition(b"\n")[0])
            to_chunks(item)
        except InputError:
            message += documents_hint(item)
        except (ValueError, RecursionError):
            pass
        raise InputError(message) from error


def _guessed(kind: InputKind, decoders: Mapping[InputKind, type[Decoder]]) -> Decoder:
    # Of all kinds, only this one is not certain before the end.
    return ObjectsDecoder(decoders["plain"]()) if kind == "json" else decoders[kind]()


def _beginning(start: bytearray) -> str:
    text = start[:MAX_START].decode("utf-8", "replace").strip()
    return f"which begins with {text!r}" if text else "which is empty"

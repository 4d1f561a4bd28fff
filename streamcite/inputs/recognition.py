"""Which adapter reads an item: the table of all of them, in the order in which they are asked."""

from collections.abc import Callable

from streamcite.chunks import Chunk
from streamcite.errors import InputError
from streamcite.inputs import haystack, openai, openai_responses, plain

__all__ = ["is_registered", "register", "to_chunks"]

Recognise = Callable[[object], bool]
Convert = Callable[[object], list[Chunk]]

# Shapes overlap, so the order matters: an attribute `content` alone says little, and comes last.
BUILT_IN: tuple[tuple[Recognise, Convert], ...] = (
    (plain.recognises, plain.to_chunks),
    (openai.recognises, openai.to_chunks),
    (haystack.recognises, haystack.to_chunks),
    (openai_responses.recognises, openai_responses.to_chunks),
)
ACCEPTED = (
    "str, bytes, streamcite.Chunk, OpenAI chat or completion chunks or Responses events, Haystack "
    "StreamingChunk"
)

# Text and bytes are read before any adapter is asked.
TEXTS = ("", b"", bytearray(), memoryview(b""))

_registered: list[tuple[Recognise, Convert]] = []


def register(recognise: Recognise, convert: Convert) -> Callable[[], None]:
    """Teach streamcite a stream item of your own; the latest is asked first.

    Args:
        recognise: Says, without raising, whether an item is of this kind. It is not asked of a str
            or of bytes, which are always text, nor of a Chunk.
        convert: Returns the item's chunks.

    Returns:
        A function that takes the adapter away again; a second call does nothing.

    Raises:
        InputError: The adapter recognises a str or bytes, or is no pair of functions.
    """
    for name, function in (("recognise", recognise), ("convert", convert)):
        if not callable(function):
            raise InputError(
                f"register() has {name} of type {type(function).__name__}; give two functions of "
                "an item: whether it is of this kind, and which chunks it has"
            )
    for text in TEXTS:
        if _is_recognised(recognise, text):
            kind = type(text).__name__
            raise InputError(
                f"an adapter for items of type {kind} would never be asked: {kind} is read as "
                "text. Let recognise() be false for it, and where it is no text, turn it into "
                "items, or into chunks, before you give it to cite()"
            )
    adapter = (recognise, convert)
    _registered.insert(0, adapter)

    def forget() -> None:
        # By identity, since the same functions may be registered twice.
        _registered[:] = [each for each in _registered if each is not adapter]

    return forget


def _is_recognised(recognise: Recognise, item: object) -> bool:
    # One that looks into a mapping, say, may raise, and never meets such an item.
    try:
        return bool(recognise(item))
    except Exception:
        return False


def is_registered(item: object) -> bool:
    """Say whether an adapter of the user's own reads an item."""
    return any(recognise(item) for recognise, _ in _registered)


def to_chunks(item: object) -> list[Chunk]:
    """Return the chunks of one stream item, recognised by its shape.

    Of the events of OpenAI's `stream()` helper it reads those of type `chunk`, whose text the
    others repeat; `cite` reads these others where they come alone.

    Raises:
        InputError: No adapter knows the item, or the item reports a failure.
    """
    if type(item) is str:
        return plain.to_chunks(item)
    if type(item) is Chunk:
        return [item]
    for recognise, convert in (*_registered, *BUILT_IN):
        if recognise(item):
            return convert(item)
    if isinstance(item, bytes | bytearray | memoryview):
        # As one item they may end in half a character, which only a decoder keeps.
        raise InputError(
            f"cannot read a stream item of type {_type_name(item)} by itself: feed bytes to a "
            "streamcite.inputs.PlainDecoder, which returns chunks; cite() does so by itself"
        )
    raise InputError(
        f"cannot read a stream item of type {_type_name(item)}: give {ACCEPTED}, or a dict of one "
        "of these; of any other item give the text, as a str, or teach streamcite the type with "
        "streamcite.inputs.register()"
    )


def _type_name(item: object) -> str:
    if isinstance(item, dict):
        return f"dict with the keys {sorted(map(str, item))}"
    kind = type(item)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"

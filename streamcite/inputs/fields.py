"""Reading a stream item's fields by name, whether it is a mapping or an object."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

__all__ = ["entries", "number_of", "plain_mapping", "read", "text_of"]


def read(item: object, name: str) -> Any:
    """Return the entry or attribute of this name; None if there is none."""
    # Most are dicts, and to ask for a Mapping takes longer than all the rest.
    if isinstance(item, dict) or isinstance(item, Mapping):  # noqa: SIM101  # in this order
        return item.get(name)
    # A model of pydantic takes as long to say that it lacks a name as to read ten that it has.
    extra = getattr(item, "__pydantic_extra__", None)
    if isinstance(extra, dict) and name not in extra and name not in item.__dict__:
        model: Any = type(item)
        return getattr(item, name, None) if _may_have(model, name) else None
    return getattr(item, name, None)


# How a class answers for names in its own way.
_ANSWERING = ("__getattr__", "__getattribute__")


@lru_cache(maxsize=1_024)
def _may_have(model: type[Any], name: str) -> bool:
    """Say whether a model's class itself has the name, or answers for names in its own way."""
    own = [vars(each) for each in model.__mro__ if each.__module__ != "pydantic.main"]
    return any(not each.keys().isdisjoint((name, *_ANSWERING)) for each in own)


def entries(value: object) -> Sequence[object]:
    """Return a list's entries; nothing for what is no list, such as an SDK's "unset"."""
    return value if isinstance(value, list | tuple) else ()


def text_of(value: object) -> str:
    """Return a text field's text: a str, or the text of its content blocks, joined."""
    if value is None:  # as most fields are
        return ""
    if isinstance(value, str):
        return value
    return "".join(_texts_in(value))


def _texts_in(value: object) -> Iterator[str]:
    # No recursion: what a server sends may be nested more deeply than Python's stack is.
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        blocks = reversed(entries(part))
        waiting += (each if isinstance(each, str) else read(each, "text") for each in blocks)


def number_of(index: object) -> int:
    """Return the number of the reply that an index means: 0 where it is none."""
    if not isinstance(index, int) or isinstance(index, bool):
        return 0
    return max(index, 0)


def plain_mapping(value: object) -> Mapping[str, object] | None:
    """Return a mapping, or an SDK's model as one; None for anything else."""
    if isinstance(value, Mapping):
        return value
    dump = getattr(value, "model_dump", None)
    if not callable(dump):
        return None
    # An SDK checks no types, and a server may send other ones: they are passed on as they came.
    settings = {"warnings": False} if hasattr(value, "__pydantic_serializer__") else {}
    dumped = dump(exclude_none=True, **settings)
    return dumped if isinstance(dumped, Mapping) else None

"""Fields of stream items, by name."""

from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from streamcite.inputs.fields import plain_mapping, read, text_of


class Open(BaseModel):
    """A model as SDKs have them: what it does not know, it keeps."""

    model_config = ConfigDict(extra="allow")
    known: str | None = None
    later: str = "default"

    @property
    def made(self) -> str:
        """A text that is no field."""
        return "made"


class Closed(BaseModel):
    """A model that keeps nothing else."""

    known: str = "x"


class Answering(Open):
    """A model that answers for names in its own way."""

    def __getattr__(self, name: str) -> Any:
        return f"my {name}"


READ = [
    ({"known": "x"}, "known", "x"),
    ({"known": "x"}, "other", None),
    (SimpleNamespace(known="x"), "known", "x"),
    (SimpleNamespace(known="x"), "other", None),
    (Open(known="x"), "known", "x"),
    (Open(known="x"), "later", "default"),
    (Open(known="x"), "made", "made"),
    (Open(known="x"), "other", None),
    (Open.model_validate({"other": "y"}), "other", "y"),
    (Open.model_construct(other="y"), "other", "y"),
    (Closed(), "known", "x"),
    (Closed(), "other", None),
    (Answering(known="x"), "known", "x"),
    (Answering(), "other", "my other"),
    (None, "known", None),
]


@pytest.mark.parametrize(("item", "name", "expected"), READ)
def test_a_field_is_read_by_its_name(item: object, name: str, expected: object) -> None:
    """Of a mapping, an object and a model alike; what is not there is None."""
    assert read(item, name) == expected


def nested(depth: int) -> object:
    """Build a text in as many blocks, one in the other."""
    value: object = "x"
    for _ in range(depth):
        value = [{"text": value}]
    return value


def test_text_may_be_nested_more_deeply_than_the_stack() -> None:
    """A server decides how deep it is."""
    assert text_of(nested(100_000)) == "x"


def test_a_model_with_values_of_other_types_is_dumped_in_silence(
    recwarn: pytest.WarningsRecorder,
) -> None:
    """An SDK takes what a server sends, whatever it should be."""
    assert plain_mapping(Open.model_construct(known=1)) == {"known": 1, "later": "default"}
    assert not recwarn.list

"""The environment that takes the place of Haystack's in its prompt builders."""

import copy
from typing import Any

import pytest
from haystack.utils.jinja2_chat_extension import ChatMessageExtension
from haystack.utils.jinja2_sandbox import HaystackSandboxedEnvironment

from streamcite.haystack.prompt_environment import OwnEnvironment


class Builder(OwnEnvironment):
    """What Haystack's constructor makes."""

    def __init__(self, *extensions: Any) -> None:
        self._env = HaystackSandboxedEnvironment(extensions=extensions)


def test_our_environment_takes_the_place_of_haystacks() -> None:
    """It is still one of Haystack's, and knows our filters."""
    environment = Builder()._env

    assert isinstance(environment, HaystackSandboxedEnvironment)
    assert {"numbered", "budget"} <= environment.filters.keys()


@pytest.mark.parametrize("extensions", [(), (ChatMessageExtension,)])
def test_messages_are_written_where_haystack_writes_them(extensions: tuple[Any, ...]) -> None:
    """A builder of texts has no message blocks."""
    names = [type(each).__mro__ for each in Builder(*extensions)._env.iter_extensions()]

    assert any(ChatMessageExtension in bases for bases in names) == bool(extensions)


def test_a_copy_compiles_for_itself() -> None:
    """A filter that one of them gets is none of the other."""
    builder = Builder()
    copied = copy.deepcopy(builder)

    copied._env.filters["twice"] = lambda text: text * 2

    assert copied._env.from_string("{{ 'a' | twice }}").render({}) == "aa"
    assert "twice" not in builder._env.filters

"""Tokens that stand for objects in rendered text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite.errors import TemplateError
from streamcite.prompts.sealing import Seal, collecting, current_seal, seal


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_what_is_put_in_comes_out(texts: list[str]) -> None:
    """Whatever text surrounds the tokens, objects and text are told apart."""
    kept = Seal()
    objects = [object() for _ in texts]

    pieces = kept.split(
        "".join(text + kept.put(each) for text, each in zip(texts, objects, strict=True))
    )

    assert pieces[:-1:2] == texts
    assert pieces[1::2] == objects
    assert pieces[-1] == ""


def test_no_rendering_has_the_tokens_of_another() -> None:
    """A token kept from an earlier rendering is plain text in the next."""
    old = Seal().put("x")

    assert Seal().split(old) == [old]


@pytest.mark.parametrize("length", range(11, 24))
def test_a_cut_token_is_noticed(length: int) -> None:
    """However much is missing at its end, what is left is no text to show to a model."""
    kept = Seal()
    token = kept.put("x")

    with pytest.raises(TemplateError, match="a filter has cut through"):
        kept.split(token[:length])


def test_a_number_that_was_not_given_is_noticed() -> None:
    """A token whose number was changed stands for nothing."""
    kept = Seal()

    with pytest.raises(TemplateError, match="a filter has cut through"):
        kept.split(kept.put("x").replace("0\x03", "9\x03"))


def test_renderings_do_not_mix() -> None:
    """A rendering inside another has a seal of its own, and the outer one comes back."""
    with collecting() as outer:
        with collecting() as inner:
            assert inner.split(seal("x")) == ["", "x", ""]
        assert current_seal() is outer


def test_without_a_rendering_nothing_is_kept() -> None:
    """Outside of a chat template there is nowhere to put a message."""
    with pytest.raises(TemplateError, match="need a string template of ChatPromptBuilder"):
        seal("x")

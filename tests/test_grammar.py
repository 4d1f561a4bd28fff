"""The constants that scanner and prompts share."""

import re

import streamcite.grammar as grammar


def test_names_are_sorted() -> None:
    """The constants are listed in order, and all of them are."""
    shouting = [name for name in vars(grammar) if name.isupper()]

    assert sorted(grammar.__all__) == grammar.__all__ == sorted(shouting)


def test_no_character_has_two_meanings() -> None:
    """Brackets, separators, blanks and dashes share no character."""
    characters = "".join(
        (
            *grammar.BRACKETS.keys(),
            *grammar.BRACKETS.values(),
            grammar.SEPARATORS,
            grammar.BLANKS,
            grammar.DASHES,
        )
    )

    assert len(set(characters)) == len(characters)
    assert not re.search(r"[\d\n]", characters)


def test_private_signs_are_private() -> None:
    """The signs of the private grammar are private-use characters, each another one."""
    names = [name for name in grammar.__all__ if name.startswith("PRIVATE")]
    signs = {getattr(grammar, name) for name in names if name not in ("PRIVATE_ID", "PRIVATE_WORD")}

    assert len(signs) == 5
    assert all("\ue000" <= sign <= "\uf8ff" for sign in signs)


def test_words_are_lower_case() -> None:
    """What words are compared with is lower case and bare."""
    words = grammar.INDEX_WORDS | grammar.DOTTED_ENDINGS | grammar.CALL_PLURALS

    assert [word for word in words if not re.fullmatch("[a-z0-9]+", word)] == []

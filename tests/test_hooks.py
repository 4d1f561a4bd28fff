"""The docs draw what the tables say."""

import importlib.util
import re
from enum import Enum
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

SPEC = importlib.util.spec_from_file_location(
    "hooks", Path(__file__).parents[1] / "docs" / "hooks.py"
)
assert SPEC is not None
assert SPEC.loader is not None
hooks = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(hooks)


class State(Enum):
    """Three states."""

    START = "the start"
    IN_TAG = "in a <tag> with [ or |"
    TEXT = "text"


class Symbol(Enum):
    """Five symbols."""

    LESS = 1
    GREATER = 2
    BLANK = 3
    NAME = 4
    OTHER = 5


TABLE = {
    State.START: dict.fromkeys(Symbol, State.TEXT) | {Symbol.LESS: State.IN_TAG},
    State.IN_TAG: dict.fromkeys(Symbol, State.TEXT) | {Symbol.NAME: State.IN_TAG},
    State.TEXT: dict.fromkeys(Symbol, State.TEXT),
}


def overlap(one: Any, two: Any) -> bool:
    """Tell whether two cards share a place."""
    apart = one.x + one.width <= two.x or two.x + two.width <= one.x
    above = one.y + one.height <= two.y or two.y + two.height <= one.y
    return not (apart or above)


def test_a_picture_has_every_state_and_every_arrow() -> None:
    """Each state is a card that says where it leads, but for the common fallback."""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", hooks.picture(TABLE))

    assert texts == ["start", "less → in tag", "in tag", "name ↻", "text"]


def test_arrows_lead_to_later_columns() -> None:
    """What leads back, or nowhere else, is words only."""
    assert hooks.picture(TABLE).count("marker-end") == 1


def test_cards_do_not_overlap() -> None:
    """In the largest table, no card stands on another."""
    cards = list(hooks.cards_of(hooks.load("streamcite.scan.contexts")).values())
    hooks.place(cards)

    assert [(one, two) for one, two in combinations(cards, 2) if overlap(one, two)] == []


def test_what_only_code_leads_to_is_drawn() -> None:
    """A state without an arrow to it stands in the second column."""
    table = {State.START: {Symbol.OTHER: State.TEXT}, State.IN_TAG: {Symbol.OTHER: State.TEXT}}

    assert hooks.columns(table)[State.IN_TAG] == 1


def test_a_listing_has_every_row() -> None:
    """The table in Markdown names the fallback too."""
    assert hooks.listing(TABLE)[2:] == [
        "| start | less | in tag |",
        "| start | anything else | text |",
        "| in tag | anything else | text |",
        "| in tag | name | in tag |",
        "| text | anything else | text |",
    ]


def test_the_meaning_of_a_state_is_plain_text() -> None:
    """What a state stands for is shown as written, whatever Markdown would make of it."""
    assert hooks.meanings(TABLE)[2:] == [
        "| start | the start |",
        "| in tag | in a &lt;tag&gt; with \\[ or &#124; |",
        "| text | text |",
    ]


def test_states_that_are_only_led_to_are_states() -> None:
    """A decision without a row of its own is listed last."""
    assert hooks.states({State.TEXT: {Symbol.OTHER: State.START}}) == [State.TEXT, State.START]


def test_arrows_name_their_symbols() -> None:
    """One arrow for each target; the one of the last symbol is for anything else."""
    row = {
        Symbol.LESS: State.TEXT,
        Symbol.BLANK: State.TEXT,
        Symbol.NAME: State.IN_TAG,
        Symbol.OTHER: State.IN_TAG,
    }

    assert hooks.arrows(row) == [(State.TEXT, "less, blank"), (State.IN_TAG, "anything else")]


def test_a_request_is_replaced() -> None:
    """A page's request turns into the picture of that module."""
    page = hooks.on_page_markdown("A\n\n<!-- states: streamcite.scan.bracket -->\n\nB\n")

    assert page.startswith('A\n\n\n<div class="states"><svg ')


def test_a_wrong_request_breaks_the_build() -> None:
    """A module without such a table does not pass in silence."""
    with pytest.raises(AttributeError):
        hooks.on_page_markdown("<!-- states: streamcite.errors -->")

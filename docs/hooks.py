"""Draws the scanner's state tables into the docs, from the tables themselves.

A page asks for one with a line of its own: `<!-- states: streamcite.scan.tag_table -->`. It gets a
picture in SVG, which needs no script, and the table folded below it.
"""

import html
import importlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

Table = Mapping[Enum, Mapping[Enum, Enum]]

REQUEST = re.compile(r"^<!-- states: (?P<module>[\w.]+) -->$", re.MULTILINE)

REST = "anything else"

# Sizes of the picture, in pixels; the font is 11 high, and its characters 6.6 wide.
CHARACTER, LINE, PADDING = 6.7, 16, 8
BETWEEN_COLUMNS, BETWEEN_CARDS = 56, 14

HEAD = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" markerHeight="6" '
    'orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>'
)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put a picture and its table in the place of each request; mkdocs calls this."""
    return REQUEST.sub(lambda match: draw(load(match["module"])), markdown)


def load(module: str) -> Table:
    """Import the table of a module; a wrong name breaks the build."""
    table: Table = importlib.import_module(module).TRANSITIONS
    return table


def draw(table: Table) -> str:
    """Return a picture of a table, and the table itself folded below it."""
    note = f"↻ stays, → goes on, ↩ goes back. All else leads to *{word(common_fallback(table))}*."
    folded = fold("The table", listing(table)) + fold("The states", meanings(table))
    return "\n".join(["", picture(table), "", note, "", *folded])


def fold(title: str, lines: list[str]) -> list[str]:
    """Return lines of Markdown that open at a click."""
    return [f'??? note "{title}"', "", *(f"    {line}" for line in lines), ""]


@dataclass
class Card:
    """A state and where it leads, as a box in the picture."""

    state: Enum
    exits: list[tuple[str, Enum]]
    lines: list[str]
    column: int
    x: float = 0
    y: float = 0

    @property
    def width(self) -> float:
        """Pixels that its longest line takes."""
        return max(map(len, [word(self.state), *self.lines])) * CHARACTER + 2 * PADDING

    @property
    def height(self) -> float:
        """Pixels that its lines take."""
        return (len(self.lines) + 1) * LINE + PADDING


def picture(table: Table) -> str:
    """Return the cards of a table in columns, with arrows from left to right, as one SVG."""
    cards = cards_of(table)
    width, height = place(list(cards.values()))
    size = f'width="{width:.0f}" height="{height:.0f}"'
    lines = [
        f'<svg {size} xmlns="http://www.w3.org/2000/svg">',
        HEAD,
        *(each for card in cards.values() for each in arrows_from(card, cards)),
        *(each for card in cards.values() for each in box(card)),
        "</svg>",
    ]
    return '<div class="states">' + "".join(lines) + "</div>"


def cards_of(table: Table) -> dict[Enum, Card]:
    """Make a card of each state, from the first column to the last."""
    column = columns(table)
    cards = {}
    for state in sorted(column, key=lambda each: column[each]):
        exits = exits_of(table, state)
        lines = [line(state, label, target, column) for label, target in exits]
        cards[state] = Card(state, exits, lines, column[state])
    return cards


def exits_of(table: Table, state: Enum) -> list[tuple[str, Enum]]:
    """List where a state leads, but for the arrow to the common fallback."""
    if state not in table:
        return []
    common = (common_fallback(table), REST)
    return [(label, target) for target, label in arrows(table[state]) if (target, label) != common]


def columns(table: Table) -> dict[Enum, int]:
    """Number the states by the steps from the first; what only code leads to comes second."""
    found: dict[Enum, int] = {}
    for root in states(table):
        waiting = [] if root in found else [root]
        found.setdefault(root, 1 if found else 0)
        for state in waiting:
            new = [target for _, target in exits_of(table, state) if target not in found]
            found.update(dict.fromkeys(new, found[state] + 1))
            waiting.extend(dict.fromkeys(new))
    return found


def line(state: Enum, label: str, target: Enum, column: Mapping[Enum, int]) -> str:
    """Say where some symbols lead."""
    if target is state:
        return f"{label} ↻"
    sign = "→" if column[target] > column[state] else "↩"
    return f"{label} {sign} {word(target)}"


def place(cards: Sequence[Card]) -> tuple[float, float]:
    """Give each card its place; return the width and height of all."""
    count = max(card.column for card in cards) + 1
    parted = [[card for card in cards if card.column == number] for number in range(count)]
    heights = [sum(card.height + BETWEEN_CARDS for card in part) for part in parted]
    widths = [max(card.width for card in part) + BETWEEN_COLUMNS for part in parted]
    for part, x, height in zip(parted, accumulate([0.0, *widths]), heights, strict=False):
        y = (max(heights) - height) / 2 + 1
        for card in part:
            card.x, card.y = x + 1, y
            y += card.height + BETWEEN_CARDS
    return sum(widths) - BETWEEN_COLUMNS + 2, max(heights)


def arrows_from(card: Card, cards: Mapping[Enum, Card]) -> Iterator[str]:
    """Yield the arrows to later columns, each from its own line."""
    for number, (_, state) in enumerate(card.exits):
        target = cards[state]
        if target.column > card.column:
            x, y = card.x + card.width, card.y + (number + 1.5) * LINE + PADDING / 2
            to, down = target.x, target.y + LINE / 2 + PADDING / 2
            middle = BETWEEN_COLUMNS / 2
            yield (
                f'<path d="M{x:.0f} {y:.0f}C{x + middle:.0f} {y:.0f} {to - middle:.0f} {down:.0f} '
                f'{to:.0f} {down:.0f}" marker-end="url(#tip)"/>'
            )


def box(card: Card) -> Iterator[str]:
    """Yield a card's frame and its lines."""
    yield (
        f'<rect x="{card.x:.0f}" y="{card.y:.0f}" width="{card.width:.0f}" '
        f'height="{card.height:.0f}" rx="5"/>'
    )
    for number, text in enumerate([word(card.state), *card.lines]):
        weight = "" if number else ' class="name"'
        y = card.y + (number + 0.75) * LINE + PADDING / 2
        yield f'<text x="{card.x + PADDING:.0f}" y="{y:.0f}"{weight}>{html.escape(text)}</text>'


def listing(table: Table) -> list[str]:
    """Return the whole table in Markdown."""
    lines = ["| state | symbol | next state |", "|---|---|---|"]
    for state, row in table.items():
        for target, label in arrows(row):
            lines.append(f"| {word(state)} | {label} | {word(target)} |")
    return lines


def meanings(table: Table) -> list[str]:
    """Return what each state stands for, in Markdown."""
    rows = (f"| {word(state)} | {plain(str(state.value))} |" for state in states(table))
    return ["| state | stands for |", "|---|---|", *rows]


def states(table: Table) -> list[Enum]:
    """List the states of a table, then those that it only leads to."""
    targets = (target for row in table.values() for target in row.values())
    return list(dict.fromkeys([*table, *targets]))


def arrows(row: Mapping[Enum, Enum]) -> list[tuple[Enum, str]]:
    """List the targets of a state, each with the symbols that lead to it."""
    symbols: dict[Enum, list[str]] = {}
    for symbol, target in row.items():
        symbols.setdefault(target, []).append(word(symbol))
    rest = fallback_of(row)
    return [
        (target, REST if target is rest else ", ".join(names)) for target, names in symbols.items()
    ]


def fallback_of(row: Mapping[Enum, Enum]) -> Enum:
    """Find where a state goes on a character without a symbol of its own: the last symbol."""
    return row[max(row, key=list(type(next(iter(row)))).index)]


def common_fallback(table: Table) -> Enum:
    """Find the state that most states fall back to."""
    return Counter(map(fallback_of, table.values())).most_common(1)[0][0]


def word(member: Enum) -> str:
    """Spell an enum member's name as words, safe in Markdown."""
    return member.name.lower().replace("_", " ")


def plain(text: str) -> str:
    """Escape what Markdown would read as its own."""
    return re.sub(r"([\\`*_\[\]])", r"\\\1", html.escape(text)).replace("|", "&#124;")

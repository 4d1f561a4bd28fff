"""Draws the scanner's state tables into the docs, from the tables themselves.

A page asks for one with a line of its own: `<!-- states: streamcite.scan.tags -->`.
"""

import html
import importlib
import re
from collections import Counter
from collections.abc import Mapping
from enum import Enum

Table = Mapping[Enum, Mapping[Enum, Enum]]

REQUEST = re.compile(r"^<!-- states: (?P<module>[\w.]+) -->$", re.MULTILINE)

REST = "anything else"


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put a diagram and its table in the place of each request; mkdocs calls this."""
    return REQUEST.sub(lambda match: draw(load(match["module"])), markdown)


def load(module: str) -> Table:
    """Import the table of a module; a wrong name breaks the build."""
    table: Table = importlib.import_module(module).TRANSITIONS
    return table


def draw(table: Table) -> str:
    """Return a Mermaid diagram of a table, and the table itself folded below it."""
    folded = fold("The table", listing(table)) + fold("The states", meanings(table))
    return "\n".join(["```mermaid", *diagram(table), "```", "", *folded])


def fold(title: str, lines: list[str]) -> list[str]:
    """Return lines of Markdown that open at a click."""
    return [f'??? note "{title}"', "", *(f"    {line}" for line in lines), ""]


def diagram(table: Table) -> list[str]:
    """Return the lines of a Mermaid state diagram, without arrows to the common fallback."""
    fallback = common_fallback(table)
    names = (f'    state "{word(state)}" as s_{state.name}' for state in states(table))
    lines = ["stateDiagram-v2", *names]
    lines.append(f"    [*] --> s_{next(iter(table)).name}")
    for state, row in table.items():
        for target, label in arrows(row):
            if (target, label) != (fallback, REST):
                lines.append(f"    s_{state.name} --> s_{target.name}: {label}")
    lines.append(f"    note right of s_{fallback.name}: whatever is not drawn leads here")
    return lines


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
    """Spell an enum member's name as words, safe in Mermaid and Markdown."""
    return member.name.lower().replace("_", " ")


def plain(text: str) -> str:
    """Escape what Markdown would read as its own."""
    return re.sub(r"([\\`*_\[\]])", r"\\\1", html.escape(text)).replace("|", "&#124;")

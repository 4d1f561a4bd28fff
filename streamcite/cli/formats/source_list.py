"""The list of sources in the terminal: short while the answer grows, whole at its end."""

from contextlib import suppress
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.style import Style
from rich.table import Table
from rich.text import Text

from streamcite.cli.pieces import Source, clean, web_address

__all__ = ["final_list", "link_of", "live_list"]

CITED, FAINT, ADDRESS = "bold cyan", "bright_black", "blue"

# Lines of the live area that are no sources: the growing line, blank, heading, "and more", cursor.
LINES_BESIDE = 5


def live_list(console: Console, sources: list[Source]) -> RenderableType:
    """Return one line for each source, no more than the screen holds; cited ones go first."""
    if not sources:
        return Text()
    room = max(console.height - LINES_BESIDE, 1)
    best = {each.number for each in sorted(sources, key=lambda each: not each.cited)[:room]}
    shown = [source for source in sources if source.number in best]
    grid = _grid()
    for source in shown:
        grid.add_row(*_mark(source), _title(source, wrap=False))
    return Group(Text(), _heading(sources), grid, *_more(len(sources) - len(shown)))


def final_list(sources: list[Source], room: int | None = None) -> RenderableType:
    """Return every source: cited ones with address and first words, the others by title.

    Args:
        sources: The sources.
        room: With more sources than this, those that nothing cites are left out.
    """
    grid, shown = _grid(), sources
    if room is not None and len(sources) > room:
        shown = [source for source in sources if source.cited or source.beside]
    for source in shown:
        body = [_title(source, wrap=source.cited or source.beside)]
        if source.beside and not source.cited:
            body[0].append(f" ({source.remark})", FAINT)
        if source.cited:
            body += [Text(clean(source.url), ADDRESS)] if source.url else []
            body.append(Text(clean(source.snippet), FAINT))
        grid.add_row(*_mark(source), Group(*body))
    return Group(_heading(sources), grid, *_more(len(sources) - len(shown)))


def link_of(source: Source) -> str | None:
    """Return what a click on the source opens: its address, else its file."""
    if source.url:
        return source.url
    path = source.document.meta.get("file_path")
    with suppress(ValueError, OSError):
        if isinstance(path, str) and Path(path).is_file():
            return Path(path).resolve().as_uri()
    return web_address(path) or None


def _more(left: int) -> list[Text]:
    return [Text(f"… and {left} more", FAINT)] if left else []


def _heading(sources: list[Source]) -> RenderableType:
    cited = sum(source.cited for source in sources)
    return Rule(f"Sources: {cited} of {len(sources)} cited", style=FAINT, align="left")


def _grid() -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, justify="right")
    grid.add_column(overflow="fold")
    return grid


def _mark(source: Source) -> tuple[Text, Text]:
    style = CITED if source.cited else FAINT
    return Text("●" if source.cited else "○", style), Text(source.shown, style)


def _title(source: Source, *, wrap: bool) -> Text:
    style = Style(bold=source.cited, dim=not source.cited, link=link_of(source))
    return Text(
        clean(source.title), style, no_wrap=not wrap, overflow="fold" if wrap else "ellipsis"
    )

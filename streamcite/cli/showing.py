"""A token stream to a writer, and what its end means for the exit code."""

from collections.abc import AsyncIterable

from streamcite import cite
from streamcite.cli.failure import FAILED, MISUSED, CommandError
from streamcite.cli.formats import Writer
from streamcite.errors import InputError
from streamcite.events import FinalAnswer, PartialAnswer
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["show", "show_events"]


async def show(
    chunks: AsyncIterable[object],
    writer: Writer,
    query: str,
    sources: Sources,
    options: CiteOptions,
) -> int:
    """Cite the stream and show it; return the exit code."""
    async with cite(chunks, query=query, sources=sources, options=options) as answer:
        return await show_events(answer, writer)


async def show_events(events: AsyncIterable[object], writer: Writer) -> int:
    """Show events as they come.

    Raises:
        CommandError: The stream failed; the code tells bad input, of which nothing could be
            shown, from a stream that broke off.
    """
    shown, complete = False, True
    try:
        async for event in events:
            writer.write(event)  # type: ignore[arg-type]  # aiostream knows no item types
            shown = shown or isinstance(event, PartialAnswer)
            complete = complete and not (isinstance(event, FinalAnswer) and not event.complete)
    except InputError as error:
        raise CommandError(str(error), FAILED if shown else MISUSED) from error
    finally:
        writer.close()
    return 0 if complete else FAILED

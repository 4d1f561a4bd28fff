"""A token stream to a writer, and what its end means for the exit code."""

from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import suppress

from streamcite import cite
from streamcite.answers import AnswerWarning
from streamcite.cli.failure import FAILED, MISUSED, PIPE_CLOSED, CommandError, tell
from streamcite.cli.flags import in_flags
from streamcite.cli.formats import Writer
from streamcite.errors import GeneratorError, InputError
from streamcite.events import AnswerEvent, FinalAnswer
from streamcite.options import CiteOptions
from streamcite.sources import Sources

__all__ = ["show", "show_events"]


async def show(
    chunks: AsyncIterable[object],
    opening: Callable[[], Writer],
    query: str,
    sources: Sources,
    options: CiteOptions,
    hint: str = "",
) -> int:
    """Cite the stream and show it; return the exit code. `hint`: see `show_events`."""
    async with cite(chunks, query=query, sources=sources, options=options) as answer:
        events = _last_message(answer) if options.last_message_only else answer
        return await show_events(events, opening, hint)


async def _last_message(events: AsyncIterable[AnswerEvent]) -> AsyncIterator[AnswerEvent]:
    """Keep the events of each reply until it is known which one makes the answer."""
    kept: dict[int, list[AnswerEvent]] = {}
    async for event in events:
        kept.setdefault(event.reply, []).append(event)
        if isinstance(event, FinalAnswer):
            for each in kept.pop(event.reply):
                yield each


async def show_events(
    events: AsyncIterable[AnswerEvent], opening: Callable[[], Writer], hint: str = ""
) -> int:
    """Show events as they come.

    Args:
        events: What to show.
        opening: Opens the writer, here in the event loop: Ctrl-C comes at one of its turns only,
            and so not between the writer's beginning and its end.
        hint: What to tell if there are numbers that no document has.

    Raises:
        CommandError: The stream or the model failed; the code tells bad input, of which nothing
            could be shown, from a stream that broke off.
    """
    shown, complete = False, True
    warnings: list[AnswerWarning] = []
    writer = opening()
    try:
        async for event in events:
            broke_off = isinstance(event, FinalAnswer) and not event.complete
            shown = shown or not broke_off
            complete = complete and not broke_off
            if isinstance(event, FinalAnswer):
                warnings.extend(event.answer.warnings)
            # Of a stream that could not be read at all there is nothing to show.
            if shown or not broke_off:
                writer.write(event)
    except BrokenPipeError as error:
        # Here, since typer would make an exit code of its own of it.
        raise CommandError("the output's reader has gone", PIPE_CLOSED) from error
    except GeneratorError as error:
        # What servers say is left as it is, but for how this hint ends.
        said = str(error).replace("check base_url and model", "check --base-url and --model")
        raise CommandError(said, FAILED) from error
    except InputError as error:
        raise CommandError(str(error), FAILED if shown else MISUSED) from error
    finally:
        with suppress(BrokenPipeError):
            writer.close()
    # Behind the answer, which a terminal draws anew while it grows; unknown numbers stand in it.
    for warning in warnings:
        if warning.code != "unknown-source":
            tell(in_flags(warning.message))
        elif hint:
            tell(hint)
            hint = ""
    return 0 if complete else FAILED

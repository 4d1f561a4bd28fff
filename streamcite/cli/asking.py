"""From a question and files to a live answer: index, retrieve, generate, cite."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from streamcite.cli.cursor import CursorConsole
from streamcite.cli.failure import FAILED, MISUSED, CommandError, tell
from streamcite.cli.flags import FLAGS, FOR_CITE, spelling
from streamcite.cli.formats import Writer
from streamcite.cli.output import Format, for_people, open_writer
from streamcite.cli.showing import show_events
from streamcite.cli.signals import Ending
from streamcite.errors import DocumentError, MissingExtraError
from streamcite.generators import (
    ExtractiveGenerator,
    Generator,
    LocalGenerator,
    OpenAIGenerator,
)
from streamcite.options import CiteOptions
from streamcite.retrieve import PassageIndex, find_files, read_documents, split_document
from streamcite.sources import Sources

try:
    from streamcite import operators
except MissingExtraError as error:
    # One command for all that is missing, and not one after the other.
    raise MissingExtraError("aiostream", "demo") from error

__all__ = ["ask_documents", "check_options", "choose_generator", "index_files"]

LOCAL = "local"

# A terminal shows some 20 frames per second at most; more would only flicker.
SECONDS_PER_FRAME = 0.04


def check_options(options: CiteOptions) -> None:
    """Refuse options that say how a reply is read, and of which no generator is told."""
    for flag in FLAGS:
        default = CiteOptions.model_fields[flag.name].get_default()
        if flag.name in FOR_CITE and getattr(options, flag.name) != default:
            raise CommandError(
                f"{spelling(flag)} is for cite: the documents are numbered from 1, and cited as "
                "Source or by the keys that they have",
                MISUSED,
            )


def choose_generator(
    model: str | None, base_url: str | None, options: CiteOptions, *, demo: bool = False
) -> Generator:
    """Return the generator that the flags ask for, and say on stderr which one it is.

    Args:
        model: "local", a model's name, or None.
        base_url: An endpoint, or None.
        options: How the reply will be read.
        demo: Whether it is the demonstration, which is offline.
    """
    generator: Generator
    if model == LOCAL and base_url is None:
        generator = LocalGenerator(options)
    elif model or base_url or (os.environ.get("OPENAI_BASE_URL") and not demo):
        _check_address(base_url)
        generator = OpenAIGenerator(model, base_url, _key(base_url), options)
    else:
        generator = ExtractiveGenerator(options=options)
        # A key that lies about is no leave to send anybody's documents away.
        if os.environ.get("OPENAI_API_KEY") and not demo:
            tell("OPENAI_API_KEY is set; give --model to use it")
    tell(f"answering with {generator.description}")
    return generator


def _check_address(base_url: str | None) -> None:
    """Refuse an address that no request could be sent to, before anything is read or sent."""
    name = "--base-url" if base_url else "OPENAI_BASE_URL"
    address = base_url or os.environ.get("OPENAI_BASE_URL")
    if address and not _is_web_address(address):
        raise CommandError(
            f"{name} {address}: this is no address of an endpoint; write it in full, as in "
            "http://127.0.0.1:8080/v1",
            MISUSED,
        )


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, or half a pair of brackets
        return False


def _key(base_url: str | None) -> str:
    """Return the key; a server at home wants none, but the SDK does."""
    key = os.environ.get("OPENAI_API_KEY") or ("none" if base_url else None)
    if key is None:
        raise CommandError(
            "a model of OpenAI needs OPENAI_API_KEY; give --base-url for another endpoint, or "
            "--model local for a model on this machine",
            MISUSED,
        )
    return key


def index_files(paths: Sequence[Path]) -> PassageIndex:
    """Read files, and those in folders, into an index; a bar on stderr shows how far it is.

    A file that is named must be readable. Of a folder, what cannot be read is told and left out.
    """
    files = [file for path in paths for file in find_files(path, _leave_out)]
    index, read = PassageIndex(), 0
    columns = (
        TextColumn("indexing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
    )
    console = CursorConsole(stderr=True)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("", total=len(files))
        for file in files:
            progress.update(task, description=file.name)
            try:
                documents = [each for each in read_documents(file) if each.content.strip()]
            except (DocumentError, MissingExtraError) as error:
                if file in paths:
                    raise
                tell(f"left out: {error if str(file) in str(error) else f'{file}: {error}'}")
            else:
                index.add(passage for document in documents for passage in split_document(document))
                read += 1
            progress.advance(task)
    if not read:
        raise CommandError("no file could be read", MISUSED)
    return index


def _leave_out(problem: DocumentError) -> None:
    tell(f"left out: {problem}")


def ask_documents(
    ending: Ending,
    question: str,
    index: PassageIndex,
    generator: Generator,
    top: int,
    format_name: Format | None,
    options: CiteOptions,
    *,
    placed: bool = True,
) -> int:
    """Answer the question live from the best passages; return the exit code.

    Nobody gave the files of the demonstration, and its list is not `placed`.
    """
    with index:
        sources = Sources(index.search(question, top))
    # Without a model the answer is that the documents say nothing.
    if not sources and not isinstance(generator, ExtractiveGenerator):
        tell("no passage has a word of the question; the model answers without documents")
    options = for_people(options, format_name)
    waiting = "waiting for the first token"
    opening = partial(
        open_writer, format_name, sources, options, title=question, waiting=waiting, placed=placed
    )
    return ending.run(_answer, question, sources, generator, options, opening)


async def _answer(
    question: str,
    sources: Sources,
    generator: Generator,
    options: CiteOptions,
    opening: Callable[[], Writer],
) -> int:
    tokens = generator.stream(question, sources)
    cited = operators.cite(tokens, query=question, sources=sources, options=options)
    calm = cited | operators.throttle.pipe(SECONDS_PER_FRAME)
    code = FAILED
    async with calm.stream() as events:
        code = await show_events(events, opening)
    return code  # noqa: RET504 - for mypy, leaving a stream may swallow what was raised

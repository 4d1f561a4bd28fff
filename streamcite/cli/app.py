"""The commands: cite a stream, ask documents, see the demo."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from streamcite import __version__
from streamcite.cli.failure import MISUSED, CommandError, tell
from streamcite.cli.flags import with_ask_options, with_cite_options
from streamcite.cli.input import (
    STANDARD_INPUT,
    is_standard_input,
    is_typed,
    read_typed,
    refuse_typed,
)
from streamcite.cli.output import Format, for_people, open_writer
from streamcite.cli.reading import InputKind, read_chunks
from streamcite.cli.showing import show
from streamcite.cli.signals import Ending
from streamcite.demo import QUESTION, corpus
from streamcite.options import CiteOptions
from streamcite.retrieve import find_files, read_documents
from streamcite.sources import Sources

__all__ = ["app", "ask", "cite", "demo", "root"]

app = typer.Typer(
    help="Live, resolved citations in streamed LLM answers.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _given(text: str) -> str:
    # An unset variable of a shell, which would mean the current folder, or OpenAI's endpoint.
    if not text:
        raise typer.BadParameter("it is empty; leave it out, or give it a value")
    return text


def _path(text: str) -> Path:
    return STANDARD_INPUT if text == "-" else Path(_given(text))


def _documents_option(text: str) -> Any:
    return typer.Option("--documents", "-d", help=text, parser=_path, metavar="PATH")


PLACES = "A file or folder, or -; repeat it for more."
NumberedFlag = Annotated[
    list[Path] | None, _documents_option(f"{PLACES} Their order is the number.")
]
SearchedFlag = Annotated[
    list[Path] | None, _documents_option(f"{PLACES} The best passages are numbered.")
]
NO_DOCUMENTS = "no documents were given; --documents says what the numbers mean"

FormatFlag = Annotated[
    Format | None,
    typer.Option("--format", "-f", help="By default: terminal, or text if the output is a file."),
]


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Live, resolved citations in streamed LLM answers."""
    if version:
        typer.echo(f"streamcite {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
@with_cite_options
def cite(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            help="Plain text, JSON lines or an .sse body; - is standard input.", parser=_given
        ),
    ] = "-",
    documents: NumberedFlag = None,
    query: Annotated[str, typer.Option(help="The question that is being answered.")] = "",
    format: FormatFlag = None,  # noqa: A002 - it is the flag's name
    kind: Annotated[
        InputKind | None,
        typer.Option("--input", help="What the input is; found out by default."),
    ] = None,
    speed: Annotated[
        float | None, typer.Option(help="Replay at so many tokens per second.", min=0.01)
    ] = None,
    *,
    options: CiteOptions,
) -> int:
    """Show a token stream as an answer with live citations."""
    _check_inputs(file, documents or ())
    refuse_typed(documents or ())
    sources = Sources(
        document for path in documents or () for each in find_files(path)
        for document in read_documents(each)
    )  # fmt: skip
    options = for_people(options, format)
    opening = partial(open_writer, format, sources, options, title=query)
    typed = read_typed() if is_typed(file) else None
    chunks = read_chunks(file, kind, speed, typed)
    # Programs read the warnings of the answer itself.
    hint = "" if documents or format == "ndjson" else NO_DOCUMENTS
    ending: Ending = context.obj
    return ending.run(show, chunks, opening, query, sources, options, hint)


def _check_inputs(file: str, documents: Sequence[Path]) -> None:
    is_shared = file == "-" or is_standard_input(Path(file))
    if is_shared and any(map(is_standard_input, documents)):
        raise CommandError(
            "the documents and the answer cannot both come from standard input", MISUSED
        )


@app.command()
@with_ask_options
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    documents: SearchedFlag = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="A model's name at the endpoint, or local.", parser=_given, metavar="NAME"
        ),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="An OpenAI-compatible endpoint; or OPENAI_BASE_URL.", parser=_given, metavar="URL"
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(help="How many passages the model is shown.", min=1, max=1000)
    ] = 5,
    format: FormatFlag = None,  # noqa: A002 - it is the flag's name
    *,
    options: CiteOptions,
) -> int:
    """Answer a question from documents, with live citations."""
    from streamcite.cli.asking import ask_documents, check_options, choose_generator, index_files

    if not documents:
        raise CommandError("give --documents a file or folder to answer from", MISUSED)
    refuse_typed(documents)
    check_options(options)
    generator = choose_generator(model, base_url, options)
    return ask_documents(
        context.obj, question, index_files(documents), generator, top, format, options
    )


@app.command()
def demo(
    context: typer.Context,
    model: Annotated[
        Literal["local"] | None, typer.Option(help="Let the small local model answer.")
    ] = None,
    format: FormatFlag = None,  # noqa: A002 - it is the flag's name
) -> int:
    """Show a live cited answer, offline, from a bundled corpus."""
    from streamcite.cli.asking import ask_documents, choose_generator, index_files

    options = CiteOptions()
    generator = choose_generator(model, None, options, demo=True)
    if not sys.stdout.isatty():
        tell(f"question: {QUESTION}")
    return ask_documents(
        context.obj, QUESTION, index_files(corpus()), generator, 6, format, options, placed=False
    )

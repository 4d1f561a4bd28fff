"""`streamcite ask` and `streamcite demo`: from a question and files to a cited answer."""

import importlib.util
import os
import subprocess
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from streamcite import Sources, cite_text
from streamcite.demo import QUESTION, corpus
from streamcite.retrieve import read_documents
from tests.cli.screens import COMMAND, ROOT, play

pytest.importorskip("typer", reason="the command line needs the extra cli")
pytest.importorskip("aiostream", reason="asking needs the extra demo")

EXTRACTIVE = (
    b"streamcite: answering with the extractive generator: sentences of the documents, no model\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Write two files."""
    (tmp_path / "berlin.md").write_text("# Berlin\n\nBerlin is the capital of Germany.\n")
    (tmp_path / "paris.txt").write_text("Paris is the capital of France.\n")
    return str(tmp_path)


def run(
    *arguments: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the command without a key, and without a way out."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    closed = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        check=False,
        env={**plain, **closed, "PYTHONPATH": str(ROOT), **(env or {})},
    )


def test_an_answer_is_taken_from_the_files(folder: str) -> None:
    """Without a model, sentences of the documents answer, and stderr says so."""
    done = run("ask", "What is the capital of France?", "-d", folder)

    assert (done.returncode, done.stderr) == (0, EXTRACTIVE)
    assert done.stdout.startswith(b"Paris is the capital of France [1].")
    assert f"\n[1] paris ({folder}/paris.txt)\n" in done.stdout.decode()


# How a list says which file, or which line of it, a source is.
PLACES = [
    ("text", "[1] paris ({})\n"),
    ("markdown", "1. paris ({}): "),
    ("html", ">paris ({})<br>"),
]


@pytest.mark.parametrize(("form", "shown"), PLACES)
def test_a_source_without_an_address_shows_its_file(tmp_path: Path, form: str, shown: str) -> None:
    """As it was given; a title alone could be that of any file."""
    (file := tmp_path / "paris.txt").write_text("Paris is the capital of France.\n")

    done = run("ask", "What is the capital of France?", "-d", str(file), "-f", form)
    assert shown.format(file) in done.stdout.decode().replace("\\_", "_")


def test_a_line_without_a_title_is_called_by_its_number(tmp_path: Path) -> None:
    """Else all documents of a file would have one name."""
    lines = ['{"content": "Berlin is in Germany."}', "", '{"content": "Paris is in France."}']
    (file := tmp_path / "my.jsonl").write_text("\n".join(lines))

    done = run("ask", "Is Paris in France?", "-d", str(file), "--top", "1")
    assert f"\n[1] my.jsonl:3 ({file}:3)\n" in done.stdout.decode()


def test_the_demo_names_no_files() -> None:
    """Nobody gave them, and their paths are those of the installed package."""
    assert b"\n[6] Winter bees\n" in run("demo", "-f", "text").stdout


def test_options_reach_the_answer(folder: str) -> None:
    """The flags of `cite` are those of `ask`."""
    done = run("ask", "What is the capital of France?", "-d", folder, "--display", "remove")

    assert done.stdout.startswith(b"Paris is the capital of France.")


def test_only_the_best_passages_are_shown(folder: str) -> None:
    """`--top` bounds what the generator sees, and so the sources."""
    done = run("ask", "Which capital is in France?", "-d", folder, "--top", "1")

    assert done.stdout.count(b"\n[") == 1


def test_documents_without_an_answer_say_so(folder: str) -> None:
    """A question that no document has a word of is answered by saying so."""
    done = run("ask", "Why do cats purr?", "-d", folder)

    assert (done.returncode, done.stdout) == (0, b"The documents say nothing about this.\n")


def test_a_model_without_documents_is_told(folder: str) -> None:
    """Its answer comes from what it knows, and nobody would see that."""
    endpoint = ("--base-url", "http://127.0.0.1:9", "--model", "m")

    done = run("ask", "Why do cats purr?", "-d", folder, *endpoint)

    assert b"no passage has a word of the question; the model answers without" in done.stderr


# Grammar, and how the generator without a model cites in it.
GRAMMARS = [("bracket", "[1]"), ("caret", "[^1]"), ("label", "[Source 1]")]


@pytest.mark.parametrize(("grammar", "marker"), GRAMMARS)
def test_sentences_are_cited_as_they_are_read(folder: str, grammar: str, marker: str) -> None:
    """Whatever the grammar, the answer's citations resolve."""
    done = run("ask", "What is the capital of France?", "-d", folder, "--markers", grammar)

    assert done.stdout.decode().splitlines()[0] == f"Paris is the capital of France {marker}."
    assert "Unresolved" not in done.stdout.decode()


def test_without_markers_nothing_is_cited(folder: str) -> None:
    """An answer in which nothing is a citation has none, and all documents are listed."""
    done = run("ask", "What is the capital of France?", "-d", folder, "--markers", "none")

    assert done.stdout.decode().startswith("Paris is the capital of France.\n\nSources\n")
    assert done.stdout.decode().count("(not cited)") == 2


def test_a_key_alone_sends_nothing_away(folder: str) -> None:
    """A key in the environment is no leave to send documents to anybody."""
    env = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": ""}
    done = run("ask", "What is the capital of France?", "-d", folder, env=env)

    assert done.stdout.startswith(b"Paris is the capital of France [1].")
    assert "give --model to use it" in done.stderr.decode()


MISUSE = {
    "another base": (("ask", "Why?", "--index-base", "0", "-d", "."), 2, "numbered from 1"),
    "another label": (("ask", "Why?", "--label", "Quelle", "-d", "."), 2, "--label is for cite"),
    "no documents": (("ask", "Why?"), 2, "give --documents"),
    "an empty folder": (("ask", "Why?", "-d", ""), 2, "it is empty"),
    "an empty model": (("ask", "Why?", "--model", ""), 2, "it is empty"),
    "an empty address": (("ask", "?", "--model", "m", "--base-url", ""), 2, "it is empty"),
    "no such folder": (("ask", "Why?", "-d", "missing"), 2, "missing: there is no such file"),
    "too many passages": (("ask", "Why?", "--top", "9" * 20), 2, "'--top'"),
    "no key": (("ask", "Why?", "--model", "m"), 2, "needs OPENAI_API_KEY"),
    "no scheme": (
        ("ask", "Why?", "--model", "m", "--base-url", "127.0.0.1:9"),
        2,
        "--base-url 127.0.0.1:9: this is no address",
    ),
    "no model's name": (
        ("ask", "capital?", "-d", str(corpus()[0]), "--base-url", "http://127.0.0.1:9"),
        1,
        "cannot reach gpt-4o-mini at http://127.0.0.1:9: ",
    ),
    "no server": (
        ("ask", "capital?", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"),
        1,
        "cannot reach m at http://127.0.0.1:9/v1: ",
    ),
}


@pytest.mark.parametrize(("arguments", "code", "message"), MISUSE.values(), ids=MISUSE.keys())
def test_what_cannot_be_done_is_told(
    folder: str, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """The last line on stderr says why, and there is no traceback."""
    files = ("-d", folder) if "--model" in arguments else ()

    done = run(*arguments, *files)

    assert (done.returncode, done.stdout) == (code, b"")
    assert message in done.stderr.decode().splitlines()[-1]
    assert "Traceback" not in done.stderr.decode()


def test_help_lists_what_is_taken() -> None:
    """Flags that would be refused are those of `cite` only."""
    wide = {"COLUMNS": "200"}
    asked, cited = (run(name, "--help", env=wide).stdout.decode() for name in ("ask", "cite"))

    assert [flag in cited for flag in ("--index-base", "--label", "--key-field")] == [True] * 3
    assert [flag in asked for flag in ("--index-base", "--label", "--key-field")] == [False] * 3
    assert ["order is the number" in text for text in (asked, cited)] == [False, True]
    assert "--markers" in asked
    defaults = ("bracket", "keep", "mark; with", "all of them", "256; with")
    words = " ".join(asked.split())
    assert [f"[default: {each}" in words for each in defaults] == [True] * 5
    assert "list[str]" not in asked + cited


class Breaking(BaseHTTPRequestHandler):
    """Sends one token, and no end."""

    def do_POST(self) -> None:
        """Begin a chat completion."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'data: {"choices": [{"delta": {"content": "Paris [1"}}]}\n\n')

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_reply_that_breaks_off_is_1(folder: str) -> None:
    """The text is shown as incomplete, and stderr says what the endpoint left out."""
    with HTTPServer(("127.0.0.1", 0), Breaking) as server:
        Thread(target=server.handle_request, daemon=True).start()
        endpoint = ("--base-url", f"http://127.0.0.1:{server.server_port}", "--model", "m")
        done = run("ask", "capital?", "-d", folder, *endpoint, env={"no_proxy": "127.0.0.1"})

    assert done.returncode == 1
    assert done.stdout.startswith(b"Paris [1\n\n(incomplete: the stream ended before the reply")
    assert b"ended the stream without a finish reason" in done.stderr.splitlines()[-1]


class Missing(Breaking):
    """Knows no such model."""

    def do_POST(self) -> None:
        """Refuse the request."""
        self.send_error(404)


def test_an_address_that_is_wrong_is_told_in_flags(folder: str) -> None:
    """Who types flags is told which of them to look at."""
    with HTTPServer(("127.0.0.1", 0), Missing) as server:
        Thread(target=server.handle_request, daemon=True).start()
        endpoint = ("--base-url", f"http://127.0.0.1:{server.server_port}", "--model", "m")
        done = run("ask", "capital?", "-d", folder, *endpoint, env={"no_proxy": "127.0.0.1"})

    assert done.stderr.endswith(b" answers 404; check --base-url and --model\n")


def test_a_folder_may_hold_other_files(folder: str) -> None:
    """What cannot be read in a folder is told and left out; a file that is named is an error."""
    foreign = Path(folder, "settings.jsonl")
    foreign.write_text('{"content": "Paris is the capital of nothing."}\n{"foo": 1}\n')

    done = run("ask", "What is the capital of France?", "-d", folder)
    named = run("ask", "What is the capital of France?", "-d", folder, "-d", str(foreign))

    assert (done.returncode, done.stdout.splitlines()[0]) == (
        0,
        b"Paris is the capital of France [1].",
    )
    assert "left out: " in done.stderr.decode()
    assert "settings.jsonl:2: this is no document" in done.stderr.decode()
    assert (named.returncode, named.stdout) == (2, b"")


def test_a_folder_of_other_files_is_an_error(tmp_path: Path) -> None:
    """An answer from no file at all would be none."""
    (tmp_path / "settings.json").write_text('{"foo": 1}')

    done = run("ask", "Why?", "-d", str(tmp_path))

    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1] == "streamcite: no file could be read"


# The package that is missing, the arguments, and the extra that brings all that they need.
MISSING = [
    ("xllamacpp", ("ask", "Why?", "--model", "local", "-d"), "local"),
    ("aiostream", ("ask", "Why?", "-d"), "demo"),
    ("typer", ("ask", "Why?", "-d"), "demo"),
    ("rich", ("demo",), "demo"),
    ("typer", ("cite", "-d"), "cli"),
    ("typer", ("--help",), "cli"),
]


@pytest.mark.parametrize(("package", "arguments", "extra"), MISSING)
def test_a_missing_extra_is_named(
    folder: str, tmp_path: Path, package: str, arguments: tuple[str, ...], extra: str
) -> None:
    """Where a package is missing, the message says what to install."""
    block = tmp_path / "block"
    block.mkdir()
    (block / f"{package}.py").write_text(f"raise ImportError(name='{package}')")
    env = {"PYTHONPATH": f"{block}{os.pathsep}{ROOT}"}

    done = run(*arguments, *([folder] if "-d" in arguments else []), env=env)

    assert done.returncode == 2
    assert f"python -m pip install 'streamcite[{extra}]'" in done.stderr.decode()


@pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="the local model needs the extra local"
)
def test_the_local_model_cites(folder: str) -> None:
    """A real model, offline, writes sentences that end with a number of a document."""
    done = run("ask", "What is the capital of France?", "-d", folder, "--model", "local")

    answer, *_ = done.stdout.decode().partition("\n\nSources\n")
    documents = [document for file in corpus()[:2] for document in read_documents(file)]
    cited = cite_text(answer, sources=Sources(documents[:2])).citations

    assert done.returncode == 0
    assert cited
    assert all(citation.source_indices for citation in cited)


def test_the_demo_shows_a_cited_answer() -> None:
    """Offline, in a terminal: the question, an answer with raised numbers, the sources."""
    seen = play(["demo"])

    text = "\n".join(seen.lines)
    assert seen.code == 0
    assert " ".join(text.split()).count(QUESTION) == 1
    assert "In a cool climate it needs 15 to 20 kilograms ²." in " ".join(text.split())
    assert "Sources: 3 of 6 cited" in text


def test_the_demo_fits_a_narrow_terminal() -> None:
    """Nothing that the demo writes is wider than 40 columns."""
    seen = play(["demo"], size=(40, 30))

    assert seen.code == 0
    assert max(map(len, seen.lines)) <= 40


def test_the_corpus_has_every_kind_of_file() -> None:
    """The demo reads Markdown, text, HTML and JSON lines."""
    assert {file.suffix for file in corpus()} == {".md", ".txt", ".html", ".jsonl"}

"""`streamcite cite` through pipes and files: what it reads, what it says, how it ends."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.screens import COMMAND, ROOT, interruptible

pytest.importorskip("typer", reason="the command line needs the extra cli")

FULL = Path("/dev/full")
STREAMS = ROOT / "tests" / "data" / "streams"
DOCUMENTS = [
    {
        "content": "Berlin is a city.",
        "id": "a",
        "meta": {"title": "Berlin", "url": "https://e.x/1"},
    },
    {"content": "Paris is a city.", "id": "b", "meta": {"title": "Paris"}},
]


@pytest.fixture
def documents(tmp_path: Path) -> str:
    """Write two documents."""
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in DOCUMENTS))
    return str(path)


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Build the command's environment."""
    return {**os.environ, "PYTHONPATH": str(ROOT), **(more or {})}


def run(
    *arguments: str, stdin: str | bytes = b"", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run `streamcite cite` to its end."""
    body = stdin.encode() if isinstance(stdin, str) else stdin
    command = [*COMMAND, "cite", *arguments]
    return subprocess.run(
        command, input=body, capture_output=True, env=environment(env), check=False
    )


def test_text_comes_with_its_sources(documents: str) -> None:
    """The answer stays as it was written; each source says what it is and whether it is cited."""
    done = run("-d", documents, stdin="Paris [2], not [7].")

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == (
        "Paris [2], not [7].\n\n"
        "Sources\n"
        "[1] Berlin <https://e.x/1> (not cited)\n"
        "[2] Paris\n"
        "    Paris is a city.\n"
        "Unresolved: [7]\n"
    )


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="standard input has no path here")
@pytest.mark.parametrize("name", ["/dev/stdin", "-"])
def test_documents_may_come_from_standard_input(name: str, documents: str, tmp_path: Path) -> None:
    """A shell may open a file of documents there."""
    (answer := tmp_path / "answer.txt").write_text("Paris [2].")
    command = [*COMMAND, "cite", "-d", name, str(answer)]

    with Path(documents).open() as opened:
        done = subprocess.run(
            command, stdin=opened, capture_output=True, env=environment(), check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"\n[2] Paris\n    Paris is a city.\n")


# How a command in a shell may name standard input twice.
TWICE = {
    "no file": "{cite} -d /dev/stdin < docs.jsonl",
    "a hyphen": "cat docs.jsonl | {cite} -d /dev/stdin -",
    "two hyphens": "cat docs.jsonl | {cite} -d - -",
    "a name": "{cite} -d /dev/stdin /dev/fd/0 < docs.jsonl",
    "two names": "cat docs.jsonl | {cite} -d docs.jsonl -d /dev/fd/0",
    "a pipe with a name": "mkfifo pipe; cat docs.jsonl > pipe & {cite} -d pipe < pipe",
}


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="standard input has no path here")
@pytest.mark.parametrize("line", TWICE.values(), ids=TWICE.keys())
@pytest.mark.usefixtures("documents")
def test_standard_input_is_read_once(tmp_path: Path, line: str) -> None:
    """What the documents have taken is not there for the answer."""
    shell = line.format(cite=f"{shlex.join(COMMAND)} cite")
    done = subprocess.run(
        ["sh", "-c", shell], cwd=tmp_path, capture_output=True, env=environment(), check=False
    )

    message = b"streamcite: the documents and the answer cannot both come from standard input\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", message)


def test_a_file_may_be_documents_and_answer(tmp_path: Path) -> None:
    """A file that is named on its own is opened twice."""
    (path := tmp_path / "both.txt").write_text("Both [1].")
    with path.open() as opened:
        command = [*COMMAND, "cite", "-d", str(path)]
        done = subprocess.run(
            command, stdin=opened, capture_output=True, env=environment(), check=False
        )

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Both [1].\n\nSources\n[1] both\n")


def test_nothing_gives_an_empty_line() -> None:
    """An empty input is an empty answer, and no error."""
    done = run()

    assert (done.returncode, done.stdout, done.stderr) == (0, b"\n", b"")


def test_text_shows_at_once() -> None:
    """What has arrived on the pipe is written before more comes."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "env": environment()}
    with subprocess.Popen([*COMMAND, "cite"], **pipes) as process:  # type: ignore[call-overload]
        process.stdin.write("Zü".encode()[:-1])
        process.stdin.flush()
        first = process.stdout.read(1)
        process.stdin.write("Zü".encode()[-1:])
        process.stdin.close()
        rest = process.stdout.read()

    assert (first, rest.decode()) == (b"Z", "ü\n")


INPUTS = {
    "tokens": '"Paris"\n" [2"\n"]."\n',
    "chunks": '{"text": "Paris"}\n{"text": " [2]."}\n',
    "openai chunks": '{"choices": [{"index": 0, "delta": {"content": "Paris [2]."}}]}\n',
    "a body": 'data: {"choices": [{"delta": {"content": "Paris [2]."}}]}\n\ndata: [DONE]\n\n',
    "a completion": '{"choices": [{"index": 0, "message": {"content": "Paris [2]."}}]}',
    "a completion on lines": '{\n"choices": [\n{"message": {"content": "Paris [2]."}}\n]}',
    "plain text": "Paris [2].",
}


@pytest.mark.parametrize("body", INPUTS.values(), ids=INPUTS.keys())
def test_the_kind_of_input_is_found_out(documents: str, body: str) -> None:
    """Recordings of every kind give the same answer."""
    assert run("-d", documents, stdin=body).stdout.startswith(b"Paris [2].\n\nSources\n")


def test_the_kind_of_input_can_be_forced() -> None:
    """Text that looks like a recording is text if one says so."""
    assert run("--input", "plain", stdin='"Paris"\n').stdout == b'"Paris"\n'


@pytest.mark.parametrize("path", sorted(STREAMS.glob("*.sse")), ids=lambda path: path.stem)
def test_a_recorded_body_is_shown_whole(path: Path) -> None:
    """Every recorded body has an answer, and those that are whole end with 0."""
    done = run(str(path), "-f", "ndjson")

    events = [json.loads(line) for line in done.stdout.splitlines()]

    assert (done.returncode, done.stderr) == (0, b"")
    assert all(event["complete"] for event in events if event["kind"] == "final")


@pytest.mark.parametrize("speed", [(), ("--speed", "1000")])
@pytest.mark.parametrize("text", ['{\n "answer": "Paris"\n}', '{\n "a": 1\n} is JSON.', "{\n x}"])
def test_text_in_braces_is_shown_whole(text: str, speed: tuple[str, ...]) -> None:
    """What a model wrote in JSON, or about it, is text."""
    done = run(*speed, stdin=text)

    assert (done.returncode, done.stdout.decode()) == (0, f"{text}\n")


def test_replies_stand_one_after_the_other() -> None:
    """Two interleaved replies are two answers, the first one first."""
    path = STREAMS / "smollm2-chat-n2-interleaved-usage.sse"

    text = run(str(path)).stdout.decode()

    assert text.index("The 687 days Jupiter") < text.index("The moons Io, Europa")
    assert text.count("(cut off: the generator reached its length limit)") == 2


def test_ndjson_is_one_event_a_line(documents: str) -> None:
    """Machines get every event, with the citation's place and its document."""
    done = run("-d", documents, "-f", "ndjson", stdin="Paris [2].")

    partial, *_, final = [json.loads(line) for line in done.stdout.splitlines()]

    assert partial["kind"] == "partial"
    assert final["answer"]["data"] == "Paris [2]."
    assert final["answer"]["citations"][0]["references"][0]["document_id"] == "b"


def test_ndjson_is_json_whatever_a_document_holds(tmp_path: Path) -> None:
    """A score that is no number is null."""
    (file := tmp_path / "docs.jsonl").write_text('{"content": "a", "score": NaN, "x": [Infinity]}')

    done = run("-d", str(file), "-f", "ndjson", stdin="a [1]")

    assert b"NaN" not in done.stdout
    assert b"Infinity" not in done.stdout
    document = json.loads(done.stdout.splitlines()[-1])["answer"]["documents"][0]
    assert (document["score"], document["meta"]["x"]) == (None, [None])


def test_markdown_links_citations(documents: str) -> None:
    """A citation leads to its source's address, if it has one; the sources are a list."""
    done = run("-d", documents, "-f", "markdown", stdin="Both [1][2], not [7].")

    assert done.stdout.decode() == (
        "Both [[1]](https://e.x/1)[2], not [7].\n\n"
        "## Sources\n\n"
        "1. [Berlin](https://e.x/1): Berlin is a city.\n"
        "2. Paris: Paris is a city.\n\n"
        "Unresolved: `[7]`\n\n"
    )


def test_html_links_citations(documents: str) -> None:
    """A citation leads to the list below; what the model wrote is text, not markup."""
    page = run("-d", documents, "-f", "html", stdin="<b> [1], not [7].").stdout.decode()

    assert (
        '<p class="answer">&lt;b&gt; <sup><a href="#source-0-1">1</a></sup>, not '
        '<span class="unresolved">[7]</span>.</p>'
    ) in page
    assert '<li id="source-0-1" value="1" class="cited"><a href="https://e.x/1">' in page
    assert page.endswith("</html>\n")


def test_options_reach_the_engine(documents: str) -> None:
    """Flags stand for the options of the library."""
    flags = ("--markers", "caret", "--display", "remove", "--extract-xml-tag", "think")

    done = run("-d", documents, *flags, stdin="<think>no</think>Paris [^2]. [1]")

    assert done.stdout.decode().startswith("Paris. [1]\n\nSources\n[1] Berlin")


MISUSE = {
    "an unknown flag": (("--bogus",), "No such option"),
    "an unknown marker": (("--markers", "round"), "round: no such name; there are bracket"),
    "two patterns": (("--markers", "caret", "--reference-pattern", "acm"), "give one of the two"),
    "a broken pattern": (("--reference-pattern", "(a)(b)"), "more than one group"),
    "a pattern's flag": (("--reference-pattern", "("), "--reference-pattern '(' at position 0"),
    "a pattern as typed": (("--reference-pattern", r"\d*"), r"--reference-pattern '\d*': it can"),
    "a way out for a pattern": (("--reference-pattern", "(?<=ab)(1)"), "or use --when at_end"),
    "the other's flag": (("--pattern", "("), "--pattern '(' at position 0"),
    "documents as the stream": (("docs.jsonl",), "; if these are the documents, give them with"),
    "an alias of nothing": (("--tag-alias", "think"), "write it as alias=tag"),
    "no such file": (("missing.sse",), "missing.sse: No such file"),
    "a name that commands": (("a\x1b[2J.sse",), "a␛[2J.sse: No such file"),
    "a folder": ((str(ROOT),), "the input is a folder"),
    "no name": (("",), "it is empty"),
    "no marker and one": (("--markers", "none,caret"), "none, caret: none stands alone"),
    "no name of documents": (("-d", ""), "it is empty"),
    "no marker": (("--markers", ""), "--markers is empty; leave it out, or write none"),
    "no guard": (("--guard", ""), "--guard is empty; leave it out, or write none"),
    "no documents": (("-d", "missing.jsonl"), "missing.jsonl: there is no such file"),
    "no kind of document": (("-d", __file__), "cannot read this kind of file"),
    "no speed": (("--speed", "0"), "--speed"),
}


@pytest.mark.parametrize(("arguments", "message"), MISUSE.values(), ids=MISUSE.keys())
def test_misuse_is_one_line_and_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    """Wrong usage says what is wrong, and nothing else."""
    (tmp_path / "docs.jsonl").write_text('{"id": "a", "content": "Paris"}\n' * 2)
    monkeypatch.chdir(tmp_path)

    done = run(*arguments)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"streamcite: ")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


FAILURES = {
    "an error event": (
        'data: {"text": "a"}\n\ndata: {"error": {"message": "busy"}}\n\n',
        1,
        "busy",
    ),
    "cut inside an event": ('data: {"text": "a"}\n\ndata: {"te', 1, "event 2"),
    "a broken line": ('"a"\n"b\n', 1, "line 2"),
    "a broken line behind a reply without text": (
        '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n{\n',
        1,
        "line 2",
    ),
    "no body": ("event: end\n\n", 1, "no event was found in the input, which begins with 'event: "),
    "nothing readable": ('data: {"te', 2, "event 1"),
}


@pytest.mark.parametrize(("arguments", "told"), [
    ((), "no documents were given; --documents says what the numbers mean"),
    (("-f", "ndjson"), ""),
    (("--unknown", "literal"), "no documents were given; --documents says what the numbers mean"),
])  # fmt: skip
def test_numbers_without_documents(arguments: tuple[str, ...], told: str) -> None:
    """Who gave no documents is told once why no number is resolved; programs read the answer."""
    done = run(*arguments, stdin="Paris [1] is [2].")

    assert done.returncode == 0
    assert done.stderr.decode() == (f"streamcite: {told}\n" if told else "")


def test_unknown_numbers_with_documents(documents: str) -> None:
    """With documents, a number that none has stands in the list, and nothing is told."""
    assert run("-d", documents, stdin="Paris [9].").stderr == b""


@pytest.mark.parametrize("row", FAILURES.values(), ids=FAILURES.keys())
def test_a_stream_that_breaks_is_1(row: tuple[str, int, str]) -> None:
    """What came before is shown; input of which nothing could be read is misuse."""
    body, code, message = row

    done = run(stdin=body)

    assert done.returncode == code
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert done.stdout.startswith(b"a" if '"a"' in body else b"")


PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"

# A file, flags, the exit code, and what is told.
NO_TEXTS = {
    "a picture": (PICTURE, (), 2, "this is no text in UTF-8: its byte 9 is zero; with --input"),
    "UTF-16": ("Paris.".encode("utf-16"), (), 2, "this is no text in UTF-8: its byte 4 is zero"),
    "a picture as text": (PICTURE, ("--input", "plain"), 0, ""),
    "a zero far behind": (b"a" * 5000 + b"\0", (), 0, ""),
    "a recording": (b'data: {"text": "a"}\n\ndata: [DONE]\n\n: \0\n', (), 0, ""),
    "another encoding": ("München".encode("latin-1"), (), 0, ""),
}


@pytest.mark.parametrize("row", NO_TEXTS.values(), ids=NO_TEXTS.keys())
def test_a_file_that_is_no_text_is_told(
    tmp_path: Path, row: tuple[bytes, tuple[str, ...], int, str]
) -> None:
    """It is not shown, unless it is said to be text; a recording may hold anything."""
    body, flags, code, told = row
    (file := tmp_path / "a.bin").write_bytes(body)

    done = run(str(file), *flags)

    assert (done.returncode, bool(done.stdout)) == (code, code == 0)
    assert told in done.stderr.decode() if told else not done.stderr


def test_a_pipe_may_hold_anything() -> None:
    """What a model says is no error."""
    assert run(stdin=PICTURE).returncode == 0


def test_a_reader_that_leaves_is_no_error() -> None:
    """When `head` has seen enough, the command ends without a word."""
    command = [*COMMAND, "cite", str(STREAMS / "gemma-chat-code.sse"), "--speed", "2000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(1)
        process.stdout.close()
        errors = process.stderr.read()

    assert (process.returncode, errors) == (141, b"")


# Format and other arguments, after which somebody wants to see nothing.
UNSEEN = ["cite -f terminal", "cite -f text", "cite -f html", "cite -h", "--version", "", "--help"]


@pytest.mark.parametrize("arguments", UNSEEN)
def test_a_reader_that_has_gone_is_141(arguments: str) -> None:
    """Whatever is written, nobody is there, and the command says nothing."""
    reader, writer = os.pipe()
    os.close(reader)

    command = [*COMMAND, *arguments.split()]
    done = subprocess.run(
        command,
        input=b"Paris.",
        stdout=writer,
        stderr=subprocess.PIPE,
        env=environment(),
        check=False,
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (141, b"")


CLOSED = {
    "input": ("<&-", 2, "streamcite: standard input is closed; give a file\n"),
    "output": (">&-", 1, "streamcite: standard output is closed\n"),
    "all": ("<&- >&- 2>&-", 1, ""),
}


@pytest.mark.parametrize(("closed", "code", "message"), CLOSED.values(), ids=CLOSED.keys())
def test_closed_streams(closed: str, code: int, message: str) -> None:
    """What the shell has closed is named, where there is anywhere to name it."""
    command = f"{shlex.join(COMMAND)} cite {closed}"

    done = subprocess.run(
        ["sh", "-c", command], env=environment(), input=b"a", capture_output=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr.decode()) == (code, b"", message)


# Arguments whose output does not fit on the device.
UNWRITTEN = ["cite -f text", "cite -f terminal"]


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize("arguments", UNWRITTEN)
def test_a_full_device_is_told(arguments: str) -> None:
    """What cannot be written is an error in one line."""
    with FULL.open("wb") as device:
        done = subprocess.run(
            [*COMMAND, *arguments.split()],
            input=b"Paris.",
            stdout=device,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )

    assert (done.returncode, done.stderr) == (
        1,
        b"streamcite: [Errno 28] No space left on device\n",
    )


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is full")
def test_nobody_need_be_told() -> None:
    """Where standard error cannot be written, the exit code still tells."""
    with FULL.open("wb") as device:
        command = [*COMMAND, "cite", "missing"]
        done = subprocess.run(command, stderr=device, env=environment(), check=False)

    assert done.returncode == 2


def test_an_interrupt_is_130() -> None:
    """Ctrl-C keeps what was shown and says nothing more."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(
        [*COMMAND, "cite"], env=environment(), preexec_fn=interruptible, **pipes
    )  # type: ignore[call-overload]
    process.stdin.write(b"Live")
    process.stdin.flush()
    first = process.stdout.read(4)

    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()

    assert (first, process.returncode, errors) == (b"Live", 130, b"")


POOR = {
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "latin-1": {"PYTHONIOENCODING": "latin-1"},
}


@pytest.mark.parametrize("env", POOR.values(), ids=POOR.keys())
def test_a_poor_locale_does_no_harm(env: dict[str, str]) -> None:
    """Where the encoding has no such character, a question mark stands for it."""
    done = run("-f", "text", stdin="Zürich 😀".encode(), env=env)

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Z")
    assert done.stdout.endswith(b"rich ?\n")


@pytest.mark.parametrize("name", ["markdown", "html", "ndjson"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_files_are_utf_8(encoding: str, name: str) -> None:
    """What is written for files and machines does not depend on the locale."""
    done = run("-f", name, stdin="Zürich 😀".encode(), env={"PYTHONIOENCODING": encoding})

    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert ("Zürich 😀" if name != "ndjson" else "Z\\u00fcrich \\ud83d\\ude00") in text


def test_half_a_character_does_no_harm() -> None:
    """JSON can spell what UTF-8 cannot."""
    done = run(stdin=b'"a\\ud83d"\n"b"\n')

    assert (done.returncode, done.stdout) == (0, b"a?b\n")


def test_documents_without_text_keep_their_numbers(tmp_path: Path) -> None:
    """The numbers are those of the documents that the model was shown, whatever they hold."""
    path = tmp_path / "docs.jsonl"
    path.write_text('{"content": "A"}\n{"content": "", "id": "b"}\n{"content": "C"}\n')

    shown = run("-d", str(path), stdin="C [3] and B [2].").stdout.decode()
    lines = "[1] docs.jsonl:1 (not cited)\n[2] docs.jsonl:2\n[3] docs.jsonl:3\n    C\n"
    assert shown.endswith(lines)


# Flags, format, and lines of the list: the numbers are those that stand in the answer.
NUMBERED: list[tuple[str, str, list[str]]] = [
    (
        "--display renumber",
        "text",
        ["[1] Paris", "[2] Berlin <https://e.x/1>", "Extra (not cited)"],
    ),
    (
        "--index-base 0",
        "text",
        ["[0] Berlin <https://e.x/1> (not cited)", "[1] Paris", "[2] Extra"],
    ),
    (
        "--display renumber",
        "markdown",
        ["1. Paris: Paris is", "2. [Berlin]", "- Extra (not cited)"],
    ),
    ("--index-base 0", "markdown", ["0. [Berlin]", "1. Paris: Paris is", "2. Extra: More."]),
    (
        "--display renumber",
        "html",
        [
            '"source-0-2" value="1"',
            '"source-0-1" value="2"',
            '"source-0-3" style="list-style: none"',
        ],
    ),
]


@pytest.mark.parametrize(("flags", "form", "lines"), NUMBERED)
def test_sources_have_the_numbers_of_the_answer(
    documents: str, flags: str, form: str, lines: list[str]
) -> None:
    """Whatever the display, a number in the text is that of a source below it."""
    with Path(documents).open("a") as file:
        file.write(json.dumps({"content": "More.", "meta": {"title": "Extra"}}))
    reply = "Paris [2], Berlin [1]." if "renumber" in flags else "Paris [1], more [2]."

    shown = run("-d", documents, "-f", form, *flags.split(), stdin=reply).stdout.decode()
    places = [shown.find(line) for line in lines]
    assert -1 not in places
    assert places == sorted(places)


# Arguments, standard input, exit code, and what stands on stderr.
TOLD: list[tuple[str, str, int, str]] = [
    ("", 'data: {"choices": [{"delta": {"content": "Par"}}]}\n\n', 1, "the body breaks off"),
    ("", "data: the figures say so.", 2, "with --input plain it is read as text"),
    ("", '"Quoted."\nthen text', 1, "with --input plain it is read as text"),
    ("", '{"answer": "x"}\n', 2, "with --input plain it is read as text"),
    ("", '{\n"answer": "x"\n}', 0, "the input is JSON, but no reply that is known; it is shown as"),
    ("--input json", '{\n"answer": "x"\n}', 2, "no reply that is known; with --input plain"),
    ("--input json", "Paris.", 2, "the input is no JSON"),
    ("--input sse", "data: the figures say so.", 2, "is no JSON"),
    ("--input sse", '{"error": "busy"}', 1, """which begins with '{"error": "busy"}'"""),
    ("--input sse", "<html>" + "x" * 99, 1, f"which begins with '<html>{'x' * 54}'\n"),
    ("", '{"a":' * 10_000, 2, "line 1: this is no JSON: maximum recursion"),
    ("--input sse", "", 1, "no event was found in the input, which is empty"),
    ("--input sse", ": keep-alive\n\n", 1, "which begins with ': keep-alive'\n"),
    ("--input sse", "data: [DONE]\n\n", 0, ""),
    ("", ":-) is what they say.", 1, "with --input plain it is read as text"),
    ("--pattern Answer:(.*)", "Hm, yes.", 0, "finds nothing in the reply"),
    ("--extract-xml-tag a --answer-tag a", "Hm, yes.", 0, "the reply has no <a>"),
    ("--bad", "", 2, "(streamcite cite --help lists what there is)"),
    ("--query", "", 2, "'--query' requires an argument. (streamcite cite --help lists"),
    ("--display foo", "", 2, "Invalid value for '--display': 'foo' is not one of 'keep', "),
]


@pytest.mark.parametrize(("arguments", "stdin", "code", "message"), TOLD)
def test_what_a_user_should_know_is_told(
    arguments: str, stdin: str, code: int, message: str
) -> None:
    """What went wrong, or not as expected, stands on stderr."""
    done = run(*arguments.split(), stdin=stdin)

    assert (done.returncode, message in done.stderr.decode()) == (code, True), done.stderr


def test_an_error_names_the_file(tmp_path: Path) -> None:
    """Which of all files holds the line is no riddle."""
    (file := tmp_path / "a.jsonl").write_text('"a"\n{"b": 1}\n')

    told = run(str(file)).stderr.decode()
    assert told.startswith(f"streamcite: {file}: line 2: cannot read a stream item of type dict")


@pytest.mark.parametrize("reply", ["a\r\nb\r\n", '"a\\r"\n"\\nb"\n"\\r\\n"\n'])
def test_line_breaks_of_windows(reply: str) -> None:
    """They are line breaks, and no control characters, even cut in two."""
    assert run(stdin=reply).stdout == b"a\nb\n"


def test_text_outside_the_answer_tag_has_places_of_its_own(documents: str) -> None:
    """A page shows the answer's own citations, where they stand."""
    reply = "abc [1] <answer>x12345678 y [2]</answer>"
    flags = ("--extract-xml-tag", "answer", "--answer-tag", "answer", "-f", "html")

    page = run("-d", documents, *flags, stdin=reply).stdout.decode()
    assert 'x12345678 y <sup><a href="#source-0-2">2</a></sup></p>' in page


@pytest.mark.parametrize("form", ["terminal", "text", "markdown", "html"])
def test_text_behind_the_answer_tag_is_left_out(form: str) -> None:
    """Once the tag has come, no text outside is the answer; before, it might never come."""
    reply = "Hm. <answer>Paris.</answer> Bye. <answer>Rome.</answer> Bye."
    flags = ("--extract-xml-tag", "answer", "--answer-tag", "answer", "-f", form)

    shown = run(*flags, stdin=reply).stdout.decode()
    assert "Paris.Rome." in shown
    assert "Bye" not in shown
    assert ("Hm." in shown) == (form != "html")


# What stands before the tag, what the tag holds, and the lines that people see.
PREFACES = {
    "a blank": ("Paris [2]. ", "x", "Paris [2]. \n\nx\n"),
    "line breaks": ("Paris [2].\n", "\n\nx\n", "Paris [2].\n\nx\n"),
    "too many": ("Paris [2].\n\n\n", "x", "Paris [2].\n\n\nx\n"),
    "thinking between": ("Paris [2].<think>Hm.</think>", "x", "Paris [2].\n\nx\n"),
}


@pytest.mark.parametrize(("before", "inside", "shown"), PREFACES.values(), ids=PREFACES.keys())
def test_the_answer_stands_apart_from_text_before_its_tag(
    documents: str, before: str, inside: str, shown: str
) -> None:
    """A blank line parts them, and the list says what only the text before cites."""
    reply = f"{before}<answer>{inside}</answer> Bye.<answer></answer>"
    flags = ("--extract-xml-tag", "think,answer", "--answer-tag", "answer")

    done = run("-d", documents, *flags, stdin=reply)
    assert done.stdout.decode() == (
        f"{shown}\n"
        "Sources\n"
        "[1] Berlin <https://e.x/1> (not cited)\n"
        "[2] Paris (not cited in the answer)\n"
    )


@pytest.mark.parametrize("before", ["", "<think>Hm [1].</think>", "<think>Hm.</think> \n"])
def test_an_answer_without_text_before_its_tag_begins_at_once(documents: str, before: str) -> None:
    """What thinking cites is no news where it is not shown."""
    flags = ("--extract-xml-tag", "think,answer", "--answer-tag", "answer")

    shown = run("-d", documents, *flags, stdin=f"{before}<answer>x [2]</answer>").stdout.decode()
    answer, listed = shown.split("\n\nSources\n")
    assert answer in ("x [2]", " \nx [2]")
    assert listed.startswith("[1] Berlin <https://e.x/1> (not cited)\n")


# Format, and how a list says that only text beside the answer cites a source that is shown.
BESIDE = {
    "markdown": "Hm [2].\n\n</details>\n\nBerlin [[1]](https://e.x/1). \n\nx\n\n## Sources\n\n"
    "1. [Berlin](https://e.x/1) (not cited in the answer)\n2. Paris (not cited in the answer)\n",
    "html": 'Berlin</a> (not cited)</li>\n<li id="source-0-2" value="2" class="uncited">'
    "Paris (not cited in the answer)</li>",
}


@pytest.mark.parametrize(("form", "lines"), BESIDE.items())
def test_a_list_contradicts_nothing_that_is_shown(documents: str, form: str, lines: str) -> None:
    """A number that stands outside the answer is not said to stand nowhere."""
    reply = "<think>Hm [2].</think>Berlin [1]. <answer>x</answer>"
    flags = ("--extract-xml-tag", "think,answer", "--answer-tag", "answer")

    assert lines in run("-d", documents, *flags, "-f", form, stdin=reply).stdout.decode()


NOTED = {
    "sources": (["-d"], "Paris [1].\n\n(cut off: {why})\n\nSources\n[1] Berlin "),
    "no sources": ([], "Paris [1].\n\n(cut off: {why})\n\nUnresolved: [1]\n"),
}


@pytest.mark.parametrize(("flags", "shown"), NOTED.values(), ids=NOTED.keys())
def test_a_note_stands_apart(documents: str, flags: list[str], shown: str) -> None:
    """Blank lines part it from the answer and from what follows."""
    reply = json.dumps({"text": "Paris [1].", "finish_reason": "length"}) + "\n"
    said = run(*flags, *([documents] if flags else []), stdin=reply).stdout.decode()

    assert said.startswith(shown.format(why="the generator reached its length limit"))


def test_last_message_only(documents: str) -> None:
    """Only the last reply is shown, with its own sources."""
    chunks = [
        {"text": "One [1]. "},
        {"text": "", "finish_reason": "tool_calls"},
        {"text": "Two [2]."},
        {"text": "", "finish_reason": "stop"},
    ]
    stdin = "".join(json.dumps(chunk) + "\n" for chunk in chunks)

    shown = run("-d", documents, "--last-message-only", stdin=stdin).stdout.decode()
    assert shown.startswith("Two [2].\n\nSources\n[1] Berlin <https://e.x/1> (not cited)\n")


def test_markdown_commands_no_terminal() -> None:
    """Control characters are shown as pictures in every format for people."""
    assert run("-f", "markdown", stdin="a\x1b[2Jb").stdout.startswith("a␛[2Jb".encode())


@pytest.mark.parametrize(
    "command", [[*COMMAND, "cite", "-h"], [sys.executable, "-m", "streamcite"]]
)
def test_help(command: list[str]) -> None:
    """Help is where people look for it."""
    done = subprocess.run(command, capture_output=True, env=environment(), check=False)

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Usage: streamcite" in done.stdout

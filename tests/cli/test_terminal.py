"""The live view, in a real pseudo-terminal."""

import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.screens import COMMAND, ENVIRONMENT, deaf, interrupt, play, spawn

pytest.importorskip("typer", reason="the command line needs the extra cli")

DOCUMENTS = [
    {
        "content": "Berlin is a city.",
        "id": "a",
        "meta": {"title": "Berlin", "url": "https://e.x/1"},
    },
    {"content": "Paris is a city.", "id": "b", "meta": {"title": "Paris\x1b[31m"}},
    {"content": "東京は大きい都市です。", "id": "c", "meta": {"title": "東京"}},
]


@pytest.fixture
def documents(tmp_path: Path) -> str:
    """Write three documents."""
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in DOCUMENTS))
    return str(path)


def reply(tmp_path: Path, *tokens: str) -> str:
    """Write a recording."""
    path = tmp_path / "reply.jsonl"
    path.write_text("".join(json.dumps(token) + "\n" for token in tokens))
    return str(path)


def test_citations_are_raised_and_sources_follow(tmp_path: Path, documents: str) -> None:
    """Numbers are superscripts, parted from one another; each source says whether it is cited."""
    file = reply(tmp_path, "Both", " [", "1", ",", " 2", "]", " and", " [1", "][2", "].")

    seen = play(["cite", file, "-d", documents])

    assert seen.code == 0
    assert seen.lines == [
        "Both ¹,² and ¹,².",
        "",
        "Sources: 2 of 3 cited " + "─" * 58,
        "● 1 Berlin",
        "    https://e.x/1",
        "    Berlin is a city.",
        "● 2 Paris␛[31m",
        "    Paris is a city.",
        "○ 3 東京",
    ]


def test_citations_can_be_clicked(tmp_path: Path, documents: str) -> None:
    """A citation and its title lead to the address, or to the file that it comes from."""
    file = reply(tmp_path, "Both [1, 2].")

    assert play(["cite", file, "-d", documents]).links == {
        "https://e.x/1",
        Path(documents).as_uri(),
    }


def test_unresolved_markers_are_marked(tmp_path: Path, documents: str) -> None:
    """A number that no document has stays in the text, and is listed."""
    seen = play(["cite", reply(tmp_path, "In [2024] [1]."), "-d", documents])

    assert seen.lines[0] == "In [2024] ¹."
    assert seen.lines[-1] == "Unresolved: [2024]"


@pytest.mark.parametrize("width", [20, 40, 80])
def test_an_answer_longer_than_the_screen_scrolls(
    tmp_path: Path, documents: str, width: int
) -> None:
    """Every word stands there once and in order, however narrow the terminal."""
    words = [f"w{number}" for number in range(400)]
    file = reply(tmp_path, *(f"{word} " for word in words))

    seen = play(["cite", file, "-d", documents], size=(width, 12))

    end = next(n for n, line in enumerate(seen.lines) if line.startswith("Sources"))
    assert " ".join(seen.lines[:end]).split() == words
    assert max(map(len, seen.lines)) <= width


def test_wide_characters_fill_two_columns(tmp_path: Path, documents: str) -> None:
    """No line is longer than the terminal, and no character is lost."""
    text = "東京は大きい都市です。" * 10
    file = reply(tmp_path, *text, "[3]")

    seen = play(["cite", file, "-d", documents], size=(21, 10))

    end = next(n for n, line in enumerate(seen.lines) if line.startswith("Sources"))
    assert "".join("".join(seen.lines[:end]).split()) == text + "³"


def test_control_characters_command_nothing(tmp_path: Path) -> None:
    """A reply that holds escape sequences is shown, not obeyed."""
    seen = play(["cite", reply(tmp_path, "a\x1b[2J\x07b\r\x9bc")])

    assert seen.lines == ["a␛[2J␇b\ufffdc"]


def test_sections_stand_apart(tmp_path: Path, documents: str) -> None:
    """Thinking is set off by a bar, without the line breaks around it."""
    file = reply(tmp_path, "<think>", "\n\nhm [2]\n\n", "</think>", "\n\nYes [1].\n")

    seen = play(["cite", file, "-d", documents, "--extract-xml-tag", "think"])

    assert seen.lines[:6] == [
        "╭ think",
        "│ hm ²",
        "╰",
        "Yes ¹.",
        "",
        "Sources: 1 of 3 cited " + "─" * 58,
    ]


@pytest.mark.parametrize("width", [40, 80])
def test_the_answer_stands_apart_from_text_before_its_tag(
    tmp_path: Path, documents: str, width: int
) -> None:
    """A blank line parts them, and the list says what only the text before cites."""
    text = "<think>Hm [3].</think>\n\nParis [2]. <answer>\nx</answer>"
    file = reply(tmp_path, *text.partition("<answer>"))
    flags = ["--extract-xml-tag", "think,answer", "--answer-tag", "answer"]

    seen = play(["cite", file, "-d", documents, *flags], size=(width, 24))

    assert seen.lines[2:7] == ["╰", "Paris ².", "", "x", ""]
    assert seen.lines[7].startswith("Sources: 0 of 3 cited ─")
    assert seen.lines[8:] == [
        "○ 1 Berlin",
        "○ 2 Paris␛[31m (not cited in the answer)",
        "○ 3 東京 (not cited in the answer)",
    ]


def test_a_note_is_broken_between_words(tmp_path: Path) -> None:
    """How a reply ended fits a narrow terminal."""
    (file := tmp_path / "r.jsonl").write_text('{"text": "Paris.", "finish_reason": "length"}\n')

    assert play(["cite", str(file)], size=(40, 24)).lines == [
        "Paris.",
        "(cut off: the generator reached its",
        "length limit)",
    ]


def test_replies_come_one_after_the_other(tmp_path: Path) -> None:
    """Replies that stream at once are shown whole, by number."""
    chunks = [{"text": "b", "reply": 1}, {"text": "a"}, {"text": "B", "reply": 1}, {"text": "A"}]
    path = tmp_path / "replies.jsonl"
    path.write_text("".join(json.dumps(chunk) + "\n" for chunk in chunks))

    lines = [line for line in play(["cite", str(path)]).lines if line]

    assert lines == ["aA", "─" * 35 + " Reply 2 " + "─" * 36, "bB"]


def test_the_answer_grows_before_the_stream_ends(tmp_path: Path) -> None:
    """What came is on the screen while the command waits for more."""
    os.mkfifo(pipe := tmp_path / "pipe")
    child = spawn(["cite", str(pipe)])
    with pipe.open("w") as body:
        body.write("Live now.\n")
        body.flush()
        child.expect_exact("Live now.")

    child.expect_exact("\x1b[?25h")
    child.wait()
    assert child.exitstatus == 0


def test_what_is_typed_is_not_drawn_across() -> None:
    """The terminal echoes it; the answer comes below, once it has ended, and the cursor stays."""
    child = spawn(["cite"])
    child.expect_exact("the answer comes after Ctrl-D\r\n")

    child.send("One [1].\nTwo")
    child.send("\x04\x04")
    child.expect_exact("\r\n\r\n")
    echoed, rest = child.before, child.read()

    assert (echoed, child.wait()) == ("One [1].\r\nTwo", 0)
    assert rest.index("\x1b[?25l") < rest.index("One")
    assert rest.count("Two") >= 1


@pytest.mark.parametrize("command", ["cite", "ask"])
def test_documents_are_not_typed(tmp_path: Path, command: str) -> None:
    """A hyphen stands for a pipe, and a terminal is none."""
    seen = play([command, reply(tmp_path, "Paris [1]."), "-d", "-"])

    assert seen.code == 2
    assert "documents are not typed: give a file" in seen.lines[-1]


def test_ctrl_c_ends_typing() -> None:
    """Before anything is shown there is nothing to put in order."""
    child = spawn(["cite"])
    child.expect_exact("after Ctrl-D")
    child.send("Live\n")

    child.sendintr()
    rest = child.read()

    child.close()
    assert (child.exitstatus, "\x1b[?25l" in rest, "Traceback" in rest) == (130, False, False)


def test_ctrl_c_ends_it_quietly(tmp_path: Path) -> None:
    """The exit code is 130, the cursor is back, and there is no traceback."""
    pipe = tmp_path / "pipe"

    seen = interrupt(["cite", str(pipe)], pipe, "Live\n", "Live")

    assert seen.code == 130
    assert "\x1b[?25h" in seen.raw
    assert "Traceback" not in seen.raw


# What has come, and what stands on the screen after Ctrl-C.
STOPPED = {
    "an answer": (
        "Paris [2], not [7], so far",
        ["Paris ², not [7], so far", "", "Sources: 1 of 3 cited " + "─" * 58, "○ 1 Berlin"],
        ["● 2 Paris␛[31m", "    Paris is a city.", "○ 3 東京"],
    ),
    "thinking": (
        "<think>Hm [1] so far",
        ["╭ think", "│ Hm ¹ so far", "", "Sources: 0 of 3 cited " + "─" * 58],
        ["○ 1 Berlin (not cited in the answer)", "○ 2 Paris␛[31m", "○ 3 東京"],
    ),
}


@pytest.mark.parametrize(("fed", "above", "below"), STOPPED.values(), ids=STOPPED.keys())
def test_ctrl_c_leaves_the_list_of_sources(
    tmp_path: Path, documents: str, fed: str, above: list[str], below: list[str]
) -> None:
    """The numbers that are on the screen mean something."""
    flags = ("-d", documents, "--extract-xml-tag", "think")
    seen = interrupt(["cite", str(tmp_path / "p"), *flags], tmp_path / "p", fed, "so far")

    assert seen.code == 130
    assert seen.lines == above + below
    assert seen.raw.rindex("\x1b[?25h") > seen.raw.rindex("\x1b[?25l")


def test_ctrl_c_waits_for_no_long_list(tmp_path: Path) -> None:
    """Of more sources than fit the screen, those that are cited stay."""
    (tmp_path / "docs.jsonl").write_text('{"content": "a"}\n' * 25)
    flags = ["-d", str(tmp_path / "docs.jsonl")]
    pipe = tmp_path / "pipe"

    seen = interrupt(["cite", str(pipe), *flags], pipe, "a [20] so far", "so far")

    assert seen.lines[3:] == ["● 20 docs.jsonl:20", "     a", "… and 24 more"]


def test_ctrl_c_leaves_replies_apart(tmp_path: Path, documents: str) -> None:
    """Each reply that had come has its own list."""
    fed = '{"text": "b [2].", "reply": 1}\n{"text": "a [1] so far"}\n'

    pipe = tmp_path / "pipe"
    seen = interrupt(["cite", str(pipe), "-d", documents], pipe, fed, "so far")

    lists = [line for line in seen.lines if line.startswith(("a", "b", "●", "──"))]
    assert lists == ["a ¹ so far", "● 1 Berlin", "─" * 35 + " Reply 2 " + "─" * 36, "b ².",
                     "● 2 Paris␛[31m"]  # fmt: skip


# Signal, and the exit code that shells give it.
SIGNALS = [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)]


@pytest.mark.parametrize(("number", "code"), SIGNALS)
def test_a_signal_leaves_the_terminal_in_order(tmp_path: Path, number: int, code: int) -> None:
    """The cursor is back, the exit code is 128 and the signal's number, and nothing is said."""
    pipe = tmp_path / "pipe"

    seen = interrupt(["cite", str(pipe)], pipe, "Live\n", "Live", number)

    assert (seen.code, seen.lines) == (code, ["Live"])
    assert seen.raw.rindex("\x1b[?25h") > seen.raw.rindex("\x1b[?25l")


def test_ctrl_z_lends_the_cursor(tmp_path: Path) -> None:
    """The shell has it while the command is stopped; here no shell is, and it goes on at once."""
    os.mkfifo(pipe := tmp_path / "pipe")
    child = spawn(["cite", str(pipe)])
    with pipe.open("w") as body:
        body.write("Live")
        body.flush()
        child.expect_exact("Live")
        child.sendcontrol("z")
        child.expect("\x1b\\[\\?25h.*\x1b\\[\\?25l")

    assert (child.read().count("\x1b[?25h"), child.wait()) == (1, 0)


def test_a_job_that_ignores_ctrl_c_can_be_ended(tmp_path: Path) -> None:
    """A job in the background ignores Ctrl-C, and no other signal."""
    pipe = tmp_path / "pipe"

    seen = interrupt(["cite", str(pipe)], pipe, "Live\n", "Live", signal.SIGTERM, deaf)

    assert (seen.code, seen.lines) == (143, ["Live"])
    assert "\x1b[?25h" in seen.raw


def test_a_terminal_that_has_gone_is_told(tmp_path: Path) -> None:
    """Who is not sent a signal then ends all the same, with one line on stderr."""
    screen, terminal = pty.openpty()
    command = [*COMMAND, "cite", reply(tmp_path, *["word "] * 999), "--speed", "50"]
    with subprocess.Popen(
        command, stdout=terminal, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        os.close(terminal)
        os.read(screen, 1)
        os.close(screen)
        _, errors = process.communicate()

    assert (process.returncode, errors) == (1, b"streamcite: [Errno 5] Input/output error\n")


def test_a_terminal_without_unicode_gets_plain_numbers(tmp_path: Path, documents: str) -> None:
    """Where superscripts cannot be shown, a citation is [1]."""
    env = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    seen = play(["cite", reply(tmp_path, "Both [1][2]."), "-d", documents], env=env)

    assert seen.code == 0
    assert seen.lines[0] == "Both [1][2]."


def test_a_terminal_of_unknown_width_shows_the_answer(tmp_path: Path) -> None:
    """Who says that it has no columns sees something all the same."""
    seen = play(["cite", reply(tmp_path, "Both [1][2].")], env={"COLUMNS": "0"})

    assert seen.lines[:3] == ["Both [1][2].", "", "Unresolved: [1] [2]"]


def test_a_dumb_terminal_gets_text(tmp_path: Path) -> None:
    """Without cursor movements there is no live view."""
    seen = play(["cite", reply(tmp_path, "a [1]")], env={"TERM": "dumb"})

    assert "\x1b" not in seen.raw

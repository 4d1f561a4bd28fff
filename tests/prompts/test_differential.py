"""Our builders against Haystack's: the same prompts and errors, save for what is listed here."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Any

import pytest
from haystack import Document
from haystack.components.builders import ChatPromptBuilder as HaystackChatPromptBuilder
from haystack.components.builders import PromptBuilder as HaystackPromptBuilder
from haystack.core.errors import ComponentError
from haystack.dataclasses import (
    ChatMessage as HaystackMessage,
)
from haystack.dataclasses import (
    ChatRole,
    FileContent,
    ImageContent,
    ReasoningContent,
    TextContent,
    ToolCall,
    ToolCallResult,
)
from jinja2 import TemplateError as JinjaError

from streamcite.errors import StreamciteError, TemplateError
from streamcite.prompts import ChatMessage, ChatPromptBuilder, PromptBuilder, clock
from tests.prompts.differential_cases import DOCUMENTS, Broken, Case, cases

arrow = pytest.importorskip("arrow", reason="without arrow Haystack has no now tag to compare with")

# The smallest PNG there is: one pixel.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)
NOON = datetime(2026, 1, 31, 12, 34, 56, tzinfo=UTC)

CALL = ToolCall(tool_name="search", arguments={"q": "x"}, id="c1")
VALUES: dict[str, Any] = {
    "s": "hello",
    "u": "ä\u2028€ \U0001f600",
    "n": 7,
    "l": [1, 2, 3],
    "d": {"key": "value", "inner": {"deep": [1, 2]}},
    "h": "<b>&\"'</b>",
    "long": "the quick brown fox jumps over the lazy dog " * 3,
    "docs": [Document.from_dict({"id": str(n), **d}) for n, d in enumerate(DOCUMENTS)],
    "history": [
        HaystackMessage.from_user("q?"),
        HaystackMessage.from_assistant("a.", tool_calls=[CALL]),
    ],
    "role": "assistant",
    "zone": "Europe/Berlin",
    "move": "days=1",
    "fmt": "%d/%m",
    "module": os,
    "getcwd": os.getcwd,
    "broken": Broken(),
    "image": ImageContent(PNG, "image/png", detail="low"),
    "images": [ImageContent(PNG), ImageContent(PNG, meta={"a": 1})],
    "file": FileContent("aGVsbG8=", "application/pdf", "a.pdf"),
    "text_part": TextContent("part"),
    "call": CALL,
    "thought": ReasoningContent("hm", {"signature": "s"}),
    "result": ToolCallResult("found", CALL, False),
    **dict.fromkeys(("a1", "a2", "a3"), "x"),
    **{name: [] for name in ("tone", "known", "existing", "answer_language")},
}
# These are left out on purpose, so that templates meet something undefined.
OPTIONAL = {"required_variables": None}


def refused(stage: str, kind: str = "ValueError") -> Callable[[Any], bool]:
    """Return a test for an error of this stage and kind."""
    return lambda outcome: bool(outcome == ("error", stage, kind))


def rendered(text: str) -> Callable[[Any], bool]:
    """Return a test for a prompt that holds this text."""
    return lambda outcome: outcome[0] == "prompt" and text in outcome[1]


DIFFERENCES: dict[str, tuple[Callable[[Any], bool], str]] = {
    # case: (what we do, why)
    "now: nothing": (rendered("2026-01-31 12:34:56"), "documented by both products"),
    "now: as": (rendered("2026 2026-01-31 12:34:56"), "documented by both products"),
    "now: only as": (rendered("2026"), "documented by both products"),
    "block: name of a variable": (rendered('"name": "hello"'), "there an AttributeError"),
    "block: meta of a variable": (rendered('"key": "value"'), "there refused"),
    "block: meta before name": (rendered('"name": "Ann"'), "there the order is fixed"),
    "block: nested": (refused("run"), "there the inner message becomes JSON in the text"),
    "block: insert in a block": (refused("run"), "there messages become JSON in the text"),
    "block: no part": (refused("run"), "there a TypeError"),
    "block: no part either": (refused("run"), "there a TypeError"),
    "list: block in a list": (refused("run"), "there the message becomes JSON in the text"),
    "list: insert in a list": (refused("run"), "there messages become JSON in the text"),
    "list: word of the filter": (rendered("templatize_part to hello"), "a word is no filter"),
    "hostile outside: message JSON": (refused("run"), "there the value injects a message"),
    "broken: reserved variable": (refused("init"), "there a ComponentError"),
    "broken: reserved variables": (refused("init"), "there a ComponentError"),
    "run: reserved by variables": (refused("init"), "there a ComponentError"),
    "run: chat reserved": (refused("init"), "there a ComponentError"),
    "run: documents are missing": (rendered("."), "nothing has been retrieved yet"),
    "run: no messages in the list": (refused("init"), "there an AttributeError"),
    "run: broken, with variables": (refused("init", "TemplateSyntaxError"), "compiled when made"),
}
"""Every case in which we differ on purpose."""


def outcome_of(make: Callable[[], Any], run: Callable[[Any], Any]) -> Any:
    """Return the prompt as JSON-ready values, or stage and kind of the error."""
    stage = "init"
    try:
        made = make()
        stage = "run"
        return ("prompt", plain(run(made)["prompt"]))
    except Exception as error:
        return ("error", stage, kind(error))


def plain(prompt: Any) -> Any:
    """Return a prompt in a form in which ours and theirs can be compared and searched."""
    if isinstance(prompt, str):
        return prompt
    dicts = [message.to_dict() for message in prompt]
    return json.dumps(dicts, sort_keys=True).replace(', "validation": true', "")


def kind(error: BaseException) -> str:
    """Name the kind of an error: Jinja's class, else the built-in class that it is."""
    while isinstance(error, TemplateError) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, JinjaError):
        return type(error).__name__
    bases = (ComponentError, ValueError, TypeError, AttributeError)
    return next((b.__name__ for b in bases if isinstance(error, b)), type(error).__name__)


def messages(template: Any, make: Any, text: Any, roles: Any) -> Any:
    """Make the messages of a list template."""
    if not isinstance(template, list):
        return template
    return [
        make(roles(t[0]), [text(x) for x in t[1]]) if isinstance(t, tuple) else t for t in template
    ]


def theirs(template: Any) -> Any:
    return messages(template, HaystackMessage, TextContent, ChatRole)


def ours(template: Any) -> Any:
    converted = theirs(template)
    if not isinstance(converted, list):
        return converted
    return [ChatMessage.of(m) if isinstance(m, HaystackMessage) else m for m in converted]


def outcome(case: Case, text_builder: Any, chat_builder: Any, convert: Any) -> Any:
    """Run a case."""
    builder = chat_builder if case.chat else text_builder
    init = case.init if case.name.startswith("run:") else {**OPTIONAL, **case.init}
    run = {
        **case.run,
        **({"template": convert(case.run["template"])} if "template" in case.run else {}),
    }
    return outcome_of(
        lambda: builder(template=convert(case.template), **init),
        lambda made: made.run(**{**VALUES, **case.values}, **run),
    )


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold both clocks still."""

    def read_clock(zone: tzinfo) -> datetime:
        return NOON.astimezone(zone)

    monkeypatch.setattr(arrow, "now", lambda zone: arrow.get(NOON).to(zone))
    monkeypatch.setattr(clock, "read_clock", read_clock)


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_prompts_and_errors_are_haystacks(case: Case) -> None:
    """A template gives the same prompt or kind of error; where not, the table says why."""
    reference = outcome(case, HaystackPromptBuilder, HaystackChatPromptBuilder, theirs)
    found = outcome(case, PromptBuilder, ChatPromptBuilder, ours)

    if case.name in DIFFERENCES:
        assert found != reference
        assert DIFFERENCES[case.name][0](found), found
    else:
        assert found == reference


def test_the_table_names_cases() -> None:
    """No listed difference is that of a case that is gone."""
    assert DIFFERENCES.keys() - {case.name for case in CASES} == set()


def test_every_case_has_a_name_of_its_own() -> None:
    """A difference belongs to one case."""
    assert len({case.name for case in CASES}) == len(CASES)


def test_our_errors_are_ours() -> None:
    """Whatever a case raises is a StreamciteError."""
    raised = [error for case in CASES if (error := error_of(case)) is not None]

    assert [error for error in raised if not isinstance(error, StreamciteError)] == []


def error_of(case: Case) -> Exception | None:
    """Return what our builder raises for a case."""
    builder: Any = ChatPromptBuilder if case.chat else PromptBuilder
    run = {key: ours(value) if key == "template" else value for key, value in case.run.items()}
    try:
        builder(template=ours(case.template), **case.init).run(**{**VALUES, **case.values}, **run)
    except Exception as error:
        return error
    return None

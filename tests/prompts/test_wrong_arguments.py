"""Arguments of another type, for all that `streamcite.prompts` offers: no bare Python error."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from streamcite import Document, Sources, cite_text
from streamcite import prompts as p
from streamcite.errors import StreamciteError, TemplateError

WRONG: tuple[Any, ...] = (
    *(5, -1, None, "x", b"x", 1.5, True, object(), [5], ["x"], [None], [[]], (5,), [{}]),
    *({}, {"a": 1}, {5: 5}),
)
ANSWER = cite_text("a [1]", documents=["x"])
MESSAGE = p.ChatMessage.from_user("x")
CALL = p.ToolCall("t", {}, "i")
DATA = {"role": "user", "content": "x"}
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)
NAMED = {"meta": {}, "name": "n"}
NAMES = {"required_variables": "*", "variables": ["x"]}


def fit_tokens(**given: Any) -> Any:
    return p.fit(tokens=9, **given)


def prompt(**given: Any) -> Any:
    return p.PromptBuilder("{{ x }}").run(x=1, **given)


def chat_prompt(**given: Any) -> Any:
    return p.ChatPromptBuilder([MESSAGE]).run(**given)


CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (p.strip_citations, {"answer": ANSWER}),
    (p.restore_citations, {"answer": ANSWER, "sources": ["x"], "grammar": "bracket"}),
    (p.restore_citations, {"answer": ANSWER, "index_base": 1}),
    (p.numbered, {"documents": ["x"], "sources": Sources(), "after": 0}),
    (p.fit, {"documents": ["x"], "characters": 9, "overhead": 0, "by": "position"}),
    (p.fit, {"documents": ["x"], "tokens": 9}),
    (fit_tokens, {"documents": ["x"], "count": len}),
    (p.estimate_tokens, {"text": "x"}),
    (p.citation_example, {"grammar": "bracket"}),
    (p.citation_instructions, {"grammar": "bracket", "language": "en"}),
    (p.shield, {"text": "x"}),
    (p.write_marker, {"references": ["1"], "grammar": "bracket"}),
    (p.load, {"name": "rag"}),
    (p.PromptBuilder, NAMES | {"template": "{{ x }}"}),
    (prompt, {"template": "x", "template_variables": {}}),
    (p.PromptBuilder.from_dict, {"data": p.PromptBuilder("x").to_dict()}),
    (p.ChatPromptBuilder, NAMES | {"template": [MESSAGE]}),
    (chat_prompt, {"template": [MESSAGE], "template_variables": {}}),
    (p.ChatPromptBuilder.from_dict, {"data": p.ChatPromptBuilder([MESSAGE]).to_dict()}),
    (p.from_openai, {"messages": [DATA]}),
    (p.to_openai, {"messages": [MESSAGE]}),
    (p.from_anthropic, {"messages": [DATA], "system": "x"}),
    (p.to_anthropic, {"messages": [MESSAGE]}),
    (p.ChatMessage, {"role": "user", "content": (p.TextContent("x"),), **NAMED}),
    (p.ChatMessage.from_user, {"text": "x", **NAMED}),
    (p.ChatMessage.from_user, {"content_parts": ["x"]}),
    (p.ChatMessage.from_system, {"text": "x", **NAMED}),
    (p.ChatMessage.from_assistant, {"text": "x", "tool_calls": [CALL], "reasoning": "r"}),
    (p.ChatMessage.from_tool, {"tool_result": "x", "origin": CALL, "meta": {}}),
    (p.ChatMessage.of, {"value": MESSAGE}),
    (p.ChatMessage.from_dict, {"data": MESSAGE.to_dict()}),
    (p.ChatMessage.from_openai, {"data": DATA}),
    (p.ChatMessage.from_anthropic, {"data": DATA}),
    (p.ImageContent, {"base64_image": PNG, "mime_type": "image/png", "detail": "low", "meta": {}}),
    (p.ImageContent, {"url": "https://example.com"}),
    (p.ImageContent.of, {"value": "https://example.com", "detail": "low", "meta": {}}),
    (p.FileContent, {"base64_data": PNG, "mime_type": "a/b", "filename": "x"}),
    (p.TextContent, {"text": "x"}),
    (p.ToolCall, {"tool_name": "t", "arguments": {}}),
    (p.ToolCallResult, {"result": "x", "origin": CALL}),
    (p.ReasoningContent, {"reasoning_text": "x"}),
]
EACH = [(call, given, name) for call, given in CALLS for name in given]
STRICT = [each for each in EACH if each[0] is not p.shield]  # it writes any value as text
NO_ARGUMENT = (1.5, b"x", True, object())
REFUSED: tuple[tuple[Callable[..., Any], str, object], ...] = (
    (p.fit, "tokens", -1),
    (p.fit, "tokens", "9"),
    (p.fit, "characters", False),
    (p.fit, "overhead", -1),
    (p.fit, "documents", "x"),
    (p.numbered, "documents", Document("x")),
    (p.numbered, "sources", ["x"]),
    (p.restore_citations, "index_base", 2),
    (p.write_marker, "references", "12"),
    (p.PromptBuilder, "variables", "xy"),
    (p.from_openai, "messages", DATA),
    (p.from_openai, "messages", [MESSAGE]),
    (p.from_anthropic, "system", [DATA]),
    (p.to_openai, "messages", MESSAGE),
    (p.to_openai, "messages", [DATA]),
    (p.ChatMessage.from_user, "content_parts", "x"),
    (p.ChatMessage.from_assistant, "tool_calls", CALL),
    (p.ChatMessage.from_dict, "data", {5: 5} | DATA),
    (p.ChatMessage.from_openai, "data", {5: 5} | DATA),
    (p.ToolCall, "arguments", "{}"),
)


@pytest.mark.parametrize(("call", "given", "name"), EACH)
def test_nothing_raises_a_bare_error(call: Any, given: dict[str, Any], name: str) -> None:
    """What is refused is refused by streamcite, in words."""
    call(**given)

    for wrong in WRONG:
        with suppress(StreamciteError):
            call(**given | {name: wrong})


@pytest.mark.parametrize("wrong", NO_ARGUMENT, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(("call", "given", "name"), STRICT)
def test_what_no_argument_is_is_refused(
    call: Any, given: dict[str, Any], name: str, wrong: object
) -> None:
    """A value that none of them takes for its own."""
    with pytest.raises(StreamciteError):
        call(**given | {name: wrong})


@pytest.mark.parametrize(("call", "name", "wrong"), REFUSED)
def test_what_looks_nearly_right_is_refused(call: Any, name: str, wrong: object) -> None:
    """One text for a list of them, a truth value for a number, a chat of the wrong kind."""
    given = next(given for each, given, known in EACH if each == call and known == name)

    with pytest.raises(StreamciteError):
        call(**given | {name: wrong})


WORDS: tuple[tuple[Callable[..., Any], tuple[Any, ...], str], ...] = (
    (p.from_openai, ([5],), r"messages\[0\] is a int; give a list of the API's messages"),
    (p.from_openai, ("x",), "messages is one str; give a list"),
    (p.to_openai, (5,), "messages is one int; give a list of ChatMessage"),
    (p.from_anthropic, ([], [{}]), r"the text of system\[0\] is a NoneType; give a str, or a list"),
    (p.ChatMessage.from_dict, (5,), "data is a int; give one message as a dictionary"),
    (p.ChatMessage.from_system, (5,), "TextContent: text is a int; give a str"),
    (p.ChatMessage.from_user, ("x", 5), "meta is a int; give a dictionary"),
    (p.ToolCall, ("t", "x"), "ToolCall: arguments is a str; give a dictionary"),
    (p.ToolCallResult, ("x", "t"), "ToolCallResult: origin is a str; give the ToolCall"),
    (p.PromptBuilder, ("x", "*", "xy"), "variables is one str; give a list of names"),
    (p.PromptBuilder, ("x", "xy"), "required_variables is one str; give a list of names"),
    (p.PromptBuilder.from_dict, (5,), "data is a int; give a dictionary that to_dict wrote"),
    (p.numbered, ([], [1]), "sources is a list; give a streamcite.Sources"),
    (p.numbered, ([], None, -1), "after is -1; give a whole number of at least 0"),
    (p.write_marker, ([],), "references is empty; give a list of numbers, keys or file names"),
    (p.write_marker, ("12",), "references is one str; give a list"),
    (p.estimate_tokens, (5,), "text is a int; give a str"),
)


@pytest.mark.parametrize(("call", "given", "words"), WORDS, ids=[each[2] for each in WORDS])
def test_errors_say_what_to_give(call: Any, given: tuple[Any, ...], words: str) -> None:
    """The argument's name, what it is, and what it should be."""
    with pytest.raises(TemplateError, match=words):
        call(*given)


@pytest.mark.parametrize("given", [{"by": "x"}, {"overhead": -1}, {"count": 5}])
def test_a_wrong_budget_says_what_to_give(given: dict[str, Any]) -> None:
    """Its words begin with the argument's name."""
    with pytest.raises(TemplateError, match=f"{next(iter(given))} is .*; give "):
        p.fit(["x"], tokens=9, **given)


@pytest.mark.parametrize("base", [2, True, "1", None])
def test_a_model_counts_from_0_or_1(base: Any) -> None:
    """Any other base would cite other documents."""
    with pytest.raises(TemplateError, match=r"index_base is .*; give 0 or 1"):
        p.restore_citations(ANSWER, index_base=base)


def test_parameters_that_a_builder_lacks_are_named() -> None:
    """A dictionary that was written by hand, or by a later version."""
    data = p.PromptBuilder("x").to_dict()
    data["init_parameters"]["tempalte"] = "x"

    with pytest.raises(TemplateError, match="PromptBuilder has no tempalte; it has template"):
        p.PromptBuilder.from_dict(data)

"""ChatPromptBuilder: what is beyond Haystack's, and what must not be changed by it."""

from pathlib import Path
from typing import Any

import pytest

from streamcite.errors import TemplateError
from streamcite.prompts import ChatMessage, ChatPromptBuilder, ImageContent, TextContent, ToolCall

IMAGE = ImageContent(url="https://example.com/a.png")


def run(template: Any, **values: Any) -> list[ChatMessage]:
    return ChatPromptBuilder(template, required_variables=[]).run(**values)["prompt"]


def user(body: str) -> str:
    return f'{{% message role="user" %}}{body}{{% endmessage %}}'


def test_messages_come_out_in_order() -> None:
    """Blocks and inserted messages make one chat, in the order of the template."""
    template = user("a") + "{% insert history %}" + user("c")
    history = [ChatMessage.from_assistant("b")]

    assert [message.text for message in run(template, history=history)] == ["a", "b", "c"]


def test_a_part_keeps_its_place() -> None:
    """An image stands between the texts that surround it."""
    (message,) = run(user("see {{ image | templatize_part }} there"), image=IMAGE)

    assert message.content == (TextContent("see"), IMAGE, TextContent("there"))


def test_the_callers_messages_stay() -> None:
    """Rendering a list of messages changes none of them."""
    template = [
        ChatMessage.from_user("{{ a }}", meta={"k": [1]}),
        ChatMessage.from_assistant("{{ a }}"),
    ]

    rendered = run(template, a="x")

    assert [message.text for message in rendered] == ["x", "{{ a }}"]
    assert [message.text for message in template] == ["{{ a }}", "{{ a }}"]


def test_parts_of_a_list_stay_in_place() -> None:
    """Only the texts of a message in a list are templates."""
    message = ChatMessage.from_user(content_parts=["{{ a }}", IMAGE])

    assert run([message], a="x")[0].content == (TextContent("x"), IMAGE)


def test_an_assistant_block_puts_its_call_last() -> None:
    """However a block is written, the text comes before the calls."""
    template = '{% message role="assistant" %}{{ c | templatize_part }} hm{% endmessage %}'
    call = ToolCall("search", {}, "1")

    assert run(template, c=call)[0].content == (TextContent("hm"), call)


STRAY = (
    ("stray {{ a }}", "line 1.*'stray x'"),
    (user("b") + "\nstray", "line 2.*'stray'"),
    (user("b") + "\n{{ a }}", "line 2.*'x'"),
    ("{% for i in [1] %}{{ a }}{% endfor %}" + user("b"), "line 1.*'x'"),
    ('{"role": "user", "content": "b"}', "line 1"),
)


@pytest.mark.parametrize(("template", "message"), STRAY)
def test_text_outside_a_block_is_an_error(template: str, message: str) -> None:
    """Text between messages is refused, with its line and what to do."""
    with pytest.raises(TemplateError, match=rf"outside a \{{% message %\}} block.*{message}"):
        run(template, a="x")


def test_a_part_outside_a_block_is_an_error() -> None:
    """An image belongs to a message."""
    with pytest.raises(TemplateError, match="ImageContent outside a"):
        run("{{ image | templatize_part }}", image=IMAGE)


def test_a_message_inside_another_is_an_error() -> None:
    """A block that was left open is found when the next begins."""
    with pytest.raises(TemplateError, match="line 1: a message cannot stand inside another"):
        run('{% message role="system" %}a\n' + user("b") + "{% endmessage %}")


@pytest.mark.parametrize("length", [23, 20, 10])
def test_a_part_cut_by_a_filter_is_an_error(length: int) -> None:
    """A filter behind templatize_part would tear the part; that is said."""
    cut = user("{{ image | templatize_part | truncate(" + str(length) + ", true, '', 0) }}")

    with pytest.raises(TemplateError, match="a filter has cut through"):
        run(cut, image=IMAGE)


def test_a_filter_of_letters_leaves_a_part_alone() -> None:
    """Upper case, or blanks cut off, does no harm to a part."""
    (message,) = run(user("{{ image | templatize_part | upper | trim }}"), image=IMAGE)

    assert message.images == [IMAGE]


def test_an_error_in_a_block_names_its_line() -> None:
    """The line is that of the template, not of the block."""
    with pytest.raises(TemplateError, match=r"^line 3: .*'q' is undefined.*default"):
        run("\n\n" + user("{{ q.x }}"))


def test_a_template_is_compiled_when_it_is_made() -> None:
    """A broken template is refused by the constructor, its variables given or not."""
    with pytest.raises(TemplateError, match="line 1"):
        ChatPromptBuilder(user("{{ a"), variables=["a"])


def test_haystacks_messages_are_read() -> None:
    """An object with the shape of Haystack's message is a message."""

    class Message:
        role, meta = "user", {"a": 1}

        def to_dict(self) -> dict[str, Any]:
            return {"role": "user", "meta": self.meta, "name": None, "content": [{"text": "hi"}]}

    assert run("{% insert messages %}", messages=[Message()]) == [
        ChatMessage.from_user("hi", {"a": 1})
    ]


TEMPLATES: list[Any] = [
    None,
    user("{{ a }}"),
    [ChatMessage.from_system("{{ a }}"), ChatMessage.from_user(content_parts=["b", IMAGE])],
]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_builder_survives_its_dictionary(template: Any) -> None:
    """from_dict(to_dict()) makes an equal builder and leaves the dictionary as it was."""
    written = ChatPromptBuilder(template, required_variables=["a"], variables=["a"]).to_dict()
    copy = ChatPromptBuilder(template, required_variables=["a"], variables=["a"]).to_dict()

    read = ChatPromptBuilder.from_dict(written)

    assert read.to_dict() == written == copy
    assert read.template == template


def test_a_file_is_no_template() -> None:
    """A path is not opened; the text is wanted."""
    with pytest.raises(TemplateError, match="a template is a str or a list"):
        run(user("x")) and ChatPromptBuilder().run(template=Path("x"))  # type: ignore[arg-type]

"""Prints how long our builders take for a prompt, as a multiple of Haystack's time.

Run: python tests/bench/bench_prompts.py [rounds]
"""

import os
import statistics
import sys
import timeit
from collections.abc import Callable
from typing import Any

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack import Document
from haystack.components.builders import ChatPromptBuilder as HaystackChatPromptBuilder
from haystack.components.builders import PromptBuilder as HaystackPromptBuilder
from haystack.dataclasses import ChatMessage as HaystackMessage

from streamcite.prompts import ChatMessage, ChatPromptBuilder, PromptBuilder

TEXT = (
    "Answer the question.\n{% for doc in documents %}[{{ loop.index }}] {{ doc.content }}\n"
    "{% endfor %}\nQuestion: {{ query }}"
)
CHAT = (
    '{% message role="system" %}Be kind to {{ name }}.{% endmessage %}{% insert history %}'
    '{% message role="user" %}' + TEXT + "{% endmessage %}"
)
DOCUMENTS = [Document(content="Berlin lies on the Spree. " * 20) for _ in range(10)]
HISTORY = 4


def compare(name: str, theirs: Callable[[], Any], ours: Callable[[], Any], rounds: int) -> None:
    """Print the median ratio of our time to Haystack's, taken in turns."""
    number = max(1, int(0.02 / timeit.timeit(theirs, number=1)))
    pairs = [
        (timeit.timeit(theirs, number=number), timeit.timeit(ours, number=number))
        for _ in range(rounds)
    ]
    ratio = statistics.median(mine / reference for reference, mine in pairs)
    each = statistics.median(mine for _, mine in pairs) / number * 1e6
    print(f"{name:<24} {each:8.1f} µs   {ratio:5.2f} × Haystack's time")


def runner(builder: Any, message: Any, **values: Any) -> Callable[[], Any]:
    """Return a function that renders one prompt."""
    history = [message.from_user("q"), message.from_assistant("a")] * HISTORY
    given = {"documents": DOCUMENTS, "query": "Where?", "name": "Ann", "history": history}
    return lambda: builder.run(**given, **values)


def main(rounds: int = 25) -> None:
    """Compare text, string templates, lists of messages, and templates given at run time."""
    own_list: Any = [ChatMessage.from_user(text) for text in ("You are {{ name }}.", TEXT)]
    their_list: Any = [HaystackMessage.from_user(message.text) for message in own_list]
    cases: list[tuple[str, Any, Any, Any, Any, dict[str, Any]]] = [
        ("text", HaystackPromptBuilder, TEXT, PromptBuilder, TEXT, {}),
        ("text, template at run", HaystackPromptBuilder, "", PromptBuilder, "", {"template": TEXT}),
        ("message blocks", HaystackChatPromptBuilder, CHAT, ChatPromptBuilder, CHAT, {}),
        (
            "list of messages",
            HaystackChatPromptBuilder,
            their_list,
            ChatPromptBuilder,
            own_list,
            {},
        ),
    ]
    for name, reference, their_template, builder, template, values in cases:
        theirs = runner(reference(their_template), HaystackMessage, **values)
        compare(name, theirs, runner(builder(template), ChatMessage, **values), rounds)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

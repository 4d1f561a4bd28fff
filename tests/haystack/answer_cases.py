"""Replies and patterns on which our AnswerBuilder is compared with Haystack's own."""

import random
import re
from dataclasses import dataclass, field
from typing import Any

PLAIN = r"\[(\d+)\]"
LIST = r"\[([\d\s,-]+)\]"
EXPANDED = r"\[(\d+(?:[,-]\d+)*)\]"


@dataclass(frozen=True)
class Case:
    """One run: what the builder is made with, and what it is given."""

    name: str
    replies: Any
    init: dict[str, Any] = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)
    documents: int | None = 10


def row(name: str, reply: Any, pattern: str | None = PLAIN, **init: Any) -> Case:
    """Make a case of one reply and a reference pattern."""
    return Case(name, [reply], {"reference_pattern": pattern, **init})


def expanding(name: str, reply: str, pattern: str = PLAIN) -> Case:
    return row(name, reply, pattern, expand_reference_ranges=True)


def answering(name: str, reply: str, pattern: str, **run: Any) -> Case:
    return Case(name, [reply], {"pattern": pattern}, run)


TWO = ["first [1]", "second [2]"]

ROWS = (
    # The order of work
    Case("order: meta of each reply", TWO, {}, {"meta": [{"a": 1}, {"a": 2}]}),
    Case("order: one meta for two replies", TWO, {}, {"meta": [{}]}),
    Case("order: empty meta", TWO, {}, {"meta": []}),
    Case("order: no replies", []),
    Case("order: run pattern wins", ["A: x"], {"pattern": "B"}, {"pattern": "A: (.*)"}),
    Case("order: empty run pattern", ["A: x"], {"pattern": "A: (.*)"}, {"pattern": ""}),
    Case(
        "order: run reference pattern wins",
        TWO,
        {"reference_pattern": "x(1)"},
        {"reference_pattern": PLAIN},
    ),
    Case(
        "order: empty run reference pattern",
        TWO,
        {"reference_pattern": PLAIN},
        {"reference_pattern": ""},
    ),
    Case("order: empty patterns", TWO, {"pattern": "", "reference_pattern": ""}),
    Case("order: last only", TWO, {"last_message_only": True}, {"meta": [{"a": 1}, {"a": 2}]}),
    Case("order: last of none", [], {"last_message_only": True}),
    Case("order: a user's all_messages", ["x"], {}, {"meta": [{"all_messages": "mine"}]}),
    Case("order: no text", [5, None]),
    Case(
        "order: the whole reply counts",
        ["thought [1]\nAnswer: yes [2]"],
        {"pattern": "Answer: (.*)", "reference_pattern": PLAIN},
    ),
    Case("order: no documents", ["x [1]"], {"reference_pattern": PLAIN}, documents=None),
    Case("order: empty documents", ["x [1]"], {"reference_pattern": PLAIN}, documents=0),
    Case("order: no reference pattern", ["x [1]"]),
    Case(
        "order: all documents",
        ["x [3] [1]"],
        {"reference_pattern": PLAIN, "return_only_referenced_documents": False},
    ),
    # pattern
    answering("pattern: two groups", "x", "(a)(b)"),
    answering("pattern: two named groups", "x", "(?P<a>a)(?P<b>b)"),
    Case("pattern: two groups at run", ["x"], {}, {"pattern": "(a)(b)"}),
    answering("pattern: no match", "x", "Answer: (.*)"),
    answering("pattern: no group", "so Answer: y", "Answer: .*"),
    answering("pattern: a group", "so Answer: y", "Answer: (.*)"),
    answering("pattern: a group that took no part", "Answer: y", "Answer:(x)?"),
    answering("pattern: an empty group", "Answer: y", "Answer:(x*)"),
    answering("pattern: several matches", "A 1 A 2", r"A (\d)"),
    answering("pattern: before a final newline", "arg.\nanswer\n", r"[^\n]+$"),
    answering("pattern: back-reference", "say 'a' or 'b'", r"(['\"]).*?\1"),
    answering("pattern: flags", "x\nANSWER: y", r"(?im)^answer: (.*)$"),
    answering("pattern: look-behind", "Answer: 42", r"(?<=Answer: )\d+"),
    answering("pattern: lazy over lines", "<a>one\ntwo</a>", r"(?s)<a>(.*?)</a>"),
    # reference_pattern
    row("reference: no group", "a [1] [2]", r"(?<=\[)\d+(?=\])"),
    row("reference: brackets in the match", "a [1]", r"\[\d+\]"),
    row("reference: a group that repeats", "a [1, 2] [3]", r"\[(?:(\d+),?\s*)+\]"),
    row("reference: two groups", "a [1]", r"\[(\d)(\d)?\]"),
    row("reference: two groups, no match", "a", r"\[(\d)(\d)?\]"),
    row("reference: a group that took no part", "a []", r"\[(\d+)?\]"),
    row("reference: empty match", "a 1", r"\d*"),
    row("reference: invalid", "a 1", r"\[(\d+\]"),
    Case("reference: invalid, no documents", ["a"], {"reference_pattern": "("}, documents=None),
    row("reference: zero", "a [0] [1]"),
    row("reference: negative", "a [-2] [1]", r"\[(-?\d+)\]"),
    row("reference: over the end", "a [99] [99] [1]"),
    row("reference: over the end, all", "a [99] [1]", return_only_referenced_documents=False),
    row("reference: zeros in front", "a [007]"),
    row("reference: digits of any script", "a [１] [٣] [१०]"),
    row("reference: mixed digits", "a [1०]"),
    row("reference: many digits", f"a [{'9' * 20}] [2]"),
    row("reference: too many digits", f"a [{'9' * 4301}] [2]"),
    row("reference: in a link", "[1](http://x) `a[2]` [[3]]"),
    row("reference: a word", "acme acm", "acm"),
    row("reference: acm", "a [1, 2] [3 4] [5]", "acm"),
    row("reference: blanks", "a < 1 > <\n2>", r"<([^>]+)>"),
    row("reference: signs", "a <+2> <1_0> <3>", r"<([^>]+)>"),
    row("reference: a word in it", "a <1> <x>", r"<(\w)>"),
    row("reference: named group", "see doc#2", r"doc#(?P<n>\d+)"),
    row("reference: lines", "[2] A [1]\n[3] B", r"(?m)^\[(\d+)\]"),
    row("reference: back-reference", "see 1|1 2|3", r"(\d)\|\1"),
    row("reference: wide look-behind", "ref 1, see 2", r"(?<=ref )\d+"),
    row("reference: superscript", "a [²]", r"\[(\d+|²)\]"),
    # expand_reference_ranges
    *(
        expanding(f"range: {text}{name}", f"a {text} [5]", pattern)
        for pattern, name in ((PLAIN, ""), (LIST, ", own pattern"))
        for text in (
            "[6-10]",
            "[1-3,7-9]",
            "[1-999999999]",
            "[1-3, 7-9]",
            "[1 - 3]",
            "[1–3]",
            "[0-2]",
            "[8-30]",
            "[20-30]",
            "[11]",
            "[3-1]",
            "[1-2-3]",
            "[2024-01-15]",
            "[-]",
            "[1-]",
            "[-3]",
            "[1 2]",
            "[1,,2]",
            "[,]",
            "[0]",
            "[0-0]",
            "[2-2]",
            "[ 3 ]",
            "[1-3-]",
            "[--2]",
            "[1-2147483648]",
            "[9999999999-1]",
            "[00001-0002]",
        )
    ),
    Case("range: without a reference pattern", ["a [1-2]"], {"expand_reference_ranges": True}),
    Case(
        "range: only in this run",
        ["a [1-2]"],
        {"reference_pattern": PLAIN},
        {"expand_reference_ranges": True},
    ),
    Case(
        "range: not in this run",
        ["a [1-2] [3]"],
        {"reference_pattern": PLAIN, "expand_reference_ranges": True},
        {"expand_reference_ranges": False},
    ),
    expanding("range: the expanded pattern itself", "a [1-2,4]", EXPANDED),
    row("range: a list that is not expanded", "a [1,2]", LIST),
)
"""Each row of the tables that describe Haystack's AnswerBuilder."""

PATTERNS = (
    PLAIN,
    LIST,
    EXPANDED,
    r"\d+",
    r"(?<=\[)\d+(?=\])",
    r"(?<!\w)\[(\d+)\](?!\()",
    r"\[\^(\d+)\]",
    r"【(\d+)】",
    r"(?i)(?:doc|source|document)\s*#?(\d+)",
    r"(?m)^\[(\d+)\]",
    r"\[(\d+)\]$",
    r"\[(?:Document )?(\d+)\]",
    r"\((\d{1,2})\)",
    r"\[(?P<number>\d+)\]",
    r"\[{1,2}(\d+)\]{1,2}",
    r"<ref>(\d+?)</ref>",
    r"\[([0-9, ]+)\]",
    r"\[(-?\d+)\]",
    r"\b(\d+)\b",
    r"(?s)\[(\d+)\].",
    None,
)
ANSWER_PATTERNS = (
    None,
    None,
    "Answer: (.*)",
    r"[^\n]+$",
    r"(?s)Answer:(.*)",
    r"(?i)answer: ?(\w+)?",
    r"\S+ \S+",
)
FRAGMENTS = (
    "[1]", "[2]", "[10]", "[0]", "[11]", "[99]", "[1,2]", "[1, 3]", "[2-4]", "[1-3,5]", "[4-2]",
    "[0-2]", "[8-30]", "[ 2 ]", "[1", "]", "[", "[[3]]", "[3](u)", "[^2]", "【4】", "(5)", "doc 2",
    "Source #3", "<ref>12</ref>", " ", "\n", ". ", ", ", "Answer: ", "word", "arr[1]", "`[2]`", "٣",
    "[٣]", "[１]", "[-2]", "[Document 4]", "12", "1 2", "é", "[2024-01-15]", "[1-2-3]", "[,]",
    "[5-]",
)  # fmt: skip


def random_case(seed: int) -> Case:
    """Make a case that looks like life, the same one for the same seed."""
    dice = random.Random(seed)  # noqa: S311 - the cases are no secret
    replies = [
        "".join(dice.choices(FRAGMENTS, k=dice.randrange(0, 14)))
        for _ in range(dice.choice((1, 1, 1, 2)))
    ]
    init = {
        "pattern": dice.choice(ANSWER_PATTERNS),
        "reference_pattern": dice.choice(PATTERNS),
        "last_message_only": dice.random() < 0.2,
        "return_only_referenced_documents": dice.random() < 0.7,
        "expand_reference_ranges": dice.random() < 0.5,
    }
    run: dict[str, Any] = {}
    if dice.random() < 0.3:
        run["meta"] = [{"number": number} for number in range(len(replies))]
    if dice.random() < 0.2:
        run["reference_pattern"] = dice.choice(PATTERNS)
    if dice.random() < 0.2:
        run["expand_reference_ranges"] = dice.random() < 0.5
    documents = dice.choice((None, 0, 1, 3, 10, 10, 10))
    return Case(f"seed {seed}", replies, init, run, documents)


def is_acm(case: Case) -> bool:
    """Tell whether a case names the shortcut that Haystack does not know."""
    return re.fullmatch("acm", str(case.init.get("reference_pattern"))) is not None

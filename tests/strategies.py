"""Generated answers, cuts and options: biased fragments, not random letters."""

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

TAGS = ("think", "thinking", "answer")

MARKERS = [
    *("[1]", "[2]", "[3]", "[9]", "[1, 2]", "[1-3]", "[[1]]", "[[2, 3]]", "【1】", "［2］"),
    *("[1][2]", "[1][1]", "[ 1 , 2 ]", "[1,\n2]", "[3-1]", "[0]", "[0, 1]", "[1,]", "[１]", "[٣]"),
    *("[1,\r\n2]", "[2 ;\r\n 1\r]"),
    *("[^1]", "[^1, ^2]", "^[1]", "[Source 1]", "[doc2]", "[ID:1]", "[cite:d1]", "[@d2; @d9]"),
    *('<ref id="d1"/>', "<ref id='d9' />", "[report.pdf]", "[REPORT.pdf#page=3]", "【4:0†source】"),
    *("\ue200cite\ue2024:0\ue2024:1\ue201", "\\ue2024:0", "\ue200cite\ue202nope\ue201"),
]
PIECES = [
    *("[", "]", "][", "[[", "]]", "1", "2", "0", "9", "-", "–", ",", ", ", ";", "、", "【", "】"),
    *("［", "］", "^", "†", ":", "[1", "1]", "[1234567890", "²", "é", "\u0301", "\ufeff", "\x00"),
    *("\ud800", "\udc00", "😀", "\ufffd", "\u200b", "\ue200", "\ue203", "\ue204", "\ue202"),
]
WORDS = [
    *("Berlin ", "word ", "the capital", "a b", "x", "dp", "arr", "f()", "userIds", "obj.items"),
    *("e.com", "https://e.com/a", "www.e.org", "http://x(y)", " ", "  ", "\t", ". ", ".", "? "),
    *("a_b", "word(s)", "'s", " = 3", "=", ".name", "日本。", "！"),
]
CODE = [
    *("`", "``", "```", "````", "~~~", "~~", "```py\n", "\n```\n", "\n```", "\n~~~\n", "`a[1]`"),
    *("`` ` ``", "    ", "\n    ", "\n\n    ", "\n\t", "- ", "\n- ", "\n1. ", "> ", "\n> "),
]
CONTEXTS = [
    *("\n", "\n\n", "\r\n", "\n \n", "$", "$$", "$x$", "$5 ", "\\(", "\\)", "\\[", "\\]", "\\"),
    *("\\\\", "(", ")", "](", "](u)", "[1](u)", "![1](u)", '(u "t")', "(<u>)", "[1]: ", "\n[1]: u"),
    *("[^1]: ", "[see [1]](u)", "[ ]", "[x]", "[2024]", "<", ">", "<a href='", '<a x="', "/>"),
    *("<b>", "</b>", "<https://e.com/", "'", '"', "<!--", "-->", "a < b"),
]
TAG_PIECES = [
    *("<think>", "</think>", "<thinking>", "</thinking>", "<answer>", "</answer>", "<answer/>"),
    *("<think", "</think", "<th", "</", "think>", '<think a="b>c">', "<answer t='", "<think >"),
    *("</think >", "<THINK>", "< think>", "<<think>", "<think/", "<answer x=1 y>", "`<think>`"),
]

FRAGMENTS = (MARKERS, PIECES, WORDS, CODE, CONTEXTS, TAG_PIECES)
# Prose and markers keep the text sane; the rest breaks it.
WEIGHTS = (5, 3, 5, 2, 3, 2)

# Markers as models cut them, and all that may stand around them: what has short cuts of its own.
TOKENS = [
    *("a", " ", "\n", "\n\n", "    ", " [", "[", "1", "2", "9", "0", ", ", "-", "]", "].", "] "),
    *("](", "]:", "][", "]\n", "`", "x", "arr", "\\", "$", " [1] ", " [2].", " [1, 2] ", " [1"),
    *(",\r\n", "\r"),
    *("- ", "> ", "https://e.com", "<a ", ">", ";", "![", " word", "；", "\ud83d", "<think>", "."),
]
# Markers that were resolved before may take a shorter way.
PRELUDE = " [1] [2] [1, 2] [9] "

# Each changes how text is found, held or shown. Their sum is what the laws are tried on.
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"display": "remove"},
    {"display": "link"},
    {"display": "renumber", "unknown": "mark"},
    {"display": "remove", "unknown": "drop", "merge_adjacent": True},
    {"merge_adjacent": True},
    {"display": "renumber", "merge_adjacent": True, "extract_xml_tags": TAGS},
    {"unknown": "drop"},
    {"unknown": "mark"},
    {"extract_xml_tags": TAGS},
    {"extract_xml_tags": TAGS, "answer_tag": "answer"},
    {"extract_xml_tags": TAGS, "answer_tag": "answer", "display": "remove", "unknown": "drop"},
    {"extract_xml_tags": TAGS, "start_in": "think", "display": "link"},
    {"extract_xml_tags": ("thinking",), "tag_aliases": {"think": "thinking"}},
    {"extract_xml_tags": ("think",), "start_in": "think", "guards": ()},
    {"guards": ()},
    {"guards": ("code", "link", "index")},
    {"guards": ("math", "url", "html", "escape", "footnote")},
    {"max_marker_length": 6},
    {"max_marker_length": 11, "extract_xml_tags": ("think",), "display": "remove"},
    {"index_base": 0},
    {"expand_reference_ranges": False},
    {"markers": ("bracket", "caret")},
    {"markers": ("bracket", "label", "key"), "display": "renumber"},
    {"markers": ("bracket", "filename", "openai", "key")},
    {"markers": ("label", "caret", "filename"), "display": "remove", "unknown": "mark"},
    {"markers": "private"},
    {"markers": ("private", "bracket"), "display": "link", "unknown": "drop"},
    {
        "markers": ("private", "openai", "bracket"),
        "extract_xml_tags": TAGS,
        "keys_by_first_use": True,
    },
    {"markers": ()},
    {"markers": (), "extract_xml_tags": TAGS},
    {"return_only_referenced_documents": False, "display": "renumber"},
)

PATTERN_OPTIONS: tuple[dict[str, Any], ...] = (
    {"reference_pattern": "acm"},
    {"reference_pattern": "acm", "display": "remove"},
    {"reference_pattern": r"\[(\d+)\](?!\()"},
    {"reference_pattern": r"\^(\d+)"},
    {"reference_pattern": r"(?<!\w)\[(\d+)\]", "extract_xml_tags": TAGS},
    {"reference_pattern": r"\[([^\]]*)\]", "max_marker_length": 12},
    {"reference_pattern": r"\[(\d+)\](?=.*\d)", "when": "at_end"},
    {"reference_pattern": r"\[(\d+)\]", "when": "at_end", "extract_xml_tags": TAGS},
    {"pattern": r"(?s)<answer>(.*)"},
    {"pattern": r"(?s)<answer>(.*?)</answer>", "display": "remove"},
    {"pattern": r"[^\n]+$"},
    {"pattern": r"(?s)\w(.*)$", "extract_xml_tags": TAGS, "answer_tag": "answer"},
    {"pattern": r"\w+ (.*)", "extract_xml_tags": TAGS, "answer_tag": "answer", "display": "link"},
)


def generate(source: random.Random, most: int = 14) -> str:
    """Return an answer, for runs that need no shrinking."""
    kinds = source.choices(FRAGMENTS, WEIGHTS, k=source.randint(0, most))
    return "".join(source.choice(kind) for kind in kinds)


def answers(most: int = 14) -> st.SearchStrategy[str]:
    """Generate answers of up to so many fragments."""
    kinds = [kind for kind, weight in zip(FRAGMENTS, WEIGHTS, strict=True) for _ in range(weight)]
    fragment = st.one_of([st.sampled_from(kind) for kind in kinds])
    return st.lists(fragment, max_size=most).map("".join)


def token_streams() -> st.SearchStrategy[list[str]]:
    """Generate answers as the tokens of a model, some with known markers in front."""
    rest = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=14)
    return st.tuples(st.booleans(), rest).map(lambda drawn: [PRELUDE] * drawn[0] + drawn[1])


def short_answers(most: int = 12) -> st.SearchStrategy[str]:
    """Generate answers that are short enough to be cut in every way."""
    return answers(6).map(lambda text: text[:most])


def options(given: Sequence[dict[str, Any]] = OPTIONS) -> st.SearchStrategy[dict[str, Any]]:
    """Choose one combination of options."""
    return st.sampled_from(given)


def cuts() -> st.SearchStrategy[random.Random]:
    """Generate what `random_cut` draws from."""
    return st.integers(0, 2**32).map(random.Random)

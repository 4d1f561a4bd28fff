"""Patterns as instructions: what is refused and why, and what a program says of itself."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamcite.errors import PatternError
from streamcite.scan.program import (
    ACM_PATTERN,
    MAX_INSTRUCTIONS,
    Op,
    Program,
    compile_pattern,
)
from streamcite.scan.regex_tree import parse_any, parser
from tests.scan.regex_oracles import texts
from tests.scan.regex_strategies import patterns

# Pattern, place of the construct, what the message says.
REFUSALS = [
    (r"\d*", None, "at least one character"),
    (r"a|b?", None, "at least one character"),
    (r"\b", None, "at least one character"),
    (r"(a)(b)", 3, "(?:…)"),
    (r"(?P<one>a)\((?P<two>b)", 12, "(?:…)"),
    (r"[(](a)\((b)(?#()", 8, "(?:…)"),
    (r"(a)\1", 3, "back-reference"),
    (r"(?P<x>a)(?P=x)", 8, "back-reference"),
    (r"\\(a)b\1", 6, "back-reference"),
    (r"(a)?(?(1)b|c)", 4, "conditional"),
    (r"b(?>a+)", 1, "atomic group"),
    (r"[*+]a*+", 5, "possessive repeat"),
    (r"ba{1,2}+", 2, "possessive repeat"),
    (r"(?!\()a(?=bc)", 7, "one character"),
    (r"(?<!ab)c", 0, "one character"),
    (r"a(?!)", 1, "one character"),
    (r"a(?=)", 1, "one character"),
    (r"a(?=b*)", 1, "one character"),
    (r"a(?=(b))", 1, "one character"),
    (r"a(?:x*?)*", 1, "minimum"),
    (r"(?:a*b)*(?:x|)+y", 8, "minimum"),
    (r"a(?:(?=b))*", 1, "minimum"),
    (r"a(?:b(?:c?){3})", 5, "minimum"),
    ("(?x) (?:a*)* # )", 5, "minimum"),
    ("(?x) b # ( )\n (?:a*)*", 14, "minimum"),
    ("(?x) # ) (*\n b(?:a*) *", None, "minimum"),
    ("(?x) (?:a*) * # (\n #)*", None, "minimum"),
    (r"(?:a{1000}){6}", None, "5,000 instructions"),
    (r"a{4000000000}", None, "5,000 instructions"),
    (r"a{99999999999}", None, "too large"),
    (r"[^\s\S]", None, "never match"),
    (r"(?:a[^\s\S]){2}", None, "never match"),
    (r"a[^\W\w]|[^\D\d]+", None, "never match"),
    (r"a(b", 1, "unterminated subpattern"),
    (r"a[b", 1, "unterminated character set"),
    (r"(?<=a+)b", None, "fixed-width"),
    (r"(?L)a", 3, "'L'"),
    ("(" * 5_000 + "a" + ")" * 5_000, None, "too deeply"),
]


@pytest.mark.parametrize(("pattern", "position", "message"), REFUSALS)
def test_what_cannot_be_streamed_is_refused(
    pattern: str, position: int | None, message: str
) -> None:
    """The error names the construct, its place and the way out."""
    with pytest.raises(PatternError, match=re.escape(message)) as refusal:
        compile_pattern(pattern)

    assert (pattern, position) == (refusal.value.pattern, refusal.value.position)


def test_bytes_are_refused() -> None:
    """A pattern is text."""
    with pytest.raises(PatternError, match="not bytes"):
        compile_pattern(b"a")


ALLOWED = [
    r"(?:a|b?)?c",
    r"(?=\s|$)\W",
    r"(?<=[ab])c",
    r"(?!(?i:a))\w",
    r"(?:(a)|b)*c",
    "(?x) a # b",
    r"a[^\s\S]{0,2}",
]


@pytest.mark.parametrize("pattern", ALLOWED)
def test_what_can_be_streamed_is_not_refused(pattern: str) -> None:
    """An optional body that can be empty, and look-arounds at one place, are exact."""
    assert compile_pattern(pattern).first is not None


@pytest.mark.parametrize("pattern", ["a*", "$", r"(?=a)", ""])
def test_an_answer_pattern_may_match_nothing(pattern: str) -> None:
    """`re.search` may find an empty match, so there is no first character."""
    program = compile_pattern(pattern, allow_empty=True)

    assert (program.first, program.begins) == (None, None)


# Pattern, groups, has assertions, repeats its group.
FACTS = [
    (r"\[(\d+)\]", 1, False, False),
    (ACM_PATTERN, 0, False, False),
    (r"(a){2,3}\b", 1, True, True),
    (r"(?:(\d+),?)+", 1, False, True),
    (r"(?:(\d+),?)?x", 1, False, False),
    (r"(?<!\w)(?P<n>a)", 1, True, False),
]


@pytest.mark.parametrize(("pattern", "groups", "assertions", "repeats"), FACTS)
def test_a_program_says_what_it_is(
    pattern: str, groups: int, assertions: bool, repeats: bool
) -> None:
    """Groups and assertions are known before any text is."""
    program = compile_pattern(pattern)

    assert groups == program.groups
    assert (assertions, repeats) == (program.has_assertions, program.repeats_group)


# Pattern, characters that begin a match, others.
FIRSTS = [
    (r"\[(\d+)\]", "[", "1]a"),
    (r"(?i)k|\d", "kK\u212a1٣", "a "),
    (r"(?:a|[^a-y])", "az!", "b"),
    (r"(?i:a)|b", "aAb", "B"),
    (r"(?a:\w)", "a1", "é٣"),
    (r"(?<!\w)(?:\^?\d)", "^1", "a"),
    (r".|\n", "a\n", ""),
    (r"a?b*c[^\s\S]|d", "d", "abc"),
]


@pytest.mark.parametrize(("pattern", "begins", "others"), FIRSTS)
def test_the_first_character_is_found(pattern: str, begins: str, others: str) -> None:
    """`first` and `begins` know where a match could start."""
    program = compile_pattern(pattern)

    assert program.first is not None
    assert program.begins is not None
    assert [bool(program.first.search(character)) for character in begins + others] == [
        program.begins[character] for character in begins + others
    ]
    assert begins == "".join(filter(program.first.match, begins + others))


@given(patterns())
def test_a_program_is_built_or_refused(pattern: str) -> None:
    """Nothing but a `PatternError` comes of any pattern, and every instruction leads to a match."""
    try:
        program = compile_pattern(pattern, allow_empty=True)
    except PatternError:
        return

    assert _reaching_a_match(program) == set(range(len(program.instructions)))


def _reaching_a_match(program: Program) -> set[int]:
    reaching, before = set[int](), -1
    while len(reaching) > before:
        before = len(reaching)
        for place, step in enumerate(program.instructions):
            following = {step.next, step.other} if step.op is Op.SPLIT else {step.next}
            if step.op is Op.MATCH or following & reaching:
                reaching.add(place)
    return reaching


@given(st.text(alphabet="[]1, ", max_size=12))
def test_acm_reads_what_haystack_documents(text: str) -> None:
    """The unambiguous form takes exactly the same texts."""
    documented = re.compile(r"\[(?:(\d+),?\s*)+\]")

    assert bool(documented.fullmatch(text)) == bool(re.fullmatch(ACM_PATTERN, text))


def test_acm_reads_every_short_text_as_documented() -> None:
    """The same, for all texts of up to six characters between brackets."""
    documented = re.compile(r"\[(?:(\d+),?\s*)+\]")

    differing = [
        text
        for text in (f"[{inner}]" for inner in texts("1, ", 6))
        if bool(documented.fullmatch(text)) != bool(re.fullmatch(ACM_PATTERN, text))
    ]

    assert differing == []


def test_a_pattern_is_compiled_once() -> None:
    """The second reply uses the first one's program."""
    assert compile_pattern("ab+") is compile_pattern("ab+")


def test_a_repeat_may_use_every_instruction() -> None:
    """The bound counts instructions, and the match itself is one."""
    program = compile_pattern(f"a{{{MAX_INSTRUCTIONS - 1}}}")

    assert len(program.instructions) == MAX_INSTRUCTIONS


# What `re._parser` makes of each construct; a Python that changes it needs changes in scan/.
SHAPES = [
    (r"a", "[(LITERAL, 97)]"),
    (r"[^a]", "[(NOT_LITERAL, 97)]"),
    (r".", "[(ANY, None)]"),
    (
        r"[^b-d\s1]",
        "[(IN, [(NEGATE, None), (RANGE, (98, 100)), (CATEGORY, CATEGORY_SPACE), (LITERAL, 49)])]",
    ),
    (r"\D", "[(IN, [(CATEGORY, CATEGORY_NOT_DIGIT)])]"),
    (r"ab|c", "[(BRANCH, (None, [[(LITERAL, 97), (LITERAL, 98)], [(LITERAL, 99)]]))]"),
    (r"(a)", "[(SUBPATTERN, (1, 0, 0, [(LITERAL, 97)]))]"),
    (r"(?i-s:a)", "[(SUBPATTERN, (None, 2, 16, [(LITERAL, 97)]))]"),
    (
        r"a*b{2,3}?",
        "[(MAX_REPEAT, (0, MAXREPEAT, [(LITERAL, 97)])), (MIN_REPEAT, (2, 3, [(LITERAL, 98)]))]",
    ),
    (r"(?=a)(?<!b)", "[(ASSERT, (1, [(LITERAL, 97)])), (ASSERT_NOT, (-1, [(LITERAL, 98)]))]"),
    (
        r"^$\b\B",
        "[(AT, AT_BEGINNING), (AT, AT_END), (AT, AT_BOUNDARY), (AT, AT_NON_BOUNDARY)]",
    ),
    (r"\A\Z", "[(AT, AT_BEGINNING_STRING), (AT, AT_END_STRING)]"),
    (r"(a)\1", "[(SUBPATTERN, (1, 0, 0, [(LITERAL, 97)])), (GROUPREF, 1)]"),
    (r"(?>a)", "[(ATOMIC_GROUP, [(LITERAL, 97)])]"),
    (r"a++", "[(POSSESSIVE_REPEAT, (1, MAXREPEAT, [(LITERAL, 97)]))]"),
    (
        r"(a)(?(1)b)",
        "[(SUBPATTERN, (1, 0, 0, [(LITERAL, 97)])), (GROUPREF_EXISTS, (1, [(LITERAL, 98)], None))]",
    ),
]


@pytest.mark.parametrize(("pattern", "shape"), SHAPES)
def test_the_private_parser_has_the_shape_that_scan_reads(pattern: str, shape: str) -> None:
    """`re._parser` is private: where this fails, `scan/regex_tree.py` must follow it."""
    assert shape == repr(parse_any(pattern))


def test_the_private_parser_has_the_names_that_scan_uses() -> None:
    """The state carries flags and the count of groups; a tree its nodes and its width."""
    tree = parse_any("(?i)(a)b?")

    assert (tree.state.groups, tree.state.flags & re.IGNORECASE) == (2, re.IGNORECASE)
    assert (len(tree.data), tree.getwidth()) == (2, (1, 2))
    assert re.ASCII & parser.TYPE_FLAGS

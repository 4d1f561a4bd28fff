"""Tags by name."""

import random
import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamcite.scan.tags import TagScanner
from streamcite.spans import Span, TagClosed, TagOpened, Text
from tests.strategies import TAG_PIECES, cuts
from tests.transcripts import random_cut, text_of

NAMES = {"think": "think", "thinking": "thinking", "answer": "answer"}

Plain = tuple[str, str]


def scan(text: str | list[str], names: dict[str, str] = NAMES, **options: object) -> list[Plain]:
    """Return what the scanner says, adjacent text merged, as pairs of kind and text."""
    scanner = TagScanner(names, **options)  # type: ignore[arg-type]  # those of each test
    pieces = [text] if isinstance(text, str) else text
    spans = [span for piece in pieces for span in scanner.feed(piece)] + scanner.close()
    return merged(spans)


def merged(spans: list[Span]) -> list[Plain]:
    """Return pairs of kind and text, adjacent text merged."""
    found: list[Plain] = []
    for span in spans:
        if isinstance(span, Text):
            before = found.pop()[1] if found and found[-1][0] == "text" else ""
            found.append(("text", before + span.text))
        elif isinstance(span, TagOpened):
            found.append(("open", span.name))
        elif isinstance(span, TagClosed):
            found.append(("close" if span.complete else "end", span.name))
    return found


# A batch formulation, written down apart from the table.
_QUOTED = r'"[^"]*"|\'[^\']*\''
_OPEN = re.compile(rf"<(think|thinking|answer)(?=[\s/>])((?:[^<>\"'/]|{_QUOTED}|/(?!>))*)(/?)>")


def oracle(text: str, longest: int = 256) -> list[Plain]:
    """Return what one regex after the other finds in the whole text."""
    found: list[Plain] = []
    place, section = 0, None
    while place < len(text):
        if section is None:
            match = _OPEN.search(text, place)
        else:
            match = re.compile(rf"</{section}\s*>").search(text, place)
        while match is not None and match.end() - match.start() > longest:
            match = match.re.search(text, match.start() + 1)
        end = len(text) if match is None else match.start()
        if end > place:
            found.append(("text", text[place:end]))
        if match is None:
            break
        place = match.end()
        if section is not None:
            found.append(("close", section))
            section = None
        else:
            found.append(("open", match[1]))
            if match[3]:
                found.append(("close", match[1]))
            else:
                section = match[1]
    return [*found, ("end", section)] if section is not None else found


@settings(max_examples=1_500)
@given(
    st.lists(
        st.sampled_from([*TAG_PIECES, "a", " ", '"', "'", "<", ">", "/", "=", "\n", "</a>", "-"]),
        max_size=10,
    ).map("".join),
    cuts(),
)
def test_stream_is_batch(text: str, source: random.Random) -> None:
    """In any cuts the table finds what the batch formulation finds in the whole text."""
    pieces = [text_of([item]) for item in random_cut(text, source)]

    assert scan(pieces, code_aware=False) == oracle(text)


def test_all_short_texts() -> None:
    """Both agree on all short texts over the characters that matter."""
    for length in range(5):
        for rest in product(["<", "t", ">", "/", " ", '"', "x"], repeat=length):
            text = "<t" + "".join(rest)
            names = {"t": "t"}
            expected = oracle(text.replace("<t", "<think").replace("</t", "</think"))
            assert len(scan(text, names, code_aware=False)) == len(expected), text


# Text, and what is found in it: text in quotes, +name for an open tag, -name for its close tag,
# !name for a section that the reply leaves open.
ROWS: list[tuple[str, list[str]]] = [
    ("a < b, c <d, 5<6 <", ["a < b, c <d, 5<6 <"]),
    ("<thinking>a</thinking>", ["+thinking", "a", "-thinking"]),
    ("<thinkings>", ["<thinkings>"]),
    ("<think-x>", ["<think-x>"]),
    ("<THINK>", ["<THINK>"]),
    ("< think>", ["< think>"]),
    ("<thi<think>a", ["<thi", "+think", "a", "!think"]),
    ("<<think>a</</think>", ["<", "+think", "a</", "-think"]),
    ("</think>a", ["</think>a"]),
    ("a<answer/>b", ["a", "+answer", "-answer", "b"]),
    ("<answer />", ["+answer", "-answer"]),
    ('<answer t="a>b">x', ["+answer", "x", "!answer"]),
    ("<answer t='<think>'>", ["+answer", "!answer"]),
    ('<answer "x<answer>hi</answer>', ['<answer "x', "+answer", "hi", "-answer"]),
    ("<think>a<think>b</think>c</think>d", ["+think", "a<think>b", "-think", "c</think>d"]),
    ("<think>a</thinking></think >", ["+think", "a</thinking>", "-think"]),
    ("<think>a</thi", ["+think", "a</thi", "!think"]),
    ("<!-- <b> &lt;think&gt;", ["<!-- <b> &lt;think&gt;"]),
]
_SIGNS = {"text": "", "open": "+", "close": "-", "end": "!"}


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_rows(text: str, expected: list[str]) -> None:
    """A tag is exact in its name; all else is text; content is raw."""
    found = [_SIGNS[kind] + content for kind, content in scan([*text])]

    assert found == expected
    assert scan(text) == scan([*text])


CODE = [
    ("```\n<think>\n```\n<think>a", "```\n<think>\n```\n"),
    ("~~~\n<think>", "~~~\n<think>"),
    ("`<think>`", "`<think>`"),
    ("``<think>", "``<think>"),
]


@pytest.mark.parametrize(("text", "before"), CODE)
def test_code(text: str, before: str) -> None:
    """A tag in a fence, or right behind a backtick, is text."""
    assert scan(text)[0] == scan([*text])[0] == ("text", before)
    assert ("open", "think") in scan(text, code_aware=False)


def test_a_stray_backtick_hides_no_tag() -> None:
    """A backtick that is not right before a tag does not hide it."""
    assert ("open", "think") in scan("a ` b <think>")


def test_code_in_a_section() -> None:
    """Inside a section its close tag counts, in code too; the text outside goes on as before."""
    assert scan("<think>```\n</think>a<think>") == [
        ("open", "think"),
        ("text", "```\n"),
        ("close", "think"),
        ("text", "a"),
        ("open", "think"),
        ("end", "think"),
    ]


def test_attributes() -> None:
    """The attributes of an open tag are read as written, in all spellings."""
    scanner = TagScanner(NAMES)

    (opened,) = scanner.feed("<think a=\"1 > 0\" b='x' c=y d e = 'z'>")
    assert isinstance(opened, TagOpened)
    assert opened.attributes == (("a", "1 > 0"), ("b", "x"), ("c", "y"), ("d", ""), ("e", "z"))


def test_aliases() -> None:
    """A section may be opened by one spelling and closed by another of the same name."""
    names = {"thinking": "thinking", "think": "thinking"}

    assert scan("<think>a</thinking>b", names) == [
        ("open", "thinking"),
        ("text", "a"),
        ("close", "thinking"),
        ("text", "b"),
    ]


def test_start_in() -> None:
    """A section may be open before the first character."""
    assert scan("a</think>b", start_in="think") == [
        ("open", "think"),
        ("text", "a"),
        ("close", "think"),
        ("text", "b"),
    ]


def test_longest_tag() -> None:
    """A tag that is longer than the cap is text, and what follows is scanned again."""
    long = "<think " + "x" * 20 + "<think>"

    assert scan(long, max_length=10)[0] == ("text", "<think " + "x" * 20)
    assert scan("<think " + "x" * 20 + ">", max_length=10)[0][0] == "text"


def test_bound_on_what_is_held() -> None:
    """A candidate never holds more than the cap."""
    scanner = TagScanner(NAMES, max_length=12)

    for character in '<think a="' + "x" * 40:
        scanner.feed(character)
        assert len(scanner.held) < 12


def test_skip() -> None:
    """Skipped text counts as text before: behind a skipped backtick a tag is text."""
    scanner = TagScanner(NAMES)

    assert scanner.idle
    scanner.skip("a `")
    assert scanner.feed("<think>") == [Text("<think>")]


CLOSES = [
    ("<think>", "</think>", True),
    ("<think>", "</think >", True),
    ("<think>", "</thinking>", False),
    ("<think>", "</think", False),
    ("<think>", "</think> ", False),
    ("<think>", " </think>", False),
    ("<think>", "", False),
    ("<think><", "</think>", False),
    ("<think></think>", "</think>", False),
    ("<think>", f"</think{' ' * 300}>", False),
    ("<think>", f"</think{' ' * 248}>", True),
    ("<think>", f"</think{' ' * 248}>a", False),
]


@pytest.mark.parametrize(("before", "text", "expected"), CLOSES)
def test_closes(before: str, text: str, expected: bool) -> None:
    """A text is a close tag if it alone ends the open section."""
    scanner = TagScanner(NAMES)
    scanner.feed(before)
    assert scanner.closes(text) is expected

    spans = scanner.feed(text)
    closed = [span for span in spans if isinstance(span, TagClosed)]
    assert not expected or spans == closed


HOSTILE = ["<", "<think ", "<think a='", "</", "<think", '<a x="', "<think>", "`<think>", "<think/"]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("inside", [False, True])
def test_work_is_linear(piece: str, inside: bool) -> None:
    """Repeated pieces of tags cost a bounded number of steps per character."""
    text = "<think>" * inside + piece * 2_000
    scanner = TagScanner(NAMES)

    for start in range(0, len(text), 5):
        scanner.feed(text[start : start + 5])
    scanner.close()
    assert scanner.steps <= 4 * len(text)

"""The other built-in grammars, each one regex whose states are built as text needs them."""

import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from streamcite.grammar import (
    BLANK,
    BLANKS,
    BODY,
    BRACKETS,
    CARET,
    ITEM,
    KEY,
    KEY_PREFIX,
    LABEL_COLONS,
    LABEL_OPENERS,
    OPENAI_CLOSE,
    OPENAI_OPEN,
    OPENAI_POSITION,
    OPENAI_SIGN,
    PRIVATE_CLOSE,
    PRIVATE_ID,
    PRIVATE_OPEN,
    PRIVATE_SEPARATOR,
    PRIVATE_SPAN_CLOSE,
    PRIVATE_SPAN_OPEN,
    PRIVATE_WORD,
    SEPARATOR,
    TRAILING,
)
from streamcite.scan.bracket import BRACKET, read_items
from streamcite.scan.markers import Grammar
from streamcite.scan.tables import MAX_OPTIONS
from streamcite.spans import Item

__all__ = ["grammars_for"]

_CARET = re.escape(CARET)
_CARET_BODY = rf"{_CARET}{BLANK}*{ITEM}(?:{SEPARATOR}{_CARET}?{ITEM})*{TRAILING}"

_PREFIX = rf"(?:{KEY_PREFIX}{BLANK}*|@)"
_KEYS = rf"{_PREFIX}{KEY}(?:{BLANK}*[,;]{BLANK}*{_PREFIX}?{KEY})*"
_ESCAPED_ID = r"[A-Za-z0-9_-]+"

_PRIVATE_SIGNS = (
    PRIVATE_OPEN + PRIVATE_CLOSE + PRIVATE_SEPARATOR + PRIVATE_SPAN_OPEN + PRIVATE_SPAN_CLOSE
)


class _Step:
    """One state of an automaton, as `markers.Step` has it."""

    __slots__ = ("_following", "accepts", "over", "state")

    def __init__(self, following: "_Steps", state: int, accepts: bool, over: bool) -> None:
        self._following = following
        self.state = state
        self.accepts = accepts
        self.over = over

    def __getitem__(self, character: str) -> "_Step":
        return self._following.step(self.state, character)


class _Steps:
    """The automaton of one pattern, with a step for each state it was in."""

    def __init__(self, pattern: str) -> None:
        # Loaded here, since most answers have bracket markers alone, and all load this file.
        from streamcite.scan.automaton import Automaton
        from streamcite.scan.program import compile_pattern

        self._automaton = Automaton(compile_pattern(pattern))
        # No bound of its own: the states of these patterns are a few hundred at most.
        self._known: dict[int, _Step] = {}

    def step(self, state: int, character: str) -> _Step:
        return self._known_step(self._automaton.step(state, character))

    def begin(self, opener: str) -> _Step:
        return self.step(self._automaton.start, opener)

    def _known_step(self, state: int) -> _Step:
        step = self._known.get(state)
        if step is None:
            machine = self._automaton
            step = _Step(self, state, machine.accepts(state), not machine.live(state))
            self._known[state] = step
        return step


def _read_keys(marker: str) -> tuple[Item, ...]:
    if quoted := re.search(r"=\s*([\"'])(.*)\1", marker):
        return (quoted[2],)
    keys = (key.strip(BLANKS) for key in re.split(r"[,;]", marker.strip("[]")))
    # A prefix with nothing behind it is a key that looks like one.
    return tuple(re.sub(rf"^{_PREFIX}(?=.)", "", key) for key in keys)


def _read_file(marker: str) -> tuple[Item, ...]:
    return (marker[1:-1].strip().partition("#")[0].strip(),)


def _read_openai(marker: str) -> tuple[Item, ...]:
    return (marker[1:].partition(OPENAI_SIGN)[0],)


def _read_private(marker: str) -> tuple[Item, ...]:
    marker = marker.replace("\\ue202", PRIVATE_SEPARATOR).replace("\\ue201", "")
    _, *keys = marker.strip(_PRIVATE_SIGNS[:2]).split(PRIVATE_SEPARATOR)
    return tuple(keys)


class _Form(NamedTuple):
    """What makes a grammar."""

    starts: str
    pattern: str
    read: Callable[[str], tuple[Item, ...]]
    dropped: str = ""


_FORMS = {
    "caret": _Form(f"[{CARET}", rf"\[{_CARET_BODY}\]|{_CARET}\[{BODY}\]", read_items),
    "key": _Form(
        "[<",
        rf"\[{BLANK}*{_KEYS}{BLANK}*\]|<ref\s+id\s*=\s*(?:\"[^\"<>\n]+\"|'[^'<>\n]+')\s*/>",
        _read_keys,
    ),
    "filename": _Form("[", r"\[[^\[\]\n]+\]", _read_file),
    "openai": _Form(
        OPENAI_OPEN,
        rf"{OPENAI_OPEN}{OPENAI_POSITION}{OPENAI_SIGN}[^{OPENAI_OPEN}{OPENAI_CLOSE}\n]*{OPENAI_CLOSE}",
        _read_openai,
    ),
    "private": _Form(
        _PRIVATE_SIGNS + "\\",
        rf"{PRIVATE_OPEN}{PRIVATE_WORD}(?:{PRIVATE_SEPARATOR}{PRIVATE_ID})+{PRIVATE_CLOSE}"
        rf"|(?:\\ue200{PRIVATE_WORD})?(?:\\ue202{_ESCAPED_ID})+(?:\\ue201)?",
        _read_private,
        dropped=_PRIVATE_SIGNS,
    ),
}


@cache
def _built_in(name: str) -> Grammar:
    if name == "bracket":
        return BRACKET
    form = _FORMS[name]
    return Grammar(name, form.starts, _Steps(form.pattern).begin, form.read, form.dropped)


@lru_cache(maxsize=MAX_OPTIONS)
def _label(labels: tuple[str, ...]) -> Grammar:
    words = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    head = rf"(?i:{words})(?i:s)?{BLANK}*[{LABEL_COLONS}]?"
    body = rf"{BLANK}*{head}{BLANK}*{BODY}"
    shapes = (re.escape(opener) + body + re.escape(BRACKETS[opener]) for opener in LABEL_OPENERS)
    steps = _Steps("|".join(shapes))

    def read(marker: str) -> tuple[Item, ...]:
        number = re.search(rf"{head}(.*)", marker, re.DOTALL)
        return read_items(number[1] if number else marker)

    return Grammar("label", LABEL_OPENERS, steps.begin, read)


def grammars_for(names: Sequence[str], labels: tuple[str, ...]) -> tuple[Grammar, ...]:
    """Return the grammars of these names.

    `filename` comes last whatever the order: it takes any text in brackets, numbers too.
    """
    ordered = sorted(dict.fromkeys(names), key=lambda name: name == "filename")
    return tuple(_label(labels) if name == "label" else _built_in(name) for name in ordered)

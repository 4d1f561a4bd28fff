"""The markdown contexts in which nothing is a marker, as a state table.

The table says, character by character, whether the text stands in code, math, a link's target
or an HTML tag. It never holds text; only a marker candidate is held, in markdown.py, and only
in CODE and MATH, whose close must be known before they are believed.

Where a run of characters must be counted or the line must be known, a cell names a *decision*:
a state in which no text stands, which decisions.py replaces by a real one.
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

__all__ = ["DECISIONS", "SYMBOLS", "TRANSITIONS", "State", "Symbol", "classify"]


class Symbol(Enum):
    """What a character is to the contexts."""

    # Enum hashes in Python code, ten times slower; members are one of a kind.
    __hash__ = object.__hash__

    TICK = "`"
    TILDE = "~"
    DOLLAR = "$"
    BACKSLASH = "\\"
    LESS = "<"
    GREATER = ">"
    OPENER = "["
    CLOSER = "]"
    LEFT = "("
    RIGHT = ")"
    DOUBLE_QUOTE = '"'
    SINGLE_QUOTE = "'"
    EQUALS = "="
    SLASH = "/"
    COLON = ":"
    LETTER = "ASCII letter"
    DIGIT = "digit"
    DASH = "-"
    BODY = "comma, semicolon or dot"
    BLANK = "blank"
    BREAK = "line break"
    OTHER = "anything else"


class State(Enum):
    """Which context the text stands in."""

    # Enum hashes in Python code, ten times slower; members are one of a kind.
    __hash__ = object.__hash__

    TEXT = "text"
    ESCAPE = "after a backslash"
    ESCAPED = "after an escaped ["
    ESCAPED_END = "after an escaped [ and a backslash"
    CLOSER = "after ]"
    TICKS = "in an opening run of backticks"
    TILDES = "in a run of tildes"
    INFO = "in the first line of a fence"
    FENCE = "in a fence"
    FENCE_START = "at a line's start in a fence"
    FENCE_TICKS = "in a run of backticks there"
    FENCE_TILDES = "in a run of tildes there"
    FENCE_TRAIL = "behind a run that closes the fence"
    CODE = "in inline code"
    CODE_TICKS = "in a run of backticks in inline code"
    CODE_BREAK = "after a line break in inline code"
    CODE_FENCE = "in a run of backticks after that"
    DOLLAR = "after a dollar"
    MATH = "in inline math"
    MATH_BLANK = "after a blank in inline math"
    MATH_ESCAPE = "after a backslash in inline math"
    MATH_END = "after a dollar in inline math"
    MATH_BREAK = "after a line break in inline math"
    DISPLAY = "in $$ math"
    DISPLAY_HALF = "after a dollar in $$ math"
    DISPLAY_BREAK = "after a line break in $$ math"
    ROUND = "in \\( math"
    ROUND_HALF = "after a backslash in \\( math"
    ROUND_BREAK = "after a line break in \\( math"
    SQUARE = "in \\[ math"
    SQUARE_HALF = "after a backslash in \\[ math"
    SQUARE_BREAK = "after a line break in \\[ math"
    LESS = "after <"
    NAME = "in a tag's name"
    SPACE = "between attributes"
    ATTRIBUTE = "in an attribute's name"
    EQUALS = "after an attribute's ="
    DOUBLE_QUOTED = 'in "…" of a tag'
    SINGLE_QUOTED = "in '…' of a tag"
    UNQUOTED = "in an attribute without quotes"
    ADDRESS = "in <https:…>"
    TARGET = "at a link's target"
    PLAIN_TARGET = "in a link's target"
    ANGLE_TARGET = "in a link's <target>"
    TITLE = "behind a link's target"
    DOUBLE_TITLE = 'in a link\'s "title"'
    SINGLE_TITLE = "in a link's 'title'"
    ROUND_TITLE = "in a link's (title)"
    # Decisions.
    AGAIN = "text, and this character counts"
    RUN_OVER = "fence or inline code, and this character counts"
    TILDES_OVER = "fence or text, and this character counts"
    INFO_TICK = "no fence but inline code"
    FENCE_RUN_OVER = "a run that closes the fence or not, and this character counts"
    FENCE_CLOSED = "the fence is over"
    CODE_RUN_OVER = "end of inline code or not, and this character counts"
    CODE_FENCE_OVER = "end of inline code, or a fence, and this character counts"
    PARAGRAPH = "the paragraph is over"
    MATH_OVER = "inline math is over, and this character counts"
    MATH_TICK = "no inline math, and this backtick counts"
    DEEPER = "one parenthesis deeper in a link's target"
    SHALLOWER = "one parenthesis out"
    LINK = "a link's target begins"


DECISIONS = frozenset(
    {
        State.AGAIN,
        State.RUN_OVER,
        State.TILDES_OVER,
        State.INFO_TICK,
        State.FENCE_RUN_OVER,
        State.FENCE_CLOSED,
        State.CODE_RUN_OVER,
        State.CODE_FENCE_OVER,
        State.PARAGRAPH,
        State.MATH_OVER,
        State.MATH_TICK,
        State.DEEPER,
        State.SHALLOWER,
        State.LINK,
    }
)


def _row(otherwise: State, **given: State) -> Mapping[Symbol, State]:
    """Return a total row."""
    row = dict.fromkeys(Symbol, otherwise)
    row.update((Symbol[name], state) for name, state in given.items())
    return MappingProxyType(row)


def _block(
    inside: State, half: State, broken: State, first: str, second: str
) -> dict[State, Mapping[Symbol, State]]:
    """Return the rows of math that guards up to its close or the next blank line."""
    return {
        inside: _row(inside, **{first: half, "BREAK": broken}),
        half: _row(inside, **{"BREAK": broken, second: State.TEXT}),
        broken: _row(inside, **{first: half, "BLANK": broken, "BREAK": State.PARAGRAPH}),
    }


_NAME = {"LETTER": State.NAME, "DIGIT": State.NAME}
_ATTRIBUTES = {
    "BLANK": State.SPACE,
    "BREAK": State.SPACE,
    "SLASH": State.SPACE,
    "GREATER": State.TEXT,
    "LETTER": State.ATTRIBUTE,
    "COLON": State.ATTRIBUTE,
}

TRANSITIONS: Mapping[State, Mapping[Symbol, State]] = MappingProxyType(
    {
        State.TEXT: _row(
            State.TEXT,
            TICK=State.TICKS,
            TILDE=State.TILDES,
            DOLLAR=State.DOLLAR,
            BACKSLASH=State.ESCAPE,
            LESS=State.LESS,
            CLOSER=State.CLOSER,
        ),
        State.ESCAPE: _row(State.TEXT, LEFT=State.ROUND, OPENER=State.ESCAPED),
        State.ESCAPED: _row(
            State.SQUARE,
            DIGIT=State.ESCAPED,
            DASH=State.ESCAPED,
            BODY=State.ESCAPED,
            BLANK=State.ESCAPED,
            BREAK=State.SQUARE_BREAK,
            CLOSER=State.TEXT,
            BACKSLASH=State.ESCAPED_END,
        ),
        State.ESCAPED_END: _row(State.SQUARE, CLOSER=State.TEXT, BREAK=State.SQUARE_BREAK),
        State.CLOSER: _row(State.AGAIN, LEFT=State.LINK),
        State.TICKS: _row(State.RUN_OVER, TICK=State.TICKS),
        State.TILDES: _row(State.TILDES_OVER, TILDE=State.TILDES),
        State.INFO: _row(State.INFO, BREAK=State.FENCE_START, TICK=State.INFO_TICK),
        State.FENCE: _row(State.FENCE, BREAK=State.FENCE_START),
        State.FENCE_START: _row(
            State.FENCE,
            BLANK=State.FENCE_START,
            GREATER=State.FENCE_START,
            BREAK=State.FENCE_START,
            TICK=State.FENCE_TICKS,
            TILDE=State.FENCE_TILDES,
        ),
        State.FENCE_TICKS: _row(State.FENCE_RUN_OVER, TICK=State.FENCE_TICKS),
        State.FENCE_TILDES: _row(State.FENCE_RUN_OVER, TILDE=State.FENCE_TILDES),
        State.FENCE_TRAIL: _row(State.FENCE, BLANK=State.FENCE_TRAIL, BREAK=State.FENCE_CLOSED),
        State.CODE: _row(State.CODE, TICK=State.CODE_TICKS, BREAK=State.CODE_BREAK),
        State.CODE_TICKS: _row(State.CODE_RUN_OVER, TICK=State.CODE_TICKS),
        State.CODE_BREAK: _row(
            State.CODE, BLANK=State.CODE_BREAK, BREAK=State.PARAGRAPH, TICK=State.CODE_FENCE
        ),
        State.CODE_FENCE: _row(State.CODE_FENCE_OVER, TICK=State.CODE_FENCE),
        State.DOLLAR: _row(
            State.MATH,
            DOLLAR=State.DISPLAY,
            BLANK=State.TEXT,
            BREAK=State.TEXT,
            DIGIT=State.TEXT,
            TICK=State.MATH_TICK,
            BACKSLASH=State.MATH_ESCAPE,
        ),
        State.MATH: _row(
            State.MATH,
            DOLLAR=State.MATH_END,
            TICK=State.MATH_TICK,
            BACKSLASH=State.MATH_ESCAPE,
            BLANK=State.MATH_BLANK,
            BREAK=State.MATH_BREAK,
        ),
        State.MATH_BLANK: _row(
            State.MATH,
            TICK=State.MATH_TICK,
            BACKSLASH=State.MATH_ESCAPE,
            BLANK=State.MATH_BLANK,
            BREAK=State.MATH_BREAK,
        ),
        State.MATH_ESCAPE: _row(State.MATH, BREAK=State.MATH_BREAK),
        State.MATH_END: _row(State.MATH_OVER, DIGIT=State.MATH),
        State.MATH_BREAK: _row(
            State.MATH,
            TICK=State.MATH_TICK,
            BACKSLASH=State.MATH_ESCAPE,
            BLANK=State.MATH_BREAK,
            BREAK=State.PARAGRAPH,
        ),
        **_block(State.DISPLAY, State.DISPLAY_HALF, State.DISPLAY_BREAK, "DOLLAR", "DOLLAR"),
        **_block(State.ROUND, State.ROUND_HALF, State.ROUND_BREAK, "BACKSLASH", "RIGHT"),
        **_block(State.SQUARE, State.SQUARE_HALF, State.SQUARE_BREAK, "BACKSLASH", "CLOSER"),
        State.LESS: _row(State.AGAIN, LETTER=State.NAME, SLASH=State.NAME),
        State.NAME: _row(
            State.AGAIN,
            **_NAME,
            BLANK=State.SPACE,
            BREAK=State.SPACE,
            SLASH=State.SPACE,
            COLON=State.ADDRESS,
            GREATER=State.TEXT,
            DASH=State.NAME,
        ),
        State.SPACE: _row(State.AGAIN, **_ATTRIBUTES),
        State.ATTRIBUTE: _row(
            State.AGAIN,
            **_ATTRIBUTES,
            DIGIT=State.ATTRIBUTE,
            DASH=State.ATTRIBUTE,
            EQUALS=State.EQUALS,
        ),
        State.EQUALS: _row(
            State.UNQUOTED,
            BLANK=State.EQUALS,
            BREAK=State.EQUALS,
            DOUBLE_QUOTE=State.DOUBLE_QUOTED,
            SINGLE_QUOTE=State.SINGLE_QUOTED,
            GREATER=State.TEXT,
            LESS=State.AGAIN,
            TICK=State.AGAIN,
        ),
        State.DOUBLE_QUOTED: _row(State.DOUBLE_QUOTED, DOUBLE_QUOTE=State.SPACE),
        State.SINGLE_QUOTED: _row(State.SINGLE_QUOTED, SINGLE_QUOTE=State.SPACE),
        State.UNQUOTED: _row(
            State.UNQUOTED,
            BLANK=State.SPACE,
            BREAK=State.SPACE,
            GREATER=State.TEXT,
            LESS=State.AGAIN,
            TICK=State.AGAIN,
        ),
        State.ADDRESS: _row(
            State.ADDRESS,
            BLANK=State.TEXT,
            BREAK=State.TEXT,
            GREATER=State.TEXT,
            LESS=State.AGAIN,
        ),
        State.TARGET: _row(
            State.PLAIN_TARGET,
            LESS=State.ANGLE_TARGET,
            BLANK=State.TARGET,
            BREAK=State.TEXT,
            RIGHT=State.TEXT,
            LEFT=State.DEEPER,
        ),
        State.PLAIN_TARGET: _row(
            State.PLAIN_TARGET,
            BLANK=State.TITLE,
            BREAK=State.TEXT,
            LEFT=State.DEEPER,
            RIGHT=State.SHALLOWER,
        ),
        State.ANGLE_TARGET: _row(State.ANGLE_TARGET, GREATER=State.TITLE, BREAK=State.TEXT),
        State.TITLE: _row(
            State.AGAIN,
            BLANK=State.TITLE,
            RIGHT=State.TEXT,
            DOUBLE_QUOTE=State.DOUBLE_TITLE,
            SINGLE_QUOTE=State.SINGLE_TITLE,
            LEFT=State.ROUND_TITLE,
        ),
        State.DOUBLE_TITLE: _row(State.DOUBLE_TITLE, DOUBLE_QUOTE=State.TITLE, BREAK=State.TEXT),
        State.ROUND_TITLE: _row(State.ROUND_TITLE, RIGHT=State.TITLE, BREAK=State.TEXT),
        State.SINGLE_TITLE: _row(State.SINGLE_TITLE, SINGLE_QUOTE=State.TITLE, BREAK=State.TEXT),
    }
)
"""Next state, or decision, by state and symbol. Registers beside it: the length of the run that
is counted, of the run that opened code or a fence, and the depth of parentheses."""

SYMBOLS = {
    **{symbol.value: symbol for symbol in Symbol if len(symbol.value) == 1},
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", Symbol.LETTER),
    **dict.fromkeys("0123456789", Symbol.DIGIT),
    **dict.fromkeys(",;.", Symbol.BODY),
    **dict.fromkeys(" \t\r", Symbol.BLANK),
    "\n": Symbol.BREAK,
}


def classify(character: str) -> Symbol:
    """Return the symbol of a character."""
    return SYMBOLS.get(character, Symbol.OTHER)

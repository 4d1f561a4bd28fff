"""Which words a citation stands for: the claim before its marker."""

import re
from string import ascii_letters, ascii_lowercase, ascii_uppercase

__all__ = ["MAX_CLAIM", "claim_span"]

# How far before a marker its claim may begin, in code points; no sentence is longer.
MAX_CLAIM = 1000

# The end of a sentence: its mark, closing quotes, and white space that no lower-case letter
# follows; or a mark of scripts without blanks. The class in front lets the regex engine skip all
# other characters.
_SENTENCE_END = re.compile(
    r"[.!?…。！？](?:"
    r"(?<=[。！？])[”’」』）]*"
    r"|(?<=[.!?…])[\"'”’»)\]]*[ \t]+(?![a-zà-öø-ÿ]))"
)
# Those of all scripts: Japanese has its own.
_BLANKS = " \t\r\n\u00a0\u0085\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
# A set is asked in half the time.
_BLANK_SET = frozenset(_BLANKS)
_ASCII_MARKS = ".!?"
_ALL_MARKS = ".!?…。！？"
# A mark that ends no sentence, as in `3.5`, sends the search on. After so many the text is full of
# them, and one search from its start is cheaper.
MAX_TRIES = 6
# A text of so many code points is searched from its start in the time of three tries.
MAX_SEARCHED = 200
# Words that a full stop shortens, so that it ends no sentence; and those that it shortens before a
# number only.
_SHORTENED = frozenset(
    "al approx bzw ca capt cf col dott dr dra fr ft gen hon lt mr mrs ms mt ph.d prof rev sgt sig "
    "sr sra st vgl vs".split()
)
_SHORTENED_BEFORE_NUMBERS = frozenset(
    "abb abs art bd ch eq eqs fig figs kap no nos nr pp ref refs sec secs tab vol".split()
)
_DOTTED = re.compile(r"[A-Za-z](?:\.[A-Za-z])+")
_LETTER = re.compile(r"(?:^|[ (*_])[A-Za-z]\. $")
MAX_SHORTENED = max(map(len, _SHORTENED | _SHORTENED_BEFORE_NUMBERS))
# What stands before such a full stop: nearly all others are told by that, at a tenth of the price.
_ENDINGS = frozenset(
    [
        *(word[-2:] for word in _SHORTENED | _SHORTENED_BEFORE_NUMBERS),
        *(word.capitalize() for word in _SHORTENED | _SHORTENED_BEFORE_NUMBERS if len(word) == 2),
        *(f"{before}{letter}" for before in " .([{\"'*_" for letter in ascii_letters),
    ]
)
_OPENING_SIGNS = "([{（「『“„«‘'\"*_~–—-/|>\t\u00a0"
# How many of those a shortened word may have before it.
MAX_OPENING = 3
# What may stand between a claim and what is before it: signs that part, or close what was begun
# there, and those of a list, a table, a heading or a quotation, which a blank follows.
_PARTING = ",;:、，；|>)]}）」』”»"
_BULLETS = "-–—*+•#"
_LEAD = re.compile(rf"(?:[\s{re.escape(_PARTING)}]|[{re.escape(_BULLETS)}]+(?=\s|\Z))*")
_LEAD_SIGNS = frozenset(_PARTING + _BULLETS)
# What may stand between the words of a claim and its marker, or between two citations of a
# group, and is no claim of its own.
_JOINTS = _BLANKS + ".!?…。！？,:;、，；()[]{}（）「」『』“”„«»‘’\"'"
# What still belongs to the sentence behind its last word.
_TAIL_SIGNS = ".!?…。！？\"'”’»)]」』）"
_TAIL = re.compile(f"[{re.escape(_TAIL_SIGNS)}]*")


def claim_span(text: str, begin: int = 0) -> tuple[int, int] | None:
    """Return where the last claim of a text begins and ends.

    Args:
        text: The text between the citation before, or the start, and the marker; its last
            `MAX_CLAIM` code points count.
        begin: Where it begins in the whole.

    Returns:
        Places in the whole, without blanks and signs before its words; None if the text holds no
        words, so that the citation belongs to the group before it.
    """
    if len(text) > MAX_CLAIM:
        begin += len(text) - MAX_CLAIM
        text = text[-MAX_CLAIM:]
    core = text.rstrip(_JOINTS)
    words = len(core)
    if not words:
        return None
    # The end of a line ends a sentence; most text is one line, which the first look sees sooner.
    start = core.rfind("\n") + 1 if "\n" in core else 0
    stop = core.rfind(".")
    # Most text has no other marks, and one search more costs more than the look for them.
    if "!" in core or "?" in core or not core.isascii():
        start = _last_sentence_end(text, start, words)
    elif stop >= start:
        start = _sentence_end(text, start, words, stop)
    while text[start] in _BLANK_SET:
        start += 1
    if text[start] in _LEAD_SIGNS:
        lead = _LEAD.match(text, start, words)
        start = lead.end() if lead else start
        if start == words:
            return None
    if words == len(text) or text[words] not in _TAIL_SIGNS:
        return (begin + start, begin + words)
    tail = _TAIL.match(text, words)
    return (begin + start, begin + (tail.end() if tail else words))


def _sentence_end(text: str, line: int, words: int, stop: int) -> int:
    """Return where the last sentence ends, full stops being its line's only marks.

    Args:
        text: The text.
        line: Where the line begins.
        words: Where its last words end.
        stop: The last full stop before those.
    """
    for _ in range(MAX_TRIES):
        # The two plainest cases, which the regex takes three times as long to see.
        following = text[stop + 1]
        if following == " " and text[stop + 2].isupper():
            # The first saves a call where the text begins with the mark behind the citation before.
            if stop == line or not _shortens(text, line, stop, stop + 2):
                return stop + 2
        elif not following.isalnum():
            match = _SENTENCE_END.match(text, stop, words)
            if match and not _shortens(text, line, stop, match.end()):
                return match.end()
        stop = text.rfind(".", line, stop)
        if stop < 0:
            return line
    return _search_all(text, line, words)


def _last_sentence_end(text: str, line: int, words: int) -> int:
    """Return where the last sentence of a line ends, whatever its marks."""
    if words - line > MAX_SEARCHED:
        marks = _ASCII_MARKS if text.isascii() else _ALL_MARKS
        stop = words
        for _ in range(MAX_TRIES):
            stop = max([text.rfind(mark, line, stop) for mark in marks])
            if stop < 0:
                return line
            match = _SENTENCE_END.match(text, stop, words)
            if match and not _shortens(text, line, stop, match.end()):
                return match.end()
    return _search_all(text, line, words)


def _search_all(text: str, line: int, words: int) -> int:
    """Return the same by one search from where the line begins."""
    end = line
    for match in _SENTENCE_END.finditer(text, line, words):
        if not _shortens(text, line, match.start(), match.end()):
            end = match.end()
    return end


def _shortens(text: str, line: int, stop: int, end: int) -> bool:
    """Say whether a mark is a full stop that shortens a word; `end`: where the next one begins."""
    if text[stop] != "." or (stop - line > 1 and text[stop - 2 : stop] not in _ENDINGS):
        return False
    longest = MAX_SHORTENED + MAX_OPENING
    begin = text.rfind(" ", max(line, stop - longest - 1), stop) + 1
    if not begin and stop - line > longest:
        return False
    word = text[begin or line : stop].lstrip(_OPENING_SIGNS)
    if len(word) == 1:
        # A capital only beside another such letter, as in `z. B.`; else it may be a vitamin's.
        beside = text[end + 1 : end + 2] == "." or _LETTER.search(text, max(line, begin - 4), begin)
        return word in ascii_lowercase or (word in ascii_uppercase and bool(beside))
    small = word.lower()
    if small in _SHORTENED or _DOTTED.fullmatch(word):
        return True
    return text[end].isdigit() and small in _SHORTENED_BEFORE_NUMBERS

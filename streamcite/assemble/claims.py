"""Which words a citation stands for: the claim before its marker."""

import re

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
_BLANKS = " \t\r\n\u00a0"
_ASCII_MARKS = ".!?"
_ALL_MARKS = ".!?…。！？"
# A mark that ends no sentence, as in `3.5`, sends the search on. After so many the text is full of
# them, and one search from its start is cheaper.
MAX_TRIES = 6
# A text of so many code points is searched from its start in the time of three tries.
MAX_SEARCHED = 200
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
        Places in the whole, blanks stripped; None if the text holds no words, so that the
        citation belongs to the group before it.
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
    while text[start] in _BLANKS:
        start += 1
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
            return stop + 2
        if not following.isalnum():
            match = _SENTENCE_END.match(text, stop, words)
            if match is not None:
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
            if match is not None:
                return match.end()
    return _search_all(text, line, words)


def _search_all(text: str, line: int, words: int) -> int:
    """Return the same by one search from where the line begins."""
    end = line
    for match in _SENTENCE_END.finditer(text, line, words):
        end = match.end()
    return end

"""Which words a citation stands for: the claim before its marker."""

import re

__all__ = ["claim_span"]

# The end of a sentence: its mark, closing quotes, and white space that no lower-case letter
# follows; marks of scripts without blanks; or the end of a line. The class in front lets the
# regex engine skip all other characters.
_SENTENCE_END = re.compile(
    r"[.!?…。！？\n](?:"
    r"(?<=\n)|(?<=[。！？])[”’」』）]*"
    r"|(?<=[.!?…])[\"'”’»)\]]*[ \t]+(?![a-zà-öø-ÿ]))"
)
_BLANKS = " \t\r\n\u00a0"
_ASCII_MARKS = ".!?\n"
_ALL_MARKS = ".!?\n…。！？"
# A mark that ends no sentence, as in `3.5`, sends the search on. After this many the text is
# full of them, and one search from its start is cheaper.
MAX_TRIES = 6
# A text of so many code points is searched from its start in the time of three tries.
MAX_SEARCHED = 200
# What may stand between the words of a claim and its marker, or between two citations of a
# group, and is no claim of its own.
_JOINTS = _BLANKS + ".!?…。！？,:;、，；()[]{}（）「」『』“”„«»‘’\"'"
# What still belongs to the sentence behind its last word.
_TAIL_SIGNS = ".!?…。！？\"'”’»)]」』）"
_TAIL = re.compile(f"[{re.escape(_TAIL_SIGNS)}]*")


def claim_span(text: str) -> tuple[int, int] | None:
    """Return where the last claim of a text begins and ends.

    Args:
        text: The text between the citation before, or the start, and the marker.

    Returns:
        Indices into `text`, blanks stripped; None if it holds no words, so that the citation
        belongs to the group before it.
    """
    core = text.rstrip(_JOINTS)
    words = len(core)
    if not words:
        return None
    start = 0
    # Most text has no other marks, and one search more costs more than the look for them.
    if "!" in core or "?" in core or not core.isascii():
        start = _last_sentence_end(text, words, words)
    else:
        place = core.rfind(".")
        if "\n" in core:
            place = max(place, core.rfind("\n"))
        if place >= 0:
            start = _sentence_end(text, words, place)
    while text[start] in _BLANKS:
        start += 1
    if words == len(text) or text[words] not in _TAIL_SIGNS:
        return (start, words)
    tail = _TAIL.match(text, words)
    return (start, tail.end() if tail else words)


def _sentence_end(text: str, words: int, place: int) -> int:
    """Return where the last sentence ends, if the last mark before its words stands there."""
    # The plainest end, which the regex takes three times as long to see.
    if text[place] == "." and text[place + 1] == " " and text[place + 2].isupper():
        return place + 2
    match = _SENTENCE_END.match(text, place, words)
    if match is not None:
        return match.end()
    return _last_sentence_end(text, words, place) if place else 0


def _last_sentence_end(text: str, words: int, stop: int) -> int:
    """Return where the last sentence ends, by the marks before a place."""
    if words > MAX_SEARCHED:
        marks = _ASCII_MARKS if text.isascii() else _ALL_MARKS
        for _ in range(MAX_TRIES):
            place = max([text.rfind(mark, 0, stop) for mark in marks])
            if place < 0:
                return 0
            match = _SENTENCE_END.match(text, place, words)
            if match is not None:
                return match.end()
            stop = place
    end = 0
    for match in _SENTENCE_END.finditer(text, 0, words):
        end = match.end()
    return end

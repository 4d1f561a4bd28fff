"""Which words a citation stands for: the claim before its marker."""

import re

__all__ = ["claim_span"]

# The end of a sentence: its mark, closing quotes, and white space that no lower-case letter
# follows; marks of scripts without blanks; or the end of a line.
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*[ \t]+(?![a-zà-öø-ÿ])|[。！？][”’」』）]*|\n")
_BLANKS = " \t\r\n\u00a0"
_MARKS = ".!?…。！？"
_JOINTS = _BLANKS + ",;:、，；"


def claim_span(text: str) -> tuple[int, int] | None:
    """Return where the last claim of a text begins and ends.

    Args:
        text: The text between the citation before, or the start, and the marker.

    Returns:
        Indices into `text`, blanks stripped; None if it holds no words, so that the citation
        belongs to the group before it.
    """
    end = len(text.rstrip(_JOINTS if not text.strip(_JOINTS + _MARKS) else _BLANKS))
    if not text[:end].strip(_JOINTS + _MARKS):
        return None
    # The sentence's own mark does not end the one before it.
    body = len(text[:end].rstrip(_MARKS + "\"'”’»」』）"))
    start = 0
    for match in _SENTENCE_END.finditer(text, 0, body):
        start = match.end()
    while start < end and text[start] in _BLANKS:
        start += 1
    return (start, end)

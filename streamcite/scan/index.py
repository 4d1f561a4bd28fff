"""Whether a bracket belongs to what it is glued to: an index in code, or the end of an address.

The rules, in order, for `left[n]right`; what none of them names is a citation:

1. A blank, or nothing, before the bracket: a citation, whatever follows.
2. Behind other brackets (`x[0][1]`) the word before those decides; with no word it is no index.
3. A call: a name glued to parentheses, `f()[1]`, `get_rows(x)[1]`, but not `word(s)[1]`.
4. A name: one lower-case letter, one with an inner `_`, lower camel case of two letters and
   more (`userIds`, but not `pH` or `iPhone`), a dotted name that is no address, file or
   abbreviation, a word of INDEX_WORDS.
5. A word followed, behind the bracket, by a dot and a lower-case letter, by `=`, or by a
   bracket that is no marker.
"""

import re

from streamcite.grammar import CALL_PLURALS, DOTTED_ENDINGS, INDEX_WORDS

__all__ = ["glued_to_address", "glued_word", "is_code_name"]

# These read text backwards: what ends at a place is one match then, while a search for it tries
# every place before. What is possessive is so for speed: nothing shorter would match.
_GROUPS = re.compile(r"(?:\][^\[\]]*+\[)++")
_CALL = re.compile(r"\)([^()]*)\(([\w.]*[A-Za-z_])")
_WORD = re.compile(r"[\w.]*")
# What parts the words of prose, so that the last of them is no name.
_JOINTS = ("'", "’", "-")
# Names of one letter. Those of other scripts, and with accents, are words: `и`, `à`.
_VARIABLES = frozenset("abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρςστυφχψω")
_CAMEL = re.compile(r"[a-z]{2}[a-z0-9]*[A-Z]")
# Names in prose that look like that; `siRNA` and `mtDNA` do too.
_PROPER_NAMES = frozenset(
    (
        "chatGPT freeBSD macOS mySQL netBSD noSQL openAI openBSD openSUSE openVPN pfSense phpBB "
        "postgreSQL tvOS visionOS watchOS webOS"
    ).split()
)
_PROPER_ENDINGS = ("DNA", "DNAs", "RNA", "RNAs")
_ADDRESS = re.compile(r"(?:https?|ftp)://|www\.")
_NOT_IN_ADDRESS = re.compile(r"[\s<>\"`（）「」『』，。、；：！？]")
# Punctuation at the end of an address belongs to the sentence, as in GitHub's markdown.
_TRAILING = "?!.,:;*_~'\""
_PAIRS = {")": "(", "]": "["}


def glued_word(left: str) -> tuple[str, bool] | None:
    """Return what a bracket is glued to, and whether that alone makes it an index.

    Args:
        left: The text before the bracket, back to the last white space at least.

    Returns:
        None if it is glued to nothing that could be code.
    """
    # In `x[[1]]` the inner bracket is as much an index as the outer one.
    backwards = left.rstrip("[")[::-1]
    groups = _GROUPS.match(backwards)
    begin = groups.end() if groups else 0
    if backwards.startswith(")", begin):
        return _glued_call(backwards, begin)
    match = _WORD.match(backwards, begin)
    assert match is not None  # it matches nothing, too
    word = match[0][::-1]
    if not word or word.strip("_.") == "" or word.endswith("."):
        return None
    if backwards.startswith(_JOINTS, begin + len(word)):
        return (word, begin > 0)
    return (word, begin > 0 or is_code_name(word))


def _glued_call(backwards: str, begin: int) -> tuple[str, bool] | None:
    match = _CALL.match(backwards, begin)
    if match is None or match[2][-1].isupper():
        return None
    arguments, name = match[1][::-1], match[2][::-1]
    return None if arguments in CALL_PLURALS else (name, True)


def is_code_name(word: str) -> bool:
    """Say whether a word is plainly a name of code."""
    if "." in word.strip("."):
        return _is_dotted_name(word)
    bare = word.strip("_")
    return (
        word in _VARIABLES
        or "_" in bare
        or bare in INDEX_WORDS
        or (_CAMEL.match(bare) is not None and not _is_proper(bare))
    )


def _is_proper(word: str) -> bool:
    return word in _PROPER_NAMES or word.endswith(_PROPER_ENDINGS)


def _is_dotted_name(word: str) -> bool:
    parts = word.strip(".").split(".")
    last = parts[-1]
    if all(len(part) <= 1 for part in parts) or last.lower() in DOTTED_ENDINGS:
        return False
    return all(part.isidentifier() for part in parts) and last[:1].islower()


def glued_to_address(left: str) -> bool:
    """Say whether the text before a bracket ends in a bare URL."""
    # Two plain searches first: the regex takes 40 ns a character, and hardly any text needs it.
    if "://" not in left and "www." not in left:
        return False
    word = _NOT_IN_ADDRESS.split(left)[-1]
    match = _ADDRESS.search(word)
    if match is None:
        return False
    address = word[match.start() :]
    opener = _PAIRS.get(address[-1])
    if opener is not None:
        return address.count(opener) >= address.count(address[-1])
    return address[-1] not in _TRAILING

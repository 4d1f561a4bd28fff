"""Brackets that are an index in code, or the end of an address."""

import pytest

from streamcite.scan.index import glued_to_address, glued_word, is_code_name

# What stands before a bracket, and whether it alone makes the bracket an index;
# None: it is glued to nothing that could be code.
GLUED = [
    ("", None),
    ("the capital ", None),
    ("Paris", False),
    ("the capital", False),
    ("capital.", None),
    ("x", True),
    ("x[", True),
    ("x[0][[", True),
    ("Paris[", False),
    ("X", False),
    ("λ", True),
    ("à", False),
    ("я", False),
    ("a_b", True),
    ("_b_", False),
    ("userIds", True),
    ("iPhone", False),
    ("pH", False),
    ("macOS", False),
    ("GitHub", False),
    ("arr", True),
    ("row", True),
    ("Row", False),
    ("obj.items", True),
    ("example.com", False),
    ("e.g", False),
    ("report.pdf", False),
    ("np.Array", False),
    ("Node.js", False),
    ("main.py", False),
    ("nginx.conf", False),
    ("Last.fm", False),
    ("bit.ly", False),
    ("self.log", True),
    ("df.at", True),
    ("self.cfg", True),
    ("obj.zip", True),
    ("siRNA", False),
    ("openSUSE", False),
    ("userID", True),
    ("f()", True),
    ("get_rows(x, 1)", True),
    ("word(s)", None),
    ("Mitarbeiter(innen)", None),
    ("Paris (France)", None),
    ("F()", None),
    ("x[0]", True),
    ("Paris[1]", True),
    ("[0]", None),
    ("Oslo's", False),
    ("O’x", False),
    ("well-x", False),
    ("CO2", False),
    ("日本", False),
    ("!", None),
]


@pytest.mark.parametrize(("left", "expected"), GLUED)
def test_glued_word(left: str, expected: bool | None) -> None:
    """What a bracket is glued to says whether it is an index, may be one, or is none."""
    word = glued_word(left)

    assert (None if word is None else word[1]) is expected


ADDRESSES = [
    ("https://e.com/a", True),
    ("see http://e.com", True),
    ("www.e.org", True),
    ("ftp://x", True),
    ("https://e.com.", False),
    ("https://e.com)", False),
    ("https://e.com/a_(b)", True),
    ("https://e.com/ x", False),
    ("https://e.com/\nx", False),
    ("(https://e.com", True),
    ("https://e.com。", False),
    ("e.com", False),
    ("https:/", False),
]


@pytest.mark.parametrize(("left", "expected"), ADDRESSES)
def test_glued_to_address(left: str, expected: bool) -> None:
    """A bare address ends at a blank, and punctuation behind it belongs to the sentence."""
    assert glued_to_address(left) is expected


def test_code_names() -> None:
    """A name of code is a small letter, snake case, camel case, a dotted name or a known word."""
    names = ["i", "snake_case", "camelCase", "self.items", "dp", "args"]
    words = ["I", "word", "Word", "WORD", "e.g.", "U.S", "co.uk", "α.Β"]

    assert [is_code_name(name) for name in names] == [True] * len(names)
    assert [is_code_name(word) for word in words] == [False] * len(words)

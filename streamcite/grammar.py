"""What a marker looks like: constants that the scanner and the prompts share, no logic."""

__all__ = [
    "BLANKS",
    "BRACKETS",
    "CALL_PLURALS",
    "DASHES",
    "INDEX_WORDS",
    "LABELS",
    "MAX_DIGITS",
    "PRIVATE_CLOSE",
    "PRIVATE_OPEN",
    "PRIVATE_SEPARATOR",
    "PRIVATE_SPAN_CLOSE",
    "PRIVATE_SPAN_OPEN",
    "SEPARATORS",
]

# marker = opener body closer; the closer must match the opener, and only `[` may be doubled.
BRACKETS = {"[": "]", "【": "】", "［": "］"}

# body = blanks item (separator item)* [separator] blanks;  item = number [blanks dash blanks number]
# A line break may follow a separator of this row, never blanks alone.
SEPARATORS = ",;、，；"
BLANKS = " \t\u00a0"
DASHES = "-\u2010\u2011\u2013\u2014\u2212~～"

# number = 1 to 9 decimal digits of any script after leading zeros. Ten digits are a telephone
# number or a time stamp, and CPython refuses to read more than 4,300.
MAX_DIGITS = 9

# label = one of these, whatever its case, with or without a plural s, a colon and blanks.
LABELS = ("Source", "Document", "Doc", "Reference", "Ref", "ID")

# private = OPEN "cite" (SEPARATOR id)+ CLOSE, and spans between the two others.
PRIVATE_OPEN = "\ue200"
PRIVATE_CLOSE = "\ue201"
PRIVATE_SEPARATOR = "\ue202"
PRIVATE_SPAN_OPEN = "\ue203"
PRIVATE_SPAN_CLOSE = "\ue204"

# Words that are plainly a variable when a bracket is glued to them.
INDEX_WORDS = frozenset(
    "arg args argv arr array buf buffer dict dp idx item items key keys kwargs list lists map "
    "mat matrix mem nums obj params ptr queue res ret row rows stack str strs sys tmp tuple val "
    "vals var vars vec vector".split()
)

# What may stand in the parentheses of an ordinary word, so that `word(s)[1]` is no call.
CALL_PLURALS = frozenset({"e", "en", "es", "in", "innen", "n", "s", "x"})

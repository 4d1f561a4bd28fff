"""What a marker looks like: constants that the scanner and the prompts share, no logic."""

__all__ = [
    "BLANK",
    "BLANKS",
    "BODY",
    "BRACKETS",
    "CALL_PLURALS",
    "CARET",
    "CLOSING",
    "DASHES",
    "DOTTED_ENDINGS",
    "INDEX_WORDS",
    "ITEM",
    "KEY",
    "KEY_PREFIX",
    "LABELS",
    "LABEL_COLONS",
    "LABEL_OPENERS",
    "LINE_BREAKS",
    "MARGIN",
    "MAX_DIGITS",
    "NUMBER",
    "OPENAI_CLOSE",
    "OPENAI_OPEN",
    "OPENAI_POSITION",
    "OPENAI_SIGN",
    "OPENAI_WORD",
    "PRIVATE_CLOSE",
    "PRIVATE_ID",
    "PRIVATE_OPEN",
    "PRIVATE_SEPARATOR",
    "PRIVATE_SPAN_CLOSE",
    "PRIVATE_SPAN_OPEN",
    "PRIVATE_WORD",
    "SEPARATOR",
    "SEPARATORS",
    "TRAILING",
]

# marker = opener body closer; the closer must match the opener, and only `[` may be doubled.
BRACKETS = {"[": "]", "【": "】", "［": "］"}

# body = blanks item (separator item)* [separator] blanks
# item = number [blanks dash blanks number]
# A line break may follow a separator of this row, never blanks alone.
SEPARATORS = ",;、，；"
# A carriage return is a blank, so that the line break of Windows counts as one, whatever the cuts.
BLANKS = " \t\r\u00a0"
# A hyphen stands for itself only in front, where these are a class of a regex.
DASHES = "-\u2010\u2011\u2013\u2014\u2212~～"

# number = 1 to 9 decimal digits of any script after leading zeros. Ten digits are a telephone
# number or a time stamp, and CPython refuses to read more than 4,300.
MAX_DIGITS = 9

# The same productions as regexes.
BLANK = rf"[{BLANKS}]"
NUMBER = rf"0*\d{{1,{MAX_DIGITS}}}"
ITEM = rf"{NUMBER}(?:{BLANK}*[{DASHES}]{BLANK}*{NUMBER})?"
SEPARATOR = rf"(?:{BLANK}*[{SEPARATORS}]{BLANK}*(?:\n{BLANK}*)?|{BLANK}+)"
TRAILING = rf"(?:{BLANK}*[{SEPARATORS}])?{BLANK}*"
BODY = rf"{BLANK}*{ITEM}(?:{SEPARATOR}{ITEM})*{TRAILING}"

# label = opener, one of these, whatever its case, with or without a plural s, a colon and blanks,
# then a body and the closer.
LABELS = ("Source", "Document", "Doc", "Reference", "Ref", "ID")
LABEL_OPENERS = "[【"
LABEL_COLONS = ":："

# caret = "[" CARET body "]", with a further caret or none before each later item; or
# CARET "[" body "]".
CARET = "^"

# key = "[" (KEY_PREFIX or "@") key "]", or several keys behind one prefix.
# A key holds no blank and no sign that ends it.
KEY_PREFIX = "cite:"
KEY = r"""[^\s\[\]【】,;@"'<>]+"""

# openai = OPEN position SIGN any text CLOSE; the text that OpenAI writes is the word.
OPENAI_OPEN = "【"
OPENAI_CLOSE = BRACKETS[OPENAI_OPEN]
OPENAI_SIGN = "†"
OPENAI_WORD = "source"
OPENAI_POSITION = rf"\d{{1,{MAX_DIGITS}}}:\d{{1,{MAX_DIGITS}}}"

# private = OPEN WORD (SEPARATOR id)+ CLOSE, and spans between the two others.
PRIVATE_WORD = "cite"
PRIVATE_OPEN = "\ue200"
PRIVATE_CLOSE = "\ue201"
PRIVATE_SEPARATOR = "\ue202"
PRIVATE_SPAN_OPEN = "\ue203"
PRIVATE_SPAN_CLOSE = "\ue204"
PRIVATE_ID = rf"[^{PRIVATE_OPEN}-{PRIVATE_SPAN_CLOSE}\s]+"

# index = what a bracket is glued to when it is no citation but plainly code: these words, and
# the rules in scan/index.py.
INDEX_WORDS = frozenset(
    (
        "arg args argv arr array buf buffer dict dp idx items kwargs list lst mat matrix nums "
        "obj params ptr ret row rows strs tmp tuple vals vars vec vector"
    ).split()
)

# What may stand in the parentheses of an ordinary word, so that `word(s)[1]` is no call.
CALL_PLURALS = frozenset({"e", "en", "es", "in", "innen", "n", "s"})

# Last parts of a dotted word that is an address or a file and no code: `example.com[1]`.
DOTTED_ENDINGS = frozenset(
    (
        "ai app au bat be biz br ca cc ch cn co com conf cpp css csv cz de dev dk doc "
        "docx edu epub es eu example exe fi fm fr gg gif go gov gz hpp htm html ini int io "
        "ipynb java jp jpeg jpg js json jsx kr kt land ly md mil mjs mp3 mp4 net nl no ods "
        "odt org pdf php pl png ppt pptx ps1 py rb rs rst rtf ru scss se sh sql svg swift "
        "test tex toml ts tsx tv txt uk us vue wav webp xls xlsx xml xyz yaml yml"
    ).split()
)

# margin = what a marker that leaves no text takes with it on its left, unless something follows
# that is no blank, no line break and none of these signs; opening brackets and quotes are none.
MARGIN = " \t"
LINE_BREAKS = "\n\r"
CLOSING = ".,;:!?)]}»”’…。，、；：！？）】」』"

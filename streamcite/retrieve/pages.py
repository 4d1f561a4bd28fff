"""Web pages to text: what a reader sees of an HTML file, with its title and address."""

import re
from html.parser import HTMLParser
from typing import NamedTuple

__all__ = ["Page", "read_page"]

HIDDEN = frozenset({"head", "nav", "noscript", "script", "style", "svg", "template"})
# fmt: off
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li",
    "main", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
})
# fmt: on

_BLANKS = re.compile(r"[ \t\r\f\v\u00a0]+")
_EMPTY_LINES = re.compile(r"\n\s*\n+")


class Page(NamedTuple):
    """What a web page says."""

    title: str
    url: str
    text: str


def read_page(html: str) -> Page:
    """Return the page's title, its canonical address and its text, a blank line between blocks."""
    reader = _PageReader()
    reader.feed(html)
    reader.close()
    lines = (_BLANKS.sub(" ", line).strip() for line in "".join(reader.parts).split("\n"))
    text = _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()
    return Page(" ".join("".join(reader.title).split()), reader.url, text)


class _PageReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.title: list[str] = []
        self.url = ""
        self._hidden: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in HIDDEN:
            self._hidden.append(tag)
        self._in_title = tag == "title" and not self.title
        # The tags of head and body may be left out: what is shown begins the body.
        if tag == "body" or (tag in BLOCKS and self._hidden == ["head"]):
            self._hidden.clear()
        values = dict(attrs)
        if tag == "link" and values.get("rel") == "canonical":
            self.url = values.get("href") or ""
        if tag in BLOCKS:
            self.parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hidden:
            # Whatever was opened inside and never closed ends with it.
            del self._hidden[self._hidden.index(tag) :]
        self._in_title = False
        if tag in BLOCKS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif not self._hidden:
            self.parts.append(data.replace("\n", " "))

"""What a reader sees of a web page."""

import pytest

from streamcite.retrieve.pages import Page, read_page

PAGES = {
    "all tags": (
        "<html><head><title>T</title><style>p{}</style></head><body><p>Text.</p></body></html>",
        Page("T", "", "Text."),
    ),
    "no head and no body": ("<!doctype html><title>T</title><p>Text.", Page("T", "", "Text.")),
    "a head that ends by itself": (
        "<head><title>T</title><link rel=canonical href=u><p>One.<p>Two.",
        Page("T", "u", "One.\n\nTwo."),
    ),
    "a script in the text": ("<p>One.<script>x<p>y</script> Two.", Page("", "", "One. Two.")),
}


@pytest.mark.parametrize(("html", "page"), PAGES.values(), ids=PAGES)
def test_read_page(html: str, page: Page) -> None:
    """What a reader sees is read, whichever tags the page leaves out."""
    assert read_page(html) == page

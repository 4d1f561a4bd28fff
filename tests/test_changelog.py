"""The changelog and the code agree on the version."""

import re
from pathlib import Path

from streamcite._version import __version__

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def test_newest_entry_is_this_version() -> None:
    """The first numbered heading of the changelog is the version of the code."""
    headings = re.findall(r"^## \[?(\d[^\]\s]*)", CHANGELOG.read_text("utf-8"), re.MULTILINE)

    assert headings[:1] == [__version__]

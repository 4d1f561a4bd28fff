"""The demo: a small corpus of texts written for it, and a question that they answer."""

from importlib.resources import files
from pathlib import Path

__all__ = ["QUESTION", "corpus"]

QUESTION = (
    "What do honey bees do in winter, how long do they live, and how much honey do they need?"
)


def corpus() -> list[Path]:
    """Return the files of the bundled corpus, in order of name."""
    folder = Path(str(files(__name__).joinpath("corpus")))
    return sorted(folder.iterdir())

"""The area that is drawn anew, where its terminal goes away."""

import io
from threading import Event

import pytest

pytest.importorskip("rich", reason="the command line needs the extra cli")

from rich.console import Console

from streamcite.cli.formats import live_area


class Gone(io.StringIO):
    """A terminal that goes away when something is drawn in it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = Event()
        self.goes = False

    def isatty(self) -> bool:
        """Say that it is one."""
        return True

    def write(self, text: str) -> int:
        """Fail from the moment on when it goes away."""
        if self.goes:
            self.asked.set()
            raise BrokenPipeError
        return super().write(text)


class Plain(Console):
    """A console that passes on what went wrong."""

    def on_broken_pipe(self) -> None:
        """Do as the command's own."""
        raise BrokenPipeError


def test_what_the_thread_meets_is_told() -> None:
    """The thread that draws fails silently; whoever shows or prints next gets the error."""
    area = live_area.LiveArea(Plain(file=(gone := Gone()), force_terminal=True))
    area.start()
    gone.goes = True
    area.show("a", animated=True)
    assert gone.asked.wait(60)

    gone.goes = False
    area._thread.join(60)
    with pytest.raises(BrokenPipeError):
        area.show("b")
    with pytest.raises(BrokenPipeError):
        area.print("b")
    area.stop()

"""The last lines of a terminal, drawn anew as they change; what is above is printed for good."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.live import Live
from rich.text import Text

from streamcite.cli.cursor import drawn

__all__ = ["LiveArea"]

# Seconds between two drawings: an eye sees no more, and a slow line carries no more.
INTERVAL = 1 / 16


class LiveArea:
    """Draws what is shown, at most so often, in a thread of its own.

    `rich.live.Live` has such a thread too, but there printing and drawing can overtake one
    another, and then lines stay that should be gone. Here one lock serves both.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown = _Shown()
        self._is_stale = False
        self._is_animated = False
        # Why nothing can be drawn any more: the thread that draws cannot end the command.
        self._failure: OSError | None = None
        self._lock = Lock()
        self._ended = Event()
        self._live = self._new_live()
        self._thread = Thread(target=self._draw_often, daemon=True)

    def start(self) -> None:
        """Take the terminal's last lines."""
        self._live.start()
        self._thread.start()
        drawn.append(self.taken_away)

    def stop(self) -> None:
        """Erase the area, and give the cursor back, if the terminal is still there."""
        if self.taken_away in drawn:
            drawn.remove(self.taken_away)
        self._ended.set()
        self._thread.join()
        with suppress(OSError):
            self._live.stop()

    @contextmanager
    def taken_away(self) -> Iterator[None]:
        """Erase the area while the block runs, and draw it below what came meanwhile."""
        with self._lock:
            with suppress(OSError):
                self._live.stop()
            yield
            # The one before would go up to where it drew last.
            self._live = self._new_live()
            try:
                self._live.start(refresh=True)
            except OSError as error:
                self._failure = error

    def show(self, content: RenderableType, *, animated: bool = False) -> None:
        """Set what is drawn next."""
        with self._lock:
            if self._failure:
                raise self._failure
            self._shown.content = content
            self._is_stale, self._is_animated = True, animated

    def print(self, content: RenderableType, *, as_it_is: bool = False) -> None:
        """Print for good above the area.

        Args:
            content: What to print.
            as_it_is: Whether its lines have been fitted to the terminal already.
        """
        with self._lock:
            if self._failure:
                raise self._failure
            if as_it_is:
                self._console.print(content, no_wrap=True, overflow="ignore", crop=False)
            else:
                self._console.print(content)
            self._is_stale = False

    def _new_live(self) -> Live:
        return Live(self._shown, console=self._console, auto_refresh=False, transient=True)

    def _draw_often(self) -> None:
        while not self._ended.wait(INTERVAL):
            with self._lock:
                if self._is_stale or self._is_animated:
                    try:
                        self._live.refresh()
                    except OSError as error:
                        self._failure = error
                        return
                    self._is_stale = False


class _Shown:
    """What is drawn, looked up at the time of drawing."""

    def __init__(self) -> None:
        self.content: RenderableType = Text()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.content

"""Signals that end the command, at every moment of its life."""

import signal
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("typer", reason="the command line needs the extra cli")

from streamcite.cli import main, run
from streamcite.cli.signals import Ending, interrupted_by_signals

NUMBERS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Begin as a terminal starts a command, whatever started the tests; leave all as it was."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in NUMBERS}
    before[signal.SIGINT] = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def send(number: int) -> Callable[..., int]:
    """Make a function that sends a signal to this process."""

    def sends(*_: object) -> int:
        signal.raise_signal(number)
        return 0

    return sends


def put_back(number: int) -> Callable[..., object]:
    """Make a `signal.signal` during which a signal arrives, once, as a handler is put back."""
    real, left = signal.signal, [number]

    def puts(each: int, handler: signal.Handlers) -> object:
        if handler == signal.SIG_DFL and left:
            signal.raise_signal(left.pop())
        return real(each, handler)

    return puts


# What is running in `streamcite.cli.run`, what stands in for it, and the exit code.
MOMENTS = {
    "while an error is told": ("tell", send(signal.SIGTERM), 143),
    "while misuse is told": ("_complain", send(signal.SIGHUP), 129),
    "when the command returns": ("_run", send(signal.SIGTERM), 143),
    "while the first handler is put back": ("signal", put_back(signal.SIGTERM), 143),
    "while a handler is put back, the other": ("signal", put_back(signal.SIGHUP), 129),
    "Ctrl-C while an error is told": ("tell", send(signal.SIGINT), 130),
    "Ctrl-C while a handler is put back": ("signal", put_back(signal.SIGINT), 130),
    "Ctrl-C while the output is emptied": ("_empty", send(signal.SIGINT), 130),
}


@pytest.mark.parametrize(("name", "instead", "code"), MOMENTS.values(), ids=MOMENTS.keys())
def test_a_signal_at_any_moment_is_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, name: str, instead: Callable[..., object], code: int
) -> None:
    """No moment has a traceback."""
    monkeypatch.setattr(signal if name == "signal" else run, name, instead)

    with pytest.raises(SystemExit) as left:
        main(["cite", "missing"])
    assert left.value.code == code


@pytest.mark.parametrize("number", NUMBERS)
def test_the_handlers_are_put_back(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Each signal does afterwards what it did before, even if one arrives meanwhile."""
    monkeypatch.setattr(signal, "signal", put_back(number))

    with interrupted_by_signals(ending := Ending()):
        pass
    assert ending.code == 128 + number
    assert {signal.getsignal(each) for each in NUMBERS} == {signal.SIG_DFL}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_interrupts_the_block(number: int) -> None:
    """The exit code is 128 and the signal's number."""
    ending = Ending()

    with pytest.raises(KeyboardInterrupt), interrupted_by_signals(ending):
        signal.raise_signal(number)
    assert ending.code == 128 + number


def test_a_second_signal_does_not_disturb_the_first() -> None:
    """What is put in order is not interrupted again; service managers send both at once."""
    ending = Ending()

    with interrupted_by_signals(ending):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGHUP)
    assert ending.code == 143


def test_the_same_signal_once_more_ends_on_the_spot() -> None:
    """Whoever insists is not kept waiting by what is put in order."""
    with interrupted_by_signals(Ending()):
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_a_signal_that_is_ignored_stays_so() -> None:
    """What `nohup` starts does not end with its terminal."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with interrupted_by_signals(ending := Ending()):
        signal.raise_signal(signal.SIGHUP)
    assert ending.code is None

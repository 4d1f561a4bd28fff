"""Every error that streamcite raises, in one tree.

    StreamciteError
    ├── OptionsError (ValueError)          an option has no meaning, or not this one
    │   └── PatternError                   a regex that cannot be streamed
    ├── DocumentError (TypeError)          a value that is no document
    ├── InputError (TypeError, ValueError) a stream item that no adapter knows, or another argument
    ├── StateError (RuntimeError)          a call at the wrong time: feed after close
    ├── TemplateError (ValueError)         a prompt template, or the values given to it
    ├── GeneratorError                     a model that cannot be reached, or that refuses
    └── MissingExtraError (ImportError)    an optional package is not installed

Text from a model never raises any of them.
"""

__all__ = [
    "DocumentError",
    "GeneratorError",
    "InputError",
    "MissingExtraError",
    "OptionsError",
    "PatternError",
    "StateError",
    "StreamciteError",
    "TemplateError",
]


class StreamciteError(Exception):
    """Root of every error that streamcite raises on purpose."""


class OptionsError(StreamciteError, ValueError):
    """An option, or a combination of options, that has no meaning."""


class PatternError(OptionsError):
    """A regular expression that cannot be matched in a stream.

    Args:
        message: What is wrong and what to write instead.
        pattern: The whole expression.
        position: Index of the construct in `pattern`, if it has one.
    """

    def __init__(self, message: str, *, pattern: str, position: int | None = None) -> None:
        place = "" if position is None else f" at position {position}"
        super().__init__(f"pattern {pattern!r}{place}: {message}")
        self.pattern = pattern
        self.position = position


class DocumentError(StreamciteError, TypeError):
    """A value given as a document from which no text can be read."""


class InputError(StreamciteError, TypeError, ValueError):
    """A stream item that no adapter recognises, a broken recording, or an argument of no use."""


class StateError(StreamciteError, RuntimeError):
    """A call that comes too late or too early."""


class TemplateError(StreamciteError, ValueError):
    """A prompt template that cannot be compiled, or rendered with the values given."""


class GeneratorError(StreamciteError):
    """A model that cannot be reached, or that refuses the request."""


class MissingExtraError(StreamciteError, ImportError):
    """An optional package is not installed.

    Args:
        package: What could not be imported.
        extra: The extra of streamcite that brings it.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed; run: python -m pip install 'streamcite[{extra}]'"
        )
        self.package = package
        self.extra = extra

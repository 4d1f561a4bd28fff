"""The command `streamcite`: its entry point, which needs no extra to say what is missing."""

import sys
from collections.abc import Sequence

from streamcite.errors import MissingExtraError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit with its code.

    Args:
        arguments: What stands behind the command's name; the process's own by default.
    """
    try:
        try:
            import rich
            import typer
        except ImportError as error:
            missing = MissingExtraError(error.name or "typer", _extra(arguments))
            sys.stderr.write(f"streamcite: {missing}\n")
            raise SystemExit(2) from error
        del rich, typer
        from streamcite.cli.run import run

        code = run(arguments)
    except KeyboardInterrupt:
        # Ctrl-C while the command is still loading, or has ended already: as `run` ends it.
        raise SystemExit(130) from None
    raise SystemExit(code)


def _extra(arguments: Sequence[str] | None) -> str:
    """Return the extra that brings all that the command needs which is named."""
    given = sys.argv[1:] if arguments is None else arguments
    command = next((each for each in given if not each.startswith("-")), "")
    return "demo" if command in ("ask", "demo") else "cli"

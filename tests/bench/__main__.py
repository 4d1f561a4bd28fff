"""Prints each target beside what was measured: `python -m tests.bench [--quick] [--only NAME]`."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping

from streamcite import StreamciteError
from tests.bench import concurrency, growth, imports, memory, patterns, throughput
from tests.bench.targets import TARGETS, Target

# What measures a target, and the targets it measures, by how their names begin.
_MEASURES: tuple[tuple[Callable[[bool], Mapping[str, float]], tuple[str, ...]], ...] = (
    (throughput.pass_through, ("standard /", "free /", "dense /", "recorded /")),
    (concurrency.many_streams, ("1,000 streams", "10,000 streams")),
    (throughput.answer_builder, ("AnswerBuilder",)),
    (throughput.finditer, ("Citer.feed",)),
    (growth.corpora, ("growth exponent, corpora",)),
    (growth.attacks, ("growth exponent, adversarial", "worst adversarial")),
    (growth.whole_texts, ("growth exponent, whole",)),
    (memory.open_streams, ("memory of an open",)),
    (memory.text, ("memory of text",)),
    (memory.containers, ("containers",)),
    (imports.import_time, ("import",)),
    (patterns.on_standard, ("acm", "\\[", "expanded", "arbitrary")),
    (patterns.on_plain_text, ("fixed first",)),
    (patterns.growth, ("growth exponent, patterns",)),
)


def main() -> int:
    """Measure, print, and say by the exit code whether all gates hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds and shorter texts")
    parser.add_argument("--only", default="", metavar="NAME", help="targets with this in the name")
    parser.add_argument("--json", action="store_true", help="one JSON object per target")
    parser.add_argument("--details", action="store_true", help="print what a row is the worst of")
    arguments = parser.parse_args()
    show = _show_json if arguments.json else _show_row
    if not arguments.json:
        print(f"{'target':<46}{'gate':>10}{'aim':>10}{'measured':>11}  verdict")
    missed = 0
    for target, measured, details in _results(arguments.only, arguments.quick):
        show(target, measured)
        missed += measured is not None and target.verdict(measured) == "MISSED"
        for name, value in details.items() if arguments.details else ():
            print(f"{name:<66}{value:>11,.3f}")
    return 1 if missed else 0


def _results(only: str, quick: bool) -> Iterator[tuple[Target, float | None, Mapping[str, float]]]:
    for measure, beginnings in _MEASURES:
        wanted = [
            target
            for target in TARGETS
            if target.name.startswith(beginnings) and only in target.name
        ]
        if not wanted:
            continue
        try:
            measured = measure(quick)
        except StreamciteError as error:
            print(f"not measured: {error}", file=sys.stderr)
            measured = {}
        details = {name: value for name, value in measured.items() if name.startswith("  ")}
        for target in wanted:
            yield target, measured.get(target.name), details if target is wanted[-1] else {}


def _show_row(target: Target, measured: float | None) -> None:
    bounds = f"{target.name:<46}{target.gate:>10,g}{target.aim:>10,g}"
    if measured is None:
        print(f"{bounds}{'–':>11}  not measured", flush=True)
        return
    figure = f"{measured:,.0f}" if measured >= 1_000 else f"{measured:,.2f}"
    print(f"{bounds}{figure:>11}  {target.verdict(measured)} {target.unit}".rstrip(), flush=True)


def _show_json(target: Target, measured: float | None) -> None:
    row = {
        "target": target.name,
        "gate": target.gate,
        "aim": target.aim,
        "unit": target.unit,
        "measured": measured,
        "verdict": None if measured is None else target.verdict(measured),
    }
    print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    sys.exit(main())

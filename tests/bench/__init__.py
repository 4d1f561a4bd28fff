"""Benchmarks: `python -m tests.bench` prints each target beside what was measured."""

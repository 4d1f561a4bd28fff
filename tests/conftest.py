"""Hypothesis profiles, the ban on skips where all is required, and the offline fixture."""

import os
import socket
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

REQUIRE_ALL = "STREAMCITE_REQUIRE_ALL"
"""Set where every optional part is installed: a skipped test is a failed one there."""

# No deadline: how long an example takes says nothing on a shared machine.
settings.register_profile("quick", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
    max_examples=300,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "quick"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a test that was skipped where all is required."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail a module that was skipped where all is required."""
    report = yield
    if report.skipped:
        _forbid_skip(report)
    return report


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if os.environ.get(REQUIRE_ALL, "0") == "0":
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{REQUIRE_ALL} is set, yet this was skipped: {reason}"


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that leaves this machine, here and in child processes."""
    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and not str(address[0]).startswith(("127.", "::1")):
            raise AssertionError(f"a documented example connects to {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_here)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy"):  # child processes: a port that is shut
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")

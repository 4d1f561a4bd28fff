"""Zones, offsets and formats of `{% now %}`."""

from datetime import UTC, datetime, timedelta, tzinfo

import pytest

from streamcite.errors import TemplateError
from streamcite.prompts import clock
from streamcite.prompts.clock import Moment, find_zone, moment, read_clock

NOON = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)
"""The day before summer time begins in Europe."""


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold the clock still."""

    def read_clock(zone: tzinfo) -> datetime:
        return NOON.astimezone(zone)

    monkeypatch.setattr(clock, "read_clock", read_clock)


def test_the_clock_is_read() -> None:
    """Where no test holds it still, the time is that of now, in the zone asked for."""
    before = datetime.now(UTC)

    assert before <= read_clock(find_zone("Asia/Tokyo")) <= datetime.now(UTC)


ZONES = (
    ("utc", "12:00 +0000"),
    ("Z", "12:00 +0000"),
    ("Europe/Berlin", "13:00 +0100"),
    ("europe/berlin", "13:00 +0100"),
    ("CET", "13:00 +0100"),
    ("America/New_York", "08:00 -0400"),
    ("+02:00", "14:00 +0200"),
    ("-0330", "08:30 -0330"),
    ("UTC+2", "14:00 +0200"),
    ("05:45", "17:45 +0545"),
)


@pytest.mark.parametrize(("zone", "expected"), ZONES)
def test_a_zone_is_found(zone: str, expected: str) -> None:
    """Names of any case, abbreviations that are zones, and offsets are zones."""
    assert moment(zone).strftime("%H:%M %z") == expected


def test_the_local_zone_is_this_machines() -> None:
    """`local` is the zone of the machine."""
    assert moment("local") == NOON


WRONG_ZONES = (
    ("CEST", "Europe/Berlin"),
    ("EDT", "America/New_York"),
    ("PST", "America/Los_Angeles"),
    ("BST", "Europe/London"),
    ("IST", "Asia/Kolkata"),
    ("Berlin", "Europe/Berlin"),
    ("Europe/Berlim", "Europe/Berlin"),
    ("new york", "America/New_York"),
    ("Mars/Olympus", "write it as 'Europe/Berlin'"),
    ("", "write it as"),
    ("../../etc/passwd", "write it as"),
    ("Europe", "no time zone"),
    ("a\x00b", "no time zone"),
    ("\ud800", "no time zone"),
    ("x" * 1_000_000, "no time zone"),
    ("+25:00", "no time zone"),
    (7, "a time zone is a str"),
    (None, "a time zone is a str"),
)


@pytest.mark.parametrize(("zone", "advice"), WRONG_ZONES, ids=lambda value: repr(value)[:20])
def test_a_wrong_zone_gets_advice(zone: object, advice: str) -> None:
    """The error proposes a zone, by abbreviation or by likeness, and stays short."""
    with pytest.raises(TemplateError, match=advice) as caught:
        find_zone(zone)

    assert len(str(caught.value)) < 300


OFFSETS = (
    ("+", "hours=2", "2026-03-28 14:00:00"),
    ("-", "days=1,hours=3", "2026-03-27 09:00:00"),
    ("+", " weeks = 1 , minutes=30", "2026-04-04 12:30:00"),
    ("+", "hours=1.5", "2026-03-28 13:30:00"),
    ("+", "months=11", "2027-02-28 12:00:00"),
    ("-", "months=1", "2026-02-28 12:00:00"),
    ("-", "years=1,quarters=1", "2024-12-28 12:00:00"),
    ("+", "", "2026-03-28 12:00:00"),
)


@pytest.mark.parametrize(("operator", "offset", "expected"), OFFSETS)
def test_an_offset_moves_the_time(operator: str, offset: str, expected: str) -> None:
    """Intervals add up; months keep the day of the month."""
    assert str(moment("utc", operator, offset)) == expected


def test_the_last_day_of_a_month_stays_one() -> None:
    """A day that the month does not have becomes its last."""
    found = clock._add_months(datetime(2024, 1, 31), 1)

    assert found == datetime(2024, 2, 29)


def test_hours_pass_and_days_keep_the_clock() -> None:
    """Over the change to summer time a day later is the same hour, 24 hours later is not."""
    found = [str(moment("Europe/Berlin", "+", offset)) for offset in ("days=1", "hours=24")]

    assert found == ["2026-03-29 13:00:00", "2026-03-29 14:00:00"]


WRONG_OFFSETS = ("hours", "moons=1", "hours=x", "hours=-2", "hours=nan", "hours=inf", "months=0.5",
                 "years=9999", "days=1e300", "hours=1=2", "weekday=1")  # fmt: skip


@pytest.mark.parametrize("offset", WRONG_OFFSETS)
def test_a_wrong_offset_gets_advice(offset: str) -> None:
    """The error quotes the offset and shows how one is written."""
    with pytest.raises(TemplateError, match="hours=2,days=1"):
        moment("utc", "+", offset)


def test_a_moment_prints_in_its_format() -> None:
    """str() and format() of a moment use the format it was given."""
    made = moment("utc", time_format="%d.%m.")

    assert f"{made} {made!s}" == "28.03. 28.03."


def test_a_moment_is_a_datetime() -> None:
    """A moment compares and computes as the datetime that it is."""
    assert Moment.at(NOON) + timedelta(hours=1) == NOON + timedelta(hours=1)


@pytest.mark.parametrize("time_format", ["\ud800", "%"])
def test_a_strange_format_raises_nothing_else(time_format: str) -> None:
    """What strftime refuses is a TemplateError; what it accepts is printed."""
    try:
        made = str(moment("utc", time_format=time_format))
    except TemplateError as error:
        made = str(error)

    assert made

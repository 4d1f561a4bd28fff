"""The time in a zone, moved by an offset: what `{% now %}` prints."""

import calendar
import difflib
import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from streamcite.errors import TemplateError

__all__ = ["DEFAULT_FORMAT", "Moment", "find_zone", "moment", "read_clock"]

DEFAULT_FORMAT = "%Y-%m-%d %H:%M:%S"

MONTHS = {"years": 12, "quarters": 3, "months": 1}
"""Intervals of the calendar, in months: they keep the day and the time on the clock."""
DAYS = ("weeks", "days")
"""Intervals of the calendar that keep the time on the clock, also over a change to summer time."""
SECONDS = ("hours", "minutes", "seconds", "microseconds")
"""Intervals of elapsed time."""

# UTC+2, +02:00, -0330; as in ISO 8601 the sign may not be left out, save with two full fields.
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?|()(\d{2}):?(\d{2})", re.ASCII)

# Of the zones that share an abbreviation these are proposed first: where most people live.
_PREFERRED = (
    *("America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"),
    *("Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow"),
    *("Asia/Kolkata", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney"),
)

# Longest name that is looked up or compared; the longest real one has 32 characters.
_MAX_NAME = 64


class Moment(datetime):
    """A datetime that prints in the format that `{% now %}` was given."""

    _format = DEFAULT_FORMAT

    @classmethod
    def at(cls, time: datetime, time_format: str | None = None) -> "Moment":
        """Return the same time as a Moment."""
        date = (time.year, time.month, time.day)
        clock = (time.hour, time.minute, time.second, time.microsecond)
        made = cls(*date, *clock, tzinfo=time.tzinfo, fold=time.fold)
        made._format = time_format or DEFAULT_FORMAT
        return made

    def __str__(self) -> str:
        return self.strftime(self._format)


def read_clock(zone: tzinfo) -> datetime:
    """Return the time that it is now; the one place that tests need to hold still."""
    return datetime.now(zone)


def moment(
    zone: object = "utc",
    operator: str | None = None,
    offset: str | None = None,
    time_format: str | None = None,
) -> Moment:
    """Return the time it is, moved by an offset.

    Args:
        zone: `local`, `utc`, a name such as `Europe/Berlin`, or `+02:00`.
        operator: `+` or `-`, the direction of the offset.
        offset: Intervals, `hours=2,days=1`.
        time_format: What `strftime` understands; how the moment prints.

    Raises:
        TemplateError: There is no such zone, or the offset or the format cannot be read.
    """
    time = read_clock(find_zone(zone))
    try:
        if operator and offset:
            time = _shift(time, _parse_offset(offset, operator))
        made = Moment.at(time, time_format)
        str(made)
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        raise TemplateError(
            f"now: cannot use the offset {_brief(offset)} or the format {_brief(time_format)} "
            f"({_brief(error)}); write it as 'hours=2,days=1', with "
            f"{', '.join((*MONTHS, *DAYS, *SECONDS))}"
        ) from error
    return made


def find_zone(name: object) -> tzinfo:
    """Return the zone of this name.

    Raises:
        TemplateError: There is none; the message names those that are near.
    """
    if not isinstance(name, str):
        raise TemplateError(f"now: a time zone is a str such as 'Europe/Berlin', not {name!r:.60}")
    if name == "local":
        local = datetime.now().astimezone().tzinfo
        return local or UTC
    if name.upper() in ("UTC", "Z"):
        return UTC
    found = _find_offset(name) or _find_named(name)
    if found is None:
        near = " or ".join(repr(zone) for zone in _near(name[:_MAX_NAME]))
        advice = f"did you mean {near}?" if near else "write it as 'Europe/Berlin', or 'utc'"
        raise TemplateError(f"now: there is no time zone {_brief(name)}; {advice}")
    return found


def _find_offset(name: str) -> tzinfo | None:
    found = _OFFSET.fullmatch(name)
    if found is None:
        return None
    sign, hours, minutes = found.groups()[:3] if found[1] else found.groups()[3:]
    distance = timedelta(hours=int(hours), minutes=int(minutes or 0))
    if distance >= timedelta(hours=24):
        return None
    return timezone(-distance if sign == "-" else distance)


def _find_named(name: str) -> tzinfo | None:
    if len(name) > _MAX_NAME:
        return None
    for spelling in (name, _canonical_names().get(name.casefold())):
        try:
            if spelling:
                return ZoneInfo(spelling)
        except (ZoneInfoNotFoundError, OSError, ValueError):
            continue
    return None


@cache
def _canonical_names() -> dict[str, str]:
    return {name.casefold(): name for name in available_timezones()}


def _near(name: str) -> list[str]:
    """Return zones that a wrong name may mean: by abbreviation, else by likeness."""
    if (zone := _zones_by_abbreviation().get(name.upper())) is not None:
        return [zone]
    names = _canonical_names()
    cities = {key.rpartition("/")[2]: zone for key, zone in sorted(names.items())}
    wanted = name.casefold().replace(" ", "_")
    near = [names[key] for key in difflib.get_close_matches(wanted, names, n=2, cutoff=0.7)]
    near += [cities[key] for key in difflib.get_close_matches(wanted, cities, n=1, cutoff=0.8)]
    return list(dict.fromkeys(near))


@cache
def _zones_by_abbreviation() -> dict[str, str]:
    """Map what a zone is called in winter or summer, CEST, to the zone to propose."""
    winter, summer = datetime(2026, 1, 1), datetime(2026, 7, 1)
    by_abbreviation: dict[str, str] = {}
    for name in (*_PREFERRED, *sorted(available_timezones())):
        for season in (winter, summer):
            abbreviation = season.replace(tzinfo=ZoneInfo(name)).tzname()
            by_abbreviation.setdefault(abbreviation or "", name)
    return by_abbreviation


def _parse_offset(offset: str, operator: str) -> dict[str, float]:
    pairs = (part.split("=") for part in offset.split(","))
    intervals = {name.strip(): float(operator + value.strip()) for name, value in pairs}
    if unknown := intervals.keys() - {*MONTHS, *DAYS, *SECONDS}:
        raise ValueError(f"no interval is called {', '.join(sorted(unknown))}")
    return intervals


def _shift(time: datetime, intervals: dict[str, float]) -> datetime:
    """Move a time: months, then days on the calendar, then hours as they pass."""
    months = sum(count * MONTHS[name] for name, count in intervals.items() if name in MONTHS)
    time = _add_months(time, months) + _distance(intervals, DAYS)
    elapsed = _distance(intervals, SECONDS)
    return (time.astimezone(UTC) + elapsed).astimezone(time.tzinfo) if elapsed else time


def _distance(intervals: dict[str, float], names: tuple[str, ...]) -> timedelta:
    given = {name: intervals[name] for name in names if name in intervals}
    return timedelta(**given)


def _add_months(time: datetime, months: float) -> datetime:
    if months != int(months):
        raise ValueError("months, quarters and years are whole numbers")
    year, month = divmod(time.year * 12 + time.month - 1 + int(months), 12)
    # The 31st of a month that has none is its last day.
    last_day = calendar.monthrange(year, month + 1)[1]
    return time.replace(year=year, month=month + 1, day=min(time.day, last_day))


def _brief(value: object) -> str:
    text = repr(value) if isinstance(value, str | None) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."

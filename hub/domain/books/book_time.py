"""The calendar of the books: months and days in the time zone in which a network keeps them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MONTHS_A_YEAR = 12


def zone_named(name: str) -> tzinfo:
    """Return the time zone of an IANA name such as "Asia/Tokyo"; raise ValueError for any other text."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{name!r} is not a time zone; write it like Europe/Berlin") from None


def first_moment(day: date, zone: tzinfo) -> int:
    """Return the first moment of a day in a time zone, in ms UTC."""
    return int(datetime.combine(day, time.min, zone).timestamp() * 1000)


def day_of(moment: int, zone: tzinfo) -> date:
    """Return the day of a moment (ms UTC) in a time zone."""
    return datetime.fromtimestamp(moment / 1000, zone).date()


def month_of(moment: int, zone: tzinfo) -> str:
    """Return the month of a moment (ms UTC) in a time zone, like 2026-11."""
    return f"{day_of(moment, zone):%Y-%m}"


def month_before(moment: int, zone: tzinfo) -> str:
    """Return the month before that of a moment (ms UTC) in a time zone."""
    return f"{day_of(moment, zone).replace(day=1) - timedelta(days=1):%Y-%m}"


def span_of_month(month: str, zone: tzinfo) -> tuple[int, int]:
    """Return the first moments of a month like 2026-11 and of the next, in ms UTC; raise ValueError for other texts."""
    first = datetime.strptime(month, "%Y-%m").date()  # noqa: DTZ007  # the zone is that of the books
    return first_moment(first, zone), first_moment(next_month(first), zone)


def next_month(first: date) -> date:
    """Return the first day of the month after that of a first day."""
    return first.replace(year=first.year + first.month // MONTHS_A_YEAR, month=first.month % MONTHS_A_YEAR + 1)

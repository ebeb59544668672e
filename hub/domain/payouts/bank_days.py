"""The days on which banks pay: those of TARGET (SEPA), of the Federal Reserve (ACH), and of England (Bacs).

TARGET closes at weekends, on 1 January, Good Friday, Easter Monday, 1 May, 25 and 26 December. The Federal Reserve
Banks keep the eleven federal holidays; one that falls on a Sunday is kept on Monday, one on a Saturday is not moved.
England's bank holidays are those of the Banking and Financial Dealings Act 1971; 1 January and Christmas move past a
weekend. A holiday that is proclaimed once, like a coronation, is in no calendar: the bank moves such a payment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Final

ONE_DAY: Final = timedelta(days=1)
_MONDAY: Final = 0
_THURSDAY: Final = 3
_FRIDAY: Final = 4
_SUNDAY: Final = 6
_LAST: Final = -1
_EASTER: Final = (-2, 1)
"""Good Friday and Easter Monday, in days from Easter Sunday."""
_TARGET: Final = ((1, 1), (5, 1), (12, 25), (12, 26))
_FEDERAL_DATES: Final = ((1, 1), (6, 19), (7, 4), (11, 11), (12, 25))
_FEDERAL_WEEKDAYS: Final = ((1, _MONDAY, 3), (2, _MONDAY, 3), (5, _MONDAY, _LAST), (9, _MONDAY, 1), (10, _MONDAY, 2),
                            (11, _THURSDAY, 4))  # fmt: skip
_ENGLISH_WEEKDAYS: Final = ((5, _MONDAY, 1), (5, _MONDAY, _LAST), (8, _MONDAY, _LAST))
Holidays = Callable[[int], Iterable[date]]
"""The holidays that a calendar keeps in a year."""


def target_holidays(year: int) -> Iterable[date]:
    """Yield the holidays of TARGET."""
    yield from (date(year, month, day) for month, day in _TARGET)
    yield from _near_easter(year)


def federal_holidays(year: int) -> Iterable[date]:
    """Yield the holidays of the Federal Reserve Banks."""
    for month, day in _FEDERAL_DATES:
        kept = date(year, month, day)
        yield kept + ONE_DAY if kept.weekday() == _SUNDAY else kept
    yield from (_nth(year, *each) for each in _FEDERAL_WEEKDAYS)


def english_holidays(year: int) -> Iterable[date]:
    """Yield the bank holidays of England and Wales."""
    yield from _near_easter(year)
    yield from (_nth(year, *each) for each in _ENGLISH_WEEKDAYS)
    for dates in ((date(year, 1, 1),), (date(year, 12, 25), date(year, 12, 26))):
        kept = set[date]()
        for each in dates:
            day = each
            while day.weekday() > _FRIDAY or day in kept:
                day += ONE_DAY
            kept.add(day)
        yield from kept


def bank_day(day: date, holidays: Holidays) -> date:
    """Return a day on which banks pay: the day itself, or the next that is no weekend and no holiday."""
    while day.weekday() > _FRIDAY or day in set(holidays(day.year)):
        day += ONE_DAY
    return day


def next_bank_day(day: date, holidays: Holidays) -> date:
    """Return the first day after a day on which banks pay."""
    return bank_day(day + ONE_DAY, holidays)


def _nth(year: int, month: int, weekday: int, number: int) -> date:
    """Return the day of a month that is its n-th weekday of a kind; -1 is the last."""
    if number == _LAST:
        end = date(year, month + 1, 1) - ONE_DAY
        return end - timedelta(days=(end.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))


def _near_easter(year: int) -> Iterable[date]:
    return (_easter(year) + timedelta(days=each) for each in _EASTER)


def _easter(year: int) -> date:
    """Return Easter Sunday of a year, by the anonymous Gregorian algorithm."""
    century, rest = divmod(year, 100)
    golden = year % 19
    shift = (19 * golden + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    week = (32 + 2 * (century % 4) + 2 * (rest // 4) - shift - rest % 4) % 7
    late = (golden + 11 * shift + 22 * week) // 451
    month, number = divmod(shift + week - 7 * late + 114, 31)
    return date(year, month, number + 1)

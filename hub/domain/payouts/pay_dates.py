"""Pay dates: on which day of a month runs are drafted, and up to which moment what they pay had to be payable.

Days are those of the books. A pay day is 1 to 28, which every month has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta, tzinfo
from typing import Final

from hub.domain.books.book_time import first_moment, next_month
from hub.domain.money import CURRENCIES
from hub.domain.payouts.payouts import ANY

LAST_DAY: Final = 28
LATE_DAYS: Final = 7
"""A run that could not be drafted on its day, because no hub ran or another draft waited, is so many days later."""


def pay_days(text: str) -> Mapping[str, int]:
    """Read pay days: "15" for one run of every currency, "EUR:1,USD:15" for a run of each, "" for none.

    Keys are currencies, or `ANY`. Raise ValueError for other forms, and for both at once: a run of every currency would
    pay the others, too.
    """
    days: dict[str, int] = {}
    for part in text.split(",") if text else ():
        currency, colon, day = part.strip().rpartition(":")
        if colon and currency not in CURRENCIES:
            raise ValueError(f"{currency!r} is not a currency")
        if not re.fullmatch("[0-9]{1,2}", day) or not 1 <= int(day) <= LAST_DAY:
            raise ValueError(f"{day!r} is not a day from 1 to {LAST_DAY}")
        if currency in days:
            raise ValueError(f"names {currency or 'a day'} twice")
        days[currency] = int(day)
    if ANY in days and len(days) > 1:
        raise ValueError("has a day for every currency beside others")
    return days


def last_pay_date(day: int, today: date) -> date:
    """Return the latest date with this day of the month that is not after today."""
    first = today.replace(day=1)
    return today.replace(day=day) if today.day >= day else (first - timedelta(days=1)).replace(day=day)


def next_pay_date(day: int, today: date) -> date:
    """Return the earliest date with this day of the month that is not before today."""
    first = today.replace(day=1)
    return today.replace(day=day) if today.day <= day else next_month(first).replace(day=day)


def cutoff_of(pay_date: date, net_days: int, zone: tzinfo) -> int:
    """Return before which moment (ms UTC) what a pay date pays had to be payable: so many days before it begins."""
    return first_moment(pay_date - timedelta(days=net_days), zone)

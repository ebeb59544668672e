"""How the settings of payouts are read; each reader returns the value or raises ValueError with what is wanted."""

from __future__ import annotations

from hub.config.readers import refusal, text
from hub.domain.journal import chart_of
from hub.domain.pay_dates import pay_days
from hub.domain.payouts import amounts_by_currency
from hub.domain.reminders import levels


def chart(raw: object) -> str:
    """Read account numbers by the ledger's places, like bank=1800,fees=4400; the value is their text."""
    value = text(raw)
    try:
        chart_of(value)
    except ValueError:
        raise refusal("places of the ledger with numbers of their own, such as bank=1800,fees=4400", raw) from None
    return value


def days_of_month(raw: object) -> str:
    """Read a day of the month, or one for each currency, or nothing; the value is its text."""
    value = text(str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else raw)
    try:
        pay_days(value)
    except ValueError:
        raise refusal("a day from 1 to 28 such as 15, or days by currency such as EUR:1,USD:15", raw) from None
    return value


def minimum_amounts(raw: object) -> str:
    """Read amounts in major units: one for every currency ("25"), or one for each ("EUR:25,JPY:3000"), as text."""
    value = raw.strip() if isinstance(raw, str) else str(raw)
    try:
        amounts_by_currency(value)
    except ValueError:
        raise refusal("an amount such as 25, or EUR:25,JPY:3000", raw) from None
    return value


def amounts_or_none(raw: object) -> str:
    """Read amounts as `minimum_amounts` does, or nothing."""
    return minimum_amounts(raw) if str(raw).strip() else ""


def reminders(raw: object) -> str:
    """Read how long after the due day each level of reminders is sent, like 7d,21d,35d, or nothing, as text."""
    value = text(raw)
    try:
        levels(value)
    except ValueError:
        raise refusal("durations, each longer than the one before, such as 7d,21d,35d", raw) from None
    return value

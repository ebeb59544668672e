"""How the settings of payouts are read: texts that their own parsers take; a refusal is a ValueError, as of others."""

from __future__ import annotations

from hub.config.readers import either, text, text_for
from hub.domain.books.datev import datev_client
from hub.domain.books.journal import chart_of
from hub.domain.books.reminders import levels
from hub.domain.payouts.pay_dates import pay_days
from hub.domain.payouts.payouts import amounts_by_currency


def _text_or_day(raw: object) -> str:
    """Read text, or a whole number as its text."""
    return text(str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else raw)


chart = text_for(chart_of, "places of the ledger with numbers of their own, such as bank=1800,fees=4400")
"""Reads account numbers by the ledger's places."""
datev = text_for(datev_client, "a consultant's number and a client's such as 29098/55003, or nothing")
"""Reads whose books DATEV's batches are."""
days_of_month = text_for(
    pay_days, "a day from 1 to 28 such as 15, or days by currency such as EUR:1,USD:15", _text_or_day
)
"""Reads a day of the month, or one for each currency, or nothing."""
minimum_amounts = text_for(amounts_by_currency, "an amount such as 25, or EUR:25,JPY:3000", either)
"""Reads amounts in major units: one for every currency, or one for each."""
reminders = text_for(levels, "durations, each longer than the one before, such as 7d,21d,35d")
"""Reads how long after the due day each level of reminders is sent, or nothing."""


def amounts_or_none(raw: object) -> str:
    """Read amounts as `minimum_amounts` does, or nothing."""
    return minimum_amounts(raw) if str(raw).strip() else ""

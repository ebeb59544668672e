"""The invoices to merchants, issued by the clock if the settings say so.

Each merchant is invoiced in a transaction of its own, by the act that the command and the page use: it locks the
numbers and issues only what is missing. So the job can be killed anywhere, and can run on several nodes at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from hub.clock import Clock
from hub.domain.books.book_time import month_before
from hub.operations.money.books.books import books_zone
from hub.operations.money.invoices.merchant_invoices import AFTER_MS, issue_invoices
from hub.operations.money.invoices.statements import month_span
from hub.operations.money.tax.billing import WITHOUT_VAT, Billing
from hub.storage import Store

INVOICES_SECONDS: Final = 900
"""How often the hub looks whether a month is over."""


class MonthlyInvoices:
    """Issues the invoices of the month that ended last, for merchants that have none of it yet."""

    def __init__(self, store: Store, clock: Clock, billing: Callable[[], Awaitable[Billing]] | None = None) -> None:
        self._store = store
        self._billing = billing
        self._clock = clock
        self._finished = ""  # so that a month's entries are not searched again every quarter of an hour

    async def issue(self) -> int:
        """Issue what is missing, from an hour after the month's end; return how many merchants were invoiced."""
        zone = await books_zone(self._store)
        month = month_before(self._clock() - AFTER_MS, zone)
        if month == self._finished:
            return 0
        since, until = month_span(month, zone)
        async with self._store.read() as tx:
            rows = await tx.all("merchants_to_invoice", since=since, until=until, month=month)
        billing = WITHOUT_VAT if self._billing is None else await self._billing()
        for row in rows:
            await issue_invoices(self._store, self._clock, row["merchant_id"], month, billing)
        self._finished = month
        return len(rows)

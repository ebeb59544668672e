"""What an account's entries add up to by month, compared with the invoices of its merchant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import tzinfo
from typing import Final

from hub.domain.books.book_time import month_of
from hub.domain.books.fees import fee_of
from hub.domain.books.ledger import Entry
from hub.domain.money import MoneyError
from hub.domain.words import BilledWhen
from hub.operations.money.invoices.statements import Owed
from hub.operations.money.ledger.running_sums import RunningSums
from hub.storage import Store

COVERING: Final = ("covered", "uncovered")


class MonthTotals:
    """What is owed by month and currency, by the rules of the statement; as many as months have currencies."""

    def __init__(self, zone: tzinfo, covers: RunningSums, billed: BilledWhen = "paid") -> None:
        """Follow an account; `covers` keeps what the deposit covers of each commission until it is paid."""
        self._zone = zone
        self._add_commission = self._add_paid if billed == "paid" else self._add_payable
        self._covers = covers
        self._totals: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        for entry in entries:
            owed = -entry.amount_minor if entry.credit == "merchant" else entry.amount_minor
            if entry.kind == "fee":
                self._of(entry)[3] += owed
            elif entry.kind == "adjusted":
                self._of(entry)[2] += owed
            else:
                self._add_commission(entry)

    def _add_paid(self, entry: Entry) -> None:
        """Add what is billed when it is paid, less what the deposit covers it with by then."""
        if entry.kind == "paid" and entry.debit == "payable":
            totals = self._of(entry)
            totals[0] += entry.amount_minor
            totals[1] += 1
            totals[4] -= self._covers.taken(entry.commission_id or "")
        elif entry.kind in COVERING:
            self._covers.added(entry.commission_id or "", _covered(entry))

    def _add_payable(self, entry: Entry) -> None:
        """Add what is billed when it becomes payable, and taken back when it no longer is."""
        if entry.kind in COVERING:
            self._of(entry)[4] -= _covered(entry)
        elif entry.kind != "paid" and "payable" in (entry.debit, entry.credit):
            totals, comes = self._of(entry), entry.credit == "payable"
            totals[0] += entry.amount_minor if comes else -entry.amount_minor
            totals[1] += comes

    def _of(self, entry: Entry) -> list[int]:
        return self._totals[month_of(entry.posted_at, self._zone), entry.currency]

    async def faults(self, store: Store, account_id: str, most: int) -> list[str]:
        """Return in sentences which invoices of an account do not agree with its entries, at most so many."""
        async with store.read() as tx:
            rows = await tx.all("merchant_invoices_of", account_id=account_id)
        found = []
        for row in rows:
            noted = Owed(row["currency"], *self._totals[row["month"], row["currency"]])
            billed = Owed(row["currency"], row["commissions_minor"], row["payments"], row["corrections_minor"],
                          row["fee_minor"], row["deposit_minor"])  # fmt: skip
            if noted != billed or row["vat_minor"] != _vat(row["vat_rate"], noted.net_minor):
                found.append(
                    f"Invoice {row['invoice_no']} of {row['month']} is not what the entries of that month in "
                    f"{row['currency']} add up to."
                )
        return found[:most]


def _covered(entry: Entry) -> int:
    """Return how much more of a commission the deposit covers by an entry."""
    return entry.amount_minor if entry.kind == "covered" else -entry.amount_minor


def _vat(rate: str, net_minor: int) -> int | None:
    """Return the VAT on a net amount; None for a rate that somebody changed to what is none."""
    try:
        return fee_of(net_minor, rate)
    except MoneyError:
        return None

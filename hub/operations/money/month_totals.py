"""What an account's entries add up to by month, compared with the invoices of its merchant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime

from hub.domain.ledger import Entry
from hub.operations.money.statements import Owed
from hub.storage import Store


class MonthTotals:
    """What is owed by month and currency, by the rules of the statement; as many as months have currencies."""

    def __init__(self) -> None:
        self._totals: defaultdict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        for entry in entries:
            if entry.kind == "fee":
                self._of(entry)[3] += entry.amount_minor if entry.debit == "merchant" else -entry.amount_minor
            elif entry.kind == "paid":
                totals = self._of(entry)
                if entry.debit == "payable":
                    totals[0] += entry.amount_minor
                    totals[1] += 1
                if entry.adjustment_id is not None:
                    totals[2] += entry.amount_minor if entry.debit == "adjustments" else -entry.amount_minor

    def _of(self, entry: Entry) -> list[int]:
        month = datetime.fromtimestamp(entry.posted_at / 1000, UTC).strftime("%Y-%m")
        return self._totals[month, entry.currency]

    async def faults(self, store: Store, account_id: str) -> list[str]:
        """Return in sentences which invoices of an account do not agree with its entries."""
        async with store.read() as tx:
            rows = await tx.all("merchant_invoices_of", account_id=account_id)
        found = []
        for row in rows:
            noted = Owed(row["currency"], *self._totals[row["month"], row["currency"]])
            billed = Owed(row["currency"], row["commissions_minor"], row["payments"], row["corrections_minor"],
                          row["fee_minor"])  # fmt: skip
            if noted != billed:
                found.append(
                    f"Invoice {row['invoice_no']} of {row['month']} is not what the entries of that month in "
                    f"{row['currency']} add up to."
                )
        return found

"""What an account's entries leave in some places, compared with its corrections, runs and deposits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from hub.domain.ledger import Entry, deltas
from hub.domain.money import money_shown
from hub.operations.money.payout_exchanges import exchanged_sums
from hub.storage import Store

QUERIES: Final = {
    "adjustments": "open_adjustment_sums",
    "payout": "runs_under_way_sums",
    "deposit": "deposit_sums",
    "received": "received_sums",
    "tax": "invoice_tax_sums",
    "covered": "deposit_cover_sums",
}
NAMES: Final = {
    "adjustments": "approved corrections",
    "payout": "runs under way",
    "deposit": "deposit",
    "received": "payments into the deposit and of invoices",
    "tax": "invoices' VAT",
    "covered": "covered commissions",
    "exchange": "exchanged payments",
}
MERCHANTS: Final = frozenset({"deposit", "received", "tax"})
"""Places of a merchant's money, which is no affiliate's."""


class PlaceTotals:
    """The balances by place, affiliate and currency; as many as affiliates have currencies."""

    def __init__(self) -> None:
        self._totals: defaultdict[tuple[str, str, str], int] = defaultdict(int)

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        for entry in entries:
            for place, minor in deltas(entry):
                if place in NAMES:
                    owner = "" if place in MERCHANTS else entry.affiliate_id
                    self._totals[place, owner, entry.currency] += minor
            if entry.kind in ("covered", "uncovered"):
                sign = 1 if entry.kind == "covered" else -1
                self._totals["covered", entry.affiliate_id, entry.currency] += sign * entry.amount_minor

    async def faults(self, store: Store, account_id: str) -> list[str]:
        """Return in sentences what does not agree with an account's corrections and runs."""
        expected: dict[tuple[str, str, str], int] = {}
        async with store.read() as tx:
            for place, query in QUERIES.items():
                for row in await tx.all(query, account_id=account_id):
                    expected[place, row["affiliate_id"], row["currency"]] = row["minor"]
            for (affiliate_id, currency), minor in (await exchanged_sums(tx, account_id)).items():
                expected["exchange", affiliate_id, currency] = minor
        found = []
        for key in sorted(self._totals.keys() | expected.keys()):
            noted, due = self._totals.get(key, 0), expected.get(key, 0)
            if noted != due:
                place, affiliate_id, currency = key
                whose = f"Affiliate {affiliate_id} has" if affiliate_id else "The account has"
                found.append(
                    f"{whose} {money_shown(noted, currency)} {currency} in {place}, but its "
                    f"{NAMES[place]} add up to {money_shown(due, currency)}."
                )
        return found

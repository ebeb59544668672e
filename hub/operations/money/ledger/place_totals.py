"""What an account's entries leave in some places, compared with its corrections, runs and deposits.

Both sums are kept in a temporary file, and what they are made of is read by slices: an account with money of a million
affiliates takes no more memory than one with money of ten.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Final

from hub.domain.books.ledger import Entry, deltas
from hub.domain.money import money_shown
from hub.operations.money.payouts.payout_exchanges import exchanged_sums
from hub.storage import Row, Store, Tx
from hub.storage.sqlite.temporary_table import TemporaryTable

SLICE: Final = 5_000
WHOLE: Final = {"deposit": "deposit_sums", "received": "received_sums", "tax": "invoice_tax_sums"}
"""Of a merchant's money there is one sum for each currency."""
PAGES: Final = {
    "adjustments": ("open_adjustment_page", "adjustment_id"),
    "covered": ("deposit_cover_page", "commission_id"),
}
"""Rows that are read in the order of a column."""
NAMES: Final = {
    "adjustments": "approved corrections",
    "payout": "runs under way",
    "deposit": "deposit",
    "received": "payments into the deposit and of invoices",
    "tax": "invoices' VAT",
    "covered": "covered commissions",
    "exchange": "exchanged payments",
}
MERCHANTS: Final = frozenset(WHOLE)
"""Places of a merchant's money, which is no affiliate's."""
LINE: Final = ("payout_id", "affiliate_id", "currency", "line_id")
"""The order in which an account's lines are read."""
Key = tuple[str, str, str]
"""A place, an affiliate (empty: the merchant) and a currency."""


class PlaceTotals(TemporaryTable):
    """The balances by place, affiliate and currency."""

    definition = """
        CREATE TABLE balances (place TEXT NOT NULL, affiliate_id TEXT NOT NULL, currency TEXT NOT NULL,
                               noted INTEGER NOT NULL, due INTEGER NOT NULL,
                               PRIMARY KEY (place, affiliate_id, currency)) STRICT, WITHOUT ROWID
    """

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        moved: defaultdict[Key, int] = defaultdict(int)
        for entry in entries:
            for place, minor in deltas(entry):
                if place in NAMES:
                    owner = "" if place in MERCHANTS else entry.affiliate_id
                    moved[place, owner, entry.currency] += minor
            if entry.kind in ("covered", "uncovered"):
                sign = 1 if entry.kind == "covered" else -1
                moved["covered", entry.affiliate_id, entry.currency] += sign * entry.amount_minor
        self._keep({key: (minor, 0) for key, minor in moved.items()})

    async def faults(self, store: Store, account_id: str, most: int) -> list[str]:
        """Return in sentences what does not agree with an account's corrections and runs, at most so many."""
        async with store.read() as tx:
            async for part in _due(tx, account_id):
                self._keep({key: (0, minor) for key, minor in part.items()})
        rows = self.connection.execute(
            "SELECT place, affiliate_id, currency, noted, due FROM balances WHERE noted <> due ORDER BY 1, 2, 3 "
            "LIMIT ?",
            (most,),
        )
        return [
            f"{f'Affiliate {affiliate_id} has' if affiliate_id else 'The account has'} {money_shown(noted, currency)} "
            f"{currency} in {place}, but its {NAMES[place]} add up to {money_shown(due, currency)}."
            for place, affiliate_id, currency, noted, due in rows
        ]

    def _keep(self, sums: Mapping[Key, tuple[int, int]]) -> None:
        self.write(
            "INSERT INTO balances VALUES (?, ?, ?, ?, ?) ON CONFLICT (place, affiliate_id, currency) "
            "DO UPDATE SET noted = noted + excluded.noted, due = due + excluded.due",
            [(*key, *both) for key, both in sorted(sums.items())],
        )


async def _due(tx: Tx, account_id: str) -> AsyncIterator[Mapping[Key, int]]:
    """Yield what should be in the places, in parts that add up."""
    for place, query in WHOLE.items():
        yield _summed(place, await tx.all(query, account_id=account_id))
    for place, (query, column) in PAGES.items():
        after = ""
        while rows := await tx.all(query, account_id=account_id, after=after, limit=SLICE):
            yield _summed(place, rows)
            after = rows[-1][column]
    async for under_way in _under_way(tx, account_id):
        yield _summed("payout", under_way)
    async for sums in exchanged_sums(tx, account_id):
        yield {("exchange", *key): minor for key, minor in sums.items()}


async def _under_way(tx: Tx, account_id: str) -> AsyncIterator[Sequence[Row]]:
    """Yield what runs pay that is not settled, by slices of the account's lines."""
    place: Mapping[str, str] | None = dict.fromkeys(LINE, "")
    while place is not None:
        end = await tx.one("lines_slice_end", account_id=account_id, **place, before=SLICE - 1)
        last = {f"last_{column}": None if end is None else end[column] for column in LINE}
        yield await tx.all("runs_under_way_sums", account_id=account_id, **place, **last)
        place = None if end is None else dict(end)


def _summed(place: str, rows: Iterable[Row]) -> Mapping[Key, int]:
    sums: defaultdict[Key, int] = defaultdict(int)
    for row in rows:
        sums[place, row["affiliate_id"], row["currency"]] += row["minor"]
    return sums

"""The journal of a month for the bookkeeper: every entry of live accounts, by account number or for a program."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal

from attrs import define, field

from hub.clock import Clock
from hub.domain.books.book_time import day_of
from hub.domain.books.datev import ENCODING, MOST_BOOKINGS, Batch, DatevClient, batch_lines, booking_line, number_length
from hub.domain.books.journal import (
    COLUMNS,
    Balances,
    beancount_closing,
    beancount_opening,
    beancount_text,
    hledger_text,
    journal_line,
)
from hub.domain.books.ledger import Entry, Place
from hub.domain.spreadsheets import defused
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import books_zone
from hub.operations.money.invoices.merchant_invoices import AFTER_MS
from hub.operations.money.invoices.statements import month_span
from hub.operations.money.ledger.ledger import chain_ends, entry_pages
from hub.operations.money.ledger.ledger_balances import ledger_balances
from hub.storage import Store


async def journal_csv(store: Store, month: str, numbers: Mapping[Place, str]) -> AsyncIterator[bytes]:
    """Yield a month's journal as CSV, in blocks; `numbers` are those of the chart (hub/domain/books/journal.py).

    Raise `OperatorFault` for what is no month.
    """
    zone = await books_zone(store)
    yield _rows([list(COLUMNS)])
    async for page in _entries(store, month, zone):
        yield _rows([
            [defused(str(cell)) for cell in journal_line(entry, f"{day_of(entry.posted_at, zone)}", numbers)]
            for entry in page
        ])  # fmt: skip


async def journal_hledger(store: Store, month: str) -> AsyncIterator[bytes]:
    """Yield a month's journal as text that hledger reads, in blocks; raise `OperatorFault` for what is no month."""
    zone = await books_zone(store)
    async for page in _entries(store, month, zone):
        yield "".join(hledger_text(entry, f"{day_of(entry.posted_at, zone)}") for entry in page).encode()


async def journal_beancount(store: Store, clock: Clock, month: str) -> AsyncIterator[bytes]:
    """Yield a month's journal as text that beancount reads, in blocks; raise `OperatorFault` for what is no month.

    It begins with what was in each account, and that of a month that is over ends with what must be in it then. Both
    are added up by the database, so that beancount proves the month's entries by them.
    """
    zone = await books_zone(store)
    since, until = month_span(month, zone)
    closes = clock() >= until + AFTER_MS
    yield beancount_opening(day_of(since, zone), await _sums(store, since)).encode()
    async for page in _entries(store, month, zone):
        yield "".join(beancount_text(entry, day_of(entry.posted_at, zone)) for entry in page).encode()
    if closes:
        yield beancount_closing(day_of(until, zone), await _sums(store, until)).encode()


async def _sums(store: Store, before: int) -> Balances:
    """Return what entries of live accounts before a moment (ms UTC) leave in each place and currency."""
    sums: defaultdict[tuple[Place, str], Decimal] = defaultdict(Decimal)
    for each in await ledger_balances(store, before):
        if each["mode"] == "live":
            sums[each["place"], each["currency"]] += Decimal(each["amount"])
    return sums


@define
class DatevJournal:
    """A month's bookings in one currency as files of DATEV, at most 99,999 each; `part` is the one that is written.

    Once it is written, `bookings` has how many are in all parts, and `others` those of other currencies.
    """

    whose: DatevClient
    currency: str
    part: int = 1
    bookings: int = 0
    others: Counter[str] = field(factory=Counter)

    @property
    def parts(self) -> int:
        """How many files hold the month, an empty one included."""
        return max(1, -(-self.bookings // MOST_BOOKINGS))

    async def written(
        self, store: Store, clock: Clock, month: str, numbers: Mapping[Place, str]
    ) -> AsyncIterator[bytes]:
        """Yield the file, in blocks.

        Raise `OperatorFault` for what is no month, for a chart that DATEV does not take, for an amount that it cannot
        hold, and for a part that there is not.
        """
        zone = await books_zone(store)
        since, until = month_span(month, zone)
        try:
            yield self._bytes(batch_lines(self._batch(since, until, clock, numbers, zone)))
            async for page in _entries(store, month, zone):
                lines = [
                    booking_line(each, day_of(each.posted_at, zone), numbers) for each in page if self._takes(each)
                ]
                yield self._bytes("".join(lines))
        except ValueError as fault:
            raise OperatorFault(f"{fault}.") from None
        if self.part > self.parts:
            raise OperatorFault(f"{month} has {self.parts} parts in {self.currency}, and part {self.part} is none.")

    def _batch(self, since: int, until: int, clock: Clock, numbers: Mapping[Place, str], zone: tzinfo) -> Batch:
        first, last = day_of(since, zone), day_of(until, zone) - timedelta(days=1)
        made_at = datetime.fromtimestamp(clock() / 1000, UTC).astimezone(zone)
        return Batch(self.whose, first, last, self.currency, number_length(numbers), made_at)

    def _takes(self, entry: Entry) -> bool:
        """Count an entry; return whether it is in this part."""
        if entry.currency != self.currency:
            self.others[entry.currency] += 1
            return False
        self.bookings += 1
        return (self.bookings - 1) // MOST_BOOKINGS + 1 == self.part

    @staticmethod
    def _bytes(text: str) -> bytes:
        return text.encode(ENCODING, "replace")


async def _entries(store: Store, month: str, zone: tzinfo) -> AsyncIterator[list[Entry]]:
    """Yield the entries of live accounts of a month of the books, account by account in their order, in pages."""
    since, until = month_span(month, zone)
    async with store.read() as tx:
        live = {row["account_id"] for row in await tx.all("accounts_named") if row["mode"] == "live"}
    for end in await chain_ends(store):
        if end.head.account_id in live:
            async for page in entry_pages(store, end.head):
                if found := [entry for entry in page if since <= entry.posted_at < until]:
                    yield found


def _rows(rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()

"""How the network keeps its books: the time zone of their months and days, and when merchants are billed.

It is kept with the books and not in a node's settings, since a statement, an invoice and its proof must all mean the
same month. Both are chosen before the first invoice: after that a change would leave out what is billed, or bill it
twice.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import Final, TypedDict

from hub.clock import Clock
from hub.domain.books.book_time import zone_named
from hub.domain.words import BilledWhen
from hub.operations.errors import OperatorFault
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.storage import Row, Store, Tx

DEFAULT_ZONE = "UTC"
BILLING_LOCK: Final = [("", "merchant invoices")]
"""A name that is locked like an order: invoices get their numbers one after the other, and nothing changes between."""
RUN_LOCK: Final = [("", "payouts")]
"""The same for what is paid: runs, payments of single commissions and debts that are written off take turns."""


class BooksDocument(TypedDict):
    """How the books are kept: `timeZone` is an IANA name, like Europe/Berlin.

    `billed` says when merchants are billed a commission: when it is paid, or when it becomes payable.
    """

    timeZone: str
    billed: BilledWhen


async def zone_of_books(tx: Tx) -> tzinfo:
    """Return the time zone of the books."""
    return zone_named((await books_in(tx))["timeZone"])


async def books_zone(store: Store) -> tzinfo:
    """Return the same, in a transaction of its own."""
    async with store.read() as tx:
        return await zone_of_books(tx)


async def show_books(store: Store) -> BooksDocument:
    """Return how the books are kept."""
    async with store.read() as tx:
        return await books_in(tx)


async def billed_when(store: Store) -> BilledWhen:
    """Return when merchants are billed a commission."""
    return (await show_books(store))["billed"]


async def set_books(
    store: Store, clock: Clock, time_zone: str | None = None, billed: BilledWhen | None = None
) -> BooksDocument:
    """Set the time zone of the books, or when merchants are billed; the same again changes nothing.

    Raise `OperatorFault` for a name of no zone, and once a merchant was invoiced or a month is closed.
    """
    try:
        zone_named(time_zone or DEFAULT_ZONE)
    except ValueError as fault:
        raise OperatorFault(f"{fault}.") from None
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        before = await books_in(tx)
        after: BooksDocument = {"timeZone": time_zone or before["timeZone"], "billed": billed or before["billed"]}
        if before == after:
            return before
        await _refuse_once_billed(tx, before)
        if before["billed"] != after["billed"]:
            await _refuse_once_charged(tx)
        now = clock()
        await tx.run("put_books", time_zone=after["timeZone"], billed=after["billed"], changed_by=current_actor().id,
                     now=now)  # fmt: skip
        await note_rows(tx, now, {"books": [(1,)]})
        await note_act(tx, now, "books.set", "books", before=before, after=after)
        return after


async def _refuse_once_billed(tx: Tx, books: BooksDocument) -> None:
    if await tx.one("last_merchant_invoice") is not None:
        raise OperatorFault(
            f"The books have been kept in {books['timeZone']} since the first invoice, which billed what is "
            f"{books['billed']}; a change would bill hours or commissions twice, or not at all."
        )
    if await tx.all("closed_months_listed"):
        raise OperatorFault(
            f"A month of the books in {books['timeZone']} is closed; the time zone stays, and so does what is billed."
        )


async def _refuse_once_charged(tx: Tx) -> None:
    """Raise `OperatorFault` if a fee was charged by the one rule, or left for the other; what moves money waits."""
    await tx.all("lock_ledgers", accounts=[(row["account_id"],) for row in await tx.all("accounts_with_fee")])
    charged = await tx.one("payable_with_fee")
    if charged is not None:
        raise OperatorFault(
            f"Commissions of merchant {charged['merchant_id']} are payable or paid already, and it owes the network a "
            f"fee; a change would charge it twice, or not at all. When merchants are billed stays as it is."
        )


async def books_in(tx: Tx) -> BooksDocument:
    """Return how the books are kept."""
    row = await tx.one("books")
    return {"timeZone": DEFAULT_ZONE, "billed": "paid"} if row is None else _document(row)


def _document(row: Row) -> BooksDocument:
    return {"timeZone": row["time_zone"], "billed": row["billed"]}

"""How the network keeps its books: the time zone of their months and days.

It is kept with the books and not in a node's settings, since a statement, an invoice and its proof must all mean the
same month. It is chosen before the first invoice: after that a change would leave hours out, or bill them twice.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import TypedDict

from hub.clock import Clock
from hub.domain.book_time import zone_named
from hub.operations.errors import OperatorFault
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.storage import Store, Tx

DEFAULT_ZONE = "UTC"


class BooksDocument(TypedDict):
    """How the books are kept: `timeZone` is an IANA name, like Europe/Berlin."""

    timeZone: str


async def zone_of_books(tx: Tx) -> tzinfo:
    """Return the time zone of the books."""
    return zone_named((await _found(tx))["timeZone"])


async def books_zone(store: Store) -> tzinfo:
    """Return the same, in a transaction of its own."""
    async with store.read() as tx:
        return await zone_of_books(tx)


async def show_books(store: Store) -> BooksDocument:
    """Return how the books are kept."""
    async with store.read() as tx:
        return await _found(tx)


async def set_books(store: Store, clock: Clock, time_zone: str) -> BooksDocument:
    """Set the time zone of the books; the same again changes nothing.

    Raise `OperatorFault` for a name of none, and once a merchant was invoiced.
    """
    try:
        zone_named(time_zone)
    except ValueError as fault:
        raise OperatorFault(f"{fault}.") from None
    async with store.write() as tx:
        before = await _found(tx)
        after: BooksDocument = {"timeZone": time_zone}
        if before == after:
            return before
        if await tx.one("last_merchant_invoice") is not None:
            raise OperatorFault(
                f"The books have been kept in {before['timeZone']} since the first invoice; another time zone would "
                "bill hours twice, or not at all."
            )
        if await tx.all("closed_months_listed"):
            raise OperatorFault(f"A month of the books in {before['timeZone']} is closed; the time zone stays.")
        now = clock()
        await tx.run("put_books", time_zone=time_zone, changed_by=current_actor().id, now=now)
        await note_rows(tx, now, {"books": [(1,)]})
        await note_act(tx, now, "books.set", "books", before=before, after=after)
        return after


async def _found(tx: Tx) -> BooksDocument:
    row = await tx.one("books")
    return {"timeZone": DEFAULT_ZONE if row is None else row["time_zone"]}

"""Months of the books that are closed: nothing is booked into them any more, and what was booked stays as it is.

One person proposes to close a month that is over, and another one closes it. The close notes how far every account's
chain is, under the locks of all chains, in the chain of notes. From then on each entry is posted at the first moment
after the month at the earliest, whatever a node's clock says: what is known late is booked in the open month, with the
event, the receipt or the correction that is its cause. To close a month closes all before it.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypedDict

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.ledger import Head, digest_of
from hub.domain.instants import format_instant, instant_or_none
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import BILLING_LOCK, books_zone
from hub.operations.money.invoices.merchant_invoices import refuse_before_end
from hub.operations.money.invoices.statements import month_span
from hub.operations.second_person import why_not_second
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.storage import Row, Store, Tx

NAMED: Final = 5
"""How many merchants without an invoice are named."""


class ClosedMonth(TypedDict):
    """A month that is closed, or proposed to be: `closedBy` is null until another person closes it.

    `entries` are those of all accounts by then, `head` the SHA-256 over the heads of their chains.
    """

    month: str
    proposedBy: str
    proposedAt: str
    closedBy: str | None
    closedAt: str | None
    entries: int | None
    head: str | None


class ClosedEnd(NamedTuple):
    """A row of `insert_closed_ends`: how far an account's chain was when a month was closed."""

    month: str
    account_id: str
    entries: int
    hash: str


async def list_months(store: Store) -> list[ClosedMonth]:
    """Return the months that are closed or proposed to be, newest first."""
    async with store.read() as tx:
        return [_document(row) for row in await tx.all("closed_months_listed")]


async def propose_close(store: Store, clock: Clock, month: str, *, anyway: bool = False) -> ClosedMonth:
    """Propose to close a month that is over; the same month again changes nothing.

    Raise `OperatorFault` for what is no month, one that is not over for an hour or is closed already, and `anyway` left
    out while merchants owe something of it that is not invoiced: a closed month is not invoiced any more.
    """
    since, until = month_span(month, await books_zone(store))
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        known, now = await tx.one("closed_month", month=month), clock()
        if known is not None:
            return _document(known)
        refuse_before_end(month, until, now, "closed")
        await _refuse_before_last(tx, month, until)
        owing = await tx.all("merchants_to_invoice", since=since, until=until, month=month)
        if owing and not anyway:
            names = ", ".join(row["merchant_id"] for row in owing[:NAMED])
            raise OperatorFault(
                f"{len(owing)} merchants owe something of {month} that is not invoiced ({names}), and a closed month "
                "is not invoiced any more: issue the invoices.",
                command="Or say --anyway.",
            )
        await tx.run("propose_close", month=month, ends_at=until, proposed_by=current_actor().id, now=now)
        await note_rows(tx, now, {"closed_months": [(month,)]})
        return await _done(tx, now, "ledger.close-proposed", month)


async def close_month(store: Store, clock: Clock, settings: PayoutSettings, month: str) -> ClosedMonth:
    """Close a month that another person proposed to close; repeating it changes nothing.

    Raise `OperatorFault` if nobody proposed it, or the one who acts is no other person.
    """
    async with store.write() as tx:
        await tx.lock_orders(BILLING_LOCK)
        row, now = await tx.one("closed_month", month=month), clock()
        if row is None:
            raise OperatorFault(
                f"Nobody has proposed to close {month}.", command=f"`hub ledger propose-close {month}` does."
            )
        if row["closed_at"] is not None:
            return _document(row)
        why = await why_not_second(tx, now, row["proposed_by"], after=settings.second_person_after)
        if why is not None:
            raise OperatorFault(
                f"{row['proposed_by']} proposed to close {month}; another person closes it: {why}.",
                command="At the terminal that person is named with --by.",
            )
        await _refuse_before_last(tx, month, row["ends_at"])
        accounts = [(each["account_id"],) for each in await tx.all("ledger_ends")]
        heads = [Head(each["account_id"], each["entries"], each["hash"])
                 for each in await tx.all("lock_ledgers", accounts=accounts)]  # fmt: skip
        await tx.run("insert_closed_ends", ends=[ClosedEnd(month, *head) for head in heads])
        await tx.run("close_chains", until=row["ends_at"])
        await tx.run(
            "close_month", month=month, closed_by=current_actor().id, now=now, head=digest_of(heads),
            entries=sum(head.entries for head in heads),
        )  # fmt: skip
        ends = [(month, head.account_id) for head in heads]
        await note_rows(tx, now, {"closed_months": [(month,)], "closed_ends": ends})
        return await _done(tx, now, "ledger.closed", month)


async def is_closed(tx: Tx, until: int) -> bool:
    """Return whether a month is closed that ends at a moment (ms UTC)."""
    row = await tx.one("last_close")
    return row is not None and row["ends_at"] is not None and bool(row["ends_at"] >= until)


async def _refuse_before_last(tx: Tx, month: str, until: int) -> None:
    if await is_closed(tx, until):
        raise OperatorFault(f"{month} is closed already, with a later month.")


async def _done(tx: Tx, now: int, act: str, month: str) -> ClosedMonth:
    row = await tx.one("closed_month", month=month)
    if row is None:
        raise OperatorFault(f"Nobody has proposed to close {month}.")
    document = _document(row)
    await note_act(tx, now, act, month, after=document)
    return document


def _document(row: Row) -> ClosedMonth:
    return {
        "month": row["month"],
        "proposedBy": row["proposed_by"],
        "proposedAt": format_instant(row["proposed_at"]),
        "closedBy": row["closed_by"],
        "closedAt": instant_or_none(row["closed_at"]),
        "entries": row["entries"],
        "head": row["head"],
    }

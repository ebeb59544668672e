"""The ledger's proof: every chain is recomputed, and what the entries add up to is compared with the commissions.

It reads in pages, so any number of entries takes the same memory. What the entries of each commission, and of each
affiliate in each place, add up to is kept in temporary files meanwhile, which SQLite deletes when they are closed.
Entries that are added while it runs are left for the next time; a commission that moved meanwhile is looked at again
together with its newer entries.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, tzinfo
from typing import Final, Protocol, TypedDict

from attrs import frozen

from hub.domain.books.ledger import ChainCheck, Entry, Head, digest_of
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.domain.words import BilledWhen
from hub.operations.money.books.books import billed_when, books_zone
from hub.operations.money.ledger.closing_proof import ClosedEnds
from hub.operations.money.ledger.commission_proof import check_commissions
from hub.operations.money.ledger.commission_sums import CommissionSums
from hub.operations.money.ledger.faults import SHOWN, LedgerFault, Proof
from hub.operations.money.ledger.fee_proof import FeeTotals, Rate
from hub.operations.money.ledger.month_totals import MonthTotals
from hub.operations.money.ledger.note_proof import note_faults, note_heads
from hub.operations.money.ledger.payment_proof import payment_faults
from hub.operations.money.ledger.place_totals import PlaceTotals
from hub.operations.money.ledger.running_sums import RunningSums
from hub.sealing import Sealer
from hub.storage import Row, Store

PAGE: Final = 5_000


class HeadDocument(TypedDict):
    """The end of an account's chain."""

    accountId: str
    entries: int
    hash: str


class LedgerDocument(TypedDict):
    """The proof; `head` is one hash over the heads of all accounts.

    `notes` are those of rows that are no entries: runs, payments, approvals, fees, invoices, files; `notesHead` is one
    hash over the ends of their chains, to be kept elsewhere as `head` is.
    """

    ok: bool
    entries: int
    head: str
    heads: list[HeadDocument]
    faults: list[LedgerFault]
    notes: int
    notesHead: str


class Sums(Protocol):
    """Adds entries up while the chain is followed."""

    def add(self, entries: Sequence[Entry]) -> None:
        """Add entries."""
        ...


@frozen
class ChainEnd:
    """The end of a chain as it was noted, and the highest number that an entry of the account has."""

    head: Head
    highest: int


async def verify_ledger(store: Store, sealer: Sealer | None = None, most: int = SHOWN) -> LedgerDocument:
    """Recompute all chains and compare them with every commission and payment; may run beside a server at any time.

    With a sealer the files for banks are opened, and compared with their hashes.

    The faults are in the order of the accounts' ids, at most so many; of a chain that breaks, only the first entry is
    reported.
    """
    proof, heads, zone, billed = Proof(most), [], await _zone(store), await billed_when(store)
    for end in await chain_ends(store):
        head, faults = await _check_account(store, end, (zone, billed), most)
        heads.append(head)
        proof.faults.extend(faults[: most - len(proof.faults)])
    async for fault in payment_faults(store, sealer, most):
        proof.add("", fault)
    async for account_id, fault in note_faults(store):
        proof.add(account_id, fault)
    notes = await note_heads(store)
    return {
        "ok": not proof.faults,
        "entries": sum(head.entries for head in heads),
        "head": digest_of(heads),
        "heads": [{"accountId": head.account_id, "entries": head.entries, "hash": head.hash} for head in heads],
        "faults": proof.faults,
        "notes": sum(head.notes for head in notes),
        "notesHead": digest_of([Head(*head) for head in notes]),
    }


async def _check_account(
    store: Store, end: ChainEnd, books: tuple[tzinfo, BilledWhen], most: int
) -> tuple[Head, list[LedgerFault]]:
    """Check one account, and once more if its balances do not agree: a run or a correction may have come between."""
    proof = Proof(most)
    for attempt in (1, 2):
        rates, closed = await _rates_of(store, end), ClosedEnds(await _closed_of(store, end))
        with CommissionSums() as sums, PlaceTotals() as places, RunningSums() as covers, RunningSums() as booked:
            totals = (places, MonthTotals(books[0], covers, books[1]), FeeTotals(rates, booked, most, books[1]), closed)
            if not await _check_chain(store, end, (sums, *totals), proof):
                break
            await check_commissions(store, end.head, sums, proof)
            wrong = [fault for each in totals for fault in await each.faults(store, end.head.account_id, most)]
        if not wrong:
            break
        if attempt == 1:
            account_id = end.head.account_id
            end = next(each for each in await chain_ends(store) if each.head.account_id == account_id)
            proof.faults.clear()
        else:
            for message in wrong:
                proof.add(end.head.account_id, message)
    return end.head, proof.faults


async def _zone(store: Store) -> tzinfo:
    """Return the time zone of the books; one that somebody changed to what is none is named by the notes."""
    try:
        return await books_zone(store)
    except ValueError:
        return UTC


async def _rates_of(store: Store, end: ChainEnd) -> list[Rate]:
    """Return every fee of an account's merchant, oldest first."""
    async with store.read() as tx:
        return await tx.records(Rate, "fee_rates", account_id=end.head.account_id)


async def _closed_of(store: Store, end: ChainEnd) -> list[Row]:
    """Return how far an account's chain was when each month was closed."""
    async with store.read() as tx:
        return await tx.all("closed_ends_of", account_id=end.head.account_id)


async def chain_ends(store: Store) -> list[ChainEnd]:
    """Return the ends of all accounts' chains, at one moment."""
    async with store.read() as tx:
        rows = await tx.all("ledger_ends")
    return [ChainEnd(Head(row["account_id"], row["entries"], row["hash"]), row["highest"]) for row in rows]


async def entry_pages(store: Store, head: Head) -> AsyncIterator[list[Entry]]:
    """Yield the entries of an account up to a head, in pages, each read in a short transaction."""
    after = 0
    while after < head.entries:
        async with store.read() as tx:
            page = await tx.records(
                Entry, "ledger_page", account_id=head.account_id, after=after, last=head.entries, limit=PAGE
            )
        if not page:
            return
        yield page
        after = page[-1].entry_no


async def _check_chain(store: Store, end: ChainEnd, sums: Sequence[Sums], proof: Proof) -> bool:
    """Follow an account's chain to its end and add up its commissions; return whether all of it holds."""
    account_id, entries, last = end.head
    check = ChainCheck(account_id)
    async for page in entry_pages(store, end.head):
        for entry in page:
            fault = check.fault(entry)
            if fault is not None:
                number = check.head.entries + 1
                proof.add(account_id, f"Entry {number} {fault}.", entry=number)
                return False
        for each in sums:
            each.add(page)
    if check.head.entries < entries:
        missing = check.head.entries + 1
        proof.add(account_id, f"Entry {missing} is missing: the ledger should have {entries}.", entry=missing)
        return False
    if check.head.hash != last:
        proof.add(account_id, f"Entry {entries} is not the one that was noted as the last of the chain.", entry=entries)
        return False
    if end.highest > entries:
        more = f"There are entries up to {end.highest}, but the end of the chain was noted as {entries}."
        proof.add(account_id, more, entry=entries + 1)
        return False
    return True


class EntryDocument(TypedDict):
    """An entry as it is exported; `amount` is decimal text in `currency`."""

    accountId: str
    entry: int
    postedAt: str
    kind: str
    debit: str
    credit: str
    amount: str
    currency: str
    affiliateId: str
    commissionId: str | None
    adjustmentId: str | None
    externalOrderId: str | None
    cause: str
    hash: str


def entry_document(entry: Entry) -> EntryDocument:
    """Return the document of an entry."""
    return {
        "accountId": entry.account_id,
        "entry": entry.entry_no,
        "postedAt": format_instant(entry.posted_at),
        "kind": entry.kind,
        "debit": entry.debit,
        "credit": entry.credit,
        "amount": format_money(entry.amount_minor, entry.currency),
        "currency": entry.currency,
        "affiliateId": entry.affiliate_id,
        "commissionId": entry.commission_id,
        "adjustmentId": entry.adjustment_id,
        "externalOrderId": entry.external_order_id,
        "cause": entry.cause,
        "hash": entry.hash,
    }


async def export_ledger(store: Store) -> AsyncIterator[list[EntryDocument]]:
    """Yield all entries, account by account in their order, in pages; a head is that of the moment of the call."""
    for end in await chain_ends(store):
        async for page in entry_pages(store, end.head):
            yield [entry_document(entry) for entry in page]

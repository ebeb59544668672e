"""The ledger's proof: every chain is recomputed, and what the entries add up to is compared with the commissions.

It reads in pages, so any number of entries takes the same memory. What each commission's entries add up to is kept in a
temporary file of its own meanwhile, which SQLite deletes when it is closed. Entries that are added while it runs are
left for the next time; a commission that moved meanwhile is looked at again together with its newer entries.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import tzinfo
from typing import Final, Protocol, TypedDict

from attrs import field, frozen

from hub.domain.instants import format_instant
from hub.domain.ledger import ChainCheck, Entry, Head, digest_of, standing
from hub.domain.money import format_money
from hub.operations.money.books import books_zone
from hub.operations.money.commission_sums import CommissionSums
from hub.operations.money.month_totals import MonthTotals
from hub.operations.money.payment_proof import payment_faults
from hub.operations.money.place_totals import PlaceTotals
from hub.sealing import Sealer
from hub.storage import Row, Store

PAGE: Final = 5_000
SHOWN: Final = 100
"""At most this many faults are reported; one is enough to fail."""


class LedgerFault(TypedDict):
    """What does not hold; `entry` is the number of the first entry that does not, null if it is about a commission."""

    accountId: str
    entry: int | None
    commissionId: str | None
    message: str


class HeadDocument(TypedDict):
    """The end of an account's chain."""

    accountId: str
    entries: int
    hash: str


class LedgerDocument(TypedDict):
    """The proof; `head` is one hash over the heads of all accounts."""

    ok: bool
    entries: int
    head: str
    heads: list[HeadDocument]
    faults: list[LedgerFault]


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


@frozen
class _Proof:
    faults: list[LedgerFault] = field(factory=list)

    def add(self, account_id: str, message: str, *, entry: int | None = None, commission_id: str | None = None) -> None:
        if len(self.faults) < SHOWN:
            found: LedgerFault = {
                "accountId": account_id, "entry": entry, "commissionId": commission_id, "message": message
            }  # fmt: skip
            self.faults.append(found)


async def verify_ledger(store: Store, sealer: Sealer | None = None) -> LedgerDocument:
    """Recompute all chains and compare them with every commission and payment; may run beside a server at any time.

    With a sealer the files for banks are opened, and compared with their hashes.

    The faults are in the order of the accounts' ids; of a chain that breaks, only the first entry is reported.
    """
    proof, heads, zone = _Proof(), [], await books_zone(store)
    for end in await chain_ends(store):
        head, faults = await _check_account(store, end, zone)
        heads.append(head)
        proof.faults.extend(faults[: SHOWN - len(proof.faults)])
    async for fault in payment_faults(store, sealer):
        proof.add("", fault)
    return {
        "ok": not proof.faults,
        "entries": sum(head.entries for head in heads),
        "head": digest_of(heads),
        "heads": [{"accountId": head.account_id, "entries": head.entries, "hash": head.hash} for head in heads],
        "faults": proof.faults,
    }


async def _check_account(store: Store, end: ChainEnd, zone: tzinfo) -> tuple[Head, list[LedgerFault]]:
    """Check one account, and once more if its balances do not agree: a run or a correction may have come between."""
    proof = _Proof()
    for attempt in (1, 2):
        totals, months = PlaceTotals(), MonthTotals(zone)
        with CommissionSums() as sums:
            if not await _check_chain(store, end, (sums, totals, months), proof):
                break
            await _check_commissions(store, end.head, sums, proof)
        wrong = await totals.faults(store, end.head.account_id) + await months.faults(store, end.head.account_id)
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


async def _check_chain(store: Store, end: ChainEnd, sums: Sequence[Sums], proof: _Proof) -> bool:
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


async def _check_commissions(store: Store, head: Head, sums: CommissionSums, proof: _Proof) -> None:
    """Compare what the entries add up to with every commission of the account."""
    after = ""
    expected = sums.in_order()
    noted = next(expected, None)
    while True:
        async with store.read() as tx:
            rows = await tx.all("commission_standings", account_id=head.account_id, after=after, limit=PAGE)
        for row in rows:
            while noted is not None and noted[0] < row["commission_id"]:
                _check_missing(head, noted, proof)
                noted = next(expected, None)
            balance: dict[str, int] = {}
            if noted is not None and noted[0] == row["commission_id"]:
                balance, noted = noted[1], next(expected, None)
            if not agrees(row["state"], row["amount_minor"], balance):
                await _look_again(store, head, row, balance, proof)
        if len(rows) < PAGE:
            break
        after = rows[-1]["commission_id"]
    while noted is not None:
        _check_missing(head, noted, proof)
        noted = next(expected, None)


def _check_missing(head: Head, noted: tuple[str, dict[str, int]], proof: _Proof) -> None:
    """Report a commission that does not exist, unless nothing is left of it: emptying a test account deletes some."""
    commission_id, balance = noted
    if any(balance.values()):
        message = f"Entries name a commission {commission_id} that does not exist."
        proof.add(head.account_id, message, commission_id=commission_id)


def agrees(state: str, amount_minor: int, balance: dict[str, int]) -> bool:
    """Return whether a commission's entries leave its amount in the one place that its state says, and nothing else.

    A paid one is in `payout` while its run is under way, then in `bank`.
    """
    left = {place: minor for place, minor in balance.items() if minor and place not in ("merchant", "fees", "deposit")}
    if state == "PAID":
        return left in ({}, {"payout": amount_minor}, {"bank": amount_minor}) and bool(left) == bool(amount_minor)
    place, minor = standing(state, amount_minor)
    return left == ({} if place is None else {place: minor})


async def _look_again(store: Store, head: Head, row: Row, balance: dict[str, int], proof: _Proof) -> None:
    """Compare a commission once more, with the entries that came after the head; report it if they do not explain it.

    An entry that is added between the two readings of the ledger belongs to a commission that moved meanwhile.
    """
    commission_id = row["commission_id"]
    async with store.read() as tx:
        rows = await tx.all(
            "commission_standing_since", account_id=head.account_id, commission_id=commission_id, after=head.entries
        )
    now = dict(balance)
    for each in rows:
        if each["entry_no"] is not None:
            now[each["debit"]] = now.get(each["debit"], 0) - each["moved_minor"]
            now[each["credit"]] = now.get(each["credit"], 0) + each["moved_minor"]
    if rows and agrees(rows[0]["state"], rows[0]["amount_minor"], now):
        return
    shown = {place: format_money(minor, row["currency"]) for place, minor in now.items() if minor}
    amount = f"{format_money(row['amount_minor'], row['currency'])} {row['currency']}"
    proof.add(
        head.account_id,
        f"Commission {commission_id} is {row['state']} with {amount}, but its entries add up to {shown or 'nothing'}.",
        commission_id=commission_id,
    )


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

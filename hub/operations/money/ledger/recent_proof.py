"""The proof of what came since an earlier proof: the chains go on from the heads that it left.

The heads are kept outside of the database. So an entry that was proved before is not read again, and is still not to be
replaced without its account's chain failing here: the entry of that number must have the hash that was noted.

Of the commissions that the new entries name, the standing is compared with what these leave. An entry that moves all
of a commission tells its whole balance, and so do those of one that was opened since; for what only rose or fell where
it was, the place is compared, and the amount is left to the whole proof (`partly`). That proof alone compares
corrections, runs, invoices, months, notes and files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypedDict

from attrs import define, field

from hub.domain.books.ledger import PLACE_OF_STATE, ChainCheck, Entry, Head, deltas, digest_of
from hub.ids import moment_of
from hub.operations.money.ledger.commission_proof import agrees
from hub.operations.money.ledger.faults import SHOWN, LedgerFault, Proof
from hub.operations.money.ledger.ledger import ChainEnd, HeadDocument, chain_ends
from hub.storage import Row, Store

PAGE: Final = 5_000
AT_ONCE: Final = 500
CLOCKS_APART_MS: Final = 600_000
"""By how much clocks of nodes may be apart: what was opened so soon after the last proof may have entries before it."""
WHOLE: Final = frozenset({"held", "released", "paid", "settled", "returned"})
"""The kinds of entries that move all of a commission."""
PAID: Final = ("payout", "bank")
OURS: Final = frozenset({"merchant", "fees", "deposit"})


class RecentDocument(TypedDict):
    """The proof; `entries` were proved now, after `before` that were proved earlier; `partly` commissions of those."""

    ok: bool
    entries: int
    before: int
    commissions: int
    partly: int
    head: str
    heads: list[HeadDocument]
    faults: list[LedgerFault]


@define
class Moved:
    """What new entries leave of a commission: balances by place, whether they are all of it, and the last place."""

    is_whole: bool
    balance: dict[str, int] = field(factory=dict)
    place: str = ""

    def add(self, entry: Entry) -> None:
        """Add its next entry."""
        if entry.kind in WHOLE and not self.is_whole:
            self.is_whole, self.balance = True, {entry.credit: entry.amount_minor}
        else:
            for place, minor in deltas(entry):
                self.balance[place] = self.balance.get(place, 0) + minor
        if not {entry.debit, entry.credit} <= OURS:
            self.place = entry.debit if entry.credit in OURS else entry.credit


async def verify_since(store: Store, known: Mapping[str, Head], proved_at: int, most: int = SHOWN) -> RecentDocument:
    """Prove the entries after the heads of an earlier proof, which ended at `proved_at` (ms UTC).

    An account that it did not have is proved from its first entry. May run beside a server at any time.
    """
    proof, heads, before, commissions, partly = Proof(most), list[Head](), 0, 0, 0
    ends = await chain_ends(store)
    for account_id in sorted(known.keys() - {end.head.account_id for end in ends}):
        proof.add(account_id, "The account had a ledger when it was proved, and is not there any more.")
    for end in ends:
        start = known.get(end.head.account_id, Head(end.head.account_id, 0, ""))
        moved = await _follow(store, start, end, proof, proved_at)
        partly += await _compare(store, end.head, moved, proof)
        commissions, before = commissions + len(moved), before + start.entries
        heads.append(end.head)
    return {
        "ok": not proof.faults,
        "entries": sum(head.entries for head in heads) - before,
        "before": before,
        "commissions": commissions,
        "partly": partly,
        "head": digest_of(heads),
        "heads": [{"accountId": head.account_id, "entries": head.entries, "hash": head.hash} for head in heads],
        "faults": proof.faults,
    }


async def _follow(store: Store, start: Head, end: ChainEnd, proof: Proof, proved_at: int) -> dict[str, Moved]:
    """Follow a chain from an earlier head to its end; return what became of commissions, nothing if it breaks."""
    account_id, last = start.account_id, end.head
    if not await _stands(store, start, end):
        message = f"Entry {start.entries} is not the one that was proved before: the ledger was rewritten."
        proof.add(account_id, message, entry=start.entries)
        return {}
    check, moved = ChainCheck(account_id, start), dict[str, Moved]()
    while check.head.entries < last.entries:
        async with store.read() as tx:
            page = await tx.records(
                Entry, "ledger_page", account_id=account_id, after=check.head.entries, last=last.entries, limit=PAGE
            )
        for entry in page:
            fault = check.fault(entry)
            if fault is not None:
                proof.add(account_id, f"Entry {check.head.entries + 1} {fault}.", entry=check.head.entries + 1)
                return {}
            _add(moved, entry, proved_at)
        if not page:
            break
    if check.head != last or end.highest != last.entries:
        message = f"The chain ends with entry {max(check.head.entries, end.highest)}, and not as it was noted."
        proof.add(account_id, message, entry=check.head.entries + 1)
        return {}
    return moved


async def _stands(store: Store, start: Head, end: ChainEnd) -> bool:
    """Return whether the entry that was proved last is there with its hash."""
    if start.entries == 0:
        return True
    if end.head.entries < start.entries:
        return False
    async with store.read() as tx:
        rows = await tx.records(
            Entry, "ledger_page", account_id=start.account_id, after=start.entries - 1, last=start.entries, limit=1
        )
    return bool(rows) and rows[0].hash == start.hash


def _add(moved: dict[str, Moved], entry: Entry, proved_at: int) -> None:
    """Add an entry to its commission; those of adjustments and fees are not its own."""
    commission_id = entry.commission_id
    if commission_id is None or entry.adjustment_id is not None or entry.kind == "fee":
        return
    known = moved.get(commission_id)
    if known is None:
        known = moved[commission_id] = Moved(_opened(commission_id) > proved_at + CLOCKS_APART_MS)
    known.add(entry)


def _opened(commission_id: str) -> int:
    """Return when a commission was made (ms UTC); 0 for an id that is none of the hub's."""
    try:
        return moment_of(commission_id)
    except ValueError:
        return 0


async def _compare(store: Store, head: Head, moved: Mapping[str, Moved], proof: Proof) -> int:
    """Compare commissions with what entries left of them; return of how many only the place could be."""
    names = sorted(moved)
    for place in range(0, len(names), AT_ONCE):
        async with store.read() as tx:
            some = names[place : place + AT_ONCE]
            rows = await tx.all("commission_states", account_id=head.account_id, commissions=some)
        for row in _wrong(rows, moved):
            commission_id = row["commission_id"]
            async with store.read() as tx:
                newer = await tx.all(
                    "commission_standing_since", account_id=head.account_id, commission_id=commission_id,
                    after=head.entries,
                )  # fmt: skip
            if all(each["entry_no"] is None for each in newer):  # else it moved meanwhile: the next time
                message = f"Commission {commission_id} is {row['state']}, but its entries leave it elsewhere."
                proof.add(head.account_id, message, commission_id=commission_id)
    return sum(not each.is_whole for each in moved.values())


def _wrong(rows: Sequence[Row], moved: Mapping[str, Moved]) -> Iterator[Row]:
    """Yield the commissions whose standing is not what their entries leave."""
    for row in rows:
        known, state = moved[row["commission_id"]], row["state"]
        if known.is_whole:
            agree = agrees(state, row["amount_minor"], known.balance)
        elif state == "PAID":
            agree = known.place in PAID
        else:
            agree = PLACE_OF_STATE.get(state) in (None, known.place)
        if not agree and (known.is_whole or known.place):
            yield row

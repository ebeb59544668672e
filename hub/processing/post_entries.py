"""Entries of the ledger, written in the transaction that moves the money.

A commission moves only in a transaction that holds the lock of its order, so what was read of it is still true when
its entries are made. The chain of an account has one end, on which all its orders meet: `lock_ledgers` locks the row of
that end, after all orders (and catalogues) and after everything else is written, and always in the order of the
accounts' ids. So every transaction takes its locks in one global order, no two can wait for each other, and two nodes
that decide orders of one account wait for each other only while the one appends its entries, which is one round trip,
and commits. SQLite has one writer and needs none of this.

Where merchants are billed what becomes payable, the network's fee comes, shrinks and goes with the commission. Its
percentage is the one in force when the commission became payable, and stays: after each move the fee is that of what is
left, so parts that come back add up to all of it. What the payout charges where merchants are billed what is paid is
charged here, and nothing at the payout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hub.domain.books.fees import fee_entry, fee_of
from hub.domain.books.ledger import Head, Movement, chain
from hub.storage import Tx


async def post(tx: Tx, movements: Iterable[tuple[str, Movement]], now: int) -> None:
    """Append movements, each with its account, to the ledger, all at `now` (ms UTC)."""
    by_account: dict[str, list[Movement]] = {}
    for account_id, movement in movements:
        by_account.setdefault(account_id, []).append(movement)
    await post_by_account(tx, by_account, now)


async def post_by_account(tx: Tx, movements: Mapping[str, Sequence[Movement]], now: int) -> None:
    """Lock the accounts' chains and append these movements, all at `now` (ms UTC), or as soon as a month is open.

    Call it once, and last: what the transaction writes before it, it writes while nobody waits for it.
    """
    moved = {account_id: each for account_id, each in movements.items() if each}
    if not moved:
        return
    heads = await tx.all("lock_ledgers", accounts=[(account_id,) for account_id in sorted(moved)])
    moved = dict(await with_payable_fees(tx, moved))
    entries, ends = [], []
    for row in heads:
        before = Head(row["account_id"], row["entries"], row["hash"])
        more, head = chain(before, moved[before.account_id], max(now, row["closed_until"]))
        entries += more
        ends.append(head)
    await tx.run_together(("append_entries", {"entries": entries}), ("move_ledger_heads", {"heads": ends}))


async def with_payable_fees(tx: Tx, moved: Mapping[str, Sequence[Movement]]) -> Mapping[str, Sequence[Movement]]:
    """Return movements by account, each commission's that came to what is payable or left it with its fee behind.

    Call it when the commissions are written and the accounts' chains are locked: under these locks alone it changes
    what is billed.
    """
    last = {
        (account_id, each.commission_id): number
        for account_id, movements in moved.items()
        for number, each in enumerate(movements)
        if "payable" in (each.debit, each.credit) and each.kind != "paid" and each.commission_id is not None
    }
    rows = await tx.all("fees_of_payable", commissions=sorted(last)) if last else []
    behind = dict[tuple[str, int], list[Movement]]()
    for row in rows:
        account_id, number = row["account_id"], last[row["account_id"], row["commission_id"]]
        due = 0 if row["percentage"] is None else fee_of(row["amount_minor"], row["percentage"])
        behind[account_id, number] = fee_entry(moved[account_id][number], due - row["charged_minor"])
    if not behind:
        return moved
    return {
        account_id: [
            made for number, each in enumerate(movements) for made in (each, *behind.get((account_id, number), ()))
        ]
        for account_id, movements in moved.items()
    }

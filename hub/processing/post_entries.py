"""Entries of the ledger, written in the transaction that moves the money.

A commission moves only in a transaction that holds the lock of its order, so what was read of it is still true when
its entries are made. The chain of an account has one end, on which all its orders meet: `lock_ledgers` locks the row of
that end, after all orders (and catalogues) and after everything else is written, and always in the order of the
accounts' ids. So every transaction takes its locks in one global order, no two can wait for each other, and two nodes
that decide orders of one account wait for each other only while the one appends its entries, which is one round trip,
and commits. SQLite has one writer and needs none of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hub.domain.books.ledger import Head, Movement, chain
from hub.processing.payable_fees import with_payable_fees
from hub.storage import Row, Tx


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
        more, head = chain(_head(row), moved[row["account_id"]], max(now, row["closed_until"]))
        entries += more
        ends.append(head)
    await tx.run_together(("append_entries", {"entries": entries}), ("move_ledger_heads", {"heads": ends}))


def _head(row: Row) -> Head:
    return Head(row["account_id"], row["entries"], row["hash"])

"""The end of a hold: commissions become payable, with their entries in the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from hub.domain.books.ledger import Owner, moves
from hub.processing.deposits import OnShortage, cover_due
from hub.processing.ledger_rows import changed_order
from hub.processing.notifications import queue_moved
from hub.processing.post_entries import post
from hub.storage import Row, Tx


async def _wait(tx: Tx, unseen: Sequence[Row], now: int) -> None:
    """Let commissions wait until their orders are seen on their platforms, which are asked at once."""
    await tx.run("await_platform", commissions=[(row["account_id"], row["commission_id"]) for row in unseen])
    looks = [(row["account_id"], row["asks"], row["conversion_id"], now, 1) for row in unseen]
    await tx.run("want_looks", looks=looks)


async def release_holds(tx: Tx, due: Sequence[Row], now: int, on_shortage: OnShortage | None = None) -> int:
    """Make the commissions of these rows of `due_holds` payable; return how many still had to be.

    Their orders are locked first: order news that is being decided comes before or after.
    """
    if not due:
        return 0
    orders = {(row["account_id"], row["commission_id"]): row["external_order_id"] for row in due}
    await tx.lock_orders([(account_id, order_id) for (account_id, _), order_id in orders.items()])
    unseen = [row for row in due if row["asks"] is not None]
    if unseen:
        await _wait(tx, unseen, now)
        due = [row for row in due if row["asks"] is None]
    needing = [row for row in due if row["needs_deposit"]]
    covered, entries = await cover_due(tx, needing, now, on_shortage) if needing else (set[tuple[str, str]](), [])
    left = covered.union((row["account_id"], row["commission_id"]) for row in due if not row["needs_deposit"])
    released = await tx.all("release_holds", due=sorted(left), now=now) if left else []
    for row in released:
        order_id = orders[row["account_id"], row["commission_id"]]
        owner = Owner(row["currency"], row["affiliate_id"], row["commission_id"], order_id)
        amount = row["amount_minor"]
        if amount:
            found = moves(owner, ("held", amount), ("payable", amount), "hold ended")
            entries += [(row["account_id"], each) for each in found]
    await post(tx, entries, now)
    changes = [changed_order(row["account_id"], row["conversion_id"]) for row in released]
    if changes:
        await tx.run("note_changed_orders", changes=changes)
    held = {row["commission_id"]: row["state"] for row in due}
    await queue_moved(
        tx, {(row["account_id"], row["conversion_id"]): held[row["commission_id"]] for row in released}, now
    )
    return len(released)

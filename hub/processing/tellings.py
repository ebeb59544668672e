"""What the clock tells people of: orders that wait for a review, stores that fell silent, commissions that ended.

Each is told once: a mark says up to where an account was told. Nothing of it is on the way of an order.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from hub.processing.notices import tell
from hub.processing.silent_connections import SILENT_MS
from hub.storage import Store, Tx

MOST_COUNTED: Final = 1_001
AT_ONCE: Final = 200


async def tell_of_reviews(store: Store, now: int) -> int:
    """Tell merchants of live orders that wait for a review since they were last told; return how many merchants."""
    async with store.write() as tx:
        waiting = await tx.all("reviews_to_tell", limit=MOST_COUNTED)
        for row in waiting:
            number = "More than 1,000" if row["orders"] >= MOST_COUNTED else f"{row['orders']:,}"
            words = "order waits" if row["orders"] == 1 else "orders wait"
            sentence = f"{number} more {words} for your review: their commissions are held until you decide."
            await tell(tx, now, "orders-to-review", row["merchant_id"], sentence, "/merchant/reviews?mode=live")
            await _mark(tx, row["account_id"], "orders-to-review", "", row["newest"])
    return len(waiting)


async def tell_of_silence(store: Store, now: int) -> int:
    """Tell merchants of live stores that delivered before and have sent nothing for a day; return of how many."""
    async with store.write() as tx:
        silent = await tx.all("silences_to_tell", before=now - SILENT_MS, limit=AT_ONCE)
        for row in silent:
            sentence = f"Your store {row['title'] or row['connector']} has sent nothing for a day."
            place = f"/merchant/connections/{row['connection_id']}?mode=live"
            await tell(tx, now, "store-silent", row["merchant_id"], sentence, place)
            await _mark(tx, row["account_id"], "store-silent", row["connection_id"], str(row["last_at"]))
    return len(silent)


async def tell_of_ended(tx: Tx, now: int, ended: list[tuple[str, str]]) -> None:
    """Tell affiliates of commissions that their orders' news ended, each once, however many.

    `ended` are (account id, conversion id) of one account; what a person rejected was told by that act.
    """
    rows = await tx.all("ended_by_news", conversions=ended)
    for affiliate_id, of_affiliate in groupby(rows, key=lambda row: row["affiliate_id"]):
        first, *others = list(of_affiliate)
        why = f"with {first['merchant_name']} ended: cancelled, returned or refunded in full."
        if others:
            sentence, place = f"{len(others) + 1} of your commissions {why}", "/affiliate/commissions?state=REJECTED"
        else:
            sentence = f"Your commission for order {first['external_order_id']} {why}"
            place = f"/affiliate/commissions/{first['commission_id']}"
        await tell(tx, now, "commission-ended", affiliate_id, sentence, place)


async def _mark(tx: Tx, account_id: str, kind: str, subject_id: str, mark: str) -> None:
    await tx.run("write_told_mark", account_id=account_id, kind=kind, subject_id=subject_id, mark=mark)

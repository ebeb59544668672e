"""Payments of a run that arrived: marked and booked, and the run ended once nothing of it is under way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hub.clock import Clock
from hub.domain.books.ledger import Movement, Place
from hub.operations.errors import OperatorFault
from hub.operations.money.payouts.payout_documents import RunDocument
from hub.operations.money.payouts.payout_exchanges import at_bank, sent_words
from hub.operations.money.payouts.payout_release import Entries, item_key, move_item
from hub.operations.money.payouts.payout_runs import found_run
from hub.operations.money.payouts.report_reading import Reading
from hub.operations.notices import tell
from hub.operations.trail import note_act
from hub.processing.noted_rows import items_of, note_rows
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx


class SettlementDocument(RunDocument):
    """A run after what the bank said: how many payments arrived, came back, are under way, and are questions."""

    settled: int
    returned: int
    pending: int
    questions: int


async def settle_payments(tx: Tx, arrived: Sequence[tuple[Row, str]], now: int) -> None:
    """Mark payments as arrived, each under its reference; those that were meanwhile are passed over.

    Raise `OperatorFault` for one that somebody settled under another reference at the same moment.
    """
    moved, entries = list[Row](), Entries()
    for item, reference in arrived:
        if await move_item(tx, item, "SETTLED", ("RELEASED", "RELEASED"), reference=reference, settled_at=now):
            shares = await tx.all("paid_by_account", **item_key(item))
            moves = [(share["account_id"], _settling(item, share)) for share in shares if share["minor"]]
            entries += at_bank(item, shares, moves)
            moved.append(item)
            words = f"You are paid {sent_words(item)}."
            if item["mode"] == "live":
                await tell(tx, now, "payment-settled", item["affiliate_id"], words, "/affiliate/payouts")
        else:
            await _refuse_if_other(tx, item, reference)
    await post(tx, entries, now)
    await note_rows(tx, now, {"payout_items": items_of(moved)})


async def _refuse_if_other(tx: Tx, item: Row, reference: str) -> None:
    for row in await tx.all("payout_items_to", payout_id=item["payout_id"], affiliate_id=item["affiliate_id"]):
        if item_key(row) == item_key(item):
            refuse_other_reference(row, reference)


def _settling(item: Row, share: Row) -> Movement:
    places: tuple[Place, Place] = ("payout", "bank") if share["minor"] > 0 else ("bank", "payout")
    return Movement("settled", *places, abs(share["minor"]), item["currency"], item["affiliate_id"], None, None, None,
                    item["payout_id"])  # fmt: skip


def refuse_other_reference(item: Row, reference: str) -> None:
    """Raise `OperatorFault` for a payment that was settled under another reference."""
    if item["status"] == "SETTLED" and item["reference"] != reference:
        raise settled_otherwise(item)


def settled_otherwise(item: Row) -> OperatorFault:
    """Return the fault of a payment that was settled under another reference."""
    return OperatorFault(
        f"The payment of {item['affiliate_id']} was settled already, under {item['reference']!r}; nothing was done."
    )


async def end_settlement(
    store: Store, clock: Clock, payout_id: str, reference: str, reading: Reading
) -> SettlementDocument:
    """Mark a run as settled of which nothing is under way, note what was done, and return the run."""
    sums = {"settled": reading.counts["ARRIVED"], "returned": reading.counts["RETURNED"]}
    async with store.write() as tx:
        ended, now = await tx.run("end_settlement", payout_id=payout_id), clock()
        if ended:
            await note_rows(tx, now, {"payouts": [(payout_id,)]})
        if ended or any(sums.values()):
            await note_act(tx, now, "payout.settled", payout_id, after={"reference": reference, **sums})
        await reading.finish(tx)
    return await settlement_of(store, payout_id, reading.counts)


async def settlement_of(store: Store, payout_id: str, counts: Mapping[str, int]) -> SettlementDocument:
    """Return a run after what the bank said, of which so many lines had each verdict."""
    async with store.read() as tx:
        run = await found_run(tx, payout_id)
    return {
        **run,
        "settled": counts.get("ARRIVED", 0),
        "returned": counts.get("RETURNED", 0),
        "pending": counts.get("UNDER_WAY", 0),
        "questions": counts.get("QUESTION", 0),
    }

"""Payments that came back: their amount is the affiliate's balance again; and returns that were a mistake."""

from __future__ import annotations

from collections.abc import Sequence

from hub.clock import Clock
from hub.domain.books.ledger import Movement, Place
from hub.ids import new_id
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payouts.four_eyes import note_alone, paid_by
from hub.operations.money.payouts.payout_documents import RunDocument, require_run
from hub.operations.money.payouts.payout_exchanges import at_bank
from hub.operations.money.payouts.payout_release import Entries, item_key, move_item, reopen
from hub.operations.money.payouts.payout_runs import found_run
from hub.operations.notices import tell
from hub.operations.references import affiliate_id_of
from hub.operations.trail import current_actor, note_act
from hub.processing.adjustments import BY_RULE, Adjustment
from hub.processing.noted_rows import items_of, note_rows
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx


async def return_payment(
    store: Store, clock: Clock, payout_id: str, affiliate: str, reason: str, currency: str | None = None
) -> RunDocument:
    """Note that a payment of a run came back: its amount is the affiliate's balance again, for the next run.

    Repeating it changes nothing. Without a currency, all payments to the affiliate came back. Raise `OperatorFault` if
    the run pays the affiliate nothing.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        items = await _payments_to(tx, payout_id, affiliate, currency)
        await take_back(tx, [(item, why) for item in items], clock())
        return await found_run(tx, payout_id)


async def reinstate_payment(
    store: Store, clock: Clock, payout_id: str, affiliate: str, reason: str, currency: str | None = None
) -> RunDocument:
    """Take back a mistaken return: the payment is as it was before, and the balance that was reopened is not.

    If a run has paid that balance again meanwhile, the affiliate has it twice and owes it. Raise `OperatorFault` if no
    payment to the affiliate came back, and if a run that is not released has reserved the balance.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        items = [item for item in await _payments_to(tx, payout_id, affiliate, currency)
                 if item["status"] == "RETURNED"]  # fmt: skip
        if not items:
            raise OperatorFault(f"No payment of payout {payout_id} to {affiliate} came back; nothing was done.")
        await _reinstate(tx, items, why, clock())
        return await found_run(tx, payout_id)


async def _payments_to(tx: Tx, payout_id: str, affiliate: str, currency: str | None) -> list[Row]:
    """Return what a run paid an affiliate; raise `OperatorFault` if that is nothing."""
    await require_run(tx, payout_id)
    affiliate_id = await affiliate_id_of(tx, affiliate)
    items = [item for item in await tx.all("payout_items_to", payout_id=payout_id, affiliate_id=affiliate_id)
             if (currency is None or item["currency"] == currency)
             and item["status"] in ("RELEASED", "SETTLED", "RETURNED")]  # fmt: skip
    if not items:
        raise OperatorFault(f"Payout {payout_id} has paid nothing to {affiliate_id}; nothing was done.")
    return items


async def take_back(tx: Tx, came_back: Sequence[tuple[Row, str]], now: int) -> None:
    """Mark payments as returned, each with the reason, and end their run if nothing of it is under way any more.

    Those that had come back before are passed over. The others count towards what the one who acts pays alone, also
    where a file says it: it may be the bank's, or written by hand.
    """
    moved, made, entries = list[tuple[Row, str]](), list[Adjustment](), Entries()
    for item, reason in came_back:
        if await move_item(tx, item, "RETURNED", ("RELEASED", "SETTLED"), returned=reason):
            text = f"The payment of payout {item['payout_id']} came back: {reason}"
            shares = await tx.all("paid_by_account", **item_key(item))
            more, its = await reopen(tx, item, shares, _place_of(item), "returned", text, now)
            made += more
            entries += its
            moved.append((item, reason))
    ended = {(item["payout_id"],) for item, _ in came_back
             if await tx.run("end_settlement", payout_id=item["payout_id"])}  # fmt: skip
    await post(tx, entries, now)
    corrections = [(each.account_id, each.adjustment_id) for each in made]
    await note_rows(tx, now, {"payout_items": items_of(item for item, _ in moved), "adjustments": corrections,
                              "payouts": ended})  # fmt: skip
    for item, reason in moved:
        after = {"affiliateId": item["affiliate_id"], "currency": item["currency"], "reason": reason}
        await note_act(tx, now, "payout.returned", item["payout_id"], after=after)
        words = f"A payment to you came back: {reason}. Check your payment details."
        if item["mode"] == "live":
            await tell(tx, now, "payment-returned", item["affiliate_id"], words, "/affiliate/payouts")
    paid = paid_by(item for item, _ in moved if item["mode"] == "live")
    if paid:
        await note_alone(tx, now, "payout.returned", paid)


async def _reinstate(tx: Tx, items: Sequence[Row], reason: str, now: int) -> None:
    """Take back the returns of payments of one run."""
    entries, corrections = Entries(), list[tuple[str, str]]()
    for item in items:
        shares = [share for share in await tx.all("paid_by_account", **item_key(item)) if share["minor"]]
        free = await _reopened(tx, item, shares)
        again = [(row["account_id"], row["adjustment_id"]) for row in free]
        await tx.run("reject_reopened", corrections=again, decided_by=current_actor().id, now=now)
        paid_again = [share for share in shares if share["account_id"] not in dict(again)]
        owed = _paid_twice(item, paid_again, reason, now)
        if owed:
            await tx.run("insert_adjustments", adjustments=owed)
        moves = [(row["account_id"], _back_again(item, row)) for row in free]
        entries += at_bank(item, shares, [*moves, *((each.account_id, _owing(item, each)) for each in owed)])
        corrections += [*again, *((each.account_id, each.adjustment_id) for each in owed)]
        status = "RELEASED" if item["settled_at"] is None else "SETTLED"
        await tx.run("reinstate_payment", **item_key(item), status=status)
    run = items[0]["payout_id"]
    reopened = await tx.run("reopen_settlement", payout_id=run)
    await post(tx, entries, now)
    await note_rows(tx, now, {"payout_items": items_of(items), "adjustments": corrections,
                              "payouts": [(run,)] if reopened else []})  # fmt: skip
    for item in items:
        after = {"affiliateId": item["affiliate_id"], "currency": item["currency"], "reason": reason}
        await note_act(tx, now, "payout.reinstated", run, after=after)


async def _reopened(tx: Tx, item: Row, shares: Sequence[Row]) -> list[Row]:
    """Return what the return of a payment reopened and no run has taken; what is missing was paid again.

    A correction that reopened a share is of its amount. Others of earlier returns say that the affiliate owes as much.
    Raise `OperatorFault` for one that a run which is not released has reserved.
    """
    minors = {share["account_id"]: share["minor"] for share in shares}
    rows = await tx.all("reopened_by_returns", **item_key(item))
    found = [row for row in rows if row["amount_minor"] == minors.get(row["account_id"])]
    if any(row["reserved"] for row in found):
        raise OperatorFault(
            f"The balance that the return to {item['affiliate_id']} reopened is in a run already; nothing was done.",
            command="Cancel that run first: hub payout list",
        )
    return found


def _paid_twice(item: Row, shares: Sequence[Row], reason: str, now: int) -> list[Adjustment]:
    """Return what an affiliate owes whose payment had arrived although a later run has paid its balance again."""
    text = f"The payment of payout {item['payout_id']} had arrived, and was paid again: {reason}"
    return [
        Adjustment(share["account_id"], new_id("adj"), item["affiliate_id"], "returned", -share["minor"],
                   item["currency"], text, None, None, None, item["payout_id"], "APPROVED", BY_RULE, now, BY_RULE, now,
                   None)
        for share in shares
    ]  # fmt: skip


def _owing(item: Row, owed: Adjustment) -> Movement:
    """Return the entry by which a payment that had arrived is a debt of its affiliate."""
    place = _place_of(item)
    places: tuple[Place, Place] = ("adjustments", place) if owed.amount_minor < 0 else (place, "adjustments")
    return Movement("returned", *places, abs(owed.amount_minor), owed.currency, owed.affiliate_id, None,
                    owed.adjustment_id, None, item["payout_id"])  # fmt: skip


def _back_again(item: Row, row: Row) -> Movement:
    """Return the entry that takes a return back, for one of its corrections."""
    place = _place_of(item)
    places: tuple[Place, Place] = ("adjustments", place) if row["amount_minor"] > 0 else (place, "adjustments")
    return Movement("returned", *places, abs(row["amount_minor"]), item["currency"], item["affiliate_id"], None,
                    row["adjustment_id"], None, item["payout_id"])  # fmt: skip


def _place_of(item: Row) -> Place:
    """Return where the money of a payment was before it came back."""
    return "payout" if item["settled_at"] is None else "bank"

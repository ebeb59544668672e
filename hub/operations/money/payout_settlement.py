"""What became of a run's payments: they arrived, under the bank's reference, came back, or are still under way.

What the bank says is checked whole before anything is noted. A later word that contradicts an earlier one, such as a
payment that arrived after it came back, changes nothing: it is a question, which a person answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from attrs import field, frozen

from hub.clock import Clock
from hub.domain.ledger import Movement, Place
from hub.operations.checks import checked_name, checked_reference
from hub.operations.errors import OperatorFault
from hub.operations.money.four_eyes import Payment, note_alone
from hub.operations.money.payout_documents import RunDocument, require_run
from hub.operations.money.payout_release import item_key, move_item, reopen
from hub.operations.money.payout_results import Match, Result, match_results
from hub.operations.money.payout_runs import RUN_LOCK, found_run
from hub.operations.references import affiliate_id_of
from hub.operations.trail import current_actor, note_act
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

AT_ONCE: Final = 100
"""So many payments are settled in one transaction."""


class SettlementDocument(RunDocument):
    """A run after what the bank said: how many payments arrived, came back, are under way, and are questions."""

    settled: int
    returned: int
    pending: int
    questions: int


@frozen
class Chosen:
    """Which payments of a run are settled: those of a file, of an affiliate, or all that are in a file."""

    file_id: str | None = None
    affiliate: str | None = None
    currency: str | None = None


@frozen
class Outcomes:
    """What is to be noted: payments that arrived, each with its reference, came back, and contradict what is known."""

    arrived: list[tuple[Row, str]] = field(factory=list)
    came_back: list[tuple[Row, str]] = field(factory=list)
    under_way: list[Row] = field(factory=list)
    questions: list[tuple[Row, str]] = field(factory=list)


ALL: Final = Chosen()


async def settle_run(
    store: Store, clock: Clock, payout_id: str, reference: str, results: Iterable[Result] | None = None,
    chosen: Chosen = ALL,
) -> SettlementDocument:  # fmt: skip
    """Mark payments of a released run as arrived under a reference, or do what the bank's results say of each.

    Without results those of `chosen` arrived. Repeating it changes nothing. Raise `OperatorFault`, before anything is
    noted, if the run is not released, for a payment that no file had and that is not named, for one that was settled
    under another reference, and for a result of a payment that the run does not make.
    """
    payment = checked_reference(reference)
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        items = [item for item in await tx.all("payout_items_of", payout_id=payout_id) if item["status"] != "CARRIED"]
        files = await tx.all("payout_files_of", payout_id=payout_id)
        affiliate_id = None if chosen.affiliate is None else await affiliate_id_of(tx, chosen.affiliate)
    if run["status"] not in ("RELEASED", "SETTLED"):
        raise OperatorFault(f"Payout {payout_id} is {run['status']}; only a RELEASED one can be settled.")
    if results is None:
        outcomes = _arrived(_named(run, items, chosen, affiliate_id), payment)
    else:
        messages = {row["message_id"]: row["file_id"] for row in files}
        # A bank's file may have a hundred thousand payments: whoever else is served does not wait for it.
        outcomes = decide(await asyncio.to_thread(match_results, payout_id, items, messages, list(results)), payment)
    await _note(store, clock, payout_id, outcomes)
    return await _ended(store, clock, payout_id, payment, outcomes)


def _named(run: Row, items: Sequence[Row], chosen: Chosen, affiliate_id: str | None) -> list[Row]:
    """Return the payments that are settled together; raise `OperatorFault` if one of them was in no file."""
    payout_id = run["payout_id"]
    if affiliate_id is not None:
        found = [item for item in items if item["affiliate_id"] == affiliate_id
                 and chosen.currency in (None, item["currency"])]  # fmt: skip
        if not found:
            raise OperatorFault(f"Payout {payout_id} has paid nothing to {affiliate_id}; nothing was done.")
        return found
    if chosen.file_id is not None:
        found = [item for item in items if item["file_id"] == chosen.file_id]
        if not found:
            raise OperatorFault(f"Payout {payout_id} has no payments in a file {chosen.file_id}; nothing was done.")
        return found
    loose = [item for item in items if item["status"] == "RELEASED" and item["file_id"] is None]
    if loose and run["mode"] == "live":
        raise OperatorFault(
            f"{len(loose)} of {len(items)} payments of payout {payout_id} are in no file, so nobody has paid them; "
            f"nothing was done.",
            command="Write their file (hub payout export), or settle by --file FILE or --affiliate AFF.",
        )
    return list(items)


def _arrived(items: Iterable[Row], reference: str) -> Outcomes:
    """Return payments as arrived; raise `OperatorFault` if one was settled under another reference."""
    outcomes = Outcomes()
    for item in items:
        if item["status"] == "SETTLED" and item["reference"] != reference:
            raise OperatorFault(
                f"The payment of {item['affiliate_id']} was settled already, under {item['reference']!r}; "
                "nothing was done."
            )
        if item["status"] == "RELEASED":
            outcomes.arrived.append((item, reference))
    return outcomes


def decide(matches: Iterable[Match], reference: str) -> Outcomes:
    """Return what the bank's results mean beside what is known of each payment."""
    outcomes = Outcomes()
    for item, result in matches:
        match result.outcome:
            case "under_way":
                outcomes.under_way.append(item)
            case "returned":
                if item["status"] != "RETURNED":
                    outcomes.came_back.append((item, result.reason))
            case "paid":
                if item["status"] == "RELEASED":
                    outcomes.arrived.append((item, result.reference or reference))
                elif item["status"] == "RETURNED":
                    outcomes.questions.append((item, result.reference or reference))
            case _:
                assert_never(result.outcome)
    return outcomes


async def _note(store: Store, clock: Clock, payout_id: str, outcomes: Outcomes) -> None:
    """Note outcomes, some payments in each transaction; whatever was noted before is passed over."""
    for start in range(0, len(outcomes.arrived), AT_ONCE):
        async with store.write() as tx:
            for item, reference in outcomes.arrived[start : start + AT_ONCE]:
                await _settle(tx, item, reference, clock())
    for start in range(0, len(outcomes.came_back), AT_ONCE):
        async with store.write() as tx:
            await tx.lock_orders(RUN_LOCK)
            for item, reason in outcomes.came_back[start : start + AT_ONCE]:
                await _take_back(tx, item, reason, clock())
    if outcomes.questions:
        async with store.write() as tx:
            for item, reference in outcomes.questions:
                question = f"The bank says under {reference!r} that it arrived, after it came back."
                await tx.run("question_payment", **item_key(item), question=question)
            after = {"affiliates": [item["affiliate_id"] for item, _ in outcomes.questions[:AT_ONCE]]}
            await note_act(tx, clock(), "payout.questioned", payout_id, after=after)


async def _ended(store: Store, clock: Clock, payout_id: str, reference: str, outcomes: Outcomes) -> SettlementDocument:
    """Mark a run as settled of which nothing is under way, note what was done, and return the run."""
    sums = {"settled": len(outcomes.arrived), "returned": len(outcomes.came_back)}
    async with store.write() as tx:
        ended = await tx.run("end_settlement", payout_id=payout_id)
        if ended or any(sums.values()):
            await note_act(tx, clock(), "payout.settled", payout_id, after={"reference": reference, **sums})
        run = await found_run(tx, payout_id)
    return {
        **run,
        "settled": len(outcomes.arrived),
        "returned": len(outcomes.came_back),
        "pending": len(outcomes.under_way),
        "questions": len(outcomes.questions),
    }


async def _settle(tx: Tx, item: Row, reference: str, now: int) -> None:
    if await move_item(tx, item, "SETTLED", ("RELEASED", "RELEASED"), reference=reference, settled_at=now):
        shares = await tx.all("paid_by_account", **item_key(item))
        await post(tx, [(share["account_id"], _settling(item, share)) for share in shares if share["minor"]], now)


def _settling(item: Row, share: Row) -> Movement:
    places: tuple[Place, Place] = ("payout", "bank") if share["minor"] > 0 else ("bank", "payout")
    return Movement("settled", *places, abs(share["minor"]), item["currency"], item["affiliate_id"], None, None, None,
                    item["payout_id"])  # fmt: skip


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
        run = await require_run(tx, payout_id)
        for item in await _payments_to(tx, payout_id, affiliate, currency):
            if await _take_back(tx, item, why, clock()) and run["mode"] == "live":
                payment = Payment(item["affiliate_id"], item["currency"], item["amount_minor"])
                await note_alone(tx, clock(), "payout.returned", [payment])
        await tx.run("end_settlement", payout_id=payout_id)
        return await found_run(tx, payout_id)


async def reinstate_payment(
    store: Store, clock: Clock, payout_id: str, affiliate: str, reason: str, currency: str | None = None
) -> RunDocument:
    """Take back a mistaken return: the payment is as it was before, and the balance that was reopened is not.

    Raise `OperatorFault` if no payment to the affiliate came back, and if a run has taken the balance along meanwhile.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        items = [item for item in await _payments_to(tx, payout_id, affiliate, currency)
                 if item["status"] == "RETURNED"]  # fmt: skip
        if not items:
            raise OperatorFault(f"No payment of payout {payout_id} to {affiliate} came back; nothing was done.")
        for item in items:
            await _reinstate(tx, item, why, clock())
        await tx.run("reopen_settlement", payout_id=payout_id)
        return await found_run(tx, payout_id)


async def _payments_to(tx: Tx, payout_id: str, affiliate: str, currency: str | None) -> list[Row]:
    """Return what a run paid an affiliate; raise `OperatorFault` if that is nothing."""
    await require_run(tx, payout_id)
    affiliate_id = await affiliate_id_of(tx, affiliate)
    items = [item for item in await tx.all("payout_items_of", payout_id=payout_id)
             if item["affiliate_id"] == affiliate_id and (currency is None or item["currency"] == currency)
             and item["status"] in ("RELEASED", "SETTLED", "RETURNED")]  # fmt: skip
    if not items:
        raise OperatorFault(f"Payout {payout_id} has paid nothing to {affiliate_id}; nothing was done.")
    return items


async def _take_back(tx: Tx, item: Row, reason: str, now: int) -> bool:
    """Reopen the balance of a payment that came back; return whether it had not come back before."""
    if not await move_item(tx, item, "RETURNED", ("RELEASED", "SETTLED"), returned=reason):
        return False
    shares = await tx.all("paid_by_account", **item_key(item))
    text = f"The payment of payout {item['payout_id']} came back: {reason}"
    await reopen(tx, item, shares, _place_of(item), "returned", text, now)
    after = {"affiliateId": item["affiliate_id"], "currency": item["currency"], "reason": reason}
    await note_act(tx, now, "payout.returned", item["payout_id"], after=after)
    return True


async def _reinstate(tx: Tx, item: Row, reason: str, now: int) -> None:
    shares = [share for share in await tx.all("paid_by_account", **item_key(item)) if share["minor"]]
    rejected = await tx.all("reject_returned_adjustments", **item_key(item), decided_by=current_actor().id, now=now)
    if len(rejected) != len(shares):
        raise OperatorFault(
            f"The balance that the return to {item['affiliate_id']} reopened is in a run already; nothing was done.",
            command="Cancel that run, or take the money back with a correction: hub adjustment create --help",
        )
    status = "RELEASED" if item["settled_at"] is None else "SETTLED"
    await tx.run("reinstate_payment", **item_key(item), status=status)
    entries = []
    for row in rejected:
        place: Place = _place_of(item)
        places: tuple[Place, Place] = ("adjustments", place) if row["amount_minor"] > 0 else (place, "adjustments")
        entries.append((row["account_id"], Movement("returned", *places, abs(row["amount_minor"]), item["currency"],
                        item["affiliate_id"], None, row["adjustment_id"], None, item["payout_id"])))  # fmt: skip
    await post(tx, entries, now)
    after = {"affiliateId": item["affiliate_id"], "currency": item["currency"], "reason": reason}
    await note_act(tx, now, "payout.reinstated", item["payout_id"], after=after)


def _place_of(item: Row) -> Place:
    """Return where the money of a payment was before it came back."""
    return "payout" if item["settled_at"] is None else "bank"

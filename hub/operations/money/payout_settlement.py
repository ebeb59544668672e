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
from hub.operations.checks import checked_reference
from hub.operations.errors import OperatorFault
from hub.operations.money.payout_documents import FIRST_ITEM, ItemPlace, RunDocument, require_run
from hub.operations.money.payout_exchanges import at_bank, sent_words
from hub.operations.money.payout_release import Entries, item_key, move_item
from hub.operations.money.payout_results import Match, Matching, Result
from hub.operations.money.payout_returns import take_back
from hub.operations.money.payout_runs import RUN_LOCK, found_run, pages_of_items
from hub.operations.notices import tell
from hub.operations.references import affiliate_id_of
from hub.operations.trail import note_act
from hub.processing.noted_rows import items_of, note_rows
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

    Without results those of `chosen` arrived; results of a chosen file name payments of that file alone. Repeating it
    changes nothing. Raise `OperatorFault`, before anything is noted, if the run is not released, for a payment that no
    file had and that is not named, for one that was settled under another reference, and for a result of a payment that
    the run does not make.
    """
    payment = checked_reference(reference)
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        affiliate_id = None if chosen.affiliate is None else await affiliate_id_of(tx, chosen.affiliate)
    if run["status"] not in ("RELEASED", "SETTLED"):
        raise OperatorFault(f"Payout {payout_id} is {run['status']}; only a RELEASED one can be settled.")
    if results is not None:
        outcomes = decide(await _matches(store, payout_id, chosen, list(results)), payment)
    elif affiliate_id is not None:
        async with store.read() as tx:
            items = await tx.all("payout_items_to", payout_id=payout_id, affiliate_id=affiliate_id)
        outcomes = _arrived(_named(run, items, chosen, affiliate_id), payment)
    else:
        return await _settle_all(store, clock, run, payment, chosen.file_id)
    await _note(store, clock, payout_id, outcomes)
    return await _ended(store, clock, payout_id, payment, outcomes)


async def _matches(store: Store, payout_id: str, chosen: Chosen, results: list[Result]) -> list[Match]:
    """Return the payments that a bank's results name, in one go over the run's payments."""
    async with store.read() as tx:
        files = await tx.all("payout_files_of", payout_id=payout_id)
    messages = {row["message_id"]: row["file_id"] for row in files}
    # A bank's file may have a hundred thousand payments: whoever else is served does not wait for it.
    matching = await asyncio.to_thread(Matching, payout_id, messages, results)
    async with store.read() as tx:
        async for items in pages_of_items(tx, payout_id, file_id=chosen.file_id):
            matching.look_at(item for item in items if item["status"] != "CARRIED")
    return await asyncio.to_thread(matching.matches)


async def _settle_all(
    store: Store, clock: Clock, run: Row, reference: str, file_id: str | None
) -> SettlementDocument:  # fmt: skip
    """Settle all payments of a file, or all that are in files, some of them in each transaction.

    Raise `OperatorFault`, before anything is noted, if there are none, if one was settled under another reference, and
    if one of a whole run is in no file.
    """
    payout_id, count = run["payout_id"], 0
    async with store.read() as tx:
        await _refuse_loose(tx, run, file_id)
        other = await tx.one("settled_otherwise", payout_id=payout_id, reference=reference, file_id=file_id)
        if other is not None:
            raise _settled_otherwise(other)
    place: ItemPlace | None = FIRST_ITEM
    while place is not None:
        async with store.write() as tx:
            await tx.lock_orders(RUN_LOCK)
            items = await tx.all(
                "payout_items_page", payout_id=payout_id, **place._asdict(), status=None, file_id=file_id, limit=AT_ONCE
            )
            # What was taken out of its file meanwhile is in none by now, and nobody has paid it.
            paid = [each for each in _arrived(items, reference).arrived
                    if each[0]["file_id"] is not None or run["mode"] == "test"]  # fmt: skip
            if paid:
                await _settle(tx, paid, clock())
        count += len(paid)
        place = ItemPlace.of(items[-1]) if items else None
    return await _ended(store, clock, payout_id, reference, Outcomes(), count)


async def _refuse_loose(tx: Tx, run: Row, file_id: str | None) -> None:
    payout_id = run["payout_id"]
    if file_id is not None:
        if not await tx.all("payout_items_page", payout_id=payout_id, **FIRST_ITEM._asdict(), status=None,
                            file_id=file_id, limit=1):  # fmt: skip
            raise OperatorFault(f"Payout {payout_id} has no payments in a file {file_id}; nothing was done.")
        return
    row = await tx.one("loose_payments", payout_id=payout_id)
    if row is not None and row["loose"] and run["mode"] == "live":
        raise OperatorFault(
            f"{row['loose']} of {row['payments']} payments of payout {payout_id} are in no file, so nobody has paid "
            f"them; nothing was done.",
            command="Write their file (hub payout export), or settle by --file FILE or --affiliate AFF.",
        )


def _named(run: Row, items: Sequence[Row], chosen: Chosen, affiliate_id: str) -> list[Row]:
    """Return the payments to an affiliate that are settled; raise `OperatorFault` if there are none."""
    found = [item for item in items if item["status"] != "CARRIED" and chosen.currency in (None, item["currency"])]
    if not found:
        raise OperatorFault(f"Payout {run['payout_id']} has paid nothing to {affiliate_id}; nothing was done.")
    return found


def _arrived(items: Iterable[Row], reference: str) -> Outcomes:
    """Return payments as arrived; raise `OperatorFault` if one was settled under another reference."""
    outcomes = Outcomes()
    for item in items:
        _refuse_other_reference(item, reference)
        if item["status"] == "RELEASED":
            outcomes.arrived.append((item, reference))
    return outcomes


def _refuse_other_reference(item: Row, reference: str) -> None:
    if item["status"] == "SETTLED" and item["reference"] != reference:
        raise _settled_otherwise(item)


def _settled_otherwise(item: Row) -> OperatorFault:
    return OperatorFault(
        f"The payment of {item['affiliate_id']} was settled already, under {item['reference']!r}; nothing was done."
    )


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
            await tx.lock_orders(RUN_LOCK)
            await _settle(tx, outcomes.arrived[start : start + AT_ONCE], clock())
    for start in range(0, len(outcomes.came_back), AT_ONCE):
        async with store.write() as tx:
            await tx.lock_orders(RUN_LOCK)
            await take_back(tx, outcomes.came_back[start : start + AT_ONCE], clock())
    if outcomes.questions:
        async with store.write() as tx:
            for item, reference in outcomes.questions:
                question = f"The bank says under {reference!r} that it arrived, after it came back."
                await tx.run("question_payment", **item_key(item), question=question)
            now = clock()
            await note_rows(tx, now, {"payout_items": items_of(item for item, _ in outcomes.questions)})
            after = {"affiliates": [item["affiliate_id"] for item, _ in outcomes.questions[:AT_ONCE]]}
            await note_act(tx, now, "payout.questioned", payout_id, after=after)


async def _ended(
    store: Store, clock: Clock, payout_id: str, reference: str, outcomes: Outcomes, settled: int | None = None
) -> SettlementDocument:  # fmt: skip
    """Mark a run as settled of which nothing is under way, note what was done, and return the run."""
    sums = {
        "settled": len(outcomes.arrived) if settled is None else settled, "returned": len(outcomes.came_back),
    }  # fmt: skip
    async with store.write() as tx:
        ended, now = await tx.run("end_settlement", payout_id=payout_id), clock()
        if ended:
            await note_rows(tx, now, {"payouts": [(payout_id,)]})
        if ended or any(sums.values()):
            await note_act(tx, now, "payout.settled", payout_id, after={"reference": reference, **sums})
        run = await found_run(tx, payout_id)
    return {
        **run,
        "settled": sums["settled"],
        "returned": sums["returned"],
        "pending": len(outcomes.under_way),
        "questions": len(outcomes.questions),
    }


async def _settle(tx: Tx, arrived: Sequence[tuple[Row, str]], now: int) -> None:
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
            await _refuse_if_settled_otherwise(tx, item, reference)
    await post(tx, entries, now)
    await note_rows(tx, now, {"payout_items": items_of(moved)})


async def _refuse_if_settled_otherwise(tx: Tx, item: Row, reference: str) -> None:
    for row in await tx.all("payout_items_to", payout_id=item["payout_id"], affiliate_id=item["affiliate_id"]):
        if item_key(row) == item_key(item):
            _refuse_other_reference(row, reference)


def _settling(item: Row, share: Row) -> Movement:
    places: tuple[Place, Place] = ("payout", "bank") if share["minor"] > 0 else ("bank", "payout")
    return Movement("settled", *places, abs(share["minor"]), item["currency"], item["affiliate_id"], None, None, None,
                    item["payout_id"])  # fmt: skip

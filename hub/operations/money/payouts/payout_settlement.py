"""What became of a run's payments: they arrived, under the bank's reference, came back, or are still under way.

What the bank says is checked whole before anything is noted. A later word that contradicts an earlier one, such as a
payment that arrived after it came back, changes nothing: it is a question, which a person answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.operations.checks import checked_reference
from hub.operations.errors import OperatorFault
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payouts.arrived_payments import (
    SettlementDocument,
    end_settlement,
    refuse_other_reference,
    settle_payments,
    settled_otherwise,
)
from hub.operations.money.payouts.payout_documents import ItemPlace, require_run
from hub.operations.money.payouts.payout_outcomes import AT_ONCE, settle_by_results
from hub.operations.money.payouts.payout_results import Result
from hub.operations.money.payouts.report_reading import Reading
from hub.operations.references import affiliate_id_of
from hub.storage import Row, Store, Tx


@frozen
class Chosen:
    """Which payments of a run are settled: those of a file, of an affiliate, or all that are in a file."""

    file_id: str | None = None
    affiliate: str | None = None
    currency: str | None = None


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
        return await settle_by_results(store, clock, payout_id, payment, list(results), chosen.file_id, Reading())
    if affiliate_id is None:
        return await _settle_all(store, clock, run, payment, chosen.file_id)
    async with store.write() as tx:
        await tx.lock_orders(RUN_LOCK)
        items = await tx.all("payout_items_to", payout_id=payout_id, affiliate_id=affiliate_id)
        arrived = _arrived(_named(run, items, chosen, affiliate_id), payment)
        await settle_payments(tx, arrived, clock())
    return await end_settlement(store, clock, payout_id, payment, Reading(counts=Counter(ARRIVED=len(arrived))))


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
            raise settled_otherwise(other)
    place: ItemPlace | None = ItemPlace()
    while place is not None:
        async with store.write() as tx:
            await tx.lock_orders(RUN_LOCK)
            items = await tx.all(
                "payout_items_page", payout_id=payout_id, **place._asdict(), status=None, file_id=file_id, limit=AT_ONCE
            )
            # What was taken out of its file meanwhile is in none by now, and nobody has paid it.
            paid = [each for each in _arrived(items, reference)
                    if each[0]["file_id"] is not None or run["mode"] == "test"]  # fmt: skip
            if paid:
                await settle_payments(tx, paid, clock())
        count += len(paid)
        place = ItemPlace.of(items[-1]) if items else None
    return await end_settlement(store, clock, payout_id, reference, Reading(counts=Counter(ARRIVED=count)))


async def _refuse_loose(tx: Tx, run: Row, file_id: str | None) -> None:
    payout_id = run["payout_id"]
    if file_id is not None:
        if not await tx.all("payout_items_page", payout_id=payout_id, **ItemPlace()._asdict(), status=None,
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


def _arrived(items: Iterable[Row], reference: str) -> list[tuple[Row, str]]:
    """Return payments as arrived; raise `OperatorFault` if one was settled under another reference."""
    arrived = list[tuple[Row, str]]()
    for item in items:
        refuse_other_reference(item, reference)
        if item["status"] == "RELEASED":
            arrived.append((item, reference))
    return arrived

"""What became of a run's payments: they arrived, under the bank's reference, or came back."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from attrs import frozen

from hub.clock import Clock
from hub.domain.ledger import Movement, Place
from hub.domain.payout_batches import paypal_id
from hub.operations.checks import checked_name, checked_reference
from hub.operations.errors import OperatorFault
from hub.operations.money.bank_reports import ALL, looks_like_xml, read_report
from hub.operations.money.payout_documents import RunDocument, end_to_end_id, require_run, short_id
from hub.operations.money.payout_release import item_key, move_item, reopen
from hub.operations.money.payout_runs import RUN_LOCK, found_run
from hub.operations.references import affiliate_id_of
from hub.operations.trail import note_act
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx

PAID: Final = frozenset({"PAID", "SETTLED", "ACSC", "ACCP", "ACSP", "COMPLETED", "SUCCESS"})
RETURNED: Final = frozenset({"RETURNED", "RJCT", "REJECTED", "FAILED", "UNCLAIMED"})
UNDER_WAY: Final = ("RELEASED", "RELEASED")


@frozen
class Result:
    """What a bank says of one payment; `currency` is empty if it does not say which.

    `payment` names it: an affiliate's id, the end-to-end id that the hub gave it, or ALL. `run` is the message id of
    the file that is answered. With `may_be_another` it is skipped unless the run makes it: an account's notices
    report every movement. `amount_minor` is compared with what was paid, if the bank names it.
    """

    payment: str
    currency: str
    paid: bool
    reference: str
    reason: str
    run: str | None = None
    may_be_another: bool = False
    amount_minor: int | None = None


def read_results(path: Path) -> list[Result]:
    """Read a bank's result file: pain.002, camt.054 or camt.053, or CSV with the columns affiliateId and status.

    CSV may also have currency, reference and reason, and endToEndId in place of affiliateId. Raise `OperatorFault` for
    anything else.
    """
    try:
        return results_in(path.read_bytes(), path.name)
    except OSError as error:
        raise OperatorFault(f"{path} cannot be read: {error.strerror}.") from error


def results_in(content: bytes, name: str) -> list[Result]:
    """Read the content of such a file; `name` is what it is called in the `OperatorFault` for anything else."""
    if looks_like_xml(content):
        return [
            Result(each.reference, each.currency, each.paid, "", each.reason, each.run, each.run is None,
                   each.amount_minor)
            for each in read_report(content, name)
        ]  # fmt: skip
    try:
        file = io.StringIO(content.decode("utf-8-sig"), newline="")
        return [_result(row, number) for number, row in enumerate(csv.DictReader(file), start=2)]
    except (UnicodeDecodeError, csv.Error) as error:
        raise OperatorFault(f"{name} cannot be read: {error}.") from error


def _result(row: Mapping[str | None, str | None], number: int) -> Result:
    cells = {(name or "").strip().lower(): (value or "").strip() for name, value in row.items() if name is not None
             and not isinstance(value, list)}  # fmt: skip
    affiliate = cells.get("affiliateid") or cells.get("endtoendid", "")
    status = cells.get("status", "").upper()
    if not affiliate or status not in PAID | RETURNED:
        raise OperatorFault(
            f"Line {number} of the results needs an affiliateId and a status (PAID or RETURNED); nothing was done."
        )
    return Result(affiliate, cells.get("currency", ""), status in PAID, cells.get("reference", ""),
                  cells.get("reason", "") or "The bank returned it.")  # fmt: skip


async def settle_run(
    store: Store, clock: Clock, payout_id: str, reference: str, results: Iterable[Result] | None = None
) -> RunDocument:
    """Mark a released run's payments as paid under a reference, all of them or as the bank's results say.

    Repeating it changes nothing. Raise `OperatorFault` if the run is not released, if its payments were settled under
    another reference, or for a result of a payment that the run does not make.
    """
    payment = checked_reference(reference)
    async with store.read() as tx:
        run = await require_run(tx, payout_id)
        items = await tx.all("payout_items_of", payout_id=payout_id)
    if run["status"] not in ("RELEASED", "SETTLED"):
        raise OperatorFault(f"Payout {payout_id} is {run['status']}; only a RELEASED one can be settled.")
    chosen = [(item, None) for item in items] if results is None else _chosen(payout_id, items, list(results))
    for item, result in chosen:
        if result is None or result.paid:
            await _settle(store, clock, item, (result.reference if result else "") or payment)
        elif item["status"] != "RETURNED":
            await return_payment(store, clock, payout_id, item["affiliate_id"], result.reason, item["currency"])
    async with store.write() as tx:
        if await tx.run("end_settlement", payout_id=payout_id):
            await note_act(tx, clock(), "payout.settled", payout_id, after={"reference": payment})
        return await found_run(tx, payout_id)


def _chosen(payout_id: str, items: Iterable[Row], results: list[Result]) -> list[tuple[Row, Result | None]]:
    """Return the payments of a run with what the bank says of them; raise `OperatorFault` for one that it has not."""
    paid = [item for item in items if item["status"] != "CARRIED"]
    chosen: list[tuple[Row, Result | None]] = []
    for result in results:
        if result.run is not None and result.run != short_id(payout_id):
            raise OperatorFault(f"The file answers {result.run!r}, which is not payout {payout_id}; nothing was done.")
        if result.payment == ALL:
            return [(item, result) for item in paid]
        names = (result.payment, _affiliate_in(result.payment))
        found = [
            item
            for item in paid
            if item["affiliate_id"] in names
            or paypal_id(item["affiliate_id"]) in names
            or end_to_end_id(payout_id, item["affiliate_id"]) == result.payment
        ]
        found = [item for item in found if result.currency in ("", item["currency"])]  # fmt: skip
        if not found and result.may_be_another:
            continue
        if len(found) != 1:
            raise OperatorFault(
                f"The results name {result.payment} {result.currency}, of which the run has {len(found)} payments;"
                " nothing was done."
            )
        if result.amount_minor not in (None, found[0]["amount_minor"]):
            raise OperatorFault(f"The bank names another amount for {result.payment} than was paid; nothing was done.")
        chosen.append((found[0], result))
    return chosen


def _affiliate_in(payment: str) -> str:
    """Return the affiliate's id of a reference such as "pay_1/aff_1"."""
    return payment.rpartition("/")[2]


async def _settle(store: Store, clock: Clock, item: Row, reference: str) -> None:
    if item["status"] == "SETTLED" and item["reference"] != reference:
        raise OperatorFault(
            f"The payment of {item['affiliate_id']} was settled already, under {item['reference']!r}; nothing was done."
        )
    if item["status"] != "RELEASED":
        return
    async with store.write() as tx:
        now = clock()
        if await move_item(tx, item, "SETTLED", UNDER_WAY, reference=reference, settled_at=now):
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
        await require_run(tx, payout_id)
        affiliate_id = await affiliate_id_of(tx, affiliate)
        items = [item for item in await tx.all("payout_items_of", payout_id=payout_id)
                 if item["affiliate_id"] == affiliate_id and (currency is None or item["currency"] == currency)
                 and item["status"] in ("RELEASED", "SETTLED", "RETURNED")]  # fmt: skip
        if not items:
            raise OperatorFault(f"Payout {payout_id} has paid nothing to {affiliate_id}; nothing was done.")
        for item in items:
            await _take_back(tx, item, why, clock())
        await tx.run("end_settlement", payout_id=payout_id)
        return await found_run(tx, payout_id)


async def _take_back(tx: Tx, item: Row, reason: str, now: int) -> None:
    if not await move_item(tx, item, "RETURNED", ("RELEASED", "SETTLED"), returned=reason):
        return
    shares = await tx.all("paid_by_account", **item_key(item))
    place: Place = "bank" if item["status"] == "SETTLED" else "payout"
    text = f"The payment of payout {item['payout_id']} came back: {reason}"
    await reopen(tx, item, shares, place, "returned", text, now)
    after = {"affiliateId": item["affiliate_id"], "currency": item["currency"], "reason": reason}
    await note_act(tx, now, "payout.returned", item["payout_id"], after=after)

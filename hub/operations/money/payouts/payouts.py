"""Payouts: a payable commission is paid once, under a reference of the payment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.books.fees import charging
from hub.domain.books.ledger import Owner, paying
from hub.domain.changes import moment_of
from hub.domain.instants import format_instant
from hub.domain.money import format_money
from hub.operations.checks import checked_reference
from hub.operations.errors import OperatorFault, known
from hub.operations.list_filters import since_moment, with_ids
from hub.operations.lists import List, Page, Wanted, first_rows, read
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.money.payouts.four_eyes import Alternative, Payment, at_once, pay_alone
from hub.operations.money.rates.fees import fees_at_payment
from hub.operations.trail import note_act
from hub.processing.ledger_rows import changed_order
from hub.processing.notifications import queue_moved
from hub.processing.post_entries import post
from hub.records.commissions import ListedCommission, PayoutDocument
from hub.records.rows import read_row
from hub.storage import Row, Store, Tx

COMMISSIONS: Final = List("commissions")


async def pay_commission(
    store: Store, clock: Clock, settings: PayoutSettings, commission_id: str, reference: str
) -> PayoutDocument:
    """Mark a PAYABLE commission as PAID under a reference; the same reference again changes nothing.

    Raise `OperatorFault` in any other state, in test mode, if the merchant is not APPROVED, and if one person would pay
    more than `[payouts] four_eyes_above` alone within a day. Only the end of a hold makes a commission payable, which
    asks the shop and the deposit first and does not believe a clock that jumped.
    The order is locked: a refund being processed comes before or after; and so are runs, as what one person pays alone
    is added up.
    """
    payment = checked_reference(reference)
    async with store.write() as tx:
        order = await _commission(tx, commission_id)
        await tx.lock_orders([(order["account_id"], order["external_order_id"]), *RUN_LOCK])
        order = await _commission(tx, commission_id)
        now = clock()
        if order["state"] == "PAYABLE":
            await _pay_alone(tx, settings, order, now)
        paid = await tx.run(
            "pay_commission",
            account_id=order["account_id"],
            commission_id=commission_id,
            reference=payment,
            now=now,
        )
        commission = await _commission(tx, commission_id)
        if not paid:
            _refuse_other_payment(commission, payment, now)
            return _document(commission)
        await _post_payment(tx, order, payment, now)
        changed = changed_order(order["account_id"], order["conversion_id"])
        await tx.run("note_changed_orders", changes=[changed])
        await queue_moved(tx, {(order["account_id"], order["conversion_id"]): "PAYABLE"}, now)
        after = _document(commission)
        await note_act(tx, now, "commission.paid", commission_id, before=_document(order), after=after)
        return after


async def _pay_alone(tx: Tx, settings: PayoutSettings, order: Row, now: int) -> None:
    payment = Payment(order["affiliate_id"], order["currency"], order["amount_minor"])
    alternative = Alternative(
        f"Commission {order['commission_id']} is", "it is paid by a run that another person releases.",
        "hub payout create --mode live",
    )  # fmt: skip
    await pay_alone(tx, settings, now, "commission.paid", at_once(payment), alternative)


async def _post_payment(tx: Tx, order: Row, payment: str, now: int) -> None:
    """Post the entries of a commission that is paid on its own, with the network's fee."""
    owner = Owner(order["currency"], order["affiliate_id"], order["commission_id"], order["external_order_id"])
    entries = paying(owner, order["amount_minor"], "bank", f"payment {payment}")
    if entries:
        fee = (await fees_at_payment(tx, [order["account_id"]], now)).get(order["account_id"])
        entries += charging(entries[-1], order["amount_minor"], fee)
    await post(tx, [(order["account_id"], each) for each in entries], now)


def _refuse_other_payment(commission: Row, reference: str, now: int) -> None:
    name, state = commission["commission_id"], commission["state"]
    if state != "PAID":
        _refuse_merchant(commission)
        raise OperatorFault(f"Commission {name} is {state}; only a PAYABLE one can be paid.{_held(commission, now)}")
    if commission["payout_reference"] != reference:
        raise OperatorFault(
            f"Commission {name} was PAID already, on {format_instant(commission['paid_at'])} "
            f"under the reference {commission['payout_reference']!r}; nothing was done."
        )


def _held(commission: Row, now: int) -> str:
    """Return the sentence that says until when a commission is held, empty if it is not."""
    if commission["state"] not in ("HOLD", "APPROVED") or commission["hold_until"] is None:
        return ""
    until = format_instant(commission["hold_until"])
    if commission["hold_until"] > now:
        return f" It is held until {until}."
    return (
        f" Its hold ended {until}: a hub that runs makes it PAYABLE at once, unless it waits for a last look in the "
        "shop or for the merchant's deposit."
    )


def _refuse_merchant(commission: Row) -> None:
    if commission["mode"] != "live":
        raise OperatorFault(
            f"Commission {commission['commission_id']} is of test mode: no money was earned, so none is paid.",
            command="`hub commission list --mode live --state PAYABLE` shows what can be paid.",
        )
    if commission["merchant_status"] != "APPROVED":
        merchant = commission["merchant_id"]
        raise OperatorFault(
            f"Merchant {commission['merchant_name']} ({merchant}) is {commission['merchant_status']}, so its "
            f"commissions are not paid.",
            command=f"Approve it first: hub merchant approve {merchant}",
        )


async def commissions_part(
    store: Store, wanted: Wanted, within: Mapping[str, str] | None = None
) -> Page[ListedCommission]:
    """Return a part of the commissions; `merchant` and `affiliate` among the filters are references.

    `created_from` is in ms UTC. Raise `OperatorFault` for a reference that names nothing, and `CursorFault`.
    """
    async with store.read() as tx:
        return (await read(tx, COMMISSIONS, await with_ids(tx, _led(wanted)), within)).of(listed_commission)


async def numbered_commissions(store: Store, wanted: Wanted) -> Page[tuple[str, ListedCommission]]:
    """Return what `commissions_part` does, each commission with its order's number; raise as it does."""
    async with store.read() as tx:
        found = await read(tx, COMMISSIONS, await with_ids(tx, _led(wanted)))
        return found.of(lambda row: (str(row["external_order_id"]), listed_commission(row)))


async def first_commissions(store: Store, wanted: Wanted) -> list[ListedCommission]:
    """Return as many commissions as are wanted, however many have to be looked through; raise as the part does."""
    async with store.read() as tx:
        asked = await with_ids(tx, _led(wanted))
    return [listed_commission(row) for row in await first_rows(store, COMMISSIONS, asked)]


def _led(wanted: Wanted) -> Wanted:
    begins = wanted.filters.get("created_from")
    since = since_moment("com", None if begins is None else int(begins))
    return evolve(wanted, filters={**wanted.filters, "since": since})


async def _commission(tx: Tx, commission_id: str) -> Row:
    row = await tx.one("commission_anywhere", commission_id=commission_id)
    return known(row, "commission", commission_id, command="`hub commission list` shows them.")


def listed_commission(row: Row) -> ListedCommission:
    """Return the document of a commission's row with its account."""
    return read_row(ListedCommission, row, **_payout(row), updated_at=_updated_at(row))


def _updated_at(row: Row) -> int:
    """Return the moment (ms UTC) of the latest change; until that is numbered, the last that is known."""
    return int(row["updated_at"]) if row["change_number"] is None else moment_of(row["change_number"])


def _document(row: Row) -> PayoutDocument:
    return read_row(PayoutDocument, row, **_payout(row))


def _payout(row: Row) -> dict[str, str | None]:
    """Return the members of a commission that its row has under other names, or in minor units."""
    return {
        "id": row["commission_id"],
        "amount": format_money(row["amount_minor"], row["currency"]),
        "base": format_money(row["base_minor"], row["currency"]),
        "reference": row["payout_reference"],
    }

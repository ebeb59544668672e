"""Corrections of affiliates' balances: proposed by one person, approved by another, taken along by the next run."""

from __future__ import annotations

import re
from typing import Final, TypedDict

from hub.clock import Clock
from hub.config.payout_section import PayoutSettings
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import MoneyError, format_money, parse_money
from hub.domain.words import MODES, Mode
from hub.domain.writing import hidden_in, tidied
from hub.ids import new_id
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.checks import checked_currency
from hub.operations.errors import OperatorFault, unknown
from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, first_rows, read
from hub.operations.money.books.books import RUN_LOCK
from hub.operations.references import account_of, merchant_id_of
from hub.operations.second_person import why_not_second
from hub.operations.trail import current_actor, note_act
from hub.processing.adjustments import Adjustment
from hub.processing.correction_fees import entries_with_fees
from hub.processing.noted_rows import note_rows
from hub.processing.notices import tell_of_corrections
from hub.processing.post_entries import post
from hub.storage import Row, Store, Tx, pick_record

LONGEST_REASON = 500
ADJUSTMENTS: Final = List("adjustments")
_FORM_ID = re.compile(r"adj_[0-9a-f]{32}")


class AdjustmentDocument(TypedDict):
    """A correction; `amount` is decimal text in `currency`, negative if it takes money back.

    `status` is PROPOSED, APPROVED, PAID (in the run `payoutId`) or REJECTED. A `kind` of refund follows from an order's
    news after the payout `paidReference`; returned and carried are payments that did not take place.
    """

    id: str
    accountId: str
    affiliateId: str
    kind: str
    amount: str
    currency: str
    reason: str
    externalOrderId: str | None
    commissionId: str | None
    paidReference: str | None
    payoutId: str | None
    status: str
    createdBy: str
    createdAt: str
    decidedBy: str | None
    decidedAt: str | None


class ListedAdjustment(AdjustmentDocument):
    """A correction with the mode of its account and the name of its affiliate."""

    mode: str
    affiliateName: str | None


async def create_adjustment(
    store: Store, clock: Clock, *, affiliate: str, account: str, amount: str, currency: str, reason: str,
    adjustment_id: str | None = None,
) -> AdjustmentDocument:  # fmt: skip
    """Propose a correction of an affiliate's balance with a merchant (`account` is like "mer_1:live").

    A negative amount takes money back. A form that was sent twice names the same `adjustment_id` both times, and gets
    the correction that it made. Raise `OperatorFault` for a value that cannot be used.
    """
    code = checked_currency(currency)
    minor = checked_signed_amount(amount, code)
    why = _checked_reason(reason)
    async with store.write() as tx:
        if adjustment_id is not None:
            await tx.lock_orders([("", adjustment_id)])
            known = await _found(tx, checked_form_id(adjustment_id))
            if known is not None:
                return adjustment_document(known)
        row = await require_affiliate(tx, affiliate)
        merchant, _, mode = account.rpartition(":")
        if mode not in MODES:
            raise OperatorFault(f"{account!r} names no account; write a merchant and a mode, like mer_1:live.")
        found = await account_of(tx, await merchant_id_of(tx, merchant), mode)
        now = clock()
        made = Adjustment(
            found["account_id"], adjustment_id or new_id("adj"), row["affiliate_id"], "manual", minor, code, why,
            None, None, None, None,
            "PROPOSED", current_actor().id, now, None, None, None,
        )  # fmt: skip
        return await note_proposal(tx, made, now)


async def note_proposal(tx: Tx, made: Adjustment, now: int) -> AdjustmentDocument:
    """Store a correction that another person has yet to approve, with its note and its act (`now`: ms UTC)."""
    await tx.run("insert_adjustments", adjustments=[made])
    await note_rows(tx, now, {"adjustments": [(made.account_id, made.adjustment_id)]})
    document = adjustment_document(made)
    await note_act(tx, now, "adjustment.created", made.adjustment_id, after=document)
    return document


def checked_form_id(text: str) -> str:
    """Return the id that a form gave to what it creates; raise `OperatorFault` for another form than `new_id` makes."""
    if not _FORM_ID.fullmatch(text):
        raise OperatorFault("The form is damaged. Open the page again.")
    return text


async def approve_adjustment(
    store: Store, clock: Clock, settings: PayoutSettings, adjustment_id: str, note: str | None = None
) -> AdjustmentDocument:
    """Approve a proposed correction, so that the next run takes it along; one that is approved is returned as it is.

    The trail keeps `note`, which says why.
    Raise `OperatorFault` if the one who acts is no other person than who proposed it, or if it was rejected.
    """
    return await _decide(store, clock, adjustment_id, "APPROVED", note, settings.second_person_after)


async def reject_adjustment(
    store: Store, clock: Clock, adjustment_id: str, note: str | None = None
) -> AdjustmentDocument:
    """Reject a proposed correction, for the reason `note`; raise `OperatorFault` if it was approved."""
    return await _decide(store, clock, adjustment_id, "REJECTED", note)


async def _decide(
    store: Store, clock: Clock, adjustment_id: str, status: str, note: str | None, second_person_after: int = 0
) -> AdjustmentDocument:
    reason = None if not note else _checked_reason(note)
    async with store.write() as tx:
        before = await require_adjustment(tx, adjustment_id)
        if before.status == status or (status == "APPROVED" and before.status == "PAID"):
            return adjustment_document(before)
        actor, now = current_actor().id, clock()
        why = await why_not_second(tx, now, before.created_by, after=second_person_after)
        if status == "APPROVED" and why is not None:
            raise OperatorFault(
                f"Adjustment {adjustment_id} was proposed by {before.created_by}; another person approves it: {why}.",
                command="At the terminal that person is named with --by.",
            )
        if status == "APPROVED" and before.kind == "written_off":
            await tx.lock_orders(RUN_LOCK)  # a run may be taking the debt back at this moment
            await _refuse_paid_debt(tx, before)
        # Before it is stored as approved: then it would count among what was taken back already.
        entries = await entries_with_fees(tx, [before._replace(status=status)], now)
        decided = await tx.run(
            "decide_adjustment", account_id=before.account_id, adjustment_id=adjustment_id, status=status,
            decided_by=actor, now=now,
        )  # fmt: skip
        if not decided:
            raise OperatorFault(f"Adjustment {adjustment_id} is {before.status}; only a PROPOSED one can be decided.")
        after, mode = await _with_mode(tx, adjustment_id)
        await post(tx, entries, now)
        await note_rows(tx, now, {"adjustments": [(after.account_id, adjustment_id)]})
        if mode == "live":
            await tell_of_corrections(tx, now, [after], actor=actor)
        document = adjustment_document(after)
        act = "adjustment.approved" if status == "APPROVED" else "adjustment.rejected"
        after_act = {**document, **({} if reason is None else {"note": reason})}
        await note_act(tx, now, act, adjustment_id, before=adjustment_document(before), after=after_act)
        return document


async def _refuse_paid_debt(tx: Tx, proposed: Adjustment) -> None:
    """Raise `OperatorFault` if the affiliate owes less by now than what is to be written off."""
    rows = await tx.all("debts", affiliate_id=proposed.affiliate_id)
    owed = sum(-row["minor"] for row in rows if row["currency"] == proposed.currency)
    if owed < proposed.amount_minor:
        raise OperatorFault(
            f"Affiliate {proposed.affiliate_id} owes {format_money(owed, proposed.currency)} {proposed.currency} by "
            "now, less than what is to be written off; reject it and propose it again."
        )


async def require_adjustment(tx: Tx, adjustment_id: str) -> Adjustment:
    """Return a correction; raise `OperatorFault` if it is unknown."""
    return (await _with_mode(tx, adjustment_id))[0]


async def _with_mode(tx: Tx, adjustment_id: str) -> tuple[Adjustment, Mode]:
    row = await tx.one("adjustment_anywhere", adjustment_id=adjustment_id)
    if row is None:
        raise _unknown(adjustment_id)
    return pick_record(Adjustment, row), row["mode"]


async def _found(tx: Tx, adjustment_id: str) -> Adjustment | None:
    row = await tx.one("adjustment_anywhere", adjustment_id=adjustment_id)
    return None if row is None else pick_record(Adjustment, row)


async def adjustments_part(store: Store, wanted: Wanted) -> Page[ListedAdjustment]:
    """Return a part of the corrections by `status`, `mode`, and `merchant` and `affiliate`, which are references.

    Raise `OperatorFault` for a reference that names nothing, and `CursorFault`.
    """
    async with store.read() as tx:
        return (await read(tx, ADJUSTMENTS, await with_ids(tx, wanted))).of(_listed)


async def first_adjustments(store: Store, wanted: Wanted) -> list[ListedAdjustment]:
    """Return as many corrections as are wanted, however many have to be looked through; raise as the part does."""
    async with store.read() as tx:
        asked = await with_ids(tx, wanted)
    return [_listed(row) for row in await first_rows(store, ADJUSTMENTS, asked)]


async def show_adjustment(store: Store, adjustment_id: str) -> ListedAdjustment:
    """Return a correction; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        row = await tx.one("adjustment_anywhere", adjustment_id=adjustment_id)
    if row is None:
        raise _unknown(adjustment_id)
    return _listed(row)


def _listed(row: Row) -> ListedAdjustment:
    document = adjustment_document(pick_record(Adjustment, row))
    return {**document, "mode": row["mode"], "affiliateName": row["affiliate_name"]}


def _unknown(adjustment_id: str) -> OperatorFault:
    return unknown("adjustment", adjustment_id, command="`hub adjustment list` shows them all.")


def checked_signed_amount(text: str, currency: str) -> int:
    """Return an amount other than zero, such as "-3.00", in minor units; raise `OperatorFault` for any other form."""
    sign = -1 if text.startswith("-") else 1
    try:
        minor = sign * parse_money(text.removeprefix("-"), currency)
    except MoneyError as fault:
        raise OperatorFault(f"The amount {text!r} {fault}; a minus before it takes money back.") from None
    if not minor:
        raise OperatorFault("The amount must not be zero.")
    return minor


def _checked_reason(text: str) -> str:
    reason = tidied(text)
    if not reason or len(reason) > LONGEST_REASON or hidden_in(reason):
        raise OperatorFault(f"A correction needs a reason of 1 to {LONGEST_REASON} printable characters.")
    return reason


def adjustment_document(each: Adjustment) -> AdjustmentDocument:
    """Return the document of a correction."""
    return {
        "id": each.adjustment_id,
        "accountId": each.account_id,
        "affiliateId": each.affiliate_id,
        "kind": each.kind,
        "amount": format_money(each.amount_minor, each.currency),
        "currency": each.currency,
        "reason": each.reason,
        "externalOrderId": each.external_order_id,
        "commissionId": each.commission_id,
        "paidReference": each.paid_reference,
        "payoutId": each.payout_id,
        "status": each.status,
        "createdBy": each.created_by,
        "createdAt": format_instant(each.created_at),
        "decidedBy": each.decided_by,
        "decidedAt": instant_or_none(each.decided_at),
    }

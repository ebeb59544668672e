"""What stands between affiliates and their money: no payee, one that waits, or a hold of their payments."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from hub.clock import Clock
from hub.domain.payouts.payouts import Payability, Terms, amounts_by_currency
from hub.operations.affiliates.affiliates import require_affiliate
from hub.operations.checks import checked_name
from hub.operations.errors import OperatorFault
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.records.affiliates import HoldDocument, hold_document
from hub.storage import Row, Store, Tx

NOBODY: Final = Payability(None)


async def payabilities_of(tx: Tx, affiliates: Iterable[str], now: int, payee_wait: int) -> dict[str, Payability]:
    """Return what stands between these affiliates and their money at a moment (ms UTC)."""
    rows = await tx.all("payabilities", affiliates=sorted(set(affiliates)), since=now - payee_wait, now=now)
    return {
        row["affiliate_id"]: Payability(
            row["method"], waits=bool(row["waits"]), on_hold=row["hold"] is not None, terms=_terms(row)
        )
        for row in rows
    }


def _terms(row: Row) -> Terms:
    minimum = amounts_by_currency(row["minimum"]) if row["minimum"] else {}
    currencies = frozenset(json.loads(row["currencies"] or "[]"))
    return Terms(minimum, currencies, waits=bool(row["asked_to_wait"]), paid_in=row["paid_in"])


async def hold_payments(
    store: Store, clock: Clock, affiliate: str, reason: str, ends_at: int | None = None
) -> HoldDocument:
    """Pay an affiliate nothing until a moment (ms UTC; None: until the hold is ended); its balances are carried on.

    Raise `OperatorFault` for an unknown affiliate, no reason, or a moment that is past.
    """
    why = checked_name(reason, "A reason")
    async with store.write() as tx:
        affiliate_id, now = (await require_affiliate(tx, affiliate))["affiliate_id"], clock()
        if ends_at is not None and ends_at <= now:
            raise OperatorFault("A hold ends in the future; without an end it holds until somebody ends it.")
        await tx.run(
            "put_payment_hold", affiliate_id=affiliate_id, reason=why, set_by=current_actor().id, now=now,
            ends_at=ends_at, by_status=0,
        )  # fmt: skip
        await note_rows(tx, now, {"payment_holds": [(affiliate_id,)]})
        held = hold_document(await _hold(tx, affiliate_id))
        await note_act(tx, now, "affiliate.payments-held", affiliate_id, after=held)
        return held


async def end_hold(store: Store, clock: Clock, affiliate: str) -> HoldDocument:
    """End the hold of an affiliate's payments, and return it as it was; raise `OperatorFault` if there is none."""
    async with store.write() as tx:
        affiliate_id = (await require_affiliate(tx, affiliate))["affiliate_id"]
        held = hold_document(await _hold(tx, affiliate_id))
        await tx.run("end_payment_hold", affiliate_id=affiliate_id, any=1)
        now = clock()
        await note_rows(tx, now, {"payment_holds": [(affiliate_id,)]})
        await note_act(tx, now, "affiliate.payments-freed", affiliate_id, before=held)
        return held


async def hold_of(store: Store, affiliate_id: str) -> HoldDocument | None:
    """Return the hold of an affiliate's payments, None if they are not held."""
    async with store.read() as tx:
        row = await tx.one("payment_hold", affiliate_id=affiliate_id)
    return None if row is None else hold_document(row)


async def _hold(tx: Tx, affiliate_id: str) -> Row:
    row = await tx.one("payment_hold", affiliate_id=affiliate_id)
    if row is None:
        raise OperatorFault(f"The payments of affiliate {affiliate_id} are not held.")
    return row

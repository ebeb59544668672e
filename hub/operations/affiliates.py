"""Affiliates and the coupons that are theirs."""

from __future__ import annotations

from collections.abc import Sequence

from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.ids import new_id
from hub.operations.checks import checked_coupon, checked_email, checked_name
from hub.operations.documents import Document
from hub.operations.faults import OperatorFault, unknown
from hub.storage import Row, Store, Tx


async def create_affiliate(
    store: Store, clock: Clock, *, name: str, email: str, coupons: Sequence[str] = ()
) -> Document:
    """Files an affiliate with its coupons; a coupon belongs to one affiliate only."""
    affiliate_id = new_id("aff")
    values = {"name": checked_name(name), "email": checked_email(email), "now": clock()}
    codes = sorted({checked_coupon(coupon) for coupon in coupons})
    async with store.write() as tx:
        await tx.run("insert_affiliate", affiliate_id=affiliate_id, **values)
        if codes:
            await _claim_coupons(tx, affiliate_id, codes)
        return await _affiliate(tx, affiliate_id)


async def _claim_coupons(tx: Tx, affiliate_id: str, codes: Sequence[str]) -> None:
    rows = await tx.all("claim_coupons", coupons=[(code, affiliate_id) for code in codes])
    taken = sorted(set(codes) - {row["coupon_code"] for row in rows})
    if taken:
        raise OperatorFault(f"These coupons belong to another affiliate: {', '.join(taken)}. Choose others.")


async def set_affiliate_status(store: Store, affiliate_id: str, status: str) -> Document:
    """Turns an affiliate ACTIVE or INACTIVE; orders decided from then on follow it."""
    async with store.write() as tx:
        await tx.run("set_affiliate_status", affiliate_id=affiliate_id, status=status)
        return await _affiliate(tx, affiliate_id)


async def show_affiliate(store: Store, affiliate_id: str) -> Document:
    """One affiliate with its coupons."""
    async with store.read() as tx:
        return await _affiliate(tx, affiliate_id)


async def list_affiliates(store: Store) -> list[Document]:
    """All affiliates, oldest first."""
    async with store.read() as tx:
        coupons = await tx.all("coupons_listed", affiliate_id=None)
        return [_document(row, coupons) for row in await tx.all("affiliates_listed", affiliate_id=None)]


async def require_affiliate(tx: Tx, affiliate_id: str) -> Row:
    """The row of an affiliate; raises `OperatorFault` where there is none."""
    row = await tx.one("affiliates_listed", affiliate_id=affiliate_id)
    if row is None:
        raise unknown("affiliate", affiliate_id, "`hub affiliate list` shows them all.")
    return row


async def _affiliate(tx: Tx, affiliate_id: str) -> Document:
    row = await require_affiliate(tx, affiliate_id)
    return _document(row, await tx.all("coupons_listed", affiliate_id=affiliate_id))


def _document(row: Row, coupons: Sequence[Row]) -> Document:
    return {
        "id": row["affiliate_id"],
        "name": row["name"],
        "email": row["email"],
        "status": row["status"],
        "coupons": [coupon["coupon_code"] for coupon in coupons if coupon["affiliate_id"] == row["affiliate_id"]],
        "createdAt": format_instant(row["created_at"]),
    }

"""Affiliates and the coupons that are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from attrs import frozen

from hub.clock import Clock
from hub.ids import new_id
from hub.mail.outbox import Outbox
from hub.operations.affiliates.notices import warn_affiliate
from hub.operations.checks import checked_coupon, checked_email, checked_name, checked_texts
from hub.operations.errors import OperatorFault, known
from hub.operations.lists import Wanted, every_part
from hub.operations.references import affiliate_id_of
from hub.operations.system.party_lists import AFFILIATES
from hub.operations.trail import current_actor, note_act
from hub.processing.noted_rows import note_rows
from hub.records.affiliates import AffiliateDocument
from hub.records.rows import read_row
from hub.storage import Row, Store, Tx
from hub.validation.inputs import AffiliateTexts


async def create_affiliate(
    store: Store, clock: Clock, *, name: str, email: str, coupons: Sequence[str] = (), refuse_same: bool = False,
    **texts: str | None,
) -> AffiliateDocument:  # fmt: skip
    """Store an affiliate with its coupons and `AffiliateTexts`; a coupon belongs to one affiliate only.

    Raise `OperatorFault` for a value that cannot be used, for a coupon that another affiliate has, and with
    `refuse_same` if another one has the e-mail address.
    """
    async with store.write() as tx:
        return await add_affiliate(
            tx, clock(), name=name, email=email, coupons=coupons, refuse_same=refuse_same, **texts
        )


async def add_affiliate(
    tx: Tx, now: int, *, name: str, email: str, coupons: Sequence[str] = (), refuse_same: bool = False,
    **texts: str | None,
) -> AffiliateDocument:  # fmt: skip
    """Store an affiliate as `create_affiliate` does, in this transaction."""
    affiliate_id = new_id("aff")
    values = {"name": checked_name(name), "email": checked_email(email), "now": now}
    codes = sorted({checked_coupon(coupon) for coupon in coupons})
    if refuse_same:
        await _refuse_same(tx, str(values["email"]))
    said = checked_texts(AffiliateTexts, AffiliateTexts(**texts))
    await tx.run("insert_affiliate", affiliate_id=affiliate_id, **values, **said)
    if codes:
        await _claim_coupons(tx, affiliate_id, codes)
    made = await _affiliate(tx, affiliate_id)
    await note_act(tx, now, "affiliate.created", affiliate_id, after=made)
    return made


async def _refuse_same(tx: Tx, email: str) -> None:
    for row in await tx.all("affiliates_with_email", email=email.lower()):
        raise OperatorFault(
            f"There is an affiliate with the address {email} already: {row['affiliate_id']} ({row['name']}). "
            "Nothing was created.",
            command="If a second one is meant, say --anyway.",
        )


@frozen
class AffiliateChange(AffiliateTexts):
    """What of an affiliate is to change; None leaves it, and an empty text ends one.

    Coupons are given to it and taken away from it.
    """

    name: str | None = None
    email: str | None = None
    added: Sequence[str] = ()
    removed: Sequence[str] = ()


async def update_affiliate(
    store: Store, clock: Clock, outbox: Outbox, reference: str, change: AffiliateChange
) -> AffiliateDocument:
    """Change an affiliate, by its id, name or e-mail address; orders that are decided already stay as they are.

    Of another address the old one hears, and so do those that it had within 30 days.
    Raise `OperatorFault` if it is unknown, for a value that cannot be used, and for a coupon that another one has.
    """
    async with store.write() as tx:
        before = await _affiliate(tx, reference)
        affiliate_id = before.id
        name = before.name if change.name is None else checked_name(change.name)
        email = before.email if change.email is None else checked_email(change.email)
        if email.lower() != before.email.lower():
            await _leave_address(tx, clock(), outbox, before, email)
        texts = checked_texts(AffiliateTexts, change, before)
        await tx.run("update_affiliate", affiliate_id=affiliate_id, name=name, email=email, **texts)
        removed = sorted({checked_coupon(coupon) for coupon in change.removed})
        if removed and await tx.run("release_coupons", affiliate_id=affiliate_id, coupons=removed) != len(removed):
            raise OperatorFault(f"Its coupons are {', '.join(before.coupons) or 'none'}; only those can be removed.")
        added = sorted({checked_coupon(coupon) for coupon in change.added} - set(before.coupons))
        if added:
            await _claim_coupons(tx, affiliate_id, added)
        after = await _affiliate(tx, affiliate_id)
        await note_act(tx, clock(), "affiliate.updated", affiliate_id, before=before, after=after)
        return after


async def _leave_address(tx: Tx, now: int, outbox: Outbox, before: AffiliateDocument, email: str) -> None:
    sentence = f"Mails of this hub to {before.name} go to {email} from now on."
    await warn_affiliate(tx, now, outbox, before.id, "Your e-mail address was changed", sentence)
    await tx.run("keep_former_address", subject_id=before.id, email=before.email, now=now)


async def _claim_coupons(tx: Tx, affiliate_id: str, codes: Sequence[str]) -> None:
    rows = await tx.all("claim_coupons", coupons=[(code, affiliate_id) for code in codes])
    taken = sorted(set(codes) - {row["coupon_code"] for row in rows})
    if taken:
        raise OperatorFault(f"These coupons belong to another affiliate: {', '.join(taken)}. Choose others.")


async def set_affiliate_status(store: Store, clock: Clock, reference: str, status: str) -> AffiliateDocument:
    """Make an affiliate ACTIVE or INACTIVE for the orders decided from now on; raise `OperatorFault` if unknown.

    The payments of one that is turned off are held, until it is turned on again or the hold is ended.
    """
    async with store.write() as tx:
        before = await _affiliate(tx, reference)
        affiliate_id = before.id
        await tx.run("set_affiliate_status", affiliate_id=affiliate_id, status=status)
        after = await _affiliate(tx, affiliate_id)
        now = clock()
        await _hold_by_status(tx, affiliate_id, status, now)
        act = "affiliate.activated" if status == "ACTIVE" else "affiliate.deactivated"
        await note_act(tx, now, act, affiliate_id, before=before, after=after)
        return after


async def _hold_by_status(tx: Tx, affiliate_id: str, status: str, now: int) -> None:
    if status == "ACTIVE":
        if not await tx.run("end_payment_hold", affiliate_id=affiliate_id, any=0):
            return
    elif await tx.one("payment_hold", affiliate_id=affiliate_id) is not None:
        return
    else:
        await tx.run(
            "put_payment_hold", affiliate_id=affiliate_id, reason="The affiliate was turned off.",
            set_by=current_actor().id, now=now, ends_at=None, by_status=1,
        )  # fmt: skip
    await note_rows(tx, now, {"payment_holds": [(affiliate_id,)]})


async def show_affiliate(store: Store, affiliate_id: str) -> AffiliateDocument:
    """Return one affiliate with its coupons; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return await _affiliate(tx, affiliate_id)


async def list_affiliates(store: Store) -> list[AffiliateDocument]:
    """Return all affiliates, oldest first."""
    found = list[AffiliateDocument]()
    async with aclosing(every_part(store, AFFILIATES, Wanted(oldest_first=True))) as parts:
        async for part in parts:
            async with store.read() as tx:
                found += await _documents(tx, part.entries)
    return found


async def require_affiliate(tx: Tx, reference: str) -> Row:
    """Return an affiliate's row, by its id, name or e-mail address.

    Raise `OperatorFault` unless exactly one has it.
    """
    affiliate_id = await affiliate_id_of(tx, reference)
    row = await tx.one("affiliate", affiliate_id=affiliate_id)
    return known(row, "affiliate", affiliate_id, command="`hub affiliate list` shows them all.")


async def _affiliate(tx: Tx, affiliate_id: str) -> AffiliateDocument:
    (found,) = await _documents(tx, [await require_affiliate(tx, affiliate_id)])
    return found


async def _documents(tx: Tx, rows: Sequence[Row]) -> list[AffiliateDocument]:
    coupons: dict[str, list[str]] = {row["affiliate_id"]: [] for row in rows}
    for coupon in await tx.all("coupons_of", affiliates=list(coupons)):
        coupons[coupon["affiliate_id"]].append(coupon["coupon_code"])
    return [
        read_row(AffiliateDocument, row, id=row["affiliate_id"], coupons=tuple(coupons[row["affiliate_id"]]))
        for row in rows
    ]

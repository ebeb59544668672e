"""Rates that are tried, published or dropped, and the history of each rate: who changed what from when."""

from __future__ import annotations

from typing import Any, Final, TypedDict

from attrs import evolve

from hub.catalog.campaigns import find_campaign, store_change
from hub.catalog.product import Product
from hub.catalog.rate_changes import ChangedRate, note_rates
from hub.catalog.write_products import write_products
from hub.clock import Clock
from hub.domain.instants import format_instant
from hub.domain.orders.commission import Rule
from hub.domain.words import RateLevel
from hub.ids import new_id
from hub.operations.checks import checked_rule
from hub.operations.errors import OperatorFault, known
from hub.operations.list_filters import with_ids
from hub.operations.lists import List, Page, Wanted, every, first, read
from hub.operations.money.rates.rule_preview import rate_target
from hub.operations.trail import current_actor, note_act
from hub.processing.decision_context import load_merchants
from hub.records.rates import DraftDocument, draft_document
from hub.storage import Row, Store, Tx

SHOWN_AT_MOST: Final = 1_000
DRAFTS: Final = List("rate_drafts")


class VersionDocument(TypedDict):
    """A change of a rate: `before` and `after` are like "PERCENTAGE:8", null for none; it counts from `since` on."""

    id: str
    since: str
    before: str | None
    after: str | None
    changedBy: str


async def draft_rate(
    store: Store, clock: Clock, *, commission: str, mode: str = "live", campaign: str | None = None,
    merchant: str | None = None, product: str | None = None, new_customers: bool = False,
) -> DraftDocument:  # fmt: skip
    """Keep a rate such as "PERCENTAGE:12" as a draft, which changes nothing until it is published.

    The same rate again, as by a second press, is the draft that waits already. What it is for is named as in
    `preview_rule`, and so are the faults.
    """
    async with store.write() as tx:
        target = await rate_target(tx, campaign, merchant, product, mode, new_customers=new_customers)
        currency = (await load_merchants(tx, [target.account_id]))[target.account_id].currency
        rule, draft_id, now = checked_rule(commission, currency), new_id("rat"), clock()
        level, subject = target.place
        waiting = await _waiting_draft(tx, (target.account_id, level, subject, rule.type, rule.value))
        if waiting is not None:
            return draft_document(waiting)
        await tx.run(
            "insert_rate_draft", account_id=target.account_id, draft_id=draft_id, level=level, subject=subject,
            type=rule.type, value=rule.value, created_by=current_actor().id, now=now,
        )  # fmt: skip
        drafted = draft_document(await _require_draft(tx, draft_id))
        await note_act(tx, now, "rate.drafted", draft_id, after=drafted)
        return drafted


async def publish_rate(store: Store, clock: Clock, draft_id: str) -> DraftDocument:
    """Put a drafted rate in force from now on; one that is published already is returned as it is.

    Raise `OperatorFault` if the draft is unknown or was dropped, or if what it is for is gone.
    """
    async with store.write() as tx:
        row, now = await _decide(tx, clock, draft_id, "PUBLISHED")
        if row is not None:
            await _apply(tx, row, now)
            after = draft_document(await _require_draft(tx, draft_id))
            await note_act(tx, now, "rate.published", draft_id, after=after)
            return after
        return draft_document(await _require_draft(tx, draft_id))


async def drop_rate(store: Store, clock: Clock, draft_id: str) -> DraftDocument:
    """Drop a drafted rate; raise `OperatorFault` if it is unknown or was published."""
    async with store.write() as tx:
        row, now = await _decide(tx, clock, draft_id, "DROPPED")
        if row is not None:
            await note_act(tx, now, "rate.dropped", draft_id, after=draft_document(await _require_draft(tx, draft_id)))
        return draft_document(await _require_draft(tx, draft_id))


async def drafts_part(store: Store, wanted: Wanted) -> Page[DraftDocument]:
    """Return a part of the rates that were tried, newest first; the filter `merchant` is a reference.

    `own` is 1 for those that a merchant decides itself. Raise `OperatorFault` for an unknown merchant or cursor.
    """
    async with store.read() as tx:
        return (await read(tx, DRAFTS, await with_ids(tx, wanted))).of(draft_document)


async def list_drafts(store: Store, merchant: str | None = None) -> list[DraftDocument]:
    """Return all rates that were tried, newest first; raise `OperatorFault` for an unknown merchant."""
    async with store.read() as tx:
        wanted = await with_ids(tx, Wanted({"merchant": merchant}))
    return [draft_document(row) async for row in every(store, DRAFTS, wanted)]


async def rate_history(
    store: Store, *, mode: str = "live", campaign: str | None = None, merchant: str | None = None,
    product: str | None = None, affiliate: str | None = None, new_customers: bool = False,
) -> list[VersionDocument]:  # fmt: skip
    """Return the changes of a rate, the newest first; with `affiliate`, of what a campaign pays it alone.

    What it is of is named as in `preview_rule`, and so are the faults.
    """
    async with store.read() as tx:
        target = await rate_target(tx, campaign, merchant, product, mode, new_customers=new_customers)
        level: RateLevel
        level, subject = target.place
        if target.campaign_id is not None and affiliate is not None:
            level, subject = "MEMBER", f"{target.campaign_id}/{affiliate}"
        rows = await tx.all(
            "rate_history", account_id=target.account_id, level=level, subject=subject, limit=SHOWN_AT_MOST
        )
    return [_version(row) for row in rows]


async def _waiting_draft(tx: Tx, wanted: tuple[str, str, str, str, str]) -> Row | None:
    """Return the draft of this account, level, subject, type and value that is not decided; None if there is none."""
    rows = (await read(tx, DRAFTS, Wanted({"status": "DRAFT"}, SHOWN_AT_MOST))).entries
    names = ("account_id", "level", "subject", "type", "value")
    return next((row for row in rows if tuple(row[name] for name in names) == wanted), None)


async def _decide(tx: Tx, clock: Clock, draft_id: str, status: str) -> tuple[Row | None, int]:
    """Decide a draft; return it and the time, None in its place if it was decided like this before."""
    row, now = await _require_draft(tx, draft_id), clock()
    decided = await tx.run(
        "decide_rate_draft", account_id=row["account_id"], draft_id=draft_id, status=status,
        decided_by=current_actor().id, now=now,
    )  # fmt: skip
    if decided:
        return row, now
    if row["status"] != status:
        raise OperatorFault(f"The rate {draft_id} is {row['status']} already; nothing was done.")
    return None, now


async def _apply(tx: Tx, draft: Row, now: int) -> None:
    account_id, subject, rule = draft["account_id"], draft["subject"], Rule(draft["type"], draft["value"])
    actor = current_actor().id
    if draft["level"] == "PRODUCT":
        await tx.lock_catalogs([account_id])
        found = await tx.records(Product, "products_of_account", account_id=account_id, external_ids=[subject])
        for stored in found:
            product = stored._replace(commission_type=rule.type, commission_value=rule.value, updated_at=now)
            await write_products(tx, [(product, stored)], actor)
    elif draft["level"] in ("CAMPAIGN", "NEW_CUSTOMER"):
        campaign = await find_campaign(tx, account_id, subject, lock=True)
        if campaign is not None:
            stem = "default_commission" if draft["level"] == "CAMPAIGN" else "new_customer_commission"
            changes: dict[str, Any] = {f"{stem}_type": rule.type, f"{stem}_value": rule.value}
            await store_change(tx, campaign, evolve(campaign, updated_at=now, **changes), actor)
    else:
        before = (await load_merchants(tx, [account_id]))[account_id].rule
        rate = (None, None) if before is None else (before.type, before.value)
        await tx.run("set_merchant_rate", account_id=account_id, type=rule.type, value=rule.value, now=now)
        accounts = await tx.all("accounts_of_same_merchant", account_id=account_id)
        await note_rates(tx, [
            ChangedRate.of(each["account_id"], "MERCHANT", "", rate, (rule.type, rule.value), now, actor)
            for each in accounts
        ])  # fmt: skip


async def _require_draft(tx: Tx, draft_id: str) -> Row:
    row = await first(tx, DRAFTS, draft_id=draft_id)
    return known(row, "rate", draft_id, command="`hub rule list` shows those that were drafted.")


def _version(row: Row) -> VersionDocument:
    return {
        "id": row["change_id"],
        "since": format_instant(row["changed_at"]),
        "before": _shown(row["before_type"], row["before_value"]),
        "after": _shown(row["after_type"], row["after_value"]),
        "changedBy": row["changed_by"],
    }


def _shown(kind: str | None, value: str | None) -> str | None:
    return None if kind is None else f"{kind}:{value}"

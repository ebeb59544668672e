"""The records of the change feed, as the API prints each of them: read for many ids of one account at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson
from attrs import frozen

from hub.catalog.campaigns import Campaign, campaign_record
from hub.catalog.product_json import stored_json
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.money import format_money
from hub.operations.figures.figures import balances_of
from hub.operations.money.invoices.merchant_months import months_of
from hub.operations.money.payouts.payouts import listed_commission
from hub.operations.orders.conversions import assemble, shown_conversions
from hub.operations.orders.event_lists import listed_event
from hub.operations.webhooks.subscriptions import subscriptions_of_account
from hub.records.affiliates import AffiliateRecord
from hub.records.links import link_record
from hub.records.memberships import ChangedMembership
from hub.records.rows import read_row
from hub.storage import Row, Tx

Records = Mapping[str, Any]
"""Records by their ids; one that is gone is not among them."""
OF_CONVERSION: Final = ("conversion", "commission", "event")
"""What a changed conversion tells: itself, its commission and the event that made it."""


@frozen
class Reading:
    """Where records are read, at `now` (ms UTC); links answer below `root`. An affiliate is told its own alone."""

    tx: Tx
    account_id: str
    now: int
    root: str
    affiliate_id: str | None = None


async def records_of(reading: Reading, kind: str, ids: Sequence[str]) -> Records:
    """Return the records of a type, as the API prints them, by their ids."""
    found: Records = await READERS[kind](reading, ids)
    return found


async def with_conversions(reading: Reading, kind: str, conversions: Sequence[str]) -> Mapping[str, tuple[str, Any]]:
    """Return the commissions, or the events that made these conversions, as (id, record) by the conversions' ids."""
    if kind == "commission":
        return {
            row["conversion_id"]: (row["commission_id"], told)
            for row, told in await _commissions(reading, [], conversions)
        }
    rows = await reading.tx.all("events_told", account_id=reading.account_id, ids=[], conversions=conversions)
    return {row["conversion_id"]: (row["event_id"], listed_event(row)) for row in rows}


async def _conversions(reading: Reading, ids: Sequence[str]) -> Records:
    rows = await reading.tx.all("conversions_told", account_id=reading.account_id, ids=ids)
    shown = await shown_conversions(reading.tx, await assemble(reading.tx, rows), reading.now, orjson.Fragment)
    return {each.id: each for each in shown}


async def _commissions(reading: Reading, ids: Sequence[str], conversions: Sequence[str] = ()) -> list[tuple[Row, Any]]:
    """Return the rows of commissions with what is told of each."""
    asked = {"account_id": reading.account_id, "ids": ids, "conversions": conversions}
    if reading.affiliate_id is None:
        return [(row, listed_commission(row)) for row in await reading.tx.all("commissions_told", **asked)]
    rows = await reading.tx.all("own_commissions_told", affiliate_id=reading.affiliate_id, **asked)
    return [(row, _own_commission(row)) for row in rows]


async def _commissions_by_id(reading: Reading, ids: Sequence[str]) -> Records:
    return {row["commission_id"]: told for row, told in await _commissions(reading, ids)}


def _own_commission(row: Row) -> dict[str, Any]:
    """Return a commission as its affiliate reads it, without names that others change."""
    return {
        "id": row["commission_id"],
        "conversionId": row["conversion_id"],
        "state": row["state"],
        "amount": format_money(row["amount_minor"], row["currency"]),
        "currency": row["currency"],
        "holdUntil": instant_or_none(row["hold_until"]),
        "externalOrderId": row["external_order_id"],
        "orderedAt": format_instant(row["ordered_at"]),
        "merchantId": row["merchant_id"],
        "merchantName": row["merchant_name"],
        "campaignId": row["campaign_id"],
        "linkCode": row["code"],
        "subIds": {} if row["subs"] is None else json.loads(row["subs"]),
    }


async def _events(reading: Reading, ids: Sequence[str]) -> Records:
    rows = await reading.tx.all("events_told", account_id=reading.account_id, ids=ids, conversions=[])
    return {row["event_id"]: listed_event(row) for row in rows}


async def _links(reading: Reading, ids: Sequence[str]) -> Records:
    rows = await reading.tx.all("links_told", account_id=reading.account_id, ids=ids)
    return {row["code"]: link_record(row, reading.root) for row in rows}


async def _products(reading: Reading, ids: Sequence[str]) -> Records:
    rows = await reading.tx.all("products_told", account_id=reading.account_id, ids=ids)
    return {row["product_id"]: orjson.loads(stored_json(row)) for row in rows}


async def _campaigns(reading: Reading, ids: Sequence[str]) -> Records:
    rows = await reading.tx.all("campaigns_told", account_id=reading.account_id, ids=ids)
    return {row["campaign_id"]: campaign_record(Campaign.from_row(row), reading.now) for row in rows}


async def _affiliates(reading: Reading, ids: Sequence[str]) -> Records:
    rows = await reading.tx.all("affiliates_told", account_id=reading.account_id, ids=ids)
    return {row["affiliate_id"]: read_row(AffiliateRecord, row, id=row["affiliate_id"]) for row in rows}


async def _memberships(reading: Reading, ids: Sequence[str]) -> Records:
    pairs = [each.split("/") for each in ids]
    rows = await reading.tx.all(
        "memberships_told",
        account_id=reading.account_id,
        campaigns=sorted({pair[0] for pair in pairs}),
        affiliates=sorted({pair[1] for pair in pairs}),
    )
    return {f"{row['campaign_id']}/{row['affiliate_id']}": read_row(ChangedMembership, row) for row in rows}


async def _balances(reading: Reading, ids: Sequence[str]) -> Records:
    found = await balances_of(reading.tx, reading.account_id, reading.now)
    return {each.currency: each for each in found if each.currency in ids}


async def _statements(reading: Reading, ids: Sequence[str]) -> Records:
    found = await months_of(reading.tx, reading.account_id, reading.now)
    return {each.month: each for each in found if each.month in ids}


async def _subscriptions(reading: Reading, ids: Sequence[str]) -> Records:
    found = await subscriptions_of_account(reading.tx, reading.account_id)
    return {each.id: each for each in found if each.id in ids}


READERS: Final[Mapping[str, Callable[[Reading, Sequence[str]], Any]]] = {
    "affiliate": _affiliates,
    "balance": _balances,
    "campaign": _campaigns,
    "commission": _commissions_by_id,
    "conversion": _conversions,
    "event": _events,
    "link": _links,
    "membership": _memberships,
    "product": _products,
    "statement": _statements,
    "subscription": _subscriptions,
}

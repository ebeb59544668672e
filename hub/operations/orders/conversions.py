"""Conversions as an operator sees them: the order, its commission, and every fact with its effect."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Sequence
from operator import itemgetter
from typing import Any, TypedDict

from attrs import frozen

from hub.clock import Clock
from hub.domain.awaited import Awaited
from hub.domain.instants import format_instant, instant_or_none
from hub.domain.lifecycle import Life, StatusFact, fold
from hub.domain.money import format_money
from hub.operations.errors import unknown
from hub.operations.orders.events import submitted
from hub.operations.orders.order_progress import progress_of, sub_ids_of
from hub.operations.pages import EVERYTHING, WHOLE, Filters, Part, found_filters, read_part
from hub.processing.commissions import life_of
from hub.processing.ledger_rows import Commission, Conversion, FactRow
from hub.storage import Row, Store, Tx, pick_record

OPEN_REVIEW = "OPEN"


class FactDocument(TypedDict):
    """A fact of an order: when it happened and was received, and whether it changed the commission, or why not."""

    status: str
    at: str
    receivedAt: str
    applied: bool
    skipReason: str | None
    eventId: str


class ShownFact(FactDocument):
    """A fact with the reason that was reported with it: null without one, or once the body is deleted."""

    reason: str | None


class CommissionDocument(TypedDict):
    """A commission; `amount` and `base` are decimal text in `currency`, `type` and `value` null if its lines differ."""

    id: str
    state: str
    amount: str
    currency: str
    source: str
    type: str | None
    value: str | None
    base: str
    holdUntil: str | None
    paidAt: str | None
    payoutReference: str | None


class ConversionDocument(TypedDict):
    """A conversion; `orderAmount` is decimal text in `currency`, `review` is null or its state."""

    id: str
    externalOrderId: str
    orderAmount: str
    currency: str
    confidence: str
    reason: str
    affiliateId: str | None
    campaignId: str | None
    candidateId: str | None
    clickId: str | None
    couponCode: str | None
    review: str | None
    orderedAt: str
    receivedAt: str
    merchantId: str
    merchantName: str
    affiliateName: str | None
    mode: str
    eventId: str
    commission: CommissionDocument | None
    facts: list[FactDocument]


class ShownConversion(ConversionDocument):
    """A conversion with what was submitted with it, its click's sub-ids, why it was decided so, and what it awaits.

    `explanation` is what its event says, null if that is not decided; `awaits` is null if nothing more happens.
    """

    metadata: dict[str, Any] | None
    subIds: dict[str, str]
    explanation: dict[str, Any] | None
    awaits: Awaited | None


@frozen
class ConversionDetails:
    """Everything that is stored of one conversion: the order, its commission if it has one, and all facts."""

    conversion: Conversion
    merchant_id: str
    merchant_name: str
    affiliate_name: str | None
    mode: str
    commission: Commission | None
    facts: tuple[StatusFact, ...]

    def life(self, now: int) -> Life:
        """Return the fold of the facts at `now` (ms UTC); without a commission, that of one that is not held."""
        if self.commission is None:
            return fold(
                self.facts, hold_ms=0, paid_at=None, now=now, fully_refunded=lambda _refunds: False,
                stands_at=self.conversion.stands_at,
            )  # fmt: skip
        return life_of(self.commission, self.conversion, self.facts, now)


async def show_conversion(store: Store, clock: Clock, conversion_id: str) -> ShownConversion:
    """Return one conversion with its commission, facts and metadata; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        return (await shown_conversions(tx, [await require_conversion(tx, conversion_id)], clock()))[0]


async def require_conversion(tx: Tx, conversion_id: str) -> ConversionDetails:
    """Return what is stored of a conversion; raise `OperatorFault` if it is unknown."""
    row = await tx.one("conversion_anywhere", conversion_id=conversion_id)
    if row is None:
        raise unknown("conversion", conversion_id, command="`hub conversion list --order ID` finds one by its order.")
    return (await assemble(tx, [row]))[0]


async def conversions_of_order(
    store: Store, clock: Clock, external_order_id: str, merchant: str | None = None, *, filters: Filters | None = None
) -> list[ShownConversion]:
    """Return the conversions with a merchant's order id, newest first, only of one merchant or by `filters` if given.

    Raise `OperatorFault` for an unknown merchant or affiliate.
    """
    async with store.read() as tx:
        wanted = await found_filters(tx, filters or Filters(merchant))
        rows = await tx.all("conversions_of_order", external_order_id=external_order_id, **wanted)
        return await shown_conversions(tx, await assemble(tx, rows), clock())


async def list_conversions(
    store: Store,
    clock: Clock,
    *,
    review: str | None = None,
    filters: Filters = EVERYTHING,
    part: Part = WHOLE,
) -> AsyncIterator[ShownConversion]:
    """Yield a part of the conversions, those that match every filter that is not None.

    Raise `OperatorFault` for an unknown merchant or affiliate.
    """
    async with store.read() as tx:
        wanted = await found_filters(tx, filters)
    if part.oldest_first:
        query, wanted = "conversions_above", wanted | {"review": review}
    elif review == OPEN_REVIEW:
        query = "open_reviews_below"
    else:
        query, wanted = "conversions_below", wanted | {"review": review, "floor": part.floor}

    async def read(tx: Tx, cursor: str, size: int) -> list[ShownConversion]:
        rows = await tx.all(query, cursor=cursor, limit=size, **wanted)
        return await shown_conversions(tx, await assemble(tx, rows), clock())

    async for found in read_part(store, part, "cnv", read, itemgetter("id")):
        yield found


async def assemble(tx: Tx, rows: Sequence[Row]) -> list[ConversionDetails]:
    """Return what is stored of the conversions of these rows, in their order."""
    if not rows:
        return []
    conversions = [pick_record(Conversion, row) for row in rows]
    keys = [(c.account_id, c.conversion_id) for c in conversions]
    orders = [(c.account_id, c.external_order_id) for c in conversions]
    found = await tx.records(Commission, "load_commissions", conversions=keys)
    commissions = {(commission.account_id, commission.conversion_id): commission for commission in found}
    facts = _by_order(await tx.records(FactRow, "load_facts", orders=orders))
    return [
        ConversionDetails(
            conversion,
            row["merchant_id"],
            row["merchant_name"],
            row["affiliate_name"],
            row["mode"],
            commissions.get(key),
            tuple(facts.get(order, ())),
        )
        for row, conversion, key, order in zip(rows, conversions, keys, orders, strict=True)
    ]


def _by_order(rows: Iterable[FactRow]) -> dict[tuple[str, str], list[StatusFact]]:
    facts: dict[tuple[str, str], list[StatusFact]] = {}
    for row in rows:
        facts.setdefault((row.account_id, row.external_order_id), []).append(row.fact)
    return facts


async def shown_conversions(tx: Tx, page: Sequence[ConversionDetails], now: int) -> list[ShownConversion]:
    """Return the documents of conversions at `now` (ms UTC), with what was submitted beside their facts."""
    events = {(details.conversion.account_id, fact.sequence) for details in page for fact in details.facts}
    reported = await submitted(tx, sorted(events))
    sub_ids = await sub_ids_of(tx, [details.conversion for details in page])
    progress = await progress_of(tx, [details.conversion for details in page])
    documents: list[ShownConversion] = []
    for details in page:
        found, stored = conversion_document(details, now), details.conversion.metadata
        facts: list[FactDocument] = []
        for fact in found["facts"]:
            shown: ShownFact = {**fact, "reason": reported.get(fact["eventId"], {}).get("reason")}
            facts.append(shown)
        documents.append(
            {
                **found,
                "facts": facts,
                "metadata": None if stored is None else json.loads(stored),
                "subIds": sub_ids.get(details.conversion.click_id or "", {}),
                **progress[details.conversion.conversion_id],
            }
        )
    return documents


def conversion_document(details: ConversionDetails, now: int) -> ConversionDocument:
    """Return the document of a conversion at `now` (ms UTC)."""
    conversion, commission = details.conversion, details.commission
    return {
        "id": conversion.conversion_id,
        "externalOrderId": conversion.external_order_id,
        "orderAmount": format_money(conversion.order_minor, conversion.currency),
        "currency": conversion.currency,
        "confidence": conversion.confidence,
        "reason": conversion.reason,
        "affiliateId": conversion.affiliate_id,
        "campaignId": conversion.campaign_id,
        "candidateId": conversion.candidate_id,
        "clickId": conversion.click_id,
        "couponCode": conversion.coupon_code,
        "review": conversion.review,
        "orderedAt": format_instant(conversion.ordered_at),
        "receivedAt": format_instant(conversion.received_at),
        "merchantId": details.merchant_id,
        "merchantName": details.merchant_name,
        "affiliateName": details.affiliate_name,
        "mode": details.mode,
        "eventId": conversion.event_id,
        "commission": None if commission is None else commission_document(commission),
        "facts": _fact_documents(details, now),
    }


def commission_document(commission: Commission) -> CommissionDocument:
    """Return the document of a commission."""
    terms = commission.terms
    return {
        "id": commission.commission_id,
        "state": commission.state,
        "amount": format_money(commission.amount_minor, commission.currency),
        "currency": commission.currency,
        "source": commission.source,
        "type": terms.type,
        "value": terms.value,
        "base": format_money(commission.base_minor, commission.currency),
        "holdUntil": instant_or_none(commission.hold_until),
        "paidAt": instant_or_none(commission.paid_at),
        "payoutReference": commission.payout_reference,
    }


def _fact_documents(details: ConversionDetails, now: int) -> list[FactDocument]:
    """Return the facts in the order in which they count; without a commission none of them could be applied."""
    facts = {fact.key: fact for fact in details.facts}
    return [
        {
            "status": facts[result.key].status,
            "at": format_instant(facts[result.key].happened_at),
            "receivedAt": format_instant(facts[result.key].received_at),
            "applied": result.applied and details.commission is not None,
            "skipReason": result.skip_reason if details.commission is not None else None,
            "eventId": facts[result.key].sequence,
        }
        for result in details.life(now).results
    ]

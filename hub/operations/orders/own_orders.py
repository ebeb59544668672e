"""A commission with its order, as its affiliate reads it: on the page as on the API."""

from __future__ import annotations

from hub.clock import Clock
from hub.domain.money import format_money
from hub.operations.orders.affiliate_reports import show_own_commission
from hub.operations.orders.conversions import shown_conversions
from hub.operations.orders.order_explanations import ExplainedOrder, order_anywhere
from hub.records.own_orders import OwnCorrection, OwnOrder
from hub.storage import Store


async def own_order(store: Store, clock: Clock, affiliate_id: str, commission_id: str) -> OwnOrder:
    """Return one of an affiliate's commissions with its order; raise `OperatorFault` if it has no such commission."""
    details = await show_own_commission(store, affiliate_id, commission_id)
    explained = await order_anywhere(store, details.conversion.conversion_id)
    async with store.read() as tx:
        (shown,) = await shown_conversions(tx, [details], clock())
    click = explained.click
    if click is not None and click.affiliate_id != affiliate_id:
        click = None  # a person attributed the order to somebody else than the click would have
    if shown.commission is None:
        raise LookupError(f"{commission_id} has no commission")
    return OwnOrder(
        id=shown.commission.id, conversion_id=shown.id, external_order_id=shown.external_order_id,
        order_amount=shown.order_amount, currency=shown.currency, ordered_at=shown.ordered_at,
        merchant_id=shown.merchant_id, merchant_name=shown.merchant_name, mode=shown.mode,
        campaign_id=shown.campaign_id, review=shown.review, awaits=shown.awaits, commission=shown.commission,
        facts=shown.facts, corrections=_corrections(explained, shown.commission.currency), volume=shown.volume,
        link_code=None if click is None else click.code, clicked_at=None if click is None else click.clicked_at,
        sub_ids={} if click is None else shown.sub_ids, updated_at=shown.updated_at,
    )  # fmt: skip


def _corrections(explained: ExplainedOrder, currency: str) -> tuple[OwnCorrection, ...]:
    return tuple(
        OwnCorrection(
            amount=format_money(each.amount_minor, currency), payout_id=each.payout_id, created_at=each.created_at
        )
        for each in explained.corrections
    )

"""Make submissions of what a shop reports of its orders, by REST or in a CSV file."""

from __future__ import annotations

from hub.ids import new_id, new_ids
from hub.intake.submission import RequestGuards, Submission, status_claim
from hub.validation.inputs import ConversionInput, OrderStatusInput


def order_submission(guards: RequestGuards, order: ConversionInput, body: str, received_at: int) -> Submission:
    """Return a reported order's submission; its order id may be claimed once."""
    event_id, conversion_id = new_ids("evt", "cnv")
    return Submission(
        guards=guards,
        type="conversion",
        kind=None,
        claim_scope="order",
        claim_key=order.external_order_id,
        event_id=event_id,
        conversion_id=conversion_id,
        external_order_id=order.external_order_id,
        external_event_id=None,
        body=body,
        received_at=received_at,
    )


def status_submission(guards: RequestGuards, news: OrderStatusInput, body: str, received_at: int) -> Submission:
    """Return an order status's submission; the same status of the same moment may be claimed once."""
    return Submission(
        guards=guards,
        type="order_status",
        kind=None,
        claim_scope="status",
        claim_key=status_claim(news.external_order_id, news.status, news.status_updated_at),
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=news.external_order_id,
        external_event_id=None,
        body=body,
        received_at=received_at,
    )

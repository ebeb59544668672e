"""/merchant/orders/{order}: one order, and why its commission is what it is, down to each raw message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.commission_decisions import Decision, decide_commission
from hub.operations.orders.order_explanations import ExplainedOrder, OrderMessage, explain_order
from hub.operations.orders.other_orders import separate_orders, waiting_orders
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.order_words import message_title, reason_of, shown_json, skip_words
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.story import entries_of, story_of

DECIDABLE: Final = ("PENDING", "HOLD", "APPROVED", "PAYABLE")
LONGEST_REASON: Final = 500
SAID: Final = {
    "approved": "The commission is approved. This page shows it in a moment.",
    "rejected": "The commission is rejected. This page shows it in a moment.",
    "replayed": "The message is queued again.",
    "attributed": "The order is attributed.",
    "dismissed": "The review is closed without a commission.",
    "separated": "The other orders now count on their own, and what arrived about them is being processed.",
    "reopened": "The order waits for a review again.",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.post("/merchant/orders/{order}/decide")
async def decide_order(visit: MerchantVisit) -> web.StreamResponse:
    """Approve or reject the commission of an order, as the order's status would."""
    order = await _explained(visit)
    approve = visit.form.get("verdict") == "approve"
    reason = visit.form.get("reason", "").strip()
    if not approve and not reason:
        return await show_order(visit, 422, {"reason": "Give a reason: the affiliate will see it."})
    try:
        conversion_id = order.details.conversion.conversion_id
        services, decision = visit.services, Decision(approve, reason[:LONGEST_REASON] or None)
        await decide_commission(
            services.store, services.submissions, services.clock, visit.account_id, conversion_id, decision
        )
    except OperatorFault as fault:
        return await show_order(visit, 422, {"reason": fault.reason})
    done = "approved" if approve else "rejected"
    return see_other(f"/merchant/orders/{conversion_id}?mode={visit.mode}&done={done}")


@PAGES.post("/merchant/orders/{order}/separate")
async def separate(visit: MerchantVisit) -> web.StreamResponse:
    """Count the other orders that came under an order's number as orders of their own."""
    conversion_id = (await _explained(visit)).details.conversion.conversion_id
    try:
        await separate_orders(visit.services.store, visit.services.clock, conversion_id)
    except OperatorFault as fault:
        return await show_order(visit, 422, {"": fault.reason})
    return see_other(f"/merchant/orders/{conversion_id}?mode={visit.mode}&done=separated")


async def _explained(visit: MerchantVisit) -> ExplainedOrder:
    order = await explain_order(visit.services.store, visit.account_id, visit.path["order"])
    if order is None:
        raise NotInAccount
    return order


@PAGES.get("/merchant/orders/{order}")
async def show_order(visit: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show an order with its explanation."""
    order = await _explained(visit)
    details, now = order.details, visit.services.clock()
    commission = details.commission
    story = None if commission is None else story_of(details, commission, order.reasons, now, order.corrections)
    stored, services = details.conversion.metadata, visit.services
    number, shared = details.conversion.external_order_id, details.conversion.namesakes
    return visit.page(
        "merchant/order.html",
        status,
        order=order,
        conversion=details.conversion,
        commission=commission,
        story=story,
        entries=entries_of(order, story, now),
        reason=reason_of(order),
        metadata=shown_json(None if stored is None else json.loads(stored)),
        messages=[(message, message_title(message), skip_words(message.skip_reason)) for message in order.messages],
        pretty=pretty,
        may_decide=visit.is_owner and commission is not None and commission.state in DECIDABLE,
        may_approve_again=visit.is_owner and commission is not None and commission.state == "REJECTED",
        said=SAID.get(visit.query.get("done", "")),
        others=await waiting_orders(services.store, visit.account_id, number) if shared else [],
        faults=faults,
        form=visit.form,
    )


def pretty(message: OrderMessage) -> str | None:
    """Return a message's body, indented if it is JSON; None once it was deleted."""
    if message.body is None:
        return None
    try:
        return json.dumps(json.loads(message.body), indent=2, ensure_ascii=False)
    except ValueError:
        return message.body

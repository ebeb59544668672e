"""/operator/questions: orders that a person must look at, such as one that changed after its commission was payable."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.order_reviews import QUESTIONS, close_order_reviews, questions_part
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import parts
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.order_messages import OrderReviewDocument

HERE: Final = "/operator/questions"
CLOSE: Final = parts.Form(
    f"{HERE}/close",
    "Close the questions",
    (
        parts.Field("order", "Id of the conversion", hint="cnv_…, as shown in the list."),
        parts.Field(
            "note", "What was done", "area", hint="What you did: corrected it, asked the merchant, or left it, and why."
        ),
    ),
    title="Close the questions about an order",
)
PAGES: Final = RouteTable(parts.operator_page)


@PAGES.post(f"{HERE}/close")
async def close(visit: Visit) -> web.StreamResponse:
    """Close the questions about an order, with a note of what was done."""
    services, form = visit.services, visit.form
    try:
        await close_order_reviews(services.store, services.clock, form.get("order", "").strip(), form.get("note", ""))
    except OperatorFault as fault:
        return await show_questions(visit, {"": str(fault)})
    return see_other(f"{HERE}?done=answered")


@PAGES.get(HERE)
async def show_questions(visit: Visit, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the open questions, newest first, or those that were closed."""
    asked = parts.asked_for(visit, "merchant", "closed")
    wanted = wanted_of(visit, QUESTIONS, {"merchant": asked["merchant"]})
    reading = questions_part(visit.services.store, wanted, closed=asked["closed"] == "1")
    found, unknown = await parts.read_list(reading)
    columns = ("Order", "Merchant", "What happened", "Details")
    listing = parts.Listing("Questions", columns, [_row(each) for each in found.entries],
                      "No order waits for an answer.", *beside(HERE, found, asked))  # fmt: skip
    filters = (
        *await parts.party_filters(visit, asked, "merchant"),
        parts.Field("closed", "Show", "choice", asked["closed"], options=(("1", "closed ones"),)),
    )
    page = parts.ListPage("Questions", HERE, listing, filters=filters, create=parts.filled(CLOSE, visit.form))
    return parts.show_list(visit, page, {**faults, **unknown})


def _row(each: OrderReviewDocument) -> tuple[parts.Cell, ...]:
    return (
        parts.link(each.external_order_id, f"/operator/orders/{each.conversion_id}", each.conversion_id),
        parts.link(each.merchant_id, f"/operator/merchants/{each.merchant_id}", each.mode),
        parts.text(each.reason.replace("_", " ")),
        parts.text(json.dumps(each.details, ensure_ascii=False)),
    )

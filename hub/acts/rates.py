"""Rates, drafted, published and dropped."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import OWNERS, PROVED_ADMINS
from hub.acts.call import Call
from hub.acts.fields import MODE, Fields, flag, needed, text
from hub.operations.money.rates import (
    DraftDocument,
    VersionDocument,
    draft_rate,
    drop_rate,
    list_drafts,
    publish_rate,
    rate_history,
)

PLACE: Final[Fields] = {
    "mode": MODE,
    "campaign": text("The rate of this campaign.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"),
    "merchant": text("The rate of this merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
    "product": text("The rate of this product, of the merchant.", "SKU-1"),
    "new_customers": flag("Of the campaign: what it pays for new customers' orders."),
}


async def _drafts(c: Call) -> Any:
    return {"data": await list_drafts(c.store, c.query.get("merchant")), "nextCursor": None}


async def _rates(c: Call) -> Any:
    return {"data": await rate_history(c.store, **c.query), "nextCursor": None}


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/rates", "listRates"), "List the rates of a place, by when each began", _rates,
        ListOfEntries(VersionDocument), query=PLACE),
    Act(get("/rates/drafts", "listRateDrafts"), "List rates that are not published", _drafts,
        ListOfEntries(DraftDocument), query={"merchant": PLACE["merchant"]}),
    Act(post("/rates/drafts", "draftRate", 201), "Draft a rate",
        lambda c: draft_rate(c.store, c.clock, **c.body), DraftDocument,
        body={"commission": needed(text("A rule like PERCENTAGE:8.", "PERCENTAGE:8")), **PLACE},
        trail=("rate.drafted",),
        by=(PROVED_ADMINS, OWNERS), commands=("rule preview",), pages=("/operator/rates", "/merchant/rates")),
    Act(post("/rates/drafts/{draft}/publish", "publishRate"), "Publish a rate: orders from now on follow it",
        lambda c: publish_rate(c.store, c.clock, c.path["draft"]), DraftDocument, trail=("rate.published",),
        by=(PROVED_ADMINS, OWNERS), commands=("rule publish",),
        pages=("/operator/rates/{rate}/publish", "/merchant/rates/{rate}/publish")),
    Act(post("/rates/drafts/{draft}/drop", "dropRate"), "Drop a draft",
        lambda c: drop_rate(c.store, c.clock, c.path["draft"]), DraftDocument, trail=("rate.dropped",),
        by=(PROVED_ADMINS, OWNERS), commands=("rule drop",),
        pages=("/operator/rates/{rate}/drop", "/merchant/rates/{rate}/drop")),
)  # fmt: skip

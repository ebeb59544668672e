"""Rates, drafted, published and dropped."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import OWNERS, PROVED_ADMINS
from hub.acts.call import Call
from hub.acts.fields import MODE, Fields, choice, flag, needed, number, text
from hub.domain.orders.volume_texts import VOLUMES, volume_of
from hub.operations.errors import InvalidFields
from hub.operations.money.rates.priced_orders import LONGEST_DAYS
from hub.operations.money.rates.rates import (
    VersionDocument,
    draft_rate,
    drop_rate,
    list_drafts,
    publish_rate,
    rate_history,
)
from hub.operations.money.rates.rule_preview import PreviewDocument, preview_rule
from hub.operations.money.rates.volume_preview import preview_volume
from hub.records.rates import DraftDocument

USUAL_DAYS: Final = 90
PLACE: Final[Fields] = {
    "mode": MODE,
    "campaign": text("The rate of this campaign.", "cmp_01936f3e8c7a7b3e9d5a4c2b1f0e8d7f"),
    "merchant": text("The rate of this merchant.", "mer_01936f3e8c7a7b3e9d5a4c2b1f0e8d84"),
    "product": text("The rate of this product, of the merchant.", "SKU-1"),
    "new_customers": flag("Of the campaign: what it pays for new customers' orders."),
}
OWN_RATE: Final = text("Of the campaign: what it pays this affiliate alone.", "aff_01936f3e8c7a7b3e9d5a4c2b1f0e8d80")


async def _drafts(c: Call) -> Any:
    return {"data": await list_drafts(c.store, c.query.get("merchant")), "nextCursor": None}


async def _rates(c: Call) -> Any:
    return {"data": await rate_history(c.store, **c.query), "nextCursor": None}


def _volume(volume: str, tiers: str) -> dict[str, Any]:
    try:
        return volume_of(volume, tiers.split(","))
    except ValueError as fault:
        raise InvalidFields({"tiers": str(fault)}) from None


async def _preview(c: Call) -> Any:
    asked = dict(c.query)
    days, volume, tiers = asked.pop("days", USUAL_DAYS), asked.pop("volume", None), asked.pop("tiers", "")
    if volume is not None:
        if "campaign" not in asked:
            raise InvalidFields({"campaign": "Rates by volume are a campaign's; name it."})
        rates = _volume(volume, tiers)
        return await preview_volume(c.store, c.clock, campaign=asked["campaign"], volume=rates, days=days)
    if "commission" not in asked:
        raise InvalidFields({"commission": "Name the rate that is tried, or what it rises by and its tiers."})
    return await preview_rule(c.store, c.clock, c.services.policy, days=days, **asked)


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/rates", "listRates"), "List the rates of a place, by when each began", _rates,
        ListOfEntries(VersionDocument),
        query={**PLACE, "affiliate": OWN_RATE}),
    Act(get("/rates/drafts", "listRateDrafts"), "List rates that are not published", _drafts,
        ListOfEntries(DraftDocument), query={"merchant": PLACE["merchant"]}),
    Act(get("/rates/preview", "previewRate"), "Price the last real orders with a trial rate", _preview,
        PreviewDocument, query={
            "commission": text("A rule like PERCENTAGE:8.", "PERCENTAGE:8"),
            "volume": choice("What the campaign's rate rises by, instead.", *VOLUMES),
            "tiers": text("With volume: tiers, with commas between them.", "11: 12 %,21: 15 %"),
            "days": number("How many days the orders go back.", 1, LONGEST_DAYS), **PLACE}),
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

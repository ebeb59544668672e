"""Affiliates."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, patch, post
from hub.acts.authority import PROVED_ADMINS, PROVED_AFFILIATES, PROVED_OPERATORS
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import PAGED, choice, instant, needed, text, texts, texts_as_fields
from hub.domain.words import AFFILIATE_STATUSES
from hub.operations.affiliates.affiliates import (
    AffiliateChange,
    create_affiliate,
    set_affiliate_status,
    show_affiliate,
    update_affiliate,
)
from hub.operations.money.rates.payabilities import end_hold, hold_payments
from hub.operations.system.party_lists import affiliates_part
from hub.records.affiliates import AffiliateDocument, HoldDocument, ListedAffiliate
from hub.validation.inputs import AffiliateTexts

NAME: Final = text("The name.", "Fjord & Fern")
EMAIL: Final = text("The e-mail address.", "ann@shop.example")
COUPONS: Final = texts("Coupon codes that are the affiliate's.", "ANNA10")
TEXTS: Final = texts_as_fields(AffiliateTexts)
SEARCH: Final = text("What the name or the e-mail address contains, in any case.", "fjord")


async def _affiliates(c: Call) -> Any:
    return answer(await affiliates_part(c.store, wanted_of(c, "search", "status")))


def _affiliate_switch(verb: str, status: str, summary: str) -> Act:
    async def run(c: Call) -> Any:
        return await set_affiliate_status(c.store, c.clock, c.path["affiliate"], status)

    return Act(
        post(f"/affiliates/{{affiliate}}/{verb}", f"{verb}Affiliate"), summary, run, AffiliateDocument,
        trail=(f"affiliate.{verb}d",), commands=(f"affiliate {verb}",),
        pages=(f"/operator/affiliates/{{affiliate}}/{verb}",),
    )  # fmt: skip


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/affiliates", "listAffiliates"), "List affiliates, newest first", _affiliates,
        ListOfEntries(ListedAffiliate),
        query={"search": SEARCH, "status": choice("In this status.", *AFFILIATE_STATUSES), **PAGED}),
    Act(post("/affiliates", "createAffiliate", 201), "Create an affiliate",
        lambda c: create_affiliate(c.store, c.clock, **c.body), AffiliateDocument,
        body={"name": needed(NAME), "email": needed(EMAIL), "coupons": COUPONS, **TEXTS}, trail=("affiliate.created",),
        commands=("affiliate create",), pages=("/operator/affiliates",)),
    Act(get("/affiliates/{affiliate}", "getAffiliate"), "Show an affiliate",
        lambda c: show_affiliate(c.store, c.path["affiliate"]), AffiliateDocument),
    Act(patch("/affiliates/{affiliate}", "updateAffiliate"), "Change an affiliate",
        lambda c: update_affiliate(
            c.store, c.clock, c.services.outbox, c.path["affiliate"], AffiliateChange(**c.body)),
        AffiliateDocument, body={"name": NAME, "email": EMAIL, "added": COUPONS, "removed": COUPONS, **TEXTS},
        trail=("affiliate.updated",),
        by=(PROVED_OPERATORS, PROVED_AFFILIATES), tells=("the affiliate",), commands=("affiliate update",),
        pages=("/operator/affiliates/{affiliate}", "/affiliate/settings")),
    Act(post("/affiliates/{affiliate}/hold", "holdPayments"), "Hold the payments of an affiliate",
        lambda c: hold_payments(c.store, c.clock, c.path["affiliate"], c.body["reason"], c.body.get("until")),
        HoldDocument, body={"reason": needed(text("Why.", "A payment is disputed.", 1_000)),
                            "until": instant("When it ends by itself; never if omitted.")},
        trail=("affiliate.payments-held",), by=(PROVED_ADMINS,), commands=("payee hold",),
        pages=("/operator/affiliates/{affiliate}/hold",)),
    Act(post("/affiliates/{affiliate}/free", "freePayments"), "Resume the payments of an affiliate",
        lambda c: end_hold(c.store, c.clock, c.path["affiliate"]), HoldDocument, trail=("affiliate.payments-freed",),
        by=(PROVED_ADMINS,), commands=("payee free",), pages=("/operator/affiliates/{affiliate}/free",)),
    _affiliate_switch("activate", "ACTIVE", "Let an affiliate earn again"),
    _affiliate_switch("deactivate", "INACTIVE", "Stop an affiliate from earning"),
)  # fmt: skip

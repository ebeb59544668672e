"""/affiliate/settings: the affiliate's name, its e-mail address and its coupons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.affiliates.affiliates import AffiliateChange, show_affiliate, update_affiliate
from hub.operations.errors import OperatorFault
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.form_faults import NO_FAULTS
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.words import text_at_fault, texts_asked, texts_typed, texts_written
from hub.validation.inputs import AffiliateTexts

OWN_WORDS: Final = {"channels": "Where you promote: websites, profiles, newsletters. Your merchants see it."}
"""Hints of texts that are about whoever reads this page."""
TEXTS: Final = [(name, label, OWN_WORDS.get(name, hint)) for name, label, hint in texts_asked(AffiliateTexts)]
PAGES: Final = RouteTable(affiliate_page)


@PAGES.post("/affiliate/settings")
async def change_settings(visit: AffiliateVisit) -> web.StreamResponse:
    """Change name and e-mail address; coupons are given by the operator, because they are unique in the network."""
    form = visit.form
    change = AffiliateChange(form.get("name", ""), form.get("email", ""), **texts_typed(AffiliateTexts, form))
    services = visit.services
    try:
        await update_affiliate(services.store, services.clock, services.outbox, visit.affiliate_id, change)
    except OperatorFault as fault:
        return await show_settings(visit, 422, {_place_of(fault.reason): fault.reason})
    return see_other("/affiliate/settings?done=saved")


def _place_of(fault: str) -> str:
    """Return the field that a fault is about."""
    return text_at_fault(TEXTS, fault) or ("email" if "e-mail" in fault else "name")


@PAGES.get("/affiliate/settings")
async def show_settings(
    visit: AffiliateVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS
) -> web.StreamResponse:
    """Show the profile and the coupons."""
    shown = await show_affiliate(visit.services.store, visit.affiliate_id)
    values = {"name": shown.name, "email": shown.email, **texts_written(AffiliateTexts, shown), **visit.form}
    return visit.page(
        "affiliate/settings.html", status, own=shown, texts=TEXTS, values=values, faults=faults,
        said=visit.query.get("done"),
    )  # fmt: skip

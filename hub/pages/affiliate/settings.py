"""/affiliate/settings: the affiliate's name, its e-mail address and its coupons."""

from __future__ import annotations

from aiohttp import web

from hub.operations.affiliates.affiliates import AffiliateChange, show_affiliate, update_affiliate
from hub.operations.errors import OperatorFault
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.rendering import see_other
from hub.pages.visit import Page


def settings_pages() -> list[Page]:
    """Return the pages."""
    return [
        affiliate_page("GET", "/affiliate/settings", show_settings),
        affiliate_page("POST", "/affiliate/settings", change_settings),
    ]


async def show_settings(visit: AffiliateVisit) -> web.StreamResponse:
    """Show the profile and the coupons."""
    return await _settings(visit, 200, {})


async def change_settings(visit: AffiliateVisit) -> web.StreamResponse:
    """Change name and e-mail address; coupons are given by the operator, because they are unique in the network."""
    change = AffiliateChange(name=visit.form.get("name", ""), email=visit.form.get("email", ""))
    services = visit.services
    try:
        await update_affiliate(services.store, services.clock, services.outbox, visit.affiliate_id, change)
    except OperatorFault as fault:
        return await _settings(visit, 422, {"email" if "e-mail" in str(fault) else "name": str(fault)})
    return see_other("/affiliate/settings?done=saved")


async def _settings(visit: AffiliateVisit, status: int, faults: dict[str, str]) -> web.StreamResponse:
    shown = await show_affiliate(visit.services.store, visit.affiliate_id)
    values = {"name": shown.name, "email": shown.email, **visit.form}
    return visit.page(
        "affiliate/settings.html", status, own=shown, values=values, faults=faults, said=visit.query.get("done")
    )

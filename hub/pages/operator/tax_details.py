"""/operator/affiliates/{affiliate}/tax-details: what DAC7 asks of an affiliate, as an administrator may set it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.errors import InvalidFields
from hub.operations.money.tax_details import set_tax_details, show_tax_details
from hub.pages.affiliate.tax_details import details_in, values_of
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/affiliates/{affiliate}/tax-details"


def tax_pages() -> list[Page]:
    """Return the pages."""
    return [operator_page("GET", HERE, show), operator_page("POST", HERE, change)]


async def show(visit: Visit) -> web.StreamResponse:
    """Show an affiliate's details, what is missing of them, and the form that changes them."""
    return await _form(visit, 200, {})


async def change(visit: Visit) -> web.StreamResponse:
    """Store an affiliate's details in the place of all that were said before."""
    services = visit.services
    affiliate = await show_affiliate(services.store, visit.path["affiliate"])
    if not services.settings.payouts.dac7:
        return visit.page("not_found.html", 404)
    try:
        await set_tax_details(
            services.store, services.sealer, services.clock, services.settings.payouts, affiliate.id,
            details_in(visit.form),
        )  # fmt: skip
    except InvalidFields as invalid:
        return await _form(visit, 422, invalid.faults)
    return see_other(f"{visit.address}?done=saved")


async def _form(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    services = visit.services
    affiliate = await show_affiliate(services.store, visit.path["affiliate"])
    if not services.settings.payouts.dac7:
        return visit.page("not_found.html", 404)
    details = await show_tax_details(services.store, services.sealer, services.settings.payouts, affiliate.id)
    return visit.page(
        "operator/tax_details.html",
        status,
        whose=affiliate,
        details=details,
        values=values_of(details, visit.form),
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )

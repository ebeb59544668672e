"""/operator/affiliates/{affiliate}/tax-details: what DAC7 asks of an affiliate, as an administrator may set it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.errors import InvalidFields
from hub.operations.money.tax.tax_details import set_tax_details, show_tax_details
from hub.pages.affiliate.tax_details import details_in, values_of
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/affiliates/{affiliate}/tax-details"
PAGES: Final = RouteTable(operator_page)


@PAGES.post(HERE)
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
        return await show(visit, 422, invalid.faults)
    return see_other(f"{visit.address}?done=saved")


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show an affiliate's details, what is missing of them, and the form that changes them."""
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

"""/affiliate/tax-details: what DAC7 asks of an affiliate, where the network collects it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.payouts.dac7 import TaxDetails
from hub.operations.errors import InvalidFields
from hub.operations.money.tax.tax_details import TaxDocument, set_tax_details, show_tax_details
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.form_faults import NO_FAULTS
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/affiliate/tax-details"
MEMBERS: Final[Mapping[str, str]] = {
    "birth_date": "birthDate", "registration_number": "registrationNumber", "tin": "tin",
    "tin_country": "tinCountry", "account_holder": "accountHolder",
}  # fmt: skip
"""The fields of the form, each with its member of the document."""
PAGES: Final = RouteTable(affiliate_page)


@PAGES.post(HERE)
async def change(visit: AffiliateVisit) -> web.StreamResponse:
    """Store the details in the place of all that were said before."""
    services = visit.services
    if not services.settings.payouts.dac7:
        return visit.not_found()
    try:
        await set_tax_details(
            services.store, services.sealer, services.clock, services.settings.payouts, visit.affiliate_id,
            details_in(visit.form),
        )  # fmt: skip
    except InvalidFields as invalid:
        return await show(visit, 422, invalid.faults)
    return see_other(f"{HERE}?done=saved")


def details_in(form: Mapping[str, str]) -> TaxDetails:
    """Return the details that a form describes, unchecked."""
    return TaxDetails(**{name: form.get(name, "").strip() or None for name in MEMBERS})


def values_of(details: TaxDocument, form: Mapping[str, str]) -> dict[str, str]:
    """Return what a form of the details shows: as it was filled in, else as it is stored."""
    stored: Mapping[str, object] = {**details}
    if form:
        return {name: form.get(name, "") for name in MEMBERS}
    return {name: str(stored[member] or "") for name, member in MEMBERS.items()}


@PAGES.get(HERE)
async def show(visit: AffiliateVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the details, what is missing of them, and the form that changes them."""
    services = visit.services
    if not services.settings.payouts.dac7:
        return visit.not_found()
    details = await show_tax_details(services.store, services.sealer, services.settings.payouts, visit.affiliate_id)
    return visit.page(
        "affiliate/tax_details.html",
        status,
        details=details,
        values=values_of(details, visit.form),
        faults=faults,
        said=visit.query.get("done"),
    )

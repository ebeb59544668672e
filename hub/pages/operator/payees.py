"""/operator/affiliates/{affiliate}/payee: who is paid for an affiliate, as an administrator may have to set it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from aiohttp import web

from hub.acts.payees import ACTS
from hub.acts.tax_details import ACTS as VAT_ACTS
from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.money.payees.payees import PayeeDocument, set_payee, show_payee
from hub.operations.money.payees.payout_terms import show_terms
from hub.operations.money.payees.shared_accounts import shares_account
from hub.operations.money.tax.vat_checks import affiliate_vat
from hub.pages.affiliate.payee import payee_in, values_of
from hub.pages.form_faults import NO_FAULTS
from hub.pages.operator import tax_details
from hub.pages.operator.act_forms import act_pages
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit
from hub.records.affiliates import AffiliateDocument

HERE: Final = "/operator/affiliates/{affiliate}/payee"
PAGES: Final = RouteTable(operator_page)


@PAGES.post(HERE)
async def change(visit: Visit) -> web.StreamResponse:
    """Store an affiliate's payment details; it gets a mail if they replace others, and payouts wait for a time."""
    services = visit.services
    affiliate = await _affiliate(visit)
    try:
        await set_payee(
            services.store, services.sealer, services.clock, services.outbox, affiliate.id, payee_in(visit.form)
        )  # fmt: skip
    except InvalidFields as invalid:
        return await show(visit, 422, invalid.faults)
    return see_other(f"{visit.address}?done=saved")


async def _affiliate(visit: Visit) -> AffiliateDocument:
    return await show_affiliate(visit.services.store, visit.path["affiliate"])


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show an affiliate's payment details, of a bank account only the last digits, and the form that changes them."""
    services = visit.services
    affiliate = await _affiliate(visit)
    payee: PayeeDocument | None = None
    with suppress(OperatorFault):
        payee = await show_payee(services.store, services.sealer, affiliate.id)
    return visit.page(
        "operator/payee.html",
        status,
        paid=affiliate,
        payee=payee,
        terms=await show_terms(services.store, affiliate.id),
        shared=await shares_account(services.store, services.sealer, affiliate.id),
        vat=await affiliate_vat(services.store, services.sealer, services.settings.payouts, affiliate.id),
        form=visit.form,
        values=values_of(payee, visit.form),
        wait=services.settings.payouts.payee_wait,
        asks_taxes=services.settings.payouts.dac7,
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )


PAGES.extend(
    [
        *tax_details.PAGES,
    ]
)
PAGES.extend(act_pages(ACTS, show, {
    f"{HERE}/terms": ("setPayoutTerms", "saved"),
}))  # fmt: skip
PAGES.extend(act_pages(VAT_ACTS, show, {
    f"{HERE}/vat": ("checkAffiliateVat", "looked-up"),
}))  # fmt: skip

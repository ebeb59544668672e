"""/operator/affiliates/{affiliate}/payee: who is paid for an affiliate, as an administrator may have to set it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from aiohttp import web

from hub.acts.payees import ACTS
from hub.acts.vat_checks import ACTS as VAT_ACTS
from hub.operations.affiliates.affiliates import show_affiliate
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.money.payees import PayeeDocument, set_payee, show_payee
from hub.operations.money.payout_terms import show_terms
from hub.operations.money.shared_accounts import shares_account
from hub.operations.money.vat_checks import affiliate_vat
from hub.pages.affiliate.payee import payee_in, values_of
from hub.pages.operator.act_forms import ActForm, act_named
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.operator.tax_details import tax_pages
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit
from hub.records.affiliates import AffiliateDocument

HERE: Final = "/operator/affiliates/{affiliate}/payee"


def payee_pages() -> list[Page]:
    """Return the pages."""
    return [
        operator_page("GET", HERE, show),
        operator_page("POST", HERE, change),
        ActForm(f"{HERE}/terms", act_named(ACTS, "setPayoutTerms"), "saved", _form).page(),
        ActForm(f"{HERE}/vat", act_named(VAT_ACTS, "checkAffiliateVat"), "looked-up", _form).page(),
        *tax_pages(),
    ]


async def show(visit: Visit) -> web.StreamResponse:
    """Show an affiliate's payment details, of a bank account only the last digits, and the form that changes them."""
    return await _form(visit, 200, {})


async def change(visit: Visit) -> web.StreamResponse:
    """Store an affiliate's payment details; it gets a mail if they replace others, and payouts wait for a time."""
    services = visit.services
    affiliate = await _affiliate(visit)
    try:
        await set_payee(
            services.store, services.sealer, services.clock, services.outbox, affiliate.id, payee_in(visit.form)
        )  # fmt: skip
    except InvalidFields as invalid:
        return await _form(visit, 422, invalid.faults)
    return see_other(f"{visit.address}?done=saved")


async def _affiliate(visit: Visit) -> AffiliateDocument:
    return await show_affiliate(visit.services.store, visit.path["affiliate"])


async def _form(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
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

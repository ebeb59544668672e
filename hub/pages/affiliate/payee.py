"""/affiliate/payee: who is paid for an affiliate, and where to; shown and changed by somebody who just proved it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast, get_args

from aiohttp import web

from hub.domain.payouts.payees import Payee
from hub.domain.words import ACCOUNT_TYPES, PayoutMethod
from hub.operations.errors import InvalidFields
from hub.operations.money.payees.payees import PayeeDocument, set_payee
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.affiliate.payouts import payee_of, waits_until
from hub.pages.form_faults import NO_FAULTS
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/affiliate/payee"
LINES: Final = ("legal_name", "street", "postal_code", "city", "country", "bank_code", "account_type", "bic", "tax_id")
PAGES: Final = RouteTable(affiliate_page)


@PAGES.post(HERE)
async def change(visit: AffiliateVisit) -> web.StreamResponse:
    """Store the payment details; the affiliate gets a mail if they replace others, and payouts wait for a time."""
    services = visit.services
    try:
        await set_payee(
            services.store, services.sealer, services.clock, services.outbox, visit.affiliate_id,
            payee_in(visit.form)
        )  # fmt: skip
    except InvalidFields as invalid:
        return await show(visit, 422, invalid.faults)
    return see_other(f"{HERE}?done=saved")


def payee_in(form: Mapping[str, str]) -> Payee:
    """Return the payee that a form describes, unchecked; a method that does not exist is a bank account."""
    method = form.get("method", "")
    return Payee(
        legal_name=form.get("legal_name", ""),
        street=form.get("street", ""),
        postal_code=form.get("postal_code", ""),
        city=form.get("city", ""),
        country=form.get("country", ""),
        method=cast("PayoutMethod", method) if method in get_args(PayoutMethod) else "iban",
        account=form.get("account", ""),
        bank_code=form.get("bank_code", "").strip() or None,
        account_type=kind if (kind := form.get("account_type", "")) in ACCOUNT_TYPES else None,
        bic=form.get("bic", "").strip() or None,
        tax_id=form.get("tax_id", "").strip() or None,
        is_business="business" in form,
        self_billing="self_billing" in form,
    )


def values_of(payee: PayeeDocument | None, form: Mapping[str, str]) -> dict[str, str]:
    """Return what a form of the payee shows: as it was filled in, else as it is stored, but never a whole account."""
    if form:
        return {**dict.fromkeys((*LINES, "method", "account", "business", "self_billing"), ""), **form}
    if payee is None:
        return {**dict.fromkeys((*LINES, "account", "business", "self_billing"), ""), "method": "iban"}
    return {
        "legal_name": payee["legalName"],
        "street": payee["street"],
        "postal_code": payee["postalCode"],
        "city": payee["city"],
        "country": payee["country"],
        "method": payee["method"],
        "account": "",
        "bank_code": "",
        "account_type": "",
        "bic": "",
        "tax_id": payee["taxId"] or "",
        "business": "1" if payee["business"] else "",
        "self_billing": "1" if payee["selfBilling"] else "",
    }


@PAGES.get(HERE)
async def show(visit: AffiliateVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.StreamResponse:
    """Show the payment details, of a bank account only the last digits, and the form that changes them."""
    payee = await payee_of(visit)
    return visit.page(
        "affiliate/payee.html",
        status,
        payee=payee,
        values=values_of(payee, visit.form),
        waits_until=waits_until(visit, payee),
        wait=visit.services.settings.payouts.payee_wait,
        asks_taxes=visit.services.settings.payouts.dac7,
        faults=faults,
        said=visit.query.get("done"),
    )

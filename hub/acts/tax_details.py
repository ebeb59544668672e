"""What affiliates are taxed by, and VAT numbers looked up in VIES, where the settings say so."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, get, post, put
from hub.acts.authority import ADMINS, PROVED_ADMINS, PROVED_AFFILIATES
from hub.acts.call import Call
from hub.acts.fields import Fields, text
from hub.domain.payouts.dac7 import TaxDetails
from hub.operations.money.tax.tax_details import TaxDocument, set_tax_details, show_tax_details
from hub.operations.money.tax.vat_checks import (
    VatStanding,
    affiliate_vat,
    check_affiliate_vat,
    check_merchant_vat,
    merchant_vat,
    register_of,
)

DETAILS: Final[Fields] = {
    "birthDate": text("When the person was born.", "1985-03-28", 10),
    "registrationNumber": text("The number of the business in its register.", "HRB 12345", 40),
    "tin": text("The tax number; the one of the payment details if it is left out.", "12345678911", 40),
    "tinCountry": text("Who gave it, ISO 3166.", "DE", 2),
    "accountHolder": text("Whose account it is, if that is somebody else.", "Anna Ames"),
}
PAGES: Final = ("/operator/affiliates/{affiliate}/tax-details", "/affiliate/tax-details")


async def _show(c: Call) -> Any:
    return await show_tax_details(c.store, c.services.sealer, c.services.settings.payouts, c.path["affiliate"])


async def _set(c: Call) -> Any:
    services = c.services
    details = TaxDetails(**c.body)
    return await set_tax_details(
        c.store, services.sealer, c.clock, services.settings.payouts, c.path["affiliate"], details
    )


async def _of_affiliate(c: Call) -> Any:
    return await affiliate_vat(c.store, c.services.sealer, c.services.settings.payouts, c.path["affiliate"])


async def _check_merchant(c: Call) -> Any:
    settings = c.services.settings
    return await check_merchant_vat(c.store, c.clock, settings.payouts, register_of(settings), c.path["merchant"])


async def _check_affiliate(c: Call) -> Any:
    settings, sealer = c.services.settings, c.services.sealer
    return await check_affiliate_vat(
        c.store, sealer, c.clock, settings.payouts, register_of(settings), c.path["affiliate"]
    )


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/affiliates/{affiliate}/tax-details", "getTaxDetails"), "Show what DAC7 asks of an affiliate", _show,
        TaxDocument, by=(PROVED_ADMINS, PROVED_AFFILIATES), shows=PAGES),
    Act(put("/affiliates/{affiliate}/tax-details", "setTaxDetails"), "Say what DAC7 asks of an affiliate", _set,
        TaxDocument, body=DETAILS, trail=("affiliate.tax-details-set",), by=(PROVED_ADMINS, PROVED_AFFILIATES),
        commands=("payee tax",), pages=PAGES),
    Act(get("/merchants/{merchant}/vat", "getMerchantVat"), "Show what VIES says of a merchant's VAT number",
        lambda c: merchant_vat(c.store, c.services.settings.payouts, c.path["merchant"]), VatStanding),
    Act(post("/merchants/{merchant}/vat", "checkMerchantVat"), "Look a merchant's VAT number up in VIES",
        _check_merchant, VatStanding, trail=("vat.checked",), by=(ADMINS,), commands=("vat check-merchant",),
        pages=("/operator/owed/{merchant}/vat",)),
    Act(get("/affiliates/{affiliate}/vat", "getAffiliateVat"), "Show what VIES says of an affiliate's VAT number",
        _of_affiliate, VatStanding, by=(PROVED_ADMINS,), shows=("/operator/affiliates/{affiliate}/payee",)),
    Act(post("/affiliates/{affiliate}/vat", "checkAffiliateVat"), "Look an affiliate's VAT number up in VIES",
        _check_affiliate, VatStanding, trail=("vat.checked",), by=(PROVED_ADMINS,), commands=("vat check-affiliate",),
        pages=("/operator/affiliates/{affiliate}/payee/vat",)),
)  # fmt: skip

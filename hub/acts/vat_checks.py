"""VAT numbers looked up in VIES, where the settings say so."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, get, post
from hub.acts.authority import ADMINS, PROVED_ADMINS
from hub.acts.call import Call
from hub.operations.money.tax.vat_checks import (
    VatStanding,
    affiliate_vat,
    check_affiliate_vat,
    check_merchant_vat,
    merchant_vat,
    register_of,
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

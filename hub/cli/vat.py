"""`hub vat`: what VIES says of VAT numbers."""

from __future__ import annotations

from typing import Any

import click

from hub.cli.act_command import ActCommand, Takes, Value
from hub.cli.output import show_fields


@click.group()
def vat() -> None:
    """Look VAT numbers up in VIES, and show what it said."""


def _show(done: Any) -> None:
    show_fields("VAT number", done)


_MERCHANT = Takes(on={"merchant": Value("", "Its id, or exact name or e-mail address.", "MER")})
_AFFILIATE = Takes(on={"affiliate": Value("", "Its id, or exact name or e-mail address.", "AFF")})

for each in (
    ActCommand("merchant", "tax_details.getMerchantVat", "Show what VIES says of a merchant's VAT number.",
               _show, _MERCHANT),
    ActCommand("affiliate", "tax_details.getAffiliateVat", "Show what VIES says of an affiliate's VAT number.",
               _show, _AFFILIATE),
    ActCommand("check-merchant", "tax_details.checkMerchantVat", "Look a merchant's VAT number up.",
               _show, _MERCHANT),
    ActCommand("check-affiliate", "tax_details.checkAffiliateVat", "Look an affiliate's VAT number up.",
               _show, _AFFILIATE),
):  # fmt: skip
    vat.add_command(each)

"""What affiliates say of themselves for tax reports (DAC7), where the operator asks for it."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, get, put
from hub.acts.authority import PROVED_ADMINS, PROVED_AFFILIATES
from hub.acts.call import Call
from hub.acts.fields import Fields, text
from hub.domain.dac7 import TaxDetails
from hub.operations.money.tax.tax_details import TaxDocument, set_tax_details, show_tax_details

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


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/affiliates/{affiliate}/tax-details", "getTaxDetails"), "Show what DAC7 asks of an affiliate", _show,
        TaxDocument, by=(PROVED_ADMINS, PROVED_AFFILIATES), shows=PAGES),
    Act(put("/affiliates/{affiliate}/tax-details", "setTaxDetails"), "Say what DAC7 asks of an affiliate", _set,
        TaxDocument, body=DETAILS, trail=("affiliate.tax-details-set",), by=(PROVED_ADMINS, PROVED_AFFILIATES),
        commands=("payee tax",), pages=PAGES),
)  # fmt: skip

"""The legal entities that bill merchants, and which of them bills whom."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post, put
from hub.acts.authority import PROVED_ADMINS
from hub.acts.call import Call, whole
from hub.acts.fields import Fields, needed, text
from hub.operations.money.tax.issuers import (
    BilledBy,
    SelfBilledTo,
    bill_by,
    billed_by,
    list_issuers,
    self_bill_to,
    set_issuer,
    show_self_billed_to,
)
from hub.records.issuers import IssuerDocument

ISSUER: Final[Fields] = {
    "code": needed(text("Small letters and digits; its invoices are AT-1, AT-2 and so on.", "at", 8)),
    "name": needed(text("Its legal name.", "Ferry Network Austria GmbH")),
    "address": needed(text("Its address, in one line.", "Ring 1, 1010 Wien")),
    "country": needed(text("Where it is taxed, ISO 3166.", "AT", 2)),
    "vatNumber": text("Its VAT number; none if it is left out.", "ATU12345675", 20),
    "vatRate": text("VAT in percent on invoices to merchants of its own country; 0 if it is left out.", "20", 10),
    "payTo": text("Where its merchants pay, as their invoices say it.", "IBAN AT61 1904 3002 3457 3201"),
    "iban": text("Its account: a bank's statement of it pays its invoices alone.", "AT611904300234573201", 42),
}


async def _issuers(c: Call) -> Any:
    return whole(await list_issuers(c.store))


async def _set(c: Call) -> Any:
    body = dict(c.body)
    return await set_issuer(c.store, c.clock, body.pop("code"), **body)


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/issuers", "listIssuers"), "List the companies that bill merchants, beside the one of the settings",
        _issuers, ListOfEntries(IssuerDocument)),
    Act(post("/issuers", "setIssuer"), "Add a company that bills merchants, or change one", _set, IssuerDocument,
        body=ISSUER, trail=("issuer.set",), by=(PROVED_ADMINS,), commands=("issuer set",),
        pages=("/operator/issuers/set",)),
    Act(get("/merchants/{merchant}/issuer", "getIssuer"), "Show which company bills a merchant",
        lambda c: billed_by(c.store, c.path["merchant"]), BilledBy),
    Act(put("/merchants/{merchant}/issuer", "billBy"), "Have a company bill a merchant from its next invoice on",
        lambda c: bill_by(c.store, c.clock, c.path["merchant"], c.body["issuer"]), BilledBy,
        body={"issuer": needed(text("Its code; first is the company of the settings.", "at", 8))},
        trail=("merchant.issuer-set",), by=(PROVED_ADMINS,), commands=("issuer bill",),
        pages=("/operator/issuers/bill",)),
    Act(get("/affiliates/{affiliate}/issuer", "getSelfBilledTo"), "Show to which company an affiliate is self-billed",
        lambda c: show_self_billed_to(c.store, c.path["affiliate"]), SelfBilledTo),
    Act(put("/affiliates/{affiliate}/issuer", "selfBillTo"),
        "Have an affiliate's self-billed invoices be to a company from the next one on",
        lambda c: self_bill_to(c.store, c.clock, c.path["affiliate"], c.body["issuer"]), SelfBilledTo,
        body={"issuer": needed(text("Its code; first is the company of the settings.", "at", 8))},
        trail=("affiliate.issuer-set",), by=(PROVED_ADMINS,), commands=("issuer self-bill",),
        pages=("/operator/issuers/self-bill",)),
)  # fmt: skip

"""What merchants owe: fees, statements and invoices."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, put
from hub.acts.authority import PROVED_ADMINS
from hub.acts.call import Call
from hub.acts.fields import MODE, needed, text
from hub.operations.money.invoices.statements import merchant_statement
from hub.operations.money.rates.fees import FeeDocument, fee_history, set_fee
from hub.records.statements import MerchantStatement


async def _fees(c: Call) -> Any:
    return {"data": await fee_history(c.store, c.path["merchant"]), "nextCursor": None}


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/merchants/{merchant}/fees", "listFees"), "List the fees of a merchant, by when each began",
        _fees, ListOfEntries(FeeDocument)),
    Act(put("/merchants/{merchant}/fee", "setFee"), "Set the fee that a merchant owes the network for each commission",
        lambda c: set_fee(c.store, c.clock, c.path["merchant"], c.body["percentage"]), FeeDocument,
        body={"percentage": needed(text("In percent.", "2.5", 10))}, trail=("fee.set",),
        by=(PROVED_ADMINS,), commands=("statement fee",), pages=("/operator/owed/{merchant}/fee",)),
    Act(get("/merchants/{merchant}/statements/{month}", "getMerchantStatement"), "Show what a merchant owes",
        lambda c: merchant_statement(c.store, c.path["merchant"], c.path["month"], c.query.get("mode", "live")),
        MerchantStatement, query={"mode": MODE}),
)  # fmt: skip

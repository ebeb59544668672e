"""Commissions."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS, FourEyes
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OF_AFFILIATE, OF_MERCHANT, PAGED, REFERENCE, Fields, choice, needed
from hub.domain.words import COMMISSION_STATES
from hub.operations.errors import unknown
from hub.operations.money.payouts.payouts import commissions_part, pay_commission
from hub.operations.orders.account_entries import commission_anywhere
from hub.records.commissions import ListedCommission, PayoutDocument

STATE: Final = choice("In this state.", *COMMISSION_STATES)
FILTERS: Final[Fields] = {"merchant": OF_MERCHANT, "affiliate": OF_AFFILIATE, "mode": MODE}


async def _commissions(c: Call) -> Any:
    return answer(await commissions_part(c.store, wanted_of(c, "state", "merchant", "affiliate", "mode")))


async def _pay(c: Call) -> Any:
    settings = c.services.settings.payouts
    return await pay_commission(c.store, c.clock, settings, c.path["commission"], c.body["reference"])


async def _commission(c: Call) -> Any:
    found = await commission_anywhere(c.store, c.path["commission"])
    if found is None:
        raise unknown("commission", c.path["commission"])
    return found


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/commissions", "listCommissions"), "List commissions, newest first", _commissions,
        ListOfEntries(ListedCommission), query={**FILTERS, "state": STATE, **PAGED}),
    Act(get("/commissions/{commission}", "getCommission"), "Show a commission", _commission, ListedCommission),
    Act(post("/commissions/{commission}/pay", "payCommission"), "Note that a commission was paid",
        _pay, PayoutDocument,
        body={"reference": needed(REFERENCE)}, trail=("commission.paid",),
        by=(PROVED_ADMINS,), four_eyes=FourEyes("payouts.four_eyes_above"),
        commands=("commission pay",), pages=("/operator/orders/{order}/pay",)),
)  # fmt: skip

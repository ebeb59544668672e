"""Commissions."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import PROVED_ADMINS, FourEyes
from hub.acts.call import Call, answer, wanted_of
from hub.acts.fields import MODE, OF_AFFILIATE, OF_MERCHANT, PAGED, REFERENCE, Fields, choice, needed
from hub.domain.words import COMMISSION_STATES
from hub.operations.money.payouts import ListedCommission, PayoutDocument, commissions_part, pay_commission

STATE: Final = choice("In this state.", *COMMISSION_STATES)
FILTERS: Final[Fields] = {"merchant": OF_MERCHANT, "affiliate": OF_AFFILIATE, "mode": MODE}


async def _commissions(c: Call) -> Any:
    return answer(await commissions_part(c.store, wanted_of(c, "state", "merchant", "affiliate", "mode")))


async def _pay(c: Call) -> Any:
    settings = c.services.settings.payouts
    return await pay_commission(c.store, c.clock, settings, c.path["commission"], c.body["reference"])


ACTS: Final[tuple[Act, ...]] = (
    Act(get("/commissions", "listCommissions"), "List commissions, newest first", _commissions,
        ListOfEntries(ListedCommission), query={**FILTERS, "state": STATE, **PAGED}),
    Act(post("/commissions/{commission}/pay", "payCommission"), "Note that a commission was paid",
        _pay, PayoutDocument,
        body={"reference": needed(REFERENCE)}, trail=("commission.paid",),
        by=(PROVED_ADMINS,), four_eyes=FourEyes("payouts.four_eyes_above"),
        commands=("commission pay",), pages=("/operator/orders/{order}/pay",)),
)  # fmt: skip

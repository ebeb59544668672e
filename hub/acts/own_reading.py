"""What an affiliate reads of its own money beside lists: one commission, what was written of it, statements, payee."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get
from hub.acts.authority import AFFILIATES
from hub.acts.call import Call, whole
from hub.operations.errors import OperatorFault, unknown
from hub.operations.money.own_payouts import own_statement
from hub.operations.money.payees import PayeeDocument, show_payee
from hub.operations.money.statements import StatementDocument
from hub.operations.orders.affiliate_reports import show_own_commission
from hub.operations.orders.order_messages import MessageDocument, read_thread
from hub.operations.orders.own_orders import own_order
from hub.records.own_orders import OwnOrder

COMMISSION: Final = "/commissions/{commission}"


async def _messages(c: Call) -> Any:
    details = await show_own_commission(c.store, c.own, c.path["commission"])
    return whole(await read_thread(c.store, c.clock, details.conversion.conversion_id, "affiliate", owner=c.own))


async def _statement(c: Call) -> Any:
    issuer, payout = c.services.settings.payouts.debtor_name, c.path["payout"]
    try:
        return await own_statement(c.store, c.services.sealer, payout, c.own, issuer)
    except OperatorFault:  # what others are paid by is nobody's business
        raise unknown("payout", payout, "It may not be released yet, or pays you nothing.") from None


ACTS: Final[tuple[Act, ...]] = (
    Act(get(COMMISSION, "getCommission"), "Show a commission with its order, and what it waits for",
        lambda c: own_order(c.store, c.clock, c.own, c.path["commission"]), OwnOrder, by=(AFFILIATES,)),
    Act(get(f"{COMMISSION}/messages", "listMessages"), "Read what you and the merchant wrote about an order",
        _messages, ListOfEntries(MessageDocument), by=(AFFILIATES,)),
    Act(get("/payouts/{payout}/statement", "getStatement"), "Show your statement of a payout that was released",
        _statement, StatementDocument, by=(AFFILIATES,)),
    Act(get("/payee", "getPayee"), "Show who is paid for you; of an account its last digits",
        lambda c: show_payee(c.store, c.services.sealer, c.own), PayeeDocument, by=(AFFILIATES,), absent=True),
)  # fmt: skip

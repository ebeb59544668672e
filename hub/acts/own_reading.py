"""What an affiliate reads of its own money beside lists, and the messages about an order that it writes."""

from __future__ import annotations

from typing import Any, Final

from hub.acts.act import Act, ListOfEntries, get, post
from hub.acts.authority import AFFILIATES
from hub.acts.call import Call, answer, wanted_of, whole
from hub.acts.fields import PAGED, needed, text
from hub.operations.errors import OperatorFault, unknown
from hub.operations.money.invoices.own_payouts import own_statement
from hub.operations.money.invoices.statements import StatementDocument
from hub.operations.money.payees.payees import PayeeDocument, show_payee
from hub.operations.orders.affiliate_reports import show_own_commission
from hub.operations.orders.order_messages import (
    LONGEST_MESSAGE,
    Notices,
    read_thread,
    threads_of_affiliate,
    write_message,
)
from hub.operations.orders.own_orders import own_order
from hub.records.order_messages import MessageDocument, ThreadDocument
from hub.records.own_orders import OwnOrder

COMMISSION: Final = "/commissions/{commission}"


async def _messages(c: Call) -> Any:
    details = await show_own_commission(c.store, c.own, c.path["commission"])
    return whole(await read_thread(c.store, c.clock, details.conversion.conversion_id, "affiliate", owner=c.own))


async def _write(c: Call) -> Any:
    details = await show_own_commission(c.store, c.own, c.path["commission"])
    order, notices = details.conversion.conversion_id, Notices(c.services.outbox, await c.root())
    said = c.body["text"]
    return whole(await write_message(c.store, c.clock, order, "affiliate", said, owner=c.own, notices=notices))


async def _threads(c: Call) -> Any:
    return answer(await threads_of_affiliate(c.store, c.own, wanted_of(c)))


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
    Act(post(f"{COMMISSION}/messages", "writeMessage", 201), "Ask the merchant about an order, or answer it", _write,
        ListOfEntries(MessageDocument),
        body={"text": needed(text("What is written.", "Why was it rejected?", LONGEST_MESSAGE))},
        trail=("conversion.message-written",), by=(AFFILIATES,),
        pages=("/affiliate/commissions/{commission}/messages",)),
    Act(get("/messages", "listThreads"), "List the orders that somebody wrote about, those with the newest first",
        _threads, ListOfEntries(ThreadDocument), query=PAGED, by=(AFFILIATES,)),
    Act(get("/payouts/{payout}/statement", "getStatement"), "Show your statement of a payout that was released",
        _statement, StatementDocument, by=(AFFILIATES,)),
    Act(get("/payee", "getPayee"), "Show your payment details; of an account only the last digits",
        lambda c: show_payee(c.store, c.services.sealer, c.own), PayeeDocument, by=(AFFILIATES,), absent=True),
)  # fmt: skip

"""/merchant/questions: what affiliates ask about orders, and the merchant's answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.order_messages import (
    THREADS,
    Notices,
    read_thread,
    thread_of_account,
    threads_of_account,
    write_message,
)
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.order_messages import ThreadDocument

HERE: Final = "/merchant/questions"
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show_questions(shown: MerchantVisit) -> web.StreamResponse:
    """Show the orders that affiliates wrote about, those with the newest message first."""
    found = await threads_of_account(shown.services.store, shown.account_id, wanted_of(shown.visit, THREADS))
    older, newer = beside(HERE, found, {})
    return shown.page("merchant/questions.html", threads=found.entries, older=older, newer=newer)


@PAGES.post(f"{HERE}/{{order}}")
async def answer(shown: MerchantVisit) -> web.StreamResponse:
    """Write to the affiliate of the order."""
    thread, services = await _thread(shown), shown.services
    try:
        await write_message(
            services.store,
            services.clock,
            thread.conversion_id,
            "merchant",
            shown.form.get("text", ""),
            owner=shown.account_id,
            notices=Notices(services.outbox, await services.root()),
        )
    except OperatorFault as fault:
        return await show_one(shown, 422, {"text": fault.reason})
    return see_other(f"{HERE}/{thread.conversion_id}?done=sent")


async def _thread(shown: MerchantVisit) -> ThreadDocument:
    thread = await thread_of_account(shown.services.store, shown.account_id, shown.path["order"])
    if thread is None:
        raise NotInAccount
    return thread


@PAGES.get(f"{HERE}/{{order}}")
async def show_one(
    shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS
) -> web.StreamResponse:
    """Show the thread of an order, and note that its merchant has seen it."""
    thread, services = await _thread(shown), shown.services
    messages = await read_thread(
        services.store, services.clock, thread.conversion_id, "merchant", owner=shown.account_id
    )
    return shown.page(
        "merchant/question.html",
        status,
        thread=thread,
        messages=messages,
        faults=faults,
        form=shown.form,
        said=shown.query.get("done"),
    )

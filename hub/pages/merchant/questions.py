"""/merchant/questions: what affiliates ask about orders, and the merchant's answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.orders.order_messages import (
    THREADS,
    Notices,
    ThreadDocument,
    read_thread,
    thread_of_account,
    threads_of_account,
    write_message,
)
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.visit import Page

HERE: Final = "/merchant/questions"


def question_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", HERE, show_questions),
        merchant_page("GET", f"{HERE}/{{order}}", show_one),
        merchant_page("POST", f"{HERE}/{{order}}", answer),
    ]


async def show_questions(shown: MerchantVisit) -> web.StreamResponse:
    """Show the orders that affiliates wrote about, those with the newest message first."""
    found = await threads_of_account(shown.services.store, shown.account_id, wanted_of(shown.visit, THREADS))
    older, newer = beside(HERE, found, {})
    return shown.page("merchant/questions.html", threads=found.entries, older=older, newer=newer)


async def show_one(shown: MerchantVisit) -> web.StreamResponse:
    """Show the thread of an order, and note that its merchant has seen it."""
    return await _one(shown, 200, {})


async def answer(shown: MerchantVisit) -> web.StreamResponse:
    """Write to the affiliate of the order."""
    thread, services = await _thread(shown), shown.services
    try:
        await write_message(
            services.store,
            services.clock,
            thread["conversionId"],
            "merchant",
            shown.form.get("text", ""),
            owner=shown.account_id,
            notices=Notices(services.outbox, await services.root()),
        )
    except OperatorFault as fault:
        return await _one(shown, 422, {"text": str(fault)})
    return see_other(f"{HERE}/{thread['conversionId']}?done=sent")


async def _thread(shown: MerchantVisit) -> ThreadDocument:
    thread = await thread_of_account(shown.services.store, shown.account_id, shown.path["order"])
    if thread is None:
        raise NotInAccount
    return thread


async def _one(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    thread, services = await _thread(shown), shown.services
    messages = await read_thread(
        services.store, services.clock, thread["conversionId"], "merchant", owner=shown.account_id
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

"""/merchant/test: a store that is played, the clock of the test account, and emptying it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.merchants.merchants import account_of
from hub.operations.merchants.test_accounts import advance_clock, advanced_ms, empty_account
from hub.operations.orders.played_orders import SCENARIOS, play_scenario
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.rendering import see_other
from hub.pages.visit import Page

HERE: Final = "/merchant/test"
STEPS: Final = (("1h", "1 hour"), ("1d", "1 day"), ("7d", "7 days"), ("15d", "15 days"), ("31d", "31 days"))
ANSWERS: Final = ("RECEIVED", "QUEUED", "DUPLICATE")
STEPS_OF_STORES: Final = frozenset(step for _, steps in SCENARIOS.values() for step in steps)
DONE: Final = {
    "advanced": "Everything in the test account is that much longer ago. Holds that ended are released at once.",
    "emptied": "The test account is empty.",
}

_order_number = re.compile(r"TEST-[0-9A-F]{8}").fullmatch


def test_mode_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", HERE, show),
        merchant_page("POST", f"{HERE}/play", play),
        merchant_page("POST", f"{HERE}/clock", advance),
        merchant_page("GET", f"{HERE}/empty", ask_to_empty, viewers=False),
        merchant_page("POST", f"{HERE}/empty", empty),
    ]


async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show what can be played, and what was."""
    return await _page(shown, 200, {})


async def play(shown: MerchantVisit) -> web.StreamResponse:
    """Play a scenario, and show how each step was answered."""
    services = shown.services
    try:
        played = await play_scenario(
            services.store, services.submissions, services.clock, shown.merchant_id, shown.form.get("scenario", "")
        )
    except OperatorFault as fault:
        return await _page(shown, 422, {"": str(fault)})
    answers = ",".join(f"{step['step']}:{step['status']}" for step in played["steps"])
    told = {"order": played["externalOrderId"], "answers": answers, "click": "1" if played["clickId"] else ""}
    return see_other(f"{HERE}?{urlencode(told)}")


async def advance(shown: MerchantVisit) -> web.StreamResponse:
    """Move the clock of the test account forward."""

    async def again(faults: Mapping[str, str]) -> web.Response:
        return await _page(shown, 422, faults)

    services = shown.services
    act = advance_clock(services.store, services.clock, shown.merchant_id, shown.form.get("by", ""))
    return await done_or_refused(act, f"{HERE}?done=advanced", again)


async def ask_to_empty(shown: MerchantVisit) -> web.StreamResponse:
    """Say what emptying does, before it is done."""
    return shown.page("merchant/test_empty.html")


async def empty(shown: MerchantVisit) -> web.StreamResponse:
    """Empty the test account."""
    services, everything = shown.services, shown.form.get("everything") == "1"

    async def again(faults: Mapping[str, str]) -> web.Response:
        return await _page(shown, 422, faults)

    act = empty_account(services.store, services.clock, shown.merchant_id, "test", everything=everything)
    return await done_or_refused(act, f"{HERE}?done=emptied", again)


async def _page(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.Response:
    store, order = shown.services.store, shown.query.get("order", "")
    async with store.read() as tx:
        account_id = str((await account_of(tx, shown.merchant_id, "test"))["account_id"])
        click = await tx.one("newest_click", account_id=account_id)
    given = [answer.partition(":")[::2] for answer in shown.query.get("answers", "")[:500].split(",")]
    answers = [(step, status) for step, status in given if step in STEPS_OF_STORES and status in ANSWERS]
    return shown.page(
        "merchant/test.html",
        status,
        scenarios={name: words for name, (words, _) in SCENARIOS.items()},
        has_click=click is not None,
        order=order if _order_number(order) else "",
        answers=answers,
        advanced=await advanced_ms(store, account_id),
        steps=STEPS,
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )

"""/merchant/test: a store that is played, the clock of the test account, and emptying it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final
from urllib.parse import urlencode

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.merchants.test_accounts import advance_clock, advanced_ms, empty_account
from hub.operations.orders.played_orders import API, SCENARIOS, play_scenario, plays_of
from hub.operations.orders.played_outcomes import outcome_of, wait_for_decisions
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.merchant.played_stores import stage_of, stores_of
from hub.pages.order_words import skip_words
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/test"
STEPS: Final = (("1h", "1 hour"), ("1d", "1 day"), ("7d", "7 days"), ("15d", "15 days"), ("31d", "31 days"))
FIRST: Final = ("order", "partial-refund", "duplicate", "storm")
"""The scenarios that have a button of their own; the others are behind one more click."""
SHOWN_PLAYS: Final = 5
DONE: Final = {
    "advanced": "Everything in the test account is now that much older. Holds that have ended are released at once.",
    "emptied": "The test account is empty.",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show what can be played, and what was, in the test mode that all of it is about."""
    if shown.mode != "test":
        return see_other(f"{HERE}?{urlencode({**shown.query, 'mode': 'test'})}")
    return await _page(shown, 200, {})


@PAGES.post(f"{HERE}/play")
async def play(shown: MerchantVisit) -> web.StreamResponse:
    """Play a scenario, and lead on to what became of each step."""
    services, form = shown.services, shown.form
    try:
        played = await play_scenario(
            stage_of(shown), shown.merchant_id, form.get("scenario", ""), form.get("sender", API)
        )
    except OperatorFault as fault:
        return await _page(shown, 422, {"": fault.reason})
    await wait_for_decisions(services.store, shown.accounts["test"], played)
    return see_other(f"{HERE}?mode=test&played={played['id']}")


@PAGES.post(f"{HERE}/clock")
async def advance(shown: MerchantVisit) -> web.StreamResponse:
    """Move the clock of the test account forward."""
    services = shown.services
    act = advance_clock(services.store, services.clock, shown.merchant_id, shown.form.get("by", ""))
    return await done_or_refused(act, f"{HERE}?done=advanced", partial(_page, shown, 422))


@PAGES.get(f"{HERE}/empty", viewers=False)
async def ask_to_empty(shown: MerchantVisit) -> web.StreamResponse:
    """Say what emptying does, before it is done."""
    return shown.page("merchant/test_empty.html")


@PAGES.post(f"{HERE}/empty")
async def empty(shown: MerchantVisit) -> web.StreamResponse:
    """Empty the test account."""
    services, everything = shown.services, shown.form.get("everything") == "1"
    act = empty_account(services.store, services.clock, shown.merchant_id, "test", everything=everything)
    return await done_or_refused(act, f"{HERE}?done=emptied", partial(_page, shown, 422))


async def _page(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.Response:
    services, store, account_id = shown.services, shown.services.store, shown.accounts["test"]
    async with store.read() as tx:
        click = await tx.one("newest_click", account_id=account_id)
    plays = await plays_of(store, account_id)
    played = next((each for each in plays if each["id"] == shown.query.get("played")), None)
    stores, unconnected = await stores_of(shown)
    return shown.page(
        "merchant/test.html",
        status,
        scenarios={name: words for name, (words, _) in SCENARIOS.items()},
        first=FIRST,
        stores=stores,
        unconnected=unconnected,
        has_click=click is not None,
        played=played,
        outcome=None
        if played is None
        else await outcome_of(store, services.clock, shown.merchant_id, account_id, played),
        skip_words=skip_words,
        plays=plays[:SHOWN_PLAYS],
        advanced=await advanced_ms(store, account_id),
        steps=STEPS,
        faults=faults,
        done=DONE.get(shown.query.get("done", "")),
    )

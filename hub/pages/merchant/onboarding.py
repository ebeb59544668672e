"""/merchant/onboarding: the first hour. Each step with the one button that does it, ticked by what really happened."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from hub.domain.set_up import PLATFORM_TITLES
from hub.operations.campaigns.campaign_changes import CampaignForm, create_campaign, set_campaign_status
from hub.operations.campaigns.taking_live import stores_to_take, take_store_live, take_to_live
from hub.operations.errors import InvalidFields, OperatorFault
from hub.operations.lists import Wanted
from hub.operations.merchants.merchant_profiles import show_profile
from hub.operations.merchants.onboarding import ask_when_ready, set_platform, show_onboarding
from hub.operations.orders.played_outcomes import outcome_of
from hub.operations.orders.test_walks import deliver_test_order, follow_test_link, place_test_order, placed_order
from hub.operations.trail_lists import newest_acts
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.merchant.played_stores import stage_of
from hub.pages.progress import Progress, page_of_long_work
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/onboarding"
QUICK_SECONDS: Final = 0.5
"""Work that took no longer leads on to its page; its answer is certain not to have begun yet."""
PLACES: Final = {
    "profile": ("/merchant/profile", "Fill in the profile"),
    "domain": ("/merchant/domains", "Prove the domain"),
    "key": ("/merchant/keys?mode={mode}", "Make a {mode} key"),
    "store": ("/merchant/connections?mode={mode}&connector={platform}#new", "Connect {title}"),
    "partner": ("/merchant/affiliates/invite?mode=live", "Invite a partner"),
}
"""The page of each step that has one, and the words of its button."""
DONE: Final = {
    "asked": "The operator of this hub sees that you want to go live. You will get an e-mail when they decide.",
    "saved": "Saved. The operator of this hub reviews your profile.",
    "proved": "The domain is proved.",
    "campaign": "The campaign runs in your test account.",
    "follow": "A buyer followed your test partner's link.",
    "order": "The test order arrived.",
    "deliver": "The parcel arrived.",
    "taken": "Your campaigns and products are in your live account.",
    "store": "The store's orders go to your live account from now on.",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the steps, and what became of the test order."""
    return await _page(shown, 200, {})


@PAGES.post(f"{HERE}/platform")
async def choose_platform(shown: MerchantVisit) -> web.StreamResponse:
    """Store what the shop runs on."""
    services = shown.services
    act = set_platform(services.store, services.clock, shown.merchant_id, shown.form.get("platform", ""))
    return await done_or_refused(act, HERE, _again(shown))


@PAGES.post(f"{HERE}/campaign")
async def start_campaign(shown: MerchantVisit) -> web.StreamResponse:
    """Create a campaign of the test account with this rate, and activate it."""
    services, value = shown.services, shown.form.get("value", "").strip().removesuffix("%").strip()
    fields = {"title": f"{shown.name} partners"[:160], "defaultCommissionType": "PERCENTAGE",
              "defaultCommissionValue": value}  # fmt: skip
    try:
        made = await create_campaign(services.store, services.clock, shown.merchant_id, "test", CampaignForm(fields))
        await set_campaign_status(services.store, services.clock, made.id, "ACTIVE", shown.accounts["test"])
    except InvalidFields as invalid:
        faults = {"value": "Write the percentage as a number, like 10 or 7.5."} if invalid.faults else {}
        return await _page(shown, 422, faults)
    except OperatorFault as fault:
        return await _page(shown, 422, {"": fault.reason})
    return see_other(f"{HERE}?done=campaign")


@PAGES.post(f"{HERE}/follow")
async def follow(shown: MerchantVisit) -> web.StreamResponse:
    """Follow the test partner's link, as a buyer with this browser."""
    root, agent = await shown.services.root(), shown.visit.client.user_agent
    act = follow_test_link(stage_of(shown), root, shown.merchant_id, agent)
    return await done_or_refused(act, f"{HERE}?done=follow#happened", _again(shown))


@PAGES.post(f"{HERE}/order")
async def order(shown: MerchantVisit) -> web.StreamResponse:
    """Place a test order, as the shop's own platform reports it."""
    act = place_test_order(stage_of(shown), shown.merchant_id)
    return await done_or_refused(act, f"{HERE}?done=order#happened", _again(shown))


@PAGES.post(f"{HERE}/deliver")
async def deliver(shown: MerchantVisit) -> web.StreamResponse:
    """Deliver the test order."""
    act = deliver_test_order(stage_of(shown), shown.merchant_id)
    return await done_or_refused(act, f"{HERE}?done=deliver#happened", _again(shown))


@PAGES.post(f"{HERE}/live-access")
async def ask(shown: MerchantVisit) -> web.StreamResponse:
    """Ask the operator for live access."""
    services, why = shown.services, shown.form.get("why", "").strip()
    act = ask_when_ready(services.store, services.clock, shown.merchant_id, why)
    return await done_or_refused(act, f"{HERE}?done=asked", _again(shown, "why" if why else ""))


@PAGES.post(f"{HERE}/take")
async def take(shown: MerchantVisit) -> web.StreamResponse:
    """Copy campaigns and products to the live account, with a count if it takes long."""
    services, began = shown.services, asyncio.get_running_loop().time()

    async def work(progress: Progress) -> web.Response:
        try:
            await take_to_live(services.store, services.clock, shown.merchant_id, progress.note)
        except OperatorFault as fault:
            return await _page(shown, 422, {"": fault.reason})
        if asyncio.get_running_loop().time() - began < QUICK_SECONDS:
            return see_other(f"{HERE}?done=taken")
        return await _page(shown, 200, {}, "taken")

    def frame() -> web.Response:
        return shown.page("working.html", title="Take to live")

    return await page_of_long_work(work, frame, "Campaigns and products copied")


@PAGES.post(f"{HERE}/store")
async def take_store(shown: MerchantVisit) -> web.StreamResponse:
    """Make a test connection the live one, in place."""
    services = shown.services
    act = take_store_live(services.store, services.clock, shown.merchant_id, shown.form.get("connection", ""))
    return await done_or_refused(act, f"{HERE}?done=store", _again(shown))


def _again(shown: MerchantVisit, field: str = "") -> Any:
    async def again(faults: Mapping[str, str]) -> web.Response:
        return await _page(shown, 422, {field or name: sentence for name, sentence in faults.items()})

    return again


async def _page(shown: MerchantVisit, status: int, faults: Mapping[str, str], done: str | None = None) -> web.Response:
    store = shown.services.store
    found = await show_onboarding(store, shown.merchant_id)
    said = shown.query.get("done", "") if done is None else done
    return shown.page(
        "merchant/onboarding.html",
        status,
        found=found,
        steps=found["liveSteps"] or found["steps"],
        profile=await show_profile(store, shown.merchant_id),
        titles=PLATFORM_TITLES,
        title=None if found["platform"] is None else PLATFORM_TITLES[found["platform"]],
        where=PLACES,
        happened=await _happened(shown),
        takable=await stores_to_take(store, shown.accounts["test"]) if found["liveSteps"] else [],
        form=shown.form,
        faults=faults,
        done=DONE.get(said),
    )


async def _happened(shown: MerchantVisit) -> dict[str, Any]:
    """Return what the test walk has shown so far: where the link led, and the newest test order."""
    store, account_id = shown.services.store, shown.accounts["test"]
    followed = await newest_acts(store, Wanted({"subject": account_id, "act": "account.followed"}, 1))
    placed = await placed_order(stage_of(shown), account_id)
    found = None
    if placed is not None:
        found = await outcome_of(store, shown.services.clock, shown.merchant_id, account_id, placed)
    return {"followed": followed[0]["after"] if followed else None, "placed": placed,
            "order": None if found is None else found.order}  # fmt: skip

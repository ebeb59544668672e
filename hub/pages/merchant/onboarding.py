"""/merchant/onboarding: the way to live orders, ticked off by what really happened; and the wish to go live."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.merchants.merchant_profiles import ask_for_live_access, show_profile
from hub.operations.merchants.onboarding import show_onboarding
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.visit import Page

HERE: Final = "/merchant/onboarding"
ACTS: Final = {
    "profile": ("/merchant/profile", "Fill in the profile"),
    "approval": ("/merchant/profile", "See the profile"),
    "key": ("/merchant/keys?mode=test", "Make a test key"),
    "call": ("/docs", "How to sign a request"),
    "products": ("/merchant/products?mode=test", "Add products"),
    "campaign": ("/merchant/campaigns?mode=test", "Create a campaign"),
    "click": ("/merchant/links?mode=test", "Make a link"),
    "conversion": ("/merchant/test", "Play an order"),
    "status": ("/merchant/test", "Play a status"),
    "refund": ("/merchant/test", "Play a refund"),
    "duplicate": ("/docs", "How repeats are answered"),
}
"""The next act of each step: an address and its words."""


def onboarding_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", HERE, show),
        merchant_page("POST", f"{HERE}/live-access", ask),
    ]


async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the steps."""
    return await _page(shown, 200, {})


async def ask(shown: MerchantVisit) -> web.StreamResponse:
    """Ask the operator for live access."""

    async def again(faults: Mapping[str, str]) -> web.Response:
        return await _page(shown, 422, faults)

    services = shown.services
    act = ask_for_live_access(services.store, services.clock, shown.merchant_id)
    return await done_or_refused(act, f"{HERE}?done=asked", again)


async def _page(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.Response:
    store = shown.services.store
    found = await show_onboarding(store, shown.merchant_id)
    return shown.page(
        "merchant/onboarding.html",
        status,
        steps=found["steps"],
        next=found["next"],
        profile=await show_profile(store, shown.merchant_id),
        acts=ACTS,
        faults=faults,
        asked=shown.query.get("done") == "asked",
    )

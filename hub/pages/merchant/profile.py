"""/merchant/profile: what the merchant says of its business, which an operator reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.merchants.merchant_profiles import FIELDS, show_profile, update_profile
from hub.operations.merchants.onboarding import words_of
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.navigation import SET_UP
from hub.pages.rendering import see_other
from hub.pages.visit import Page

HERE: Final = "/merchant/profile"


def profile_pages() -> list[Page]:
    """Return the pages."""
    return [merchant_page("GET", HERE, show), merchant_page("POST", HERE, save)]


async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the profile as a form."""
    return await _page(shown, 200, {})


async def save(shown: MerchantVisit) -> web.StreamResponse:
    """Store the fields; a complete profile goes to review."""

    async def again(faults: Mapping[str, str]) -> web.Response:
        return await _page(shown, 422, faults)

    given = {name: shown.form[name] for name in FIELDS if name in shown.form}
    services = shown.services
    act = update_profile(services.store, services.clock, shown.merchant_id, given)
    answer = await done_or_refused(act, f"{HERE}?done=saved", again)
    if answer.status == 303 and shown.sets_up:
        complete = not (await show_profile(services.store, shown.merchant_id))["missing"]
        return see_other(f"{SET_UP}?done=saved") if complete else answer
    return answer


async def _page(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.Response:
    profile = await show_profile(shown.services.store, shown.merchant_id)
    values = {name: profile["fields"].get(name, "") for name in FIELDS}
    return shown.page(
        "merchant/profile.html",
        status,
        profile=profile,
        reason=shown.merchant.status_reason,
        values={**values, **{name: text for name, text in shown.form.items() if name in values}},
        faults=faults,
        saved=shown.query.get("done") == "saved",
        missing=[words_of(name) for name in profile["missing"]],
    )

"""/merchant/profile: what the merchant says of its business, which an operator reviews."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from aiohttp import web

from hub.operations.merchants.merchant_profiles import FIELDS, show_profile, update_profile
from hub.operations.merchants.onboarding import words_of
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.navigation import SET_UP
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/profile"
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(HERE)
async def save(shown: MerchantVisit) -> web.StreamResponse:
    """Store the fields; a complete profile goes to review."""
    given = {name: shown.form[name] for name in FIELDS if name in shown.form}
    website = given.get("website", "").strip()
    if website and "://" not in website:
        given["website"] = f"https://{website}"  # as people say it
    services = shown.services
    act = update_profile(services.store, services.clock, shown.merchant_id, given)
    answer = await done_or_refused(act, f"{HERE}?done=saved", partial(show, shown, 422))
    if answer.status == 303 and shown.sets_up:
        complete = not (await show_profile(services.store, shown.merchant_id))["missing"]
        return see_other(f"{SET_UP}?done=saved") if complete else answer
    return answer


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the profile as a form."""
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

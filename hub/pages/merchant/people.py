"""/merchant/people: the colleagues who see this merchant's pages; its owners invite and remove them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.operations.users.colleagues import invite_colleague, list_colleagues, remove_colleague
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.visit import Page

HERE: Final = "/merchant/people"
DONE: Final = {
    "invited": "The invitation is on its way. Anyone who already had an account has the role now.",
    "removed": "Removed. They can no longer open this merchant's pages.",
}


def people_pages() -> list[Page]:
    """Return the pages."""
    return [
        merchant_page("GET", HERE, show),
        merchant_page("POST", HERE, invite, kept=lambda form: {"email": form.get("email", "")}),
        merchant_page("POST", f"{HERE}/{{user}}/remove", remove, back=lambda _: HERE),
    ]


async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show who sees this merchant's pages."""
    return await _page(shown, 200, {})


async def invite(shown: MerchantVisit) -> web.StreamResponse:
    """Invite a colleague by mail."""

    async def again(faults: Mapping[str, str]) -> web.Response:
        return await _page(shown, 422, faults)

    services, form = shown.services, shown.form
    level = "owner" if form.get("level") == "owner" else "viewer"
    act = invite_colleague(services.store, services.clock, services.outbox, await services.root(),
                           (shown.merchant_id, shown.name), form.get("email", ""), level)  # fmt: skip
    return await done_or_refused(act, f"{HERE}?done=invited", again, "email")


async def remove(shown: MerchantVisit) -> web.StreamResponse:
    """Remove a colleague."""

    async def again(faults: Mapping[str, str]) -> web.Response:
        return await _page(shown, 422, faults)

    services, user_id = shown.services, shown.path["user"]
    if user_id not in [each["userId"] for each in await list_colleagues(services.store, shown.merchant_id)]:
        raise NotInAccount
    act = remove_colleague(services.store, services.clock, services.outbox, shown.merchant_id, user_id)
    return await done_or_refused(act, f"{HERE}?done=removed", again)


async def _page(shown: MerchantVisit, status: int, faults: Mapping[str, str]) -> web.Response:
    people = await list_colleagues(shown.services.store, shown.merchant_id)
    given = {**shown.query, **shown.form}
    return shown.page("merchant/people.html", status, people=people, given=given, faults=faults,
                      me=shown.visit.person.user_id, done=DONE.get(shown.query.get("done", "")))  # fmt: skip

"""/merchant/people: the colleagues who see this merchant's pages; its owners invite and remove them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from aiohttp import web

from hub.operations.users.colleagues import invite_colleague, list_colleagues, remove_colleague
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.route_table import RouteTable

HERE: Final = "/merchant/people"
DONE: Final = {
    "invited": "The invitation is on its way. Anyone who already had an account has the role now.",
    "removed": "Removed. They can no longer open this merchant's pages.",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(HERE)
async def invite(shown: MerchantVisit) -> web.StreamResponse:
    """Invite a colleague by mail."""
    services, form = shown.services, shown.form
    level = "owner" if form.get("level") == "owner" else "viewer"
    act = invite_colleague(services.store, services.clock, services.outbox, await services.root(),
                           (shown.merchant_id, shown.name), form.get("email", ""), level)  # fmt: skip
    return await done_or_refused(act, f"{HERE}?done=invited", partial(show, shown, 422), "email")


@PAGES.post(f"{HERE}/{{user}}/remove", back=lambda _: HERE)
async def remove(shown: MerchantVisit) -> web.StreamResponse:
    """Remove a colleague."""
    services, user_id = shown.services, shown.path["user"]
    if user_id not in [each["userId"] for each in await list_colleagues(services.store, shown.merchant_id)]:
        raise NotInAccount
    act = remove_colleague(services.store, services.clock, services.outbox, shown.merchant_id, user_id)
    return await done_or_refused(act, f"{HERE}?done=removed", partial(show, shown, 422))


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show who sees this merchant's pages."""
    people = await list_colleagues(shown.services.store, shown.merchant_id)
    return shown.page("merchant/people.html", status, people=people, given=shown.form, faults=faults,
                      me=shown.visit.person.user_id, done=DONE.get(shown.query.get("done", "")))  # fmt: skip

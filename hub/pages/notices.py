"""/account/notices: what happened that one should know, with unread marks, and how each kind comes by mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.messages.notices import KINDS, Kind
from hub.operations.errors import OperatorFault
from hub.operations.notices import NOTICES, choices_of, choose, notices_part, read_notices
from hub.pages.form_faults import NO_FAULTS
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit

HERE: Final = "/account/notices"
MAILS: Final = (("AT_ONCE", "at once"), ("DAILY", "once a day"), ("OFF", "not at all"))
DONE: Final = {"read": "All are marked as read.", "saved": "Saved."}
PAGES: Final = RouteTable(Page)


@PAGES.post(f"{HERE}/read")
async def read_all(visit: Visit) -> web.StreamResponse:
    """Mark all as read."""
    await read_notices(visit.services.store, visit.services.clock, visit.person.user_id)
    return see_other(f"{HERE}?done=read")


@PAGES.post(f"{HERE}/mails")
async def save(visit: Visit) -> web.StreamResponse:
    """Keep how each kind comes by mail."""
    try:
        await choose(visit.services.store, visit.person.user_id, {n: t for n, t in visit.form.items() if n in KINDS})
    except OperatorFault as fault:
        return await show(visit, 422, {"": fault.reason})
    return see_other(f"{HERE}?done=saved#mails")


@PAGES.get(HERE)
async def show(visit: Visit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show one's notices, newest first."""
    store, user_id = visit.services.store, visit.person.user_id
    part = await notices_part(store, user_id, wanted_of(visit, NOTICES))
    older, newer = beside(HERE, part, {})
    return visit.page(
        "notices.html", status, notices=part.entries, older=older, newer=newer, kinds=_own_kinds(visit),
        chosen=await choices_of(store, user_id), mails=MAILS, has_mail=visit.services.outbox.is_on, faults=faults,
        done=DONE.get(visit.query.get("done", "")),
    )  # fmt: skip


def _own_kinds(visit: Visit) -> dict[str, Kind]:
    """Return the kinds that somebody with these roles can get and that are mailed as they choose."""
    roles = {role["role"].removesuffix("-admin") for role in visit.person.roles}
    return {name: kind for name, kind in KINDS.items() if kind.side in roles and not kind.mails_itself}

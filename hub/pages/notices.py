"""/account/notices: what happened that one should know, with unread marks, and how each kind comes by mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.domain.notices import KINDS, Kind
from hub.operations.errors import OperatorFault
from hub.operations.notices import NOTICES, choices_of, choose, notices_part, read_notices
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/account/notices"
MAILS: Final = (("AT_ONCE", "at once"), ("DAILY", "once a day"), ("OFF", "not at all"))
DONE: Final = {"read": "All are marked as read.", "saved": "Saved."}


def notice_pages() -> list[Page]:
    """Return the pages."""
    return [
        Page("GET", HERE, show),
        Page("POST", f"{HERE}/read", read_all),
        Page("POST", f"{HERE}/mails", save),
    ]


async def show(visit: Visit) -> web.StreamResponse:
    """Show one's notices, newest first."""
    return await _page(visit, 200, {})


async def read_all(visit: Visit) -> web.StreamResponse:
    """Mark all as read."""
    await read_notices(visit.services.store, visit.services.clock, visit.person.user_id)
    return see_other(f"{HERE}?done=read")


async def save(visit: Visit) -> web.StreamResponse:
    """Keep how each kind comes by mail."""
    try:
        await choose(visit.services.store, visit.person.user_id, {n: t for n, t in visit.form.items() if n in KINDS})
    except OperatorFault as fault:
        return await _page(visit, 422, {"": str(fault)})
    return see_other(f"{HERE}?done=saved#mails")


async def _page(visit: Visit, status: int, faults: Mapping[str, str]) -> web.Response:
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

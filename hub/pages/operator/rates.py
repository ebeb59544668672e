"""/operator/rates: a rate tried on real orders before it is published or dropped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web

from hub.operations.errors import OperatorFault
from hub.operations.money.rates import DRAFTS, DraftDocument, draft_rate, drafts_part, drop_rate, publish_rate
from hub.operations.money.rule_preview import PreviewDocument
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.paging import beside, wanted_of
from hub.pages.progress import Progress, page_of_long_work
from hub.pages.rate_forms import DAYS, KINDS, AskedRate, names_in, preview_asked
from hub.pages.rendering import see_other
from hub.pages.visit import Page, Visit

HERE: Final = "/operator/rates"


def rate_pages() -> list[Page]:
    """Return the pages."""
    return [
        operator_page("GET", HERE, show),
        operator_page("POST", HERE, keep, back=lambda visit: f"{HERE}?{AskedRate.of(visit.form).query}"),
        operator_page("POST", f"{HERE}/{{rate}}/publish", publish, back=lambda _: HERE),
        operator_page("POST", f"{HERE}/{{rate}}/drop", drop, back=lambda _: HERE),
    ]


async def show(visit: Visit) -> web.StreamResponse:
    """Show the form, what the rate in the address would change, and the rates that were tried."""
    return await _page(visit, AskedRate.of(visit.query), 200, {})


async def keep(visit: Visit) -> web.StreamResponse:
    """Keep the rate that was tried as a draft."""
    asked, services = AskedRate.of(visit.form), visit.services
    try:
        await draft_rate(services.store, services.clock, commission=asked.commission, mode=asked.mode, **asked.target)
    except OperatorFault as fault:
        return await _page(visit, asked, 422, {"": str(fault)})
    return see_other(f"{HERE}?done=drafted")


async def publish(visit: Visit) -> web.StreamResponse:
    """Put a drafted rate in force."""
    return await _decide(visit, publish_rate, "published")


async def drop(visit: Visit) -> web.StreamResponse:
    """Drop a drafted rate."""
    return await _decide(visit, drop_rate, "dropped")


async def _decide(visit: Visit, decide: Callable[..., Awaitable[DraftDocument]], word: str) -> web.StreamResponse:
    try:
        await decide(visit.services.store, visit.services.clock, visit.path["rate"])
    except OperatorFault as fault:
        return await _page(visit, AskedRate.of({}), 422, {"": str(fault)})
    return see_other(f"{HERE}?done={word}")


async def _page(visit: Visit, asked: AskedRate, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    if not asked.value or faults:
        return await _answer(visit, asked, status, faults, None)

    async def tried(progress: Progress) -> web.Response:
        try:
            found = await preview_asked(visit.services, asked, progress)
        except OperatorFault as fault:
            return await _answer(visit, asked, 422, {"": str(fault)}, None)
        return await _answer(visit, asked, status, {}, found)

    return await page_of_long_work(tried, lambda: visit.page("working.html", title="Try a rate"), "Orders priced")


async def _answer(
    visit: Visit, asked: AskedRate, status: int, faults: Mapping[str, str], found: PreviewDocument | None
) -> web.Response:
    store = visit.services.store
    drafts = await drafts_part(store, wanted_of(visit, DRAFTS))
    older, newer = beside(HERE, drafts, {})
    return visit.page(
        "operator/rates.html",
        status,
        asked=asked,
        days=DAYS,
        kinds=KINDS,
        found=found,
        names={} if found is None else await names_in(store, found),
        drafts=drafts.entries,
        older=older,
        newer=newer,
        may_act=visit.may(HERE),
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )

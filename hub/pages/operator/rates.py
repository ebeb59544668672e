"""/operator/rates: a rate tried on real orders before it is published or dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aiohttp import web

from hub.acts.rates import ACTS
from hub.operations.errors import OperatorFault
from hub.operations.money.rates.rates import DRAFTS, draft_rate, drafts_part
from hub.operations.money.rates.rule_preview import PreviewDocument
from hub.pages.operator.act_forms import ActForm, act_named
from hub.pages.operator.parts import operator_page
from hub.pages.operator.said import DONE
from hub.pages.paging import beside, wanted_of
from hub.pages.progress import Progress, page_of_long_work
from hub.pages.rate_forms import DAYS, KINDS, RISING, AskedRate, names_in, preview_asked
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Visit

HERE: Final = "/operator/rates"
PAGES: Final = RouteTable(operator_page)


@PAGES.get(HERE)
async def show(visit: Visit) -> web.StreamResponse:
    """Show the form, what the rate in the address would change, and the rates that were tried."""
    return await _page(visit, AskedRate.of(visit.query), 200, {})


@PAGES.post(HERE, back=lambda visit: f"{HERE}?{AskedRate.of(visit.form).query}")
async def keep(visit: Visit) -> web.StreamResponse:
    """Keep the rate that was tried as a draft."""
    asked, services = AskedRate.of(visit.form), visit.services
    try:
        await draft_rate(services.store, services.clock, commission=asked.commission, mode=asked.mode, **asked.target)
    except OperatorFault as fault:
        return await _page(visit, asked, 422, {"": fault.reason})
    return see_other(f"{HERE}?done=drafted")


async def _again(visit: Visit, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    return await _page(visit, AskedRate.of({}), status, faults)


async def _page(visit: Visit, asked: AskedRate, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    if not asked.is_asked or faults:
        return await _answer(visit, asked, status, faults, None)

    async def tried(progress: Progress) -> web.Response:
        try:
            found = await preview_asked(visit.services, asked, progress)
        except OperatorFault as fault:
            return await _answer(visit, asked, 422, {"": fault.reason}, None)
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
        rising=RISING,
        found=found,
        names={} if found is None else await names_in(store, found),
        drafts=drafts.entries,
        older=older,
        newer=newer,
        may_act=visit.may(HERE),
        faults=faults,
        said=DONE.get(visit.query.get("done", "")),
    )


PAGES.extend(
    [
        *(
            ActForm(
                f"{HERE}/{{rate}}/{verb}",
                act_named(ACTS, f"{verb}Rate"),
                word,
                _again,
                {"rate": "draft"},
                back=lambda _: HERE,
            ).page()
            for verb, word in (("publish", "published"), ("drop", "dropped"))
        ),
    ]
)

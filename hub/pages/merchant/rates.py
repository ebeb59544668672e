"""/merchant/rates: a rate of one's own campaigns or products tried on real orders before it is published or dropped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web
from attrs import evolve

from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.money.rates.rates import DRAFTS, draft_rate, drafts_part, drop_rate, publish_rate
from hub.operations.money.rates.rule_preview import PreviewDocument
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.paging import beside, wanted_of
from hub.pages.progress import Progress, page_of_long_work
from hub.pages.rate_forms import DAYS, KINDS, RISING, AskedRate, names_in, preview_asked
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.rates import DraftDocument

HERE: Final = "/merchant/rates"
DONE: Final = {
    "drafted": "The rate is saved as a draft. Nothing changes until it is published.",
    "published": "The rate applies to orders from now on.",
    "dropped": "The draft is deleted.",
}
PAGES: Final = RouteTable(merchant_page)


@PAGES.get(HERE)
async def show(shown: MerchantVisit) -> web.StreamResponse:
    """Show the form, what the rate in the address would change, and the rates that were tried."""
    return await _page(shown, _asked(shown, shown.query), 200, {})


@PAGES.post(HERE)
async def keep(shown: MerchantVisit) -> web.StreamResponse:
    """Keep the rate that was tried as a draft."""
    asked, services = _asked(shown, shown.form), shown.services
    await _require_own(shown, asked)
    try:
        await draft_rate(services.store, services.clock, commission=asked.commission, mode=asked.mode, **asked.target)
    except OperatorFault as fault:
        return await _page(shown, asked, 422, {"value": fault.reason})
    return see_other(f"{HERE}?mode={shown.mode}&done=drafted")


@PAGES.post(f"{HERE}/{{rate}}/publish")
async def publish(shown: MerchantVisit) -> web.StreamResponse:
    """Put a drafted rate in force."""
    return await _decide(shown, publish_rate, "published")


@PAGES.post(f"{HERE}/{{rate}}/drop")
async def drop(shown: MerchantVisit) -> web.StreamResponse:
    """Drop a drafted rate."""
    return await _decide(shown, drop_rate, "dropped")


async def _decide(
    shown: MerchantVisit, decide: Callable[..., Awaitable[DraftDocument]], word: str
) -> web.StreamResponse:
    services, rate = shown.services, shown.path["rate"]
    wanted = Wanted({**_own(shown), "draft_id": rate})
    if not (await drafts_part(services.store, wanted)).entries:
        raise NotInAccount
    try:
        await decide(services.store, services.clock, rate)
    except OperatorFault as fault:
        return await _page(shown, _asked(shown, {}), 422, {"": fault.reason})
    return see_other(f"{HERE}?mode={shown.mode}&done={word}")


def _asked(shown: MerchantVisit, values: Mapping[str, str]) -> AskedRate:
    return AskedRate.of(values, merchant=shown.merchant_id, mode=shown.mode)


async def _require_own(shown: MerchantVisit, asked: AskedRate) -> None:
    """Raise `NotInAccount` for another's campaign, and for none at all: the default rate is the operator's."""
    if asked.campaign and asked.campaign not in dict(await _campaigns(shown)):
        raise NotInAccount
    if not (asked.campaign or asked.product):
        raise NotInAccount


def _own(shown: MerchantVisit) -> dict[str, str | int | None]:
    """Return the filters of the account's drafts; those of the merchant's default rate are the operator's."""
    return {"merchant_id": shown.merchant_id, "mode": shown.mode, "own": 1}


async def _campaigns(shown: MerchantVisit) -> list[tuple[str, str]]:
    found = await list_campaigns(shown.services.store, shown.services.clock, shown.merchant_id)
    return [(each.id, each.title) for each in found if each.mode == shown.mode]


async def _page(shown: MerchantVisit, asked: AskedRate, status: int, faults: Mapping[str, str]) -> web.StreamResponse:
    if not asked.is_asked or faults:
        return await _answer(shown, asked, status, faults, None)
    await _require_own(shown, asked)

    async def tried(progress: Progress) -> web.Response:
        try:
            found = await preview_asked(shown.services, asked, progress)
        except OperatorFault as fault:
            return await _answer(shown, asked, 422, {"value": fault.reason}, None)
        return await _answer(shown, asked, status, {}, found)

    return await page_of_long_work(tried, lambda: shown.page("working.html", title="Try a rate"), "Orders priced")


async def _answer(
    shown: MerchantVisit, asked: AskedRate, status: int, faults: Mapping[str, str], found: PreviewDocument | None
) -> web.Response:
    wanted = evolve(wanted_of(shown.visit, DRAFTS), filters=_own(shown))
    drafts = await drafts_part(shown.services.store, wanted)
    older, newer = beside(HERE, drafts, {})
    return shown.page(
        "merchant/rates.html",
        status,
        asked=asked,
        campaigns=await _campaigns(shown),
        days=DAYS,
        kinds=KINDS,
        rising=RISING,
        found=found,
        names={} if found is None else await names_in(shown.services.store, found),
        drafts=drafts.entries,
        older=older,
        newer=newer,
        faults=faults,
        said=DONE.get(shown.query.get("done", "")),
    )

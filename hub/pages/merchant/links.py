"""/merchant/links: the links of affiliates that lead to this merchant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from aiohttp import web

from hub.operations.affiliates.link_lists import LINKS, affiliates_of_account, list_account_links
from hub.operations.affiliates.links import NewLink, create_link, enable_link
from hub.operations.campaigns.campaigns import list_campaigns
from hub.operations.errors import OperatorFault
from hub.pages.form_faults import NO_FAULTS
from hub.pages.merchant.access import MerchantVisit, NotInAccount, merchant_page
from hub.pages.merchant.acts import done_or_refused
from hub.pages.paging import beside, wanted_of
from hub.pages.rendering import see_other
from hub.pages.route_table import RouteTable
from hub.records.words import text_at_fault, texts_asked, texts_said, texts_typed
from hub.validation.inputs import LinkTexts

HERE: Final = "/merchant/links"
DONE: Final = {
    "created": "The link works.",
    "disabled": "The link is off. Buyers still reach the shop, but no click is counted.",
    "enabled": "The link counts clicks again.",
}
TEXTS: Final = texts_asked(LinkTexts)
PAGES: Final = RouteTable(merchant_page)


@PAGES.post(HERE)
async def create(shown: MerchantVisit) -> web.StreamResponse:
    """Make a link of an affiliate that the merchant has to do with."""
    services, form = shown.services, shown.form
    known = {affiliate_id for affiliate_id, _ in await affiliates_of_account(services.store, shown.account_id)}
    if form.get("affiliate") not in known:
        return await show(shown, 422, {"affiliate": "Choose one of your affiliates."})
    wanted = NewLink(
        merchant_id=shown.merchant_id,
        mode=shown.mode,
        affiliate_id=form["affiliate"],
        campaign_id=form.get("campaign") or None,
        external_product_id=form.get("product", "").strip() or None,
        destination=form.get("destination", "").strip() or None,
        **texts_typed(LinkTexts, form),
    )
    try:
        await create_link(services.store, services.clock, await services.root(), wanted)
    except OperatorFault as fault:
        return await show(shown, 422, {text_at_fault(TEXTS, fault.reason) or "": fault.reason})
    return see_other(f"{HERE}?done=created")


@PAGES.post(f"{HERE}/{{link}}/enabled")
async def enable(shown: MerchantVisit) -> web.StreamResponse:
    """Disable or enable a link."""
    services = shown.services
    async with services.store.read() as tx:
        row = await tx.one("link_by_code", code=shown.path["link"])
    if row is None or row["account_id"] != shown.account_id:
        raise NotInAccount
    enabled = shown.form.get("enabled") == "1"
    act = enable_link(services.store, services.clock, await services.root(), row["code"], enabled=enabled)
    return await done_or_refused(act, f"{HERE}?done={'enabled' if enabled else 'disabled'}", partial(show, shown, 422))


@PAGES.get(HERE)
async def show(shown: MerchantVisit, status: int = 200, faults: Mapping[str, str] = NO_FAULTS) -> web.Response:
    """Show the links of the account, newest first, and the form for one more."""
    services, wanted = shown.services, wanted_of(shown.visit, LINKS)
    found = await list_account_links(services.store, await services.root(), shown.account_id, wanted)
    older, newer = beside(HERE, found, {})
    campaigns = await list_campaigns(services.store, services.clock, shown.merchant_id)
    return shown.page(
        "merchant/links.html",
        status,
        links=found.entries,
        affiliates=await affiliates_of_account(services.store, shown.account_id),
        campaigns=[(each.id, each.title) for each in campaigns if each.mode == shown.mode],
        given={**dict.fromkeys((name for name, _, _ in TEXTS), ""), **shown.form},
        texts=TEXTS,
        said=texts_said,
        faults=faults,
        older=older,
        newer=newer,
        done=DONE.get(shown.query.get("done", "")),
    )

"""/join: a merchant's own page, from which a stranger registers and an affiliate becomes a partner with one click."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from hub.acts.authority import AFFILIATES
from hub.operations.affiliates.join_pages import PublicPage, join_by_page, show_join_page
from hub.operations.affiliates.memberships import every_membership
from hub.operations.errors import OperatorFault
from hub.operations.pictures.pictures import show_picture
from hub.pages.affiliate.access import AffiliateVisit, affiliate_page
from hub.pages.login import wait_text
from hub.pages.register import LONGEST, fault_of
from hub.pages.rendering import HEADERS, see_other
from hub.pages.route_table import RouteTable
from hub.pages.visit import Page, Visit
from hub.people.failures import Paused
from hub.people.registration import Applicant

PICTURE_HEADERS: Final = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Of a picture, which shops and blogs may show: it never changes, and nothing in it can run."""
PAGES: Final = RouteTable(Page)


@PAGES.get("/join/{name}", public=True)
async def show(visit: Visit) -> web.StreamResponse:
    """Show a merchant's page, with the way in that fits who reads it; a former address leads on."""
    page = await _found(visit)
    if page is not None and page.document["name"] != visit.path["name"]:
        return see_other(f"/join/{page.document['name']}")
    return await _page(visit, 200)


@PAGES.post("/join/{name}", public=True)
async def ask(visit: Visit) -> web.StreamResponse:
    """Mail a link that proves the address; the answer is the same for one that has an account."""
    page = await _found(visit)
    if page is None:
        return visit.page("not_found.html", 404)
    form, services = visit.form, visit.services
    applicant = Applicant(
        "affiliate", form.get("email", "")[:LONGEST], form.get("name", "")[:LONGEST], partner_of=page.account_id
    )
    try:
        await services.ways.registrations.ask(applicant, visit.client, await services.root())
    except Paused as pause:
        return await _page(visit, 429, wait_text(pause))
    except OperatorFault as fault:
        return await _page(visit, 422, fault.reason)
    return await _page(visit, 200, asked=True)


async def become_partner(own: AffiliateVisit) -> web.StreamResponse:
    """Make the affiliate who has signed in a partner, or let it wait for the merchant."""
    page = await _found(own.visit)
    if page is None:
        return own.not_found()
    try:
        async with own.services.store.write() as tx:
            status = await join_by_page(tx, own.services.clock, page.account_id, own.affiliate_id)
    except OperatorFault as fault:
        return await _page(own.visit, 422, fault.reason)
    if status is None:
        return await _page(own.visit, 422, "There is nothing to promote right now. Please come back later.")
    return see_other(f"/join/{page.document['name']}")


@PAGES.get("/pictures/{picture}", public=True)
async def picture(visit: Visit) -> web.StreamResponse:
    """Return a picture, as the type that the hub wrote it as."""
    tag = visit.path["picture"]
    found = None if tag in visit.known_tags else await show_picture(visit.services.store, tag)
    headers = {**PICTURE_HEADERS, "ETag": f'"{tag}"'}
    if tag in visit.known_tags:
        return web.Response(status=304, headers=headers)
    if found is None:
        return visit.page("not_found.html", 404)
    return web.Response(body=found.content, headers={**headers, "Content-Type": found.media_type})


async def _found(visit: Visit) -> PublicPage | None:
    services = visit.services
    return await show_join_page(services.store, services.clock, services.policy, visit.path["name"])


async def _page(visit: Visit, status: int, fault: str | None = None, *, asked: bool = False) -> web.Response:
    page = await _found(visit)
    if page is None:
        return visit.page("not_found.html", 404)
    return visit.page(
        "join.html", status, page=page.document, offers=page.offers, merchant_name=page.merchant_name,
        faults=fault_of(visit.form, fault), asked=asked, form=visit.form,
        is_open=visit.services.ways.registrations.is_open,
        is_affiliate=visit.session is not None and visit.person.has_role(*AFFILIATES.roles),
        state=await _state(visit, page),
    )  # fmt: skip


async def _state(visit: Visit, page: PublicPage) -> str | None:
    """Return what the affiliate who reads is to the merchant: APPROVED, APPLIED, ENDED, or None."""
    if visit.session is None:
        return None
    own = next((role["affiliateId"] for role in visit.person.roles if role["affiliateId"] is not None), None)
    if own is None:
        return None
    joined = {offer.id for offer in page.offers}
    members = [each.status for each in await every_membership(visit.services.store, {"affiliate": own})
               if each.campaign_id in joined]  # fmt: skip
    if not members:
        return None
    return next((state for state in ("APPROVED", "APPLIED") if state in members), "ENDED")


PAGES.extend(
    [
        affiliate_page("POST", "/affiliate/join/{name}", become_partner),
    ]
)

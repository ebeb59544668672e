"""Whose data an affiliate's page is about: an affiliate that the person is, and no other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from attrs import frozen

from hub.acts.authority import AFFILIATES
from hub.pages.visit import OwnVisit, Page, Visit


@frozen(eq=False)
class AffiliateVisit(OwnVisit):
    """A visit to a page of an affiliate; every query of the page is bound to `affiliate_id`."""

    affiliate_id: str

    def page(self, template: str, status: int = 200, /, **values: Any) -> web.Response:
        """Return a page; its template has this visit as `affiliate`."""
        return self.visit.page(template, status, affiliate=self, **values)

    def not_found(self) -> web.Response:
        """Return the answer for what is not there or is another's."""
        return self.visit.page("not_found.html", 404)


AffiliateHandler = Callable[[AffiliateVisit], Awaitable[web.StreamResponse]]


def affiliate_page(
    method: str, path: str, handler: AffiliateHandler, back: Callable[[Visit], str] | None = None
) -> Page:
    """Return a page for an affiliate; somebody who is several chooses by `?affiliate=aff_…`."""

    async def serve(visit: Visit) -> web.StreamResponse:
        own = [role["affiliateId"] for role in visit.person.roles if role["affiliateId"] is not None]
        affiliate_id = visit.query.get("affiliate") or own[0]
        if affiliate_id not in own:
            return visit.page("not_found.html", 404)
        return await handler(AffiliateVisit(visit, affiliate_id))

    return Page(method, path, serve, AFFILIATES, back=back)

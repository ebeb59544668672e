"""Whose data an affiliate's page is about: an affiliate that the person is, and no other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web
from attrs import frozen

from hub.acts.authority import AFFILIATES
from hub.http.router import PathValues
from hub.pages.visit import Page, PageServices, Visit


@frozen(eq=False)
class AffiliateVisit:
    """A visit to a page of an affiliate; every query of the page is bound to `affiliate_id`."""

    visit: Visit
    affiliate_id: str

    @property
    def services(self) -> PageServices:
        """What every page works with."""
        return self.visit.services

    @property
    def query(self) -> Mapping[str, str]:
        """The query string."""
        return self.visit.query

    @property
    def path(self) -> PathValues:
        """The values of the address."""
        return self.visit.path

    @property
    def form(self) -> Mapping[str, str]:
        """The fields of the form."""
        return self.visit.form

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

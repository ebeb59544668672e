"""GET /t/{code}: record the click and redirect the buyer to the shop (API specification, Attribution flow).

GET /s/{short} does the same for a link's short address.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from time import perf_counter_ns
from typing import Final

import structlog
from aiohttp import web
from multidict import CIMultiDictProxy

from hub.clock import Clock
from hub.domain.orders.sub_ids import merged_sub_ids, stored_sub_ids
from hub.domain.orders.visitors import visitor_hash
from hub.http.client_address import Network, client_of
from hub.http.response import DEFENCES, respond
from hub.http.router import PathValues, Route
from hub.ids import new_id
from hub.observability.metrics import Metrics
from hub.storage import StoreUnavailable
from hub.tracking.click_batcher import Click, ClickBatcher
from hub.tracking.click_limits import ClickLimits
from hub.tracking.crawlers import is_crawler
from hub.tracking.links import Link, LinkCache

PAGE_PARAMETER: Final = "to"
NO_QUERY: Final[Mapping[str, str]] = {}
ROUTE: Final = "GET /t/{code}"
SHORT_ROUTE: Final = "GET /s/{short}"
HEADERS: Final = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Server": "hub", **DEFENCES}
STYLE: Final = "body{font:18px/1.5 system-ui;margin:20vh auto;max-width:32em;padding:0 1em;text-align:center}"
PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>{style}</style></head><body><h1>{title}</h1><p>{text}</p></body></html>
"""
POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE_HEADERS: Final = {**HEADERS, "Content-Security-Policy": POLICY}
FindLink = Callable[[str, int], Awaitable[Link | None]]
PURPOSES: Final = ("Sec-Purpose", "Purpose", "X-Purpose", "X-Moz")
"""Headers by which browsers, today's and yesterday's, mark what they fetch before anybody asked for it."""

log = structlog.get_logger(__name__)


class ClickRedirect:
    """Serves tracking links."""

    def __init__(
        self,
        links: LinkCache,
        clicks: ClickBatcher,
        limits: ClickLimits,
        metrics: Metrics,
        clock: Clock,
        trusted_proxies: Sequence[Network] = (),
        *,
        visitor_key: bytes = b"",
        is_disk_short: Callable[[], bool] = lambda: False,
    ) -> None:
        self._links = links
        self._clicks = clicks
        self._limits = limits
        self._metrics = metrics
        self._clock = clock
        self._trusted_proxies = trusted_proxies
        self._visitor_key = visitor_key
        self._is_disk_short = is_disk_short

    def routes(self) -> list[Route]:
        """Return the routes of a visit, GET and HEAD."""
        ways = (("/t/{code}", self.visit), ("/s/{short}", self.visit_short))
        return [Route(method, path, visit) for path, visit in ways for method in ("GET", "HEAD")]

    async def visit(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Redirect with 302, after the click is durable; an unknown code gets a page that says so."""
        return await self._visit(request, ROUTE, self._links.find, path["code"])

    async def visit_short(self, request: web.BaseRequest, path: PathValues) -> web.StreamResponse:
        """Do the same for the link that has this short address."""
        return await self._visit(request, SHORT_ROUTE, self._links.find_short, path["short"])

    async def _visit(self, request: web.BaseRequest, route: str, find: FindLink, name: str) -> web.StreamResponse:
        started = perf_counter_ns()
        response: web.StreamResponse
        try:
            response = await self._answer(request, find, name)
        except StoreUnavailable as fault:
            log.warning("a link could not be looked up", fault=str(fault))
            response = _page(503, "Just a moment", "This link cannot be followed right now. Please try again.")
            response.headers["Retry-After"] = "1"
        except ConnectionError:
            raise  # the buyer has left; the click is kept
        except Exception:
            log.exception("a visit failed", path=request.rel_url.raw_path[:200])
            response = _page(500, "Something went wrong", "This link cannot be followed right now. Please try again.")
        self._metrics.note_request(route, response.status, (perf_counter_ns() - started) / 1e9)
        return response

    async def _answer(self, request: web.BaseRequest, find: FindLink, name: str) -> web.StreamResponse:
        now = self._clock()
        link = await find(name, now)
        if link is None:
            self._metrics.note_click("unknown")
            return _page(404, "This link leads nowhere", "It may be mistyped, or it is no longer in use.")
        # Most visits have no query, and then neither sub-ids nor another page than the link's own.
        asked = request.query if request.rel_url.raw_query_string else NO_QUERY
        address = link.leading_to(asked.get(PAGE_PARAMETER))
        click_id = await self._click(request, link, asked, now)
        return await respond(request, 302, {**HEADERS, "Location": address.of(click_id)}, b"")

    async def _click(self, request: web.BaseRequest, link: Link, asked: Mapping[str, str], now: int) -> str | None:
        """Return the id of the recorded click; None if there is no click, it earns nothing or could not be recorded."""
        reason = self._why_unrecorded(request, link, now)
        if reason is not None:
            self._metrics.note_click(reason)
            return None
        click_id = new_id("clk")
        try:
            await self._clicks.submit(
                Click(
                    link.account_id,
                    click_id,
                    link.code,
                    link.affiliate_id,
                    link.campaign_id,
                    now,
                    stored_sub_ids(merged_sub_ids(link.sub_ids, asked) if asked else link.sub_ids),
                    self._visitor(request) if link.keeps_visitor else None,
                )
            )
        except StoreUnavailable as fault:
            # The buyer still gets to the shop; only an id that we could not vouch for must not.
            log.warning("a click was lost", code=link.code, fault=str(fault))
            self._metrics.note_click("lost")
            return None
        self._metrics.note_click("recorded")
        return click_id

    def _why_unrecorded(self, request: web.BaseRequest, link: Link, now: int) -> str | None:
        if not link.earns(now):
            return "dark"
        if request.method == "HEAD" or is_prefetch(request.headers):
            return "quiet"
        if is_crawler(request.headers.get("User-Agent", "")):
            return "bot"
        if self._is_disk_short():
            return "disk"
        return None if self._limits.take(client_of(request, self._trusted_proxies), link.code) else "limited"

    def _visitor(self, request: web.BaseRequest) -> str:
        client = client_of(request, self._trusted_proxies)
        return visitor_hash(self._visitor_key, client, request.headers.get("User-Agent", ""))


def is_prefetch(headers: CIMultiDictProxy[str]) -> bool:
    """Return whether a browser fetches a page before anybody asked for it."""
    given = " ".join(headers[name] for name in PURPOSES if name in headers).lower()
    return "prefetch" in given or "preview" in given or "prerender" in given


def _page(status: int, title: str, text: str) -> web.Response:
    page = PAGE.format(title=title, text=text, style=STYLE)
    return web.Response(status=status, text=page, content_type="text/html", headers=PAGE_HEADERS)

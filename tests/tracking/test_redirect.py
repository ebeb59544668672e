"""GET /t/{code}: the click is durable before the redirect, and nothing leads to a place that is not the merchant's."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import count
from typing import Any
from urllib.parse import quote

import pytest
from attrs import field, frozen
from structlog.testing import capture_logs
from yarl import URL

from hub.app import Hub
from hub.domain.orders.attribution import well_formed_click
from hub.http.response import DEFENCES
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.campaigns.campaign_changes import set_campaign_status
from hub.operations.connections.connections import (
    ConnectionAdmin,
    NewConnection,
    close_connection,
    create_connection,
)
from hub.sealing import load_sealer
from hub.storage import StoreUnavailable
from hub.testing.clock import FakeClock
from tests.polling import until
from tests.served_hub import Api, api_of, installed_plugins, served
from tests.sqlite_first import on_both

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"
SHOP = "https://shop.example/p/1"
_numbers = count(100)


@frozen
class Visitor:
    """Follows links without following redirects, and looks into the book of clicks."""

    hub: Hub
    api: Api
    affiliate_id: str
    before: Mapping[str, float] = field(factory=dict)

    async def link(
        self, destination: str = SHOP, campaign_id: str | None = None, code: str = "", subs: str | None = None
    ) -> str:
        """A link as the table holds it, however its destination came there."""
        code = code or f"abc{next(_numbers)}"
        row = await self.hub.parts.services.keys.find(self.api.key.key_id, self.api.clock())
        assert row is not None
        account_id = row.caller.account_id
        async with self.hub.parts.store.write() as tx:
            await tx.run("insert_tracking_code", code=code, account_id=account_id)
            await tx.run(
                "insert_link",
                account_id=account_id,
                code=code,
                affiliate_id=self.affiliate_id,
                campaign_id=campaign_id,
                product_id=None,
                destination=destination,
                name=None,
                subs=subs,
                now=self.api.clock(),
            )
        return code

    async def merchant_id(self) -> str:
        """The merchant whose links these are."""
        row = await self.hub.parts.services.keys.find(self.api.key.key_id, self.api.clock())
        assert row is not None
        return row.caller.merchant_id

    async def visit(
        self, code: str, method: str = "GET", query: str = "", **headers: str
    ) -> tuple[int, str, Mapping[str, str]]:
        sent = {"User-Agent": BROWSER, **headers}
        url = URL(f"/t/{code}{query}", encoded=True)
        async with self.api.session.request(method, url, headers=sent, allow_redirects=False) as reply:
            return reply.status, reply.headers.get("Location", ""), reply.headers.copy()

    async def clicks(self, *wanted: str) -> list[Any]:
        """The clicks with these ids, as the worker would find them."""
        key = await self.hub.parts.services.keys.find(self.api.key.key_id, self.api.clock())
        assert key is not None
        async with self.hub.parts.store.read() as tx:
            return await tx.all("load_clicks", clicks=[(key.caller.account_id, each) for each in wanted])

    def count(self, outcome: str) -> float:
        """How many visits of this test ended so."""
        return counted(self.hub).get(outcome, 0.0) - self.before.get(outcome, 0.0)


def counted(hub: Hub) -> dict[str, float]:
    """The clicks of a hub by their outcome."""
    samples = (sample for metric in hub.parts.metrics.registry.collect() for sample in metric.samples)
    return {sample.labels["outcome"]: sample.value for sample in samples if sample.name == "hub_clicks_total"}


@pytest.fixture
async def visitor(either_api: Api, either_hub: Hub, clock: FakeClock) -> Visitor:
    affiliate = await create_affiliate(
        either_hub.parts.store, clock, name="Anna", email="anna@blog.example", coupons=[]
    )
    return Visitor(either_hub, either_api, affiliate.id, counted(either_hub))


def click_of(location: str) -> str:
    click: str = URL(location).query["affiliate_click_id"]
    return click


class TestRedirect:
    async def test_notes_the_click_and_appends_both_parameters(self, visitor: Visitor, clock: FakeClock) -> None:
        code = await visitor.link()
        status, location, headers = await visitor.visit(code)
        assert (status, headers["Cache-Control"], headers["Referrer-Policy"]) == (302, "no-store", "no-referrer")
        assert {name: headers[name] for name in DEFENCES} == DEFENCES
        click = click_of(location)
        assert location == f"{SHOP}?affiliate_click_id={click}&aff_id={visitor.affiliate_id}"
        assert well_formed_click(click)
        [row] = await visitor.clicks(click)
        assert (row["affiliate_id"], row["campaign_id"], row["clicked_at"]) == (visitor.affiliate_id, None, clock())

    @pytest.mark.parametrize(
        ("destination", "start", "end"),
        [
            ("https://shop.example", "https://shop.example/?affiliate_click_id=", ""),
            ("https://shop.example/?a=1&b=%20x", "https://shop.example/?a=1&b=%20x&affiliate_click_id=", ""),
            ("https://shop.example/p?q#top", "https://shop.example/p?q&affiliate_click_id=", "#top"),
            ("https://shop.example/#/p?x=1", "https://shop.example/?affiliate_click_id=", "#/p?x=1"),
            (
                "https://shop.example/?affiliate_click_id=old&aff%5Fid=old&c=2",
                "https://shop.example/?c=2&affiliate_click_id=",
                "",
            ),
            (
                "HTTPS://WWW.Shop.Example.:443/ä?ü=ö#ß",
                "https://www.shop.example:443/%C3%A4?%C3%BC=%C3%B6&affiliate_click_id=",
                "#%C3%9F",
            ),
        ],
    )
    async def test_keeps_query_and_fragment(self, visitor: Visitor, destination: str, start: str, end: str) -> None:
        _, location, _ = await visitor.visit(await visitor.link(destination))
        assert location.startswith(start)
        assert location.endswith(f"&aff_id={visitor.affiliate_id}{end}")
        assert location.count("affiliate_click_id=") == 1
        assert location.isascii()

    @on_both("either_hub")
    async def test_every_visit_is_a_click_of_its_own(self, visitor: Visitor) -> None:
        code = await visitor.link()
        replies = await asyncio.gather(*(visitor.visit(code) for _ in range(60)))
        clicks = {click_of(location) for _, location, _ in replies}
        assert len(clicks) == 60
        assert len(await visitor.clicks(*clicks)) == 60

    @pytest.mark.parametrize(
        "destination",
        [
            "//evil.example/",
            "https://evil.example/",
            "https://shop.example.evil.example/",
            "https://evilshop.example/",
            "https://shop.example@evil.example/",
            "https://user:pass@shop.example/",
            "https:\\\\evil.example/",
            "https:/\\evil.example",
            "https://shop.example\\@evil.example/",
            "javascript:alert(1)",
            "data:text/html,x",
            "/relative",
            "",
            "https://",
            "https://shop.example:8443/",
            "https://evil.example/?https://shop.example",
            "https://shop.example\t.evil.example/",
            "https://shop.example\r\nSet-Cookie: a=b",
            "ftp://shop.example/",
            "https://\N{CYRILLIC SMALL LETTER DZE}hop.example/",
            "https://evil.example#.shop.example",
        ],
    )
    async def test_never_leads_away_from_the_merchants_domains(self, visitor: Visitor, destination: str) -> None:
        status, location, headers = await visitor.visit(await visitor.link(destination))
        assert (status, location) == (404, "")
        assert headers["Content-Type"].startswith("text/html")


class TestSilence:
    @pytest.mark.parametrize(
        "agent",
        ["Googlebot/2.1 (+http://www.google.com/bot.html)", "GPTBot/1.0", "Bingbot/2.0", "facebookexternalhit/1.1"],
    )
    async def test_bots_are_sent_on_without_a_click(self, visitor: Visitor, agent: str) -> None:
        assert (await visitor.visit(await visitor.link(), **{"User-Agent": agent}))[:2] == (302, SHOP)
        assert (visitor.count("bot"), visitor.count("recorded")) == (1, 0)

    @pytest.mark.parametrize(
        "agent",
        ["curl/8.5.0", "python-requests/2.32", "Python/3.11 aiohttp/3.14.5", "Mozilla/5.0 (X11) HeadlessChrome/156.0"],
    )
    async def test_tools_in_somebodys_hand_click(self, visitor: Visitor, agent: str) -> None:
        _, location, _ = await visitor.visit(await visitor.link(), **{"User-Agent": agent})
        assert "affiliate_click_id=clk_" in location

    async def test_so_are_head_and_prefetch(self, visitor: Visitor) -> None:
        code = await visitor.link()
        assert (await visitor.visit(code, "HEAD"))[:2] == (302, SHOP)
        assert (await visitor.visit(code, **{"Sec-Purpose": "prefetch;prerender"}))[:2] == (302, SHOP)
        assert (await visitor.visit(code, Purpose="PREFETCH"))[:2] == (302, SHOP)
        assert (await visitor.visit(code, **{"X-Moz": "Prefetch"}))[:2] == (302, SHOP)
        assert (await visitor.visit(code, **{"X-Purpose": "preview"}))[:2] == (302, SHOP)
        assert visitor.count("quiet") == 5

    async def test_other_methods(self, visitor: Visitor) -> None:
        status, _, headers = await visitor.visit(await visitor.link(), "POST")
        assert (status, headers["Allow"]) == (405, "GET, HEAD")

    @pytest.mark.parametrize("code", ["nothing", "abc%00", "%2e%2e", "x" * 100, "a%20b", "%F0%9F%98%80"])
    async def test_unknown_codes_get_a_page(self, visitor: Visitor, code: str) -> None:
        status, _, headers = await visitor.visit(code)
        assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
        assert headers["X-Content-Type-Options"] == "nosniff"
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy

    async def test_a_campaign_that_is_not_live_gets_no_parameters(self, visitor: Visitor, clock: FakeClock) -> None:
        api = visitor.api
        body = {"title": "T", "startDate": "2026-11-20T12:01:00Z", "endDate": "2026-11-20T12:02:00Z"}
        campaign = (await api("POST", "/v1/campaigns", body)).json["id"]
        code = await visitor.link(campaign_id=campaign)

        async def earns() -> bool:
            clock.advance(2_000)
            status, location, _ = await visitor.visit(code)
            assert status == 302
            return location != SHOP

        assert not await earns(), "a draft"
        await api("POST", f"/v1/campaigns/{campaign}/activate")
        assert not await earns(), "not yet started"
        clock.advance(56_000)
        assert await earns()
        await api("POST", f"/v1/campaigns/{campaign}/pause")
        assert not await earns(), "paused"
        await api("POST", f"/v1/campaigns/{campaign}/activate")
        assert await earns()
        clock.advance(60_000)
        assert not await earns(), "expired"
        assert visitor.count("dark") == 4

    async def test_a_campaign_that_is_paused_by_a_request_is_so_for_the_next_click(
        self, visitor: Visitor, clock: FakeClock
    ) -> None:
        """The control: what another process changes, as a command does, is seen two seconds later at the latest."""
        api, store = visitor.api, visitor.hub.parts.store
        campaign = (await api("POST", "/v1/campaigns", {"title": "T"})).json["id"]
        code = await visitor.link(campaign_id=campaign)

        async def earns() -> bool:
            return (await visitor.visit(code))[1] != SHOP

        assert not await earns(), "a draft"
        for act, earning in (("activate", True), ("pause", False), ("activate", True)):
            await api("POST", f"/v1/campaigns/{campaign}/{act}")
            assert await earns() is earning, act
        await set_campaign_status(store, clock, campaign, "PAUSED")
        assert (await api("POST", "/v1/campaigns", {})).status == 400
        assert await earns(), "still remembered: a refused request changes nothing"
        clock.advance(2_000)
        assert not await earns()

    @pytest.mark.parametrize(("days", "told"), [(60, "&aff_days=60"), (0, "&aff_days=0"), (30, ""), (None, "")])
    async def test_a_campaigns_window_is_told_where_it_is_not_the_usual(
        self, visitor: Visitor, days: int | None, told: str
    ) -> None:
        """On the link's own page and on a deep one, whatever that says by our name."""
        said = {} if days is None else {"cookieDurationDays": days}
        campaign = (await visitor.api("POST", "/v1/campaigns", {"title": "T", **said})).json["id"]
        await visitor.api("POST", f"/v1/campaigns/{campaign}/activate")
        code = await visitor.link(f"{SHOP}?aff_days=9#top", campaign_id=campaign)
        for query in ("", "?url=" + quote(f"{SHOP}?aff_days=9#top", safe="")):
            _, location, _ = await visitor.visit(code, query=query)
            assert location.endswith(f"&aff_id={visitor.affiliate_id}{told}#top")

    async def test_a_platform_that_keeps_a_click_by_itself_is_told_it_by_its_own_name(self, visitor: Visitor) -> None:
        """On the link's own page and on a deep one, until the shop's connection is closed."""
        admin = ConnectionAdmin(
            visitor.hub.parts.store, load_sealer(visitor.hub.parts.settings), installed_plugins(), visitor.api.clock, ""
        )
        merchant_id = await visitor.merchant_id()
        made = await create_connection(admin, NewConnection(merchant_id, "test", "shopware"))
        code = await visitor.link(f"{SHOP}?campaignCode=summer&size=2#top")
        for query in ("", "?to=" + quote(f"{SHOP}?size=2#top", safe="")):
            _, location, _ = await visitor.visit(code, query=query)
            click, who = click_of(location), visitor.affiliate_id
            own = f"&campaignCode={click}&affiliateCode={who}"
            assert location == f"{SHOP}?size=2&affiliate_click_id={click}&aff_id={who}{own}#top"
        await close_connection(admin, made["id"])
        _, location, _ = await visitor.visit(await visitor.link())
        assert "campaignCode" not in location

    async def test_a_click_carries_its_campaign(self, visitor: Visitor) -> None:
        campaign = (await visitor.api("POST", "/v1/campaigns", {"title": "T"})).json["id"]
        await visitor.api("POST", f"/v1/campaigns/{campaign}/activate")
        _, location, _ = await visitor.visit(await visitor.link(campaign_id=campaign))
        [row] = await visitor.clicks(click_of(location))
        assert row["campaign_id"] == campaign

    async def test_a_click_that_cannot_be_kept_is_not_claimed(self, visitor: Visitor, monkeypatch: Any) -> None:
        """The buyer gets to the shop all the same."""
        code = await visitor.link()

        async def refuse(_: object) -> Any:
            raise StoreUnavailable("the disk is full")

        monkeypatch.setattr(visitor.hub.parts.store, "transact", refuse)
        assert (await visitor.visit(code))[:2] == (302, SHOP)
        assert visitor.count("lost") == 1

    async def test_a_buyer_who_leaves_before_the_redirect_is_no_error_of_ours(self, visitor: Visitor) -> None:
        code = await visitor.link()
        with capture_logs() as logs:
            for _ in range(20):
                _, writer = await asyncio.open_connection("127.0.0.1", visitor.hub.server.port)
                writer.write(f"GET /t/{code} HTTP/1.1\r\nHost: hub\r\nUser-Agent: {BROWSER}\r\n\r\n".encode())
                await writer.drain()
                writer.transport.abort()
            await until(lambda: visitor.count("recorded") == 20)
            assert (await visitor.visit(code))[0] == 302
        assert [entry for entry in logs if entry["log_level"] == "error"] == []

    async def test_a_store_that_is_away(self, visitor: Visitor, monkeypatch: Any) -> None:
        def gone(*_: Any, **__: Any) -> Any:
            raise StoreUnavailable("gone")

        monkeypatch.setattr(visitor.hub.parts.store, "fetch_one", gone)
        status, _, headers = await visitor.visit("abc")
        assert (status, headers["Retry-After"]) == (503, "1")


async def test_clicks_survive_the_end(sqlite_url: str, clock: FakeClock) -> None:
    """What was redirected is stored after a restart."""
    async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
        affiliate = await create_affiliate(hub.parts.store, clock, name="Anna", email="anna@blog.example", coupons=[])
        visitor = Visitor(hub, api, affiliate.id)
        _, location, _ = await visitor.visit(await visitor.link())
        key = api.key
    async with served(sqlite_url, clock) as hub, api_of(hub, clock) as api:
        again = Visitor(hub, api.with_key(key), affiliate.id)
        assert len(await again.clicks(click_of(location))) == 1

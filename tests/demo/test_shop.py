"""The demo shop over real sockets: a signing client of a real hub."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from hub.clock import system_clock
from hub.config.settings import load_settings
from hub.demo.goods import GOODS
from hub.demo.merchant import ApiKey, MerchantClient, RequestRefused
from hub.demo.orders import ShopOrders
from hub.demo.run import demo
from hub.demo.shop import Shop, create_shop
from hub.demo.walk import Places
from hub.operations.merchants.merchants import list_merchants
from hub.storage import Store, StoreBusy
from tests.polling import until
from tests.served_hub import installed_plugins

BROWSER = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"}


@pytest.fixture
async def buyer() -> AsyncIterator[aiohttp.ClientSession]:
    """Somebody with a browser that keeps cookies."""
    jar = aiohttp.CookieJar(unsafe=True)  # the shop's address is a number
    async with aiohttp.ClientSession(headers=BROWSER, cookie_jar=jar) as session:
        yield session


async def buy(buyer: aiohttp.ClientSession, shop: str, good: str = "lantern") -> str:
    """Buys and returns the address of the order's page."""
    async with buyer.post(f"{shop}/products/{good}/buy") as response:
        assert response.status == 200
        return str(response.url)


async def news_with(buyer: aiohttp.ClientSession, order: str, text: str) -> str:
    """Read the order's news until they say the text."""

    async def news() -> str:
        async with buyer.get(f"{order}/news") as response:
            found = await response.text()
        return found if text in found else ""

    return await until(news, pause=0.1)


class TestTheWay:
    async def test_from_the_link_to_the_payout_and_back(self, places: Places, buyer: aiohttp.ClientSession) -> None:
        """Link, cookie, order, delivery, hold, payable, refund: the whole main job through the shop's pages."""
        async with buyer.get(places.link) as response:
            assert str(response.url) == f"{places.shop_url}/products/lantern"
            assert "You came through" in await response.text()
        (cookie,) = buyer.cookie_jar
        assert re.fullmatch(r"clk_[0-9a-f]{32}", cookie.value)
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
        order = await buy(buyer, places.shop_url)
        news = await news_with(buyer, order, "PENDING")
        assert "7.68" in news
        async with buyer.post(f"{order}/delivered"):
            pass
        await news_with(buyer, order, "HOLD")
        await news_with(buyer, order, "PAYABLE")
        async with buyer.post(f"{order}/refund"):
            pass
        news = await news_with(buyer, order, "REJECTED")
        assert "taken back" in news

    async def test_without_a_click_nobody_earns(self, places: Places, buyer: aiohttp.ClientSession) -> None:
        order = await buy(buyer, places.shop_url, "mug")
        news = await news_with(buyer, order, "No commission")
        assert "click_missing" in news

    async def test_a_button_pressed_twice_reports_once(self, places: Places, buyer: aiohttp.ClientSession) -> None:
        order = await buy(buyer, places.shop_url)
        answers = await asyncio.gather(*(buyer.post(f"{order}/delivered") for _ in range(3)))
        assert [answer.status for answer in answers] == [200, 200, 200]
        news = await news_with(buyer, order, "Delivery reported")
        assert news.count("Delivery reported") == 1

    async def test_many_tabs_read_without_a_replay(self, places: Places, buyer: aiohttp.ClientSession) -> None:
        """Equal GETs within a second would carry one signature, so they share one request."""
        order = await buy(buyer, places.shop_url)
        answers = await asyncio.gather(*(buyer.get(f"{order}/news") for _ in range(10)))
        assert {answer.status for answer in answers} == {200}


class TestPages:
    async def test_the_headers_let_nothing_foreign_in(self, places: Places, buyer: aiohttp.ClientSession) -> None:
        for path in ("/", "/products/mug", "/static/shop.css", "/nowhere", "/products/mug/buy"):
            async with buyer.get(places.shop_url + path) as response:
                assert "default-src 'none'" in response.headers["Content-Security-Policy"]
                assert response.headers["X-Content-Type-Options"] == "nosniff"
                if response.content_type == "text/html":
                    text = await response.text()
                    assert not re.search(r"(src|href|action)=\"(https?:)?//", text)
                    assert "style=" not in text

    @pytest.mark.parametrize(
        "headers",
        [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
         {"Sec-Fetch-Site": "same-site"}],
    )  # fmt: skip
    async def test_a_foreign_form_is_refused(
        self, places: Places, buyer: aiohttp.ClientSession, headers: dict[str, str]
    ) -> None:
        async with buyer.post(f"{places.shop_url}/products/mug/buy", headers=headers) as response:
            assert response.status == 403

    @pytest.mark.parametrize("sent", ["Origin", "Sec-Fetch-Site", "nothing"])
    async def test_a_form_of_its_own_is_taken(self, places: Places, buyer: aiohttp.ClientSession, sent: str) -> None:
        own = {"Origin": f"http://{urlsplit(places.shop_url).netloc}", "Sec-Fetch-Site": "same-origin"}
        headers = {name: value for name, value in own.items() if name == sent}
        async with buyer.post(f"{places.shop_url}/products/mug/buy", headers=headers) as response:
            assert response.status == 200

    @pytest.mark.parametrize("path", ["/products/x", "/orders/x", "/orders/x/news", "/static/x", "/static/../shop.py"])
    async def test_unknown_pages_are_not_found(self, places: Places, buyer: aiohttp.ClientSession, path: str) -> None:
        async with buyer.get(places.shop_url + path) as response:
            assert response.status == 404
            assert "does not exist" in await response.text() or path == "/static/x"

    async def test_a_hostile_click_id_is_not_kept(self, places: Places, buyer: aiohttp.ClientSession) -> None:
        async with buyer.get(f"{places.shop_url}/?affiliate_click_id=<script>alert(1)</script>") as response:
            assert "<script>alert" not in await response.text()
        assert not list(buyer.cookie_jar)


class TestClient:
    async def test_a_refusal_is_raised_with_its_reason(self, places: Places, buyer: aiohttp.ClientSession) -> None:
        client = MerchantClient(buyer, f"{places.hub_url}/api", ApiKey(places.key_id, "wrong"), system_clock)
        with pytest.raises(RequestRefused, match="401"):
            await client.post("/v1/conversions", {"externalOrderId": "1", "orderAmount": "1.00"})

    async def test_a_silent_hub_is_reported_after_several_attempts(
        self, buyer: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("hub.demo.merchant.RETRY_SECONDS", 0)
        client = MerchantClient(buyer, "http://127.0.0.1:9/api", ApiKey("ak_test_x", "s"), system_clock)
        with pytest.raises(RequestRefused, match="GET /v1/products"):
            await client.get("/v1/products")


class TestStart:
    async def test_a_second_demo_over_the_same_file_is_refused(self, places: Places) -> None:
        """The first one's data stay untouched."""
        url = places.database_url
        settings = load_settings(None, {}, {"database.url": url, "server.port": 0})
        with pytest.raises(StoreBusy, match="already serves"):
            async with demo(settings, 0, days=0):
                pass
        async with await Store.open(url) as store:
            assert len(await list_merchants(store)) == 1

    async def test_each_demo_is_fresh(self, tmp_path: Path) -> None:
        settings = load_settings(None, {}, {"database.url": f"sqlite:///{tmp_path / 'd.db'}", "server.port": 0})
        keys = []
        for _ in range(2):
            async with demo(settings, 0, days=0, plugins=installed_plugins()) as places:
                keys.append(places.key_id)
                assert places.settings_file.stat().st_mode & 0o077 == 0
                assert places.secret in places.settings_file.read_text()
        assert keys[0] != keys[1]


async def test_a_hub_that_is_gone_is_reported_and_may_be_tried_again(
    buyer: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shop keeps standing without the hub; a report that failed is not taken for one that was made."""
    monkeypatch.setattr("hub.demo.merchant.RETRY_SECONDS", 0)
    client = MerchantClient(buyer, "http://127.0.0.1:9/api", ApiKey("ak_test_x", "s"), system_clock)

    async def watch(_: str) -> None:
        return None

    orders = ShopOrders()
    order = orders.open(GOODS["mug"], "clk_" + "0" * 32)
    async with TestServer(create_shop(Shop(client, watch, system_clock, "Ada", orders))) as server:
        for path in ("/products/mug/buy", f"/orders/{order.number}/delivered", f"/orders/{order.number}/refund"):
            async with buyer.post(server.make_url(path)) as response:
                assert response.status == 502
                assert "The hub said no" in await response.text()
        async with buyer.get(server.make_url(f"/orders/{order.number}")) as response:
            text = await response.text()
    assert order.reported == set()
    assert "The hub is deciding" in text
    assert "disabled" not in text

"""The network of the world: a hub process on a clock that is moved, and whom its API has set up."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import cycle
from pathlib import Path
from typing import Any, Final, Self

import aiohttp
from attrs import define, field
from stdnum import iban as iban_number
from yarl import URL

from hub.config.settings import Settings, load_settings
from hub.domain.webhook_signing import secret_key
from hub.operations.users.api_tokens import NewToken, create_token
from hub.sealing import Sealer, load_sealer
from hub.storage import Store
from hub.testing.clock import NOON
from tests.forked import Forked
from tests.polling import until
from tests.prove.world.ears import Ears
from tests.prove.world.node import CLOCK, FAULT, FileClock
from tests.prove.world.shops import OWN, PLATFORMS, RATE, Message, Shop
from tests.served_hub import MASTER_KEY, Api, ApiKey, Reply
from tests.tracking.test_redirect import BROWSER

NODE: Final = "from tests.prove.world.node import main; main()"
ADMIN: Final = "/api/admin/v1"
SETTINGS: Final = {
    "HUB_SERVER_PORT": "0", "HUB_SERVER_PUBLIC_URL": "http://hub.example", "HUB_MASTER_KEY": MASTER_KEY,
    "HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8",
    "HUB_PAYOUTS_MERCHANT_INVOICES": "monthly", "HUB_PAYOUTS_DEBTOR_NAME": "Network GmbH",
    "HUB_PAYOUTS_DEBTOR_IBAN": "FR1420041010050500013M02606", "HUB_PAYOUTS_FOUR_EYES_ABOVE": "1000000000",
    # Ids are of the machine's clock, which stands still beside the world's: nothing is kept too long here.
    "HUB_RETENTION_UPLOADS": "3650d", "HUB_RETENTION_PAYLOADS": "3650d",
    **{f"HUB_LIMITS_{name}": "0" for name in (
        "PER_MINUTE", "PER_HOUR", "CLICKS_PER_MINUTE", "LINK_CLICKS_PER_MINUTE", "DELIVERIES_PER_MINUTE")},
}  # fmt: skip
_WAITING: Final = """
    SELECT (SELECT count(*) FROM events WHERE status IN ('RECEIVED', 'QUEUED'))
         + (SELECT count(*) FROM uploads WHERE status IN ('QUEUED', 'RUNNING'))
         + (SELECT count(*) FROM commissions WHERE state IN ('HOLD', 'APPROVED') AND hold_until <= ?)
         + (SELECT count(*) FROM webhook_deliveries WHERE status = 'WAITING')
         + (SELECT count(*) FROM new_changes)
"""
_TROUBLE: Final = (aiohttp.ClientError, ConnectionError, TimeoutError)


@define
class Network:
    """A hub that can be killed at any moment, and everybody around it."""

    folder: Path
    dice: random.Random
    clock: FileClock
    environ: dict[str, str]
    ears: Ears
    token: str = ""
    process: Forked | None = None
    session: aiohttp.ClientSession | None = None
    base: URL = field(factory=URL)
    shops: list[Shop] = field(factory=list)
    keys: dict[str, ApiKey] = field(factory=dict)
    accounts: dict[str, str] = field(factory=dict)
    """Each affiliate's bank account."""
    ticks: Callable[[], int] = field(factory=lambda: cycle(range(-275, 275)).__next__)
    """Seconds off the clock: no two requests of a shop have the same signature."""
    kills: int = 0
    requests: int = 0

    @classmethod
    async def open(cls, folder: Path, seed: int, ears: Ears, fault: str = "") -> Self:
        """Start an empty hub."""
        environ = {**SETTINGS, "HUB_DATABASE_URL": f"sqlite:///{folder / 'hub.db'}",
                   "HUB_UPLOADS_DIRECTORY": str(folder / "uploads"), CLOCK: str(folder / "clock"),
                   FAULT: fault}  # fmt: skip
        clock = FileClock(folder / "clock", NOON - 60 * 86_400_000)
        network = cls(folder, random.Random(seed), clock, environ, ears)
        async with await Store.open(environ["HUB_DATABASE_URL"], migrate=True) as store:
            made = await create_token(store, clock, NewToken("world", ("admin:read", "admin:write"), expires_in=None))
        network.token = made["token"]
        network.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20))
        await network.start()
        return network

    async def close(self) -> None:
        """End everything."""
        await self.kill()
        if self.session is not None:
            await self.session.close()

    async def start(self) -> None:
        """Start the hub's process."""
        with (self.folder / "log").open("a") as log:
            self.process = Forked([], {**_plain(os.environ), **self.environ}, code=NODE, stderr=log)
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert line.startswith("listening on "), (self.folder / "log").read_text()[-2_000:]
        self.base = URL(line.removeprefix("listening on ").strip())

    async def kill(self) -> None:
        """SIGKILL."""
        assert self.process is not None
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        self.process.stdout.close()

    async def strike(self) -> None:
        """Kill the hub and start it again."""
        self.kills += 1
        await self.kill()
        await self.start()

    @property
    def settings(self) -> Settings:
        """The hub's settings, for what an operator does at the terminal."""
        return load_settings(None, {k: v for k, v in self.environ.items() if k.startswith("HUB_")})

    @property
    def sealer(self) -> Sealer:
        """The hub's keys."""
        return load_sealer(self.settings)

    async def admin(self, method: str, path: str, body: object = None, *, also: tuple[int, ...] = ()) -> Any:
        """Ask the operators' API; a status that is not 2xx is a fault unless it is among `also`."""
        reply = await self.ask(method, ADMIN + path, None if body is None else json.dumps(body).encode(), {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
        })  # fmt: skip
        assert 200 <= reply.status < 300 or reply.status in also, (path, reply.raw)
        return reply.json

    async def ask(self, method: str, path: str, raw: bytes | None, headers: Mapping[str, str]) -> Reply:
        """Send one request to wherever the hub is."""
        assert self.session is not None
        self.requests += 1
        async with self.session.request(
            method, self.base.join(URL(path, encoded=True)), data=raw, headers=headers, allow_redirects=False
        ) as answer:
            return Reply(answer.status, answer.headers.copy(), await answer.read())

    def api(self, shop: Shop) -> Api:
        """A merchant's own client."""
        assert self.session is not None
        return Api(_Based(self), self.keys[shop.merchant], self.clock, self.ticks)  # type: ignore[arg-type]  # what it asks of a session

    async def deliver(self, shop: Shop, message: Message) -> None:
        """Send until the hub has taken it, as shops and platforms do."""

        async def taken() -> bool:
            headers = {**message.headers}
            path = message.path
            if message.signed:
                headers |= self._signed(shop, message.body)
                path = f"/api{path}"
            try:
                reply = await self.ask("POST", path, message.body, headers)
            except _TROUBLE:
                return False
            assert reply.status < 500 or reply.status == 503, reply.raw
            assert reply.status in {200, 202, 429, 503}, (message.path, reply.raw)
            return reply.status in {200, 202}

        await until(taken)

    def _signed(self, shop: Shop, body: bytes) -> dict[str, str]:
        api = Api(None, self.keys[shop.merchant], self.clock, self.ticks)  # type: ignore[arg-type]  # it only signs
        return api.headers(body)

    async def click(self, code: str) -> str:
        """Follow a link as a browser does, until the click has its id."""

        async def clicked() -> str | None:
            try:
                reply = await self.ask("GET", f"/t/{code}", None, {"User-Agent": BROWSER})
            except _TROUBLE:
                return None
            return URL(reply.headers.get("Location", "")).query.get("affiliate_click_id")

        return await until(clicked)

    async def settle(self) -> None:
        """Wait until the hub has nothing left to do at this moment; the clock goes on, so that retries are due."""

        def rests() -> bool:
            self.clock.advance(60_000)
            with closing(sqlite3.connect(f"file:{self.folder / 'hub.db'}?mode=ro", uri=True)) as connection:
                return bool(connection.execute(_WAITING, (self.clock(),)).fetchone()[0] == 0)

        await until(rests, pause=0.1)

    async def grow(self, merchants: int, affiliates: int) -> None:
        """Set up merchants of every kind, and affiliates with a bank account, links and a tracker."""
        for number in range(merchants):
            await self._add_shop(number)
        for number in range(affiliates):
            await self._add_affiliate(number)

    async def _add_shop(self, number: int) -> None:
        kind = (*PLATFORMS, *OWN)[number % (len(PLATFORMS) + len(OWN))]
        currency = "JPY" if kind in OWN and number % 3 == 0 else ("EUR", "USD")[number % 2]
        made = await self.admin("POST", "/merchants", {
            "name": f"Shop {number}", "email": f"m{number}@shop.example", "domains": [f"shop{number}.example"],
            "currency": currency, "commission": f"PERCENTAGE:{RATE}", "approve": True,
        })  # fmt: skip
        merchant = made["id"]
        shop = Shop(str(number + 1), merchant, kind, currency, random.Random(self.dice.random()))
        key = await self.admin("POST", f"/merchants/{merchant}/keys", {"mode": "live"})
        self.keys[merchant] = ApiKey(key["keyId"], key["signingSecret"], merchant)
        if kind in PLATFORMS:
            connection = await self.admin("POST", "/connections", {
                "merchantId": merchant, "mode": "live", "connector": kind,
                **({"secrets": ["s3cret-of-shopify"]} if kind == "shopify" else {}),
            })  # fmt: skip
            shop.connection, shop.secret = connection["id"], connection["secret"] or "s3cret-of-shopify"
        hook = await self.admin("POST", "/subscriptions", {
            "url": self.ears.hook(merchant), "events": ["commission.*"], "merchantId": merchant, "mode": "live",
        })  # fmt: skip
        self.ears.keys[merchant] = secret_key(hook["secret"])
        self.shops.append(shop)

    async def _add_affiliate(self, number: int) -> None:
        made = await self.admin("POST", "/affiliates", {"name": f"Blog {number}", "email": f"a{number}@blog.example"})
        affiliate = made["id"]
        plain = f"DE0037040044{number:010d}"
        self.accounts[affiliate] = "DE" + iban_number.calc_check_digits(plain) + plain[4:]
        await self.admin("PUT", f"/affiliates/{affiliate}/payee", {
            "legalName": f"Blog {number}", "street": "Main Street 1", "postalCode": "10115", "city": "Berlin",
            "country": "DE", "method": "iban", "account": self.accounts[affiliate],
        })  # fmt: skip
        await self.admin("POST", "/subscriptions", {
            "url": self.ears.postback(affiliate), "events": ["commission.*"], "affiliateId": affiliate,
        })  # fmt: skip
        for shop in self.dice.sample(self.shops, min(3, len(self.shops))):
            link = await self.admin("POST", "/links", {
                "merchantId": shop.merchant, "mode": "live", "affiliateId": affiliate,
                "destination": f"https://shop{int(shop.name) - 1}.example/p/1",
            })  # fmt: skip
            shop.links[affiliate] = link["code"]


@define
class _Based:
    """A session that finds the hub wherever it listens now."""

    network: Network

    def request(self, method: str, url: URL, **how: Any) -> Any:
        """Ask as aiohttp's session does."""
        assert self.network.session is not None
        return self.network.session.request(method, self.network.base.join(url), **how)


def _plain(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith("HUB_")}

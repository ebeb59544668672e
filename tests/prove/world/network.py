"""The network of the world: a hub process on a clock that is moved, and whom its API has set up."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import aiohttp
from attrs import define, field
from stdnum import iban as iban_number
from yarl import URL

from hub.domain.messages.webhook_signing import secret_key
from hub.testing.clock import NOON
from tests.forked import Forked
from tests.mail.smtp_server import Inbox
from tests.polling import until
from tests.prove.world.commands import Terminal, plain
from tests.prove.world.database import Database
from tests.prove.world.ears import Ears
from tests.prove.world.node import CLOCK, FAULT, FileClock
from tests.prove.world.platform import PlatformApi
from tests.prove.world.shops import OWN, PLATFORMS, RATE, Message, Shop
from tests.served_hub import MASTER_KEY, Api, ApiKey, Reply
from tests.tracking.test_redirect import BROWSER

NODE: Final = "from tests.prove.world.node import main; main()"
ADMIN: Final = "/api/admin/v1"
ASKED: Final = "woocommerce"
"""The platform whose API the hub asks, too."""
SETTINGS: Final = {
    "HUB_SERVER_PORT": "0", "HUB_SERVER_PUBLIC_URL": "http://hub.example", "HUB_MASTER_KEY": MASTER_KEY,
    "HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8",
    "HUB_PAYOUTS_MERCHANT_INVOICES": "monthly", "HUB_PAYOUTS_DEBTOR_NAME": "Network GmbH",
    "HUB_MAIL_HOST": "127.0.0.1", "HUB_MAIL_TLS": "none",
    "HUB_PAYOUTS_DEBTOR_IBAN": "FR1420041010050500013M02606", "HUB_PAYOUTS_FOUR_EYES_ABOVE": "1000000000",
    # Ids are of the machine's clock, which stands still beside the world's: nothing is kept too long here.
    "HUB_RETENTION_UPLOADS": "3650d", "HUB_RETENTION_PAYLOADS": "3650d",
    **{f"HUB_LIMITS_{name}": "0" for name in (
        "PER_MINUTE", "PER_HOUR", "CLICKS_PER_MINUTE", "LINK_CLICKS_PER_MINUTE", "DELIVERIES_PER_MINUTE")},
}  # fmt: skip
STARTS: Final = 10
"""How often a hub whose database is away is started."""
ANSWERED_SECONDS: Final = 240.0
NEVER_SECONDS: Final = 300.0
"""Whoever waits for the hub as long has found a fault, however busy the machine is."""
_TROUBLE: Final = (aiohttp.ClientError, ConnectionError, TimeoutError)


class World(NamedTuple):
    """Everybody around the hub who is asked by it."""

    ears: Ears
    platform: PlatformApi
    inbox: Inbox


@define
class Network:
    """A hub that can be killed at any moment, and everybody around it."""

    folder: Path
    dice: random.Random
    clock: FileClock
    database: Database
    environ: dict[str, str]
    ears: Ears
    platform: PlatformApi
    inbox: Inbox
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
    _restarting: asyncio.Lock = field(init=False, factory=asyncio.Lock)

    @classmethod
    async def open(cls, folder: Path, seed: int, database: Database, world: World, fault: str = "") -> Self:
        """Start an empty hub, and make the operator's token at the terminal."""
        environ = {**SETTINGS, "HUB_DATABASE_URL": database.url, "HUB_UPLOADS_DIRECTORY": str(folder / "uploads"),
                   "HUB_MAIL_PORT": str(world.inbox.port), CLOCK: str(folder / "clock"), FAULT: fault}  # fmt: skip
        clock = FileClock(folder / "clock", NOON - 60 * 86_400_000)
        network = cls(folder, random.Random(seed), clock, database, environ, *world)
        await network.terminal.hub("migrate")
        made = await network.terminal.hub(
            "token", "create", "--scope", "admin:read", "--scope", "admin:write", "--expires", "never"
        )
        network.token = made["token"]
        network.session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWERED_SECONDS))
        await network.start()
        return network

    @property
    def terminal(self) -> Terminal:
        """Where the operator types commands."""
        return Terminal(self.environ)

    async def close(self) -> None:
        """End everything."""
        await self.kill()
        if self.session is not None:
            await self.session.close()

    async def start(self) -> None:
        """Start the hub's process; one that finds its database away ends, and is started again, as systemd does."""
        line = ""
        for _ in range(STARTS):
            with (self.folder / "log").open("a") as log:
                self.process = Forked([], {**plain(os.environ), **self.environ}, code=NODE, stderr=log)
            line = await asyncio.to_thread(self.process.stdout.readline)
            if line.startswith("listening on "):
                break
            await asyncio.to_thread(self.process.wait)
            self.process.stdout.close()
            await asyncio.sleep(1)
        assert line.startswith("listening on "), (self.folder / "log").read_text()[-2_000:]
        self.base = URL(line.removeprefix("listening on ").strip())

    async def kill(self) -> None:
        """SIGKILL; beside its address the hub may have said nothing, or it would stop in the midst of a full pipe."""
        assert self.process is not None
        self.process.kill()
        await asyncio.to_thread(self.process.wait)
        said = await asyncio.to_thread(self.process.stdout.read)
        self.process.stdout.close()
        assert said == "", said[:2_000]

    async def strike(self) -> None:
        """Kill the hub and start it again; of two who do so at once the second waits, or it would kill what starts."""
        async with self._restarting:
            self.kills += 1
            await self.kill()
            await self.start()

    def end_plugins(self) -> None:
        """SIGKILL for every process that the hub has started: its plugins'."""
        assert self.process is not None
        for file in Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            for child in file.read_text().split():
                with suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)

    async def admin(self, method: str, path: str, body: object = None, *, also: tuple[int, ...] = ()) -> Any:
        """Ask the operators' API; a status that is not 2xx is a fault unless it is among `also`."""
        reply = await self.ask(method, ADMIN + path, None if body is None else json.dumps(body).encode(), {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json",
        })  # fmt: skip
        assert 200 <= reply.status < 300 or reply.status in also, (path, reply.raw)
        return reply.json

    async def all_of(self, path: str) -> list[Any]:
        """Return everything that a list of the operators' API has."""
        found = list[Any]()
        cursor: str | None = ""
        while cursor is not None:
            page = await self.admin("GET", f"{path}{'&' if '?' in path else '?'}limit=100{cursor}")
            found += page["data"]
            after = page.get("nextCursor")
            cursor = None if after is None else f"&cursor={after}"
        return found

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
        heard = ""

        async def taken() -> bool:
            nonlocal heard
            headers = {**message.headers}
            path = message.path
            if message.signed:
                headers |= self._signed(shop, message.body)
                path = f"/api{path}"
            try:
                reply = await self.ask("POST", path, message.body, headers)
            except _TROUBLE as trouble:
                heard = repr(trouble)
                return False
            heard = f"{reply.status} {reply.raw!r}"
            assert reply.status < 500 or reply.status == 503, reply.raw
            assert reply.status in {200, 202, 429, 503}, (message.path, reply.raw)
            return reply.status in {200, 202}

        try:
            await until(taken, NEVER_SECONDS)
        except TimeoutError:
            raise TimeoutError(f"the hub never took {message.path}, and said last: {heard}") from None

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

        return await until(clicked, NEVER_SECONDS)

    async def go_by(self, milliseconds: int) -> None:
        """Let time go by, and every job of the hub run in it, whether or not it can do what it wants to."""
        self.clock.advance(milliseconds)
        moment = self.clock()
        await until(lambda: self.clock.done >= moment, NEVER_SECONDS)

    async def settle(self) -> None:
        """Wait until the hub has nothing left to do at this moment; the clock goes on, so that retries are due."""
        moment = self.clock()

        async def rests() -> bool:
            if self.clock.done < moment:
                return False
            if await self.database.waiting(self.clock()) == 0:
                return True
            self.clock.advance(60_000)
            return False

        await until(rests, NEVER_SECONDS)

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
        if kind == ASKED:
            given = {"values": self.platform.credentials(shop), "days": 0}
            await self.admin("PUT", f"/connections/{shop.connection}/credentials", given)
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

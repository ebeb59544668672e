"""A simulated year: what happens in it by a seed."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.test_utils import TestServer
from attrs import define, field, frozen

from tests.mail.smtp_server import smtp_server
from tests.merchant_api.mirrors import Mirror
from tests.prove.world.bank import Bank
from tests.prove.world.database import Database
from tests.prove.world.ears import listening
from tests.prove.world.network import ASKED, Network, World
from tests.prove.world.office import Office
from tests.prove.world.platform import PlatformApi
from tests.prove.world.shops import DIGITS, Message, Order, Shop
from tests.prove.world.troubles import Troubles

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
NIGHT: Final = 26 * HOUR
"""What is away is so for one night at least, in which the hub asks platforms and tries messages again."""
LEAP: Final = 15 * DAY
"""The longest time in which the hub is not waited for: it bills each month while the next one lasts."""
AT_ONCE: Final = 8
LOST: Final = 0.3
"""How many deliveries of the platform that is asked never come."""


@frozen
class Scale:
    """How large a world is, and in how many steps its year goes by."""

    merchants: int = 20
    affiliates: int = 200
    steps: int = 73
    orders: int = 30
    """Orders of a step."""
    year: int = 365 * DAY


@define
class Year:
    """A world while its year goes by."""

    network: Network
    scale: Scale
    dice: random.Random
    office: Office
    troubles: Troubles
    mirrors: dict[str, Mirror] = field(factory=dict)
    orders: int = 0
    clicks: int = 0
    messages: int = 0
    lost: int = 0
    """Deliveries that never came."""
    news: Counter[str] = field(factory=Counter)

    @property
    def bank(self) -> Bank:
        """The bank."""
        return self.office.bank

    async def live(self) -> None:
        """Let the year go by, and then time enough for every hold, payment and invoice."""
        rest = self.scale.year // self.scale.steps - 4 * HOUR - NIGHT
        for step in range(self.scale.steps):
            self.troubles.begin()
            await self._sell()
            await self._tell_news()
            if step * 12 // self.scale.steps != (step + 1) * 12 // self.scale.steps:
                await self._settle_accounts()
            await self.network.go_by(NIGHT)
            self.troubles.end()
            await self.network.settle()
            if self.dice.random() < 0.5:
                await self._mirror()
            await self._wait(rest)
        await self._end()

    async def _settle_accounts(self) -> None:
        away = self.troubles.now == "the bank"
        await self.office.payday(away=away)
        await self.office.collect(away=away)

    async def _wait(self, milliseconds: int) -> None:
        """Let time go by."""
        while milliseconds > 0:
            leap = min(LEAP, milliseconds)
            self.network.clock.advance(leap)
            await self.network.settle()
            milliseconds -= leap

    async def _end(self) -> None:
        """End all holds, pay until nothing is due, and let the month of the last payment be over."""
        for _ in range(4):
            await self._wait(20 * DAY)
            await self.office.payday(away=False, comes_back=False)
        await self._wait(34 * DAY)
        await self.office.collect(away=False)
        await self.network.settle()
        await self._mirror()

    async def _sell(self) -> None:
        """Buyers click and order; some come without a click."""
        sold = list[list[tuple[Shop, Message]]]()
        wanted = []
        for _ in range(self.scale.orders):
            shop = self.dice.choice([each for each in self.network.shops if each.links])
            affiliate = self.dice.choice(list(shop.links)) if self.dice.random() < 0.9 else None
            wanted.append((shop, affiliate))
        clicks = await asyncio.gather(*[
            self.network.click(shop.links[affiliate]) if affiliate else _nothing() for shop, affiliate in wanted
        ])  # fmt: skip
        self.clicks += sum(each is not None for each in clicks)
        self.network.clock.advance(2 * HOUR)
        for (shop, affiliate), click in zip(wanted, clicks, strict=True):
            messages = await shop.sell(self.network.clock(), click, affiliate)
            if shop.kind == ASKED and self.dice.random() < 0.3:
                messages += await shop.edit(list(shop.orders.values())[-1])
                self.news["edited"] += 1
            sold.append(self._told(shop, messages))
        self.orders += len(sold)
        await self._send(sold)

    def _told(self, shop: Shop, messages: Sequence[Message]) -> list[tuple[Shop, Message]]:
        """Return what is sent of it: the platform that is asked keeps each order, and loses some deliveries."""
        if shop.kind != ASKED:
            return [(shop, message) for message in messages]
        for message in messages:
            self.network.platform.keep(shop, message.body)
        sent = [(shop, message) for message in messages if self.dice.random() >= LOST]
        self.lost += len(messages) - len(sent)
        return sent

    async def _tell_news(self) -> None:
        """What became of older orders: delivered, refunded in part, cancelled, long after the payout too."""
        self.network.clock.advance(2 * HOUR)
        told = []
        for shop in self.network.shops:
            for order in list(shop.orders.values()):
                what = self._becomes(order)
                if what is None:
                    continue
                self.news[what] += 1
                told.append(self._told(shop, await shop.news(order, what, self.network.clock())))
        await self._send(told)

    def _becomes(self, order: Order) -> str | None:
        """Draw what is told of an order, None for nothing; a cancelled one is no matter any more."""
        if order.cancelled or order.edited or self.dice.random() > 3 / self.scale.steps:
            return None
        if order.steps == 0:
            return self.dice.choices(("delivered", "refunded", "cancelled"), (5, 3, 2))[0]
        return "cancelled" if self.dice.random() < 0.2 else None

    async def _send(self, orders: Sequence[Sequence[tuple[Shop, Message]]]) -> None:
        """Send all messages, some of them twice, each order's in any order, while parts of the hub end."""
        every = [pair for order in orders for pair in order for _ in range(1 + (self.dice.random() < 0.15))]
        self.dice.shuffle(every)
        self.messages += len(every)
        strikes = self.troubles.among(len(every))
        places = asyncio.Semaphore(AT_ONCE)

        async def one(number: int, shop: Shop, message: Message) -> None:
            async with places:
                if number in strikes:
                    async with asyncio.TaskGroup() as both:  # what ends does so in the midst of the message
                        both.create_task(self.troubles.strike(strikes[number]))
                        both.create_task(self.network.deliver(shop, message))
                else:
                    await self.network.deliver(shop, message)

        await asyncio.gather(*[one(number, *pair) for number, pair in enumerate(every)])

    async def _mirror(self) -> None:
        """Merchants' mirrors read what changed."""
        for shop in self.network.shops:
            await self.mirrors.setdefault(shop.merchant, Mirror()).follow(self.network.api(shop))


async def _nothing() -> None:
    return None


@asynccontextmanager
async def _surroundings() -> AsyncIterator[World]:
    """Serve everybody who is asked by the hub."""
    platform, app = PlatformApi(), web.Application()
    app.router.add_route("*", "/{shop}/{path:.*}", platform.answer)
    async with listening() as ears, smtp_server() as inbox, TestServer(app, host="127.0.0.1") as server:
        platform.root = str(server.make_url("/"))
        yield World(ears, platform, inbox)


@asynccontextmanager
async def lived(folder: Path, seed: int, scale: Scale, database: Database, fault: str = "") -> AsyncIterator[Year]:
    """Live one year by a seed; at its end the hub still serves, for as long as the block."""
    async with _surroundings() as world:
        network = await Network.open(folder, seed, database, world, fault)
        try:
            await network.grow(scale.merchants, scale.affiliates)
            dice = random.Random(seed)
            office = Office(network, Bank(random.Random(seed + 1), DIGITS), random.Random(seed + 2))
            year = Year(network, scale, dice, office, Troubles(network, random.Random(seed + 3)))
            await year.live()
            yield year
        finally:
            with suppress(AssertionError):
                await network.close()

"""kill -9 anywhere in a reading of a platform's orders: begun again it ends with each order once, none missing."""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from attrs import frozen
from hub_woocommerce.scenarios import paid
from yarl import URL

from hub.api import Play
from hub.clock import system_clock
from tests.outbound.stand_in import serving
from tests.polling import PATIENCE_SECONDS, lasting, until
from tests.prove.shop import Server, database_in, hub
from tests.standins.woocommerce import KEY, SECRET, WooCommerce

pytestmark = pytest.mark.prove

SECONDS = float(os.environ.get("PROVE_SECONDS", "30"))
ORDERS = 2_000
PAGE_SECONDS = 0.1
FEWEST_KILLS = 5
LOCALLY = {"HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8", "HUB_OUTBOUND_HOST_PER_SECOND": "0"}
CARELESS = [sys.executable, "-m", "tests.prove.careless_reading", "serve"]


@frozen
class Stage:
    """A shop with orders that name a real click, and its connection to a hub that is not running."""

    folder: Path
    shop: WooCommerce
    merchant_id: str
    connection_id: str

    @property
    def database(self) -> str:
        return database_in(self.folder)

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Read the database beside the hub."""
        with sqlite3.connect(
            f"file:{self.folder / 'hub.db'}?mode=ro", uri=True, timeout=PATIENCE_SECONDS
        ) as connection:
            found = connection.execute(query).fetchall()
        connection.close()
        return found

    def is_read(self) -> bool:
        """Whether no reading is left to go on."""
        return self.ask("SELECT COUNT(*) FROM platform_reads WHERE due_at IS NOT NULL") == [(0,)]

    def is_decided(self) -> bool:
        """Whether every delivery is decided."""
        return self.ask("SELECT COUNT(*) FROM events WHERE status = 'QUEUED'") == [(0,)]

    async def killed_at(self, server: Server, pages: int, seconds: float) -> bool:
        """Let the server read this many pages, and some time later kill it; return False if the reading has ended.

        No page after these is answered, or a slow machine would come to the end before it comes to kill.
        """
        begun = self.shop.pages
        self.shop.most = begun + pages
        await asyncio.to_thread(server.start)
        try:
            await until(lambda: self.shop.pages >= begun + pages or self.is_read())
            await asyncio.sleep(seconds)
        finally:
            server.kill()
            self.shop.most = math.inf
        return not self.is_read()

    async def read_to_the_end(self) -> None:
        """Let an honest hub do what is left."""
        server = Server(self.database)
        await asyncio.to_thread(server.start)
        try:
            await until(lambda: self.is_read() and self.is_decided())
        finally:
            await asyncio.to_thread(server.stop)

    def missing(self) -> set[str]:
        """Return the orders of the shop that the hub does not have."""
        rows = self.ask("SELECT external_order_id FROM conversions")
        return set(map(str, self.shop.orders)) - {row[0] for row in rows}


@asynccontextmanager
async def connected(folder: Path, orders: int) -> AsyncIterator[Stage]:
    """Connect a shop whose orders are all to be read."""
    shop = WooCommerce(seconds=PAGE_SECONDS)
    async with serving(shop.answer) as address:
        stage = await asyncio.to_thread(_connect, folder, shop)
        click, now = await _click(stage), system_clock() + 1_000
        for number in range(1_000, 1_000 + orders):
            shop.orders[number] = json.loads(paid(Play(str(number), click, "USD", now)).body)
        file = folder / "key.txt"
        file.write_text(f"site={address}\nkey={KEY}\nsecret={SECRET}\n", "utf-8")
        given = ("connection", "credentials", stage.connection_id, "--from", str(file))
        await asyncio.to_thread(hub, stage.database, *given)
        yield stage


def _connect(folder: Path, shop: WooCommerce) -> Stage:
    database = database_in(folder)
    hub(database, "migrate")
    merchant = hub(
        database, "merchant", "create", "--name", "Shop", "--email", "shop@shop.example", "--domain", "shop.example",
        "--approve",
    )  # fmt: skip
    whose = ("--merchant", merchant["id"], "--mode", "test")
    made = hub(database, "connection", "create", *whose, "--connector", "woocommerce")
    return Stage(folder, shop, merchant["id"], made["id"])


async def _click(stage: Stage) -> str:
    affiliate = await asyncio.to_thread(
        hub, stage.database, "affiliate", "create", "--name", "Ann", "--email", "ann@blog.example"
    )
    whose = ("--merchant", stage.merchant_id, "--mode", "test", "--affiliate", affiliate["id"])
    link = await asyncio.to_thread(hub, stage.database, "link", "create", *whose)
    server = Server(stage.database)
    await asyncio.to_thread(server.start)
    try:
        async with (
            aiohttp.ClientSession(server.base_url) as session,
            session.get(f"/t/{link['code']}", allow_redirects=False, headers={"User-Agent": "Firefox/140"}) as reply,
        ):
            return str(URL(reply.headers["Location"]).query["affiliate_click_id"])
    finally:
        await asyncio.to_thread(server.stop)


async def test_a_reading_that_is_killed_anywhere_loses_no_order_and_doubles_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed at random, again and again, until it has ended; a second reading of all of it then changes nothing."""
    for name, value in LOCALLY.items():
        monkeypatch.setenv(name, value)
    dice, kills = random.Random(20_261_123), 0
    goes_on = lasting(SECONDS, lambda: kills >= FEWEST_KILLS)
    async with connected(tmp_path, ORDERS) as stage:
        while goes_on():
            if not await stage.killed_at(Server(stage.database), dice.randint(1, 3), dice.uniform(0.0, 0.3)):
                break
            kills += 1
        await stage.read_to_the_end()
        print(f"{kills} kills, {stage.shop.pages} pages asked for, {ORDERS} orders, {len(stage.missing())} lost")
        assert kills >= FEWEST_KILLS
        before = _ledger(stage)
        assert stage.missing() == set()
        assert before == {
            "reads": [("BACKFILL", "DONE", ORDERS), ("CATALOGUE", "DONE", 0)],
            "events": [(ORDERS, ORDERS)],
            "conversions": [(ORDERS, ORDERS, ORDERS * 5_000)],
            "commissions": [("HOLD", ORDERS, ORDERS * 250)],
        }
        again = await asyncio.to_thread(
            hub, stage.database, "connection", "reconcile", stage.connection_id, "--since", "30d"
        )
        assert (again["status"], again["items"], again["unknownOrders"]) == ("DONE", ORDERS, 0)
        after = _ledger(stage)
        assert {name: after[name] for name in after if name != "reads"} == {
            name: before[name] for name in before if name != "reads"
        }
        assert (await asyncio.to_thread(hub, stage.database, "audit"))["violations"] == []


def _ledger(stage: Stage) -> dict[str, list[tuple[Any, ...]]]:
    """Return what the readings, the deliveries, the orders and the money come to."""
    return {
        "reads": stage.ask("SELECT kind, status, items FROM platform_reads ORDER BY kind"),
        "events": stage.ask("SELECT COUNT(*), COUNT(DISTINCT external_order_id) FROM events"),
        "conversions": stage.ask(
            "SELECT COUNT(*), COUNT(DISTINCT external_order_id), SUM(order_minor) FROM conversions"
        ),
        "commissions": stage.ask("SELECT state, COUNT(*), SUM(amount_minor) FROM commissions GROUP BY state"),
    }


async def test_the_proof_catches_a_page_that_is_noted_before_it_is_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the next process goes on behind the page, and its orders are missing though the reading ends."""
    for name, value in LOCALLY.items():
        monkeypatch.setenv(name, value)
    async with connected(tmp_path, 300) as stage:
        assert await stage.killed_at(Server(stage.database, program=CARELESS), 2, 0.0)
        await stage.read_to_the_end()
        assert len(stage.missing()) >= 50

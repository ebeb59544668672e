"""A hub in this process, whose clients are no sockets: bytes are handed over, and nothing runs unasked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import count, islice, product
from pathlib import Path
from typing import Any, Self

from attrs import define, field, frozen

from bench import traffic
from bench.databases import SETTINGS
from bench.faults import Mismatch
from bench.traffic import Credentials
from hub.clock import system_clock
from hub.config.settings import load_settings
from hub.domain.signing import TOLERANCE_SECONDS
from hub.http.admission import Admission
from hub.http.connection import Connection, ConnectionFactory, Timeouts
from hub.http.server import HttpServer
from hub.merchant_api.routes import NotFound
from hub.observability.metrics import Metrics
from hub.operations.affiliates.affiliates import create_affiliate
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.merchants.keys import issue_key
from hub.operations.merchants.merchants import NewMerchant, create_merchant
from hub.parts import Parts, build_parts
from hub.plugin_host.registry import load_registry
from hub.probes import build_health
from hub.processing.change_numbers import ChangeNumbers
from hub.processing.clock_guard import ClockGuard
from hub.processing.figures import FigureCounter
from hub.processing.worker import BACKLOG_BATCHES, Worker
from hub.public_routes import build_router
from hub.sealing import load_sealer
from hub.storage import Store
from hub.testing.clock import FakeClock
from hub.testing.in_process_plugins import InProcessPlugins

BATCH = 64
"""Requests that come in together, and orders that are decided together: what a busy hub has in a batch."""
SLOWEST_SECONDS = 3_600.0
"""How long a connection may wait for the next request: all takes a hundred times as long while it is counted."""
BODY = b"\r\n\r\n"


@define
class Answered:
    """Waits for a number of responses without asking again and again, which would be counted as the hub's work."""

    missing: int = 0
    all: asyncio.Event = field(factory=asyncio.Event)

    def expect(self, how_many: int) -> None:
        """Begin to wait for this many."""
        self.missing = how_many
        self.all.clear()

    def note(self) -> None:
        """Note one."""
        self.missing -= 1
        if not self.missing:
            self.all.set()


class Wire(asyncio.Transport):
    """The hub's end of a connection: keeps what is written, and never fills up."""

    def __init__(self, answered: Answered) -> None:
        super().__init__({"peername": ("127.0.0.1", 9)})
        self.written = bytearray()
        self._answered = answered

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep the bytes."""
        if not self.written:
            self._answered.note()
        self.written += data

    def resume_reading(self) -> None:
        """Do nothing: it never pauses. aiohttp asks for this after each body."""

    def is_closing(self) -> bool:
        """Return False: it stays open."""
        return False

    def abort(self) -> None:
        """Raise Mismatch: no connection of this load gives a reason to be cut off."""
        raise Mismatch("The hub cut a connection off.")

    close = abort


@frozen(eq=False)
class InProcessHub:
    """A hub's parts with a merchant, a link and clients' connections; `orders` never ends, each order is a new one."""

    parts: Parts
    worker: Worker
    figures: FigureCounter
    changes: ChangeNumbers
    factory: ConnectionFactory
    credentials: Credentials
    link: str
    wires: list[tuple[Wire, Connection]] = field(factory=list)
    answered: Answered = field(factory=Answered)
    clicks: list[str] = field(factory=list)
    numbers: Iterator[int] = field(factory=count)

    @classmethod
    async def build(cls, store: Store, environment: dict[str, str]) -> Self:
        """Return a hub over an open store, with what it needs to take orders."""
        settings = load_settings(None, environment)
        sealer = load_sealer(settings)
        clock = FakeClock(system_clock())  # what is looked up anew every few seconds would be, on a slow machine only
        plugins = InProcessPlugins(load_registry())
        parts = build_parts(settings, store, sealer, plugins, clock, Metrics(None), ClockGuard(clock, clock))
        if parts.worker is None:
            raise Mismatch("The hub was built without a worker.")
        router = build_router(parts, build_health(parts, None))
        server = HttpServer(router, NotFound(parts.services, router).serve, Admission(), Timeouts(idle=SLOWEST_SECONDS))
        shop = NewMerchant("Bench", "bench@shop.example", ["shop.example"], commission="PERCENTAGE:8", approve=True)
        merchant = (await create_merchant(store, clock, shop)).id
        affiliate = (await create_affiliate(store, clock, name="Ada", email="ada@blog.example", coupons=[])).id
        link = await create_link(store, clock, "", NewLink(merchant, "test", affiliate))
        key = await issue_key(store, sealer, clock, merchant_id=merchant, mode="test")
        credentials = Credentials(key.key_id, key.signing_secret)
        figures = FigureCounter(store, clock, parts.services.throttle.pause)
        changes = ChangeNumbers(store, clock, parts.services.throttle.pause)
        return cls(parts, parts.worker, figures, changes, server.connections(), credentials, f"/t/{link.code}")

    async def ask(self, requests: Sequence[bytes], status: int) -> list[bytes]:
        """Send requests at the same moment, each over a connection of its own; return the responses, head and body.

        Raises Mismatch unless each has this status.
        """
        while len(self.wires) < len(requests):
            wire, protocol = Wire(self.answered), self.factory()
            protocol.connection_made(wire)
            self.wires.append((wire, protocol))
        used = self.wires[: len(requests)]
        self.answered.expect(len(used))
        for (wire, protocol), request in zip(used, requests, strict=True):
            wire.written.clear()
            protocol.data_received(request)
        await self.answered.all.wait()
        for wire, _ in used:
            if not wire.written.startswith(b"HTTP/1.1 %d " % status):
                raise Mismatch(f"Instead of {status} the hub answered: {bytes(wire.written[:500])!r}")
        return [bytes(wire.written) for wire, _ in used]

    async def settle(self) -> None:
        """Return once all that the requests left to do later is done."""
        await self.parts.services.request_log.flush()

    def orders(self, how_many: int) -> list[bytes]:
        """Return signed conversions that were not sent before, each with a click that the hub knows."""
        names = (f"B-{number}" for number in islice(self.numbers, how_many))
        return list(traffic.signed_orders(self.credentials, traffic.orders_named(names, self.clicks)))

    def reads(self, targets: Sequence[str], how_many: int) -> list[bytes]:
        """Return signed reads of targets, no two alike, at the hub's own time: valgrind may take minutes before."""
        now = self.parts.services.clock() // 1000
        moments = range(now - TOLERANCE_SECONDS // 2, now + TOLERANCE_SECONDS // 2)
        pairs = islice(product(moments, targets), how_many)
        return [self.credentials.request("GET", target, timestamp=moment) for moment, target in pairs]

    async def click(self, how_many: int) -> None:
        """Follow the tracking link this often, at the same moment."""
        answers = await self.ask([traffic.BROWSER % self.link.encode()] * how_many, 302)
        self.clicks.extend(["clk_" + each.decode().partition("clk_")[2][:32] for each in answers])

    async def decide(self) -> None:
        """Decide everything that is due; raise Mismatch if an event fails."""
        statuses: list[str] = []
        self.worker.on_results(lambda results: statuses.extend([each.status for each in results]))
        while taken := await self.worker.run_once():
            if len(statuses) < taken or not {"PROCESSED"}.issuperset(statuses):
                raise Mismatch(f"Of {taken} events the worker decided {statuses}.")
            statuses.clear()


def body_of(response: bytes) -> Any:
    """Return the JSON of a response."""
    return json.loads(response.partition(BODY)[2])


@asynccontextmanager
async def in_process(folder: Path) -> AsyncIterator[InProcessHub]:
    """Yield a hub over a fresh SQLite file in this folder; it has no timed jobs, and its log is not checkpointed."""
    url = f"sqlite:///{folder / 'hub.db'}"
    environment = {**SETTINGS, "HUB_DATABASE_URL": url, "HUB_UPLOADS_DIRECTORY": str(folder / "uploads"),
                   "HUB_WORKER_BATCH": str(BATCH // BACKLOG_BATCHES)}  # fmt: skip
    async with await Store.open(url, migrate=True) as store:
        hub = await InProcessHub.build(store, environment)
        running = (hub.parts.services.request_log, hub.parts.clicks, hub.parts.submissions)
        for part in running:
            await part.start()
        try:
            yield hub
        finally:
            for part in reversed(running):
                await part.stop()
            hub.parts.pages.passwords.close()

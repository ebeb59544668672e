"""What happens by the clock alone: holds end, parked news is given up, memories expire. APScheduler runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from os import getpid
from socket import gethostname

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from attrs import frozen

from hub.clock import Clock
from hub.domain.signing import TOLERANCE_SECONDS
from hub.ids import id_at, new_id
from hub.storage import Store, StoreUnavailable

HOLD_SECONDS = 0.5
"""A hold's end is visible within a second of its time."""
PARKED_SECONDS = 60
SWEEP_SECONDS = 60
GIVE_UP_AT_ONCE = 500
SIGNATURE_SLACK_SECONDS = 60
"""Signatures are remembered this much longer than any clock can still call them fresh."""
LEASE_MS = 10_000
"""How long a node that fell silent keeps its timers from the others, beyond the time to their next turn."""
RENEW_SECONDS = 3.0
"""How often a node says during a long turn that it is still at it."""
CLOCKS_APART_MS = 600_000
"""Windows of rate limits are forgotten so long after they closed, for a node whose clock is behind."""

Job = Callable[[], Awaitable[object]]

log = structlog.get_logger(__name__)


@frozen
class Retention:
    """How long things are kept, in milliseconds."""

    request_log_ms: int
    payloads_ms: int
    parked_ms: int
    idempotency_ms: int
    uploads_ms: int


Forget = Callable[[str, int], Awaitable[object]]
"""Forgets what an account had before a moment (ms UTC)."""


class Scheduler:
    """The hub's timers; of several nodes on one database each timer runs on the node that holds its lease."""

    def __init__(self, store: Store, clock: Clock, retention: Retention, *, forget_uploads: Forget) -> None:
        self._store = store
        self._clock = clock
        self._retention = retention
        self._forget_uploads = forget_uploads
        self._owner = new_id(f"{gethostname()}-{getpid()}")  # so that the table says who it is
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._stopping = False

    def start(self) -> None:
        """Begins to run the timers."""
        self._every(HOLD_SECONDS, self.release_holds)
        self._every(PARKED_SECONDS, self.give_up_parked)
        self._every(SWEEP_SECONDS, self.sweep)
        self._scheduler.start()

    def stop(self) -> None:
        """Runs no more timers; a job under way is cancelled and its transaction rolled back, which loses nothing."""
        self._stopping = True
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def release_holds(self) -> int:
        """Makes every commission payable whose hold has passed; returns how many."""
        async with self._store.write() as tx:
            return await tx.run("release_holds", now=self._clock())

    async def give_up_parked(self) -> int:
        """Marks order news UNMATCHED that waited too long for its conversion; returns how many."""
        now, given_up = self._clock(), 0
        while True:
            async with self._store.write() as tx:
                cutoff = now - self._retention.parked_ms
                rows = await tx.all("parked_news_before", cutoff=cutoff, limit=GIVE_UP_AT_ONCE)
                if not rows:
                    return given_up
                news = [(r["account_id"], r["external_order_id"], r["event_id"]) for r in rows]
                await tx.lock_orders([(account_id, order_id) for account_id, order_id, _ in news])
                await tx.run("unpark_news", news=news)
                given_up += await tx.run("give_up_events", events=[(a, e) for a, _, e in news], now=now)

    async def sweep(self) -> None:
        """Forgets what has been kept long enough, one account at a time so that no transaction is long."""
        now, keep = self._clock(), self._retention
        signed_before = now // 1000 - 2 * TOLERANCE_SECONDS - SIGNATURE_SLACK_SECONDS
        async with self._store.read() as tx:
            accounts = [row["account_id"] for row in await tx.all("all_accounts")]
        for account_id in accounts:
            async with self._store.write() as tx:
                await tx.run("sweep_signatures", account_id=account_id, cutoff=signed_before)
                await tx.run("sweep_payloads", account_id=account_id, before=id_at("evt", now - keep.payloads_ms))
            await self._forget_uploads(account_id, now - keep.uploads_ms)
        for account_id in ["", *accounts]:
            async with self._store.write() as tx:
                await tx.run("sweep_request_log", account_id=account_id, cutoff=now - keep.request_log_ms)
        async with self._store.write() as tx:
            await tx.run("sweep_idempotency_keys", cutoff=now - keep.idempotency_ms)
            await tx.run("sweep_limit_counts", cutoff=now - CLOCKS_APART_MS)

    def _every(self, seconds: float, job: Job) -> None:
        lease_ms = LEASE_MS + round(seconds * 1000)
        self._scheduler.add_job(
            self._run,
            "interval",
            seconds=seconds,
            args=[job, lease_ms],
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
        )

    async def _run(self, job: Job, lease_ms: int) -> None:
        name = getattr(job, "__name__", "timer")
        try:
            if self._store.dialect == "sqlite":  # it has one server
                await job()
            elif await self._acquire_lease(name, lease_ms):
                await self._run_leased(name, job, lease_ms)
        except asyncio.CancelledError:
            if not self._stopping:
                raise  # else the scheduler would log a fault where there is none
        except StoreUnavailable as fault:
            log.warning("a timer could not reach the store, it runs again", timer=name, fault=str(fault))
        except Exception:
            log.exception("a timer failed, it runs again", timer=name)

    async def _run_leased(self, name: str, job: Job, lease_ms: int) -> None:
        """Runs the job as long as this node holds its lease: one that was paused past it breaks off, and harms nobody.

        Each job's transactions are right whoever else runs it; what the lease saves is work done twice.
        """
        turn = asyncio.ensure_future(job())
        try:
            while not (await asyncio.wait({turn}, timeout=RENEW_SECONDS))[0]:
                if not await self._acquire_lease(name, lease_ms):
                    log.warning("a timer broke off: another node runs it", timer=name)
                    return
            await turn
        finally:
            turn.cancel()

    async def _acquire_lease(self, name: str, lease_ms: int) -> bool:
        """Takes or renews the timer's lease; False where another node holds it."""
        now = self._clock()
        async with self._store.write() as tx:
            row = await tx.one("take_lease", name=name, owner=self._owner, now=now, expires_at=now + lease_ms)
        return row is not None

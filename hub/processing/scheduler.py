"""Runs jobs by the clock, by APScheduler; of several nodes on one database each job runs on one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from os import getpid
from socket import gethostname

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from hub.clock import Clock
from hub.ids import new_id
from hub.storage import Store, StoreUnavailable

LEASE_MS = 10_000
"""How long a node that fell silent keeps its jobs from the others, beyond the time to their next turn."""
RENEW_SECONDS = 3.0
"""How often a node renews the lease during a long turn."""

Job = Callable[[], Awaitable[object]]

log = structlog.get_logger(__name__)


class Scheduler:
    """Runs jobs at intervals, each on the node that holds its lease; SQLite has one node, and needs no leases."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        may_run: Callable[[], bool] = lambda: True,
        lease_ms: int = LEASE_MS,
        renew_seconds: float = RENEW_SECONDS,
    ) -> None:
        """Make a scheduler; `may_run` says whether the clock is trusted, and is asked before each turn.

        A node whose clock is wrong takes no lease and renews none: it would end in another year.
        """
        self._store = store
        self._clock = clock
        self._may_run = may_run
        self._lease_ms = lease_ms
        self._renew_seconds = renew_seconds
        self._owner = new_id(f"{gethostname()}-{getpid()}")  # so that the table says who it is
        self._scheduler = AsyncIOScheduler(timezone="UTC")
        self._stopping = False

    def every(self, seconds: float, name: str, job: Job, *, by_clock: bool = True) -> None:
        """Run a job at this interval; the name is the one of its lease.

        A job that ends nothing `by_clock` runs while the clock is not trusted, too; without a lease then, which only
        saves work that is done twice.
        """
        self._scheduler.add_job(
            self._run,
            "interval",
            seconds=seconds,
            args=[name, job, self._lease_ms + round(seconds * 1000), by_clock],
            max_instances=1,
            coalesce=True,
            misfire_grace_time=None,
        )

    def start(self) -> None:
        """Begin to run the jobs."""
        self._scheduler.start()

    async def stop(self) -> None:
        """Run no more jobs; one under way is cancelled and its transaction rolled back, which loses nothing."""
        self._stopping = True
        if self._scheduler.running:
            self._scheduler.pause()
            try:
                await asyncio.sleep(0)  # a turn that has not begun yet begins: cut off before, it would be a fault
            finally:
                self._scheduler.shutdown(wait=False)

    async def _run(self, name: str, job: Job, lease_ms: int, by_clock: bool) -> None:
        trusted = self._may_run()
        if by_clock and not trusted:
            return
        try:
            if self._store.dialect == "sqlite" or not trusted:
                await job()
            elif await self._acquire_lease(name, lease_ms):
                await self._run_leased(name, job, lease_ms)
        except asyncio.CancelledError:
            if not self._stopping:
                raise  # APScheduler reports it as a fault, which at the hub's end it is not
        except StoreUnavailable as fault:
            log.warning("a timed job could not reach the store, it runs again", job=name, fault=str(fault))
        except Exception:
            log.exception("a timed job failed, it runs again", job=name)

    async def _run_leased(self, name: str, job: Job, lease_ms: int) -> None:
        """Run the job for as long as this node holds its lease; break off if the node was paused past it.

        Each job's transactions are right whoever else runs it; the lease saves work done twice.
        """
        turn = asyncio.ensure_future(job())
        try:
            while not (await asyncio.wait({turn}, timeout=self._renew_seconds))[0]:
                if self._may_run() and not await self._acquire_lease(name, lease_ms):
                    log.warning("a timed job broke off: another node runs it", job=name)
                    return
            await turn
        finally:
            turn.cancel()

    async def _acquire_lease(self, name: str, lease_ms: int) -> bool:
        """Take or renew the job's lease; return False if another node holds it."""
        now = self._clock()
        async with self._store.write() as tx:
            row = await tx.one("take_lease", name=name, owner=self._owner, now=now, expires_at=now + lease_ms)
        return row is not None

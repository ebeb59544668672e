"""The worker: takes up accepted events, batch by batch, for as long as the process runs.

One task: wait until woken (a submission was committed) or for `POLL_SECONDS`, claim due events, decide them in one
transaction, report. A batch that fails is taken apart: each of its events is decided in a transaction of its own, and
one that fails alone is tried again with growing pauses, at most `ATTEMPTS` times.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from time import monotonic

import orjson
import structlog

from hub.clock import Clock
from hub.ids import new_id
from hub.plugin_host.registry import Registry
from hub.processing.batch import Recipe, decide_alone, decide_batch
from hub.processing.decide_orders import EventResult
from hub.processing.events import Event
from hub.processing.policy import Policy
from hub.processing.write_decisions import FinishedEvent
from hub.storage import Store, StoreUnavailable, Tx

POLL_SECONDS = 0.2
"""How soon events are seen that another process accepted (a command's replay, another node)."""
GATHER_SECONDS = 0.02
"""How long the worker lets events gather: a batch costs the same statements whether it holds three or a hundred."""
EVENTS_BESIDE_REQUESTS = 128
"""The largest batch on SQLite while requests come in: it blocks the event loop for about 11 ms."""
BUSY_SECONDS = 0.1
"""Requests are being served if the last event came this short a time ago."""
BACKLOG_BATCHES = 4
"""Of a backlog this many batches are decided as one: each statement waits for an answer, each commit for the disk."""
LONG_BODY = 2_048
"""A body of more characters than this is long."""
EVENTS_WITH_LONG_BODIES = 16
"""The largest batch on SQLite if one of the next events has a long body, because reading it blocks the event loop."""
ATTEMPTS = 10
FIRST_RETRY_MS = 500
LAST_RETRY_MS = 300_000
OUTAGE_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Worker:
    """Turns accepted events into conversions and commissions. `batch` is how many events it decides together."""

    def __init__(self, store: Store, registry: Registry, policy: Policy, clock: Clock, *, batch: int) -> None:
        self._store = store
        self._registry = registry
        self._policy = policy
        self._clock = clock
        self._batch = batch
        self._wake = asyncio.Event()
        self._woken_at = 0.0
        self._more = False
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[Sequence[str]], None]] = []

    def on_results(self, listener: Callable[[Sequence[str]], None]) -> None:
        """Call `listener(statuses)` after each batch that committed, with what became of each event."""
        self._listeners.append(listener)

    @property
    def alive(self) -> bool:
        """Whether the worker runs."""
        return self._task is not None and not self._task.done()

    def wake(self, _accepted: int = 1) -> None:
        """Wake the worker, because events were accepted."""
        self._woken_at = monotonic()
        self._wake.set()

    async def start(self) -> None:
        """Start taking up events."""
        self._stopping = False
        self._task = asyncio.create_task(self._serve(), name="worker")

    async def stop(self) -> None:
        """Finish the batch in hand and return."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task

    async def run_once(self) -> int:
        """Work on one batch; return how many events it held. Raises `StoreUnavailable`."""
        claimed: list[Event] = []
        limit = await self._batch_size()

        async def work(tx: Tx) -> list[EventResult]:
            now = self._clock()
            claimed[:] = await tx.records(Event, "claim_due_events", now=now, limit=limit)
            return await decide_batch(tx, claimed, self._recipe(now)) if claimed else []

        try:
            results = await self._store.transact(work)
        except StoreUnavailable:
            raise
        except Exception:
            if not claimed:
                raise
            log.exception("a batch failed, its events are decided one by one", events=len(claimed))
            results, alone = [], list(claimed)
        else:
            decided = {(result.event.account_id, result.event.event_id) for result in results}
            alone = [event for event in claimed if (event.account_id, event.event_id) not in decided]
        self._more = len(claimed) == limit
        self._report([result.status for result in results])
        for event in alone:
            await self._decide_alone(event)
        return len(claimed)

    async def _batch_size(self) -> int:
        """Return how many events the next batch may hold.

        On PostgreSQL it is the size that is set, and more while the worker cannot keep up with what comes in. On SQLite
        a batch runs on the event loop's thread: it is small beside requests, and if it holds long bodies.
        """
        most = self._batch * BACKLOG_BATCHES
        if self._store.dialect != "sqlite":
            return most if self._more else self._batch
        limit = min(most, EVENTS_BESIDE_REQUESTS) if monotonic() - self._woken_at < BUSY_SECONDS else most
        long = await self._store.fetch_one("long_body_due", now=self._clock(), limit=limit, longest=LONG_BODY)
        return limit if long is None else min(limit, EVENTS_WITH_LONG_BODIES)

    def _recipe(self, now: int) -> Recipe:
        return Recipe(self._registry, self._policy, now, new_id)

    async def _decide_alone(self, event: Event) -> None:
        """Decide an event in a transaction of its own, so that a bad one fails alone."""
        try:
            async with self._store.write() as tx:
                now = self._clock()
                claimed = await tx.records(
                    Event, "claim_due_event", account_id=event.account_id, event_id=event.event_id, now=now
                )
                results = [await decide_alone(tx, each, self._recipe(now)) for each in claimed]
        except StoreUnavailable:
            raise
        except Exception as fault:
            log.exception("an event failed", event_id=event.event_id, attempts=event.attempts + 1)
            await self._postpone(event, fault)
        else:
            self._report([result.status for result in results])

    async def _postpone(self, event: Event, fault: Exception) -> None:
        attempts = event.attempts + 1
        now = self._clock()
        async with self._store.write() as tx:
            if attempts < ATTEMPTS:
                due_at = now + min(FIRST_RETRY_MS << (attempts - 1), LAST_RETRY_MS)
                await tx.run(
                    "postpone_event",
                    account_id=event.account_id,
                    event_id=event.event_id,
                    attempts=attempts,
                    due_at=due_at,
                )
                return
            reason = f"internal: {type(fault).__name__}"
            explanation = orjson.dumps({"attribution": None, "commission": None, "skipReason": reason}).decode()
            failed = FinishedEvent(event.account_id, event.event_id, "FAILED", event.external_order_id,
                                   event.conversion_id, now, attempts, explanation)  # fmt: skip
            await tx.run("finish_events", events=[failed])

    def _report(self, statuses: Sequence[str]) -> None:
        if statuses:
            for listener in self._listeners:
                listener(statuses)

    async def _serve(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                await self.run_once()
            except StoreUnavailable as fault:
                log.warning("the worker cannot reach the store, it tries again", fault=str(fault))
                await self._rest(OUTAGE_SECONDS)
                continue
            except Exception:
                log.exception("the worker met a fault outside its events, it tries again")
                await self._rest(OUTAGE_SECONDS)
                continue
            if not self._more:
                await self._rest(POLL_SECONDS)
                await asyncio.sleep(GATHER_SECONDS)

    async def _rest(self, seconds: float) -> None:
        if not self._stopping:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), seconds)

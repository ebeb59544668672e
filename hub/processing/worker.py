"""The worker: takes up due events in batches, and tries again what failed, later and bounded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from time import monotonic

import orjson
import structlog

from hub.clock import Clock
from hub.ids import new_id
from hub.processing.ahead import SHORT_BODY, Ahead
from hub.processing.batch import Batch
from hub.processing.orders import Policy, Verdict
from hub.processing.translate import Event
from hub.registry import Registry
from hub.storage import Store, StoreUnavailable, Tx

POLL_SECONDS = 0.2
"""How soon events are seen that another process filed (a command's replay, another node's desk)."""
GATHER_SECONDS = 0.02
"""How long the worker lets events gather: a batch costs the same statements whether it holds three or a hundred."""
BRIEF_EVENTS = 128
"""So many with short bodies are decided in the eleven milliseconds that the loop may stand still under full load."""
BUSY_SECONDS = 0.1
"""While events came this short a time ago, requests are being answered."""
BACKLOG_BATCHES = 4
"""So many batches are decided as one where more wait: each statement waits for an answer, each commit for the disk. On
SQLite that is for short ones, and while no requests come."""
TO_WRITE = 2
"""So many times as many are written in the time that it takes to decide and write them."""
ATTEMPTS = 10
FIRST_RETRY_MS = 500
LAST_RETRY_MS = 300_000
OUTAGE_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Worker:
    """Turns accepted events into conversions and commissions. `now` is milliseconds UTC.

    With `ahead`, which is for SQLite, a backlog is decided with a second process.
    """

    def __init__(
        self, store: Store, registry: Registry, policy: Policy, clock: Clock, *, batch: int, ahead: Ahead | None = None
    ) -> None:
        self._store = store
        self._registry = registry
        self._policy = policy
        self._clock = clock
        self._batch = batch
        self._ahead = ahead
        self._wake = asyncio.Event()
        self._woken_at = 0.0
        self._more = False
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[Sequence[str]], None]] = []

    def on_outcomes(self, listener: Callable[[Sequence[str]], None]) -> None:
        """Calls `listener(statuses)` after each batch that committed, with what became of each event."""
        self._listeners.append(listener)

    @property
    def alive(self) -> bool:
        """Whether the worker runs."""
        return self._task is not None and not self._task.done()

    def wake(self) -> None:
        """Says that new events are waiting."""
        self._woken_at = monotonic()
        self._wake.set()

    async def start(self) -> None:
        """Starts taking up events."""
        self._stopping = False
        self._task = asyncio.create_task(self._serve(), name="worker")

    async def stop(self) -> None:
        """Finishes the batch in hand and returns."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task
        if self._ahead is not None:
            await self._ahead.stop()

    async def run_once(self) -> int:
        """Works on one batch; returns how many events it held. Raises `StoreUnavailable`."""
        if self._ahead is None:
            return await self._decide_here()
        busy = self._busy
        statuses = await self._ahead.run_once(limit=TO_WRITE * (BRIEF_EVENTS if busy else self._most), busy=busy)
        if statuses is None:
            count = await self._decide_here()
            await self._ahead.follow(count)
            return count
        self._more = self._ahead.more
        self._tell(statuses)
        return len(statuses)

    async def _decide_here(self) -> int:
        claimed: list[Event] = []
        limit, brief = await self._size()

        async def work(tx: Tx) -> list[Verdict]:
            now = self._clock()
            claimed[:] = map(Event._make, await tx.all_values("claim_due_events", now=now, limit=limit))
            self._more = len(claimed) == limit
            return await Batch(tx, self._registry, self._policy, now, new_id).work(claimed) if claimed else []

        try:
            verdicts = await (self._store.join(work) if brief else self._store.transact(work))
        except StoreUnavailable:
            raise
        except Exception:
            if not claimed:
                raise
            log.exception("a batch failed, trying its events one by one", events=len(claimed))
            return await self._run_singly(claimed)
        if claimed:
            self._tell([verdict.status for verdict in verdicts])
        return len(claimed)

    @property
    def _busy(self) -> bool:
        """Whether requests are being answered."""
        return monotonic() - self._woken_at < BUSY_SECONDS

    @property
    def _most(self) -> int:
        """How many events of a backlog are worked on as one."""
        return self._batch * BACKLOG_BATCHES

    async def _size(self) -> tuple[int, bool]:
        """How many events the next batch may hold, and whether it is brief (see `Store.transact`).

        On PostgreSQL it is the size that is set, and more while it cannot keep up with what comes in.

        On SQLite beside requests a batch runs in the event loop's thread, where it takes the interpreter from nobody,
        if it is small: of few events with short bodies. A long one that is filed while we look slips in; it held the
        loop for longer when it came in.
        """
        if self._store.dialect != "sqlite":
            return self._most if self._more else self._batch, False
        busy = self._busy
        limit = min(self._most, BRIEF_EVENTS) if busy else self._most
        long = await self._store.look_up("long_body_due", now=self._clock(), limit=limit, longest=SHORT_BODY)
        return (self._batch, False) if long is not None else (limit, busy)

    async def _run_singly(self, claimed: Sequence[Event]) -> int:
        """A bad event fails alone: each gets a transaction of its own."""
        for event in claimed:
            try:
                await self._run_alone(event)
            except StoreUnavailable:
                raise
            except Exception as fault:
                log.exception("an event failed", event_id=event.event_id, attempts=event.attempts + 1)
                await self._postpone(event, fault)
        return len(claimed)

    async def _run_alone(self, event: Event) -> None:
        async with self._store.write() as tx:
            now = self._clock()
            found = await tx.all_values(
                "claim_due_event", account_id=event.account_id, event_id=event.event_id, now=now
            )
            mine = [Event._make(values) for values in found]
            verdicts = await Batch(tx, self._registry, self._policy, now, new_id).work(mine) if mine else []
        self._tell([verdict.status for verdict in verdicts])

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
            failed = (event.account_id, event.event_id, "FAILED", event.external_order_id, event.conversion_id, now,
                      attempts, explanation)  # fmt: skip
            await tx.run("finish_events", verdicts=[failed])

    def _tell(self, statuses: Sequence[str]) -> None:
        for listener in self._listeners:
            listener(statuses)

    async def _serve(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                await self.run_once()
            except StoreUnavailable as fault:
                log.warning("the worker cannot reach the store, trying again", fault=str(fault))
                await self._rest(OUTAGE_SECONDS)
                continue
            except Exception:
                log.exception("the worker met a fault outside its events, trying again")
                await self._rest(OUTAGE_SECONDS)
                continue
            if not self._more:
                await self._rest(POLL_SECONDS)
                await asyncio.sleep(GATHER_SECONDS)

    async def _rest(self, seconds: float) -> None:
        if not self._stopping:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), seconds)

"""The intake desk: whatever is waiting commits as one transaction, and nobody is answered before it has.

No time is spent waiting for company: the commit that runs is the window in which the next batch gathers.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from time import monotonic

from hub.clock import Clock
from hub.intake.admission import Raced
from hub.intake.batch import Item, as_new, commit_batch
from hub.intake.submission import Admission, Burn, Burnt, Outcome, SignatureReused, Submission
from hub.storage import Store, StoreUnavailable

BATCH_ROWS = 256
BATCH_CHARACTERS = 4 * 1024 * 1024
WAITING_LIMIT = 10_000
"""Above this many waiting requests the desk says 503 at once rather than let everybody's latency explode."""
RELIEF_SECONDS = 0.01
"""A batch that takes longer (it waits for another node's lock, or for a slow disk) does not hold up those behind it."""
RACES = 5
CAREFUL_BATCHES = 16
"""After a batch that held something known already, so many are looked at step by step from the start."""


class DeskClosed(StoreUnavailable):
    """The desk takes nothing more: the server is shutting down."""


class DeskFull(StoreUnavailable):
    """More requests wait than the store can take soon."""


class Desk:
    """Takes submissions from every door and makes them durable in batches."""

    def __init__(self, store: Store, clock: Clock, *, idempotency_ttl_ms: int) -> None:
        self._store = store
        self._clock = clock
        self._ttl = idempotency_ttl_ms
        self._waiting: deque[tuple[Item, asyncio.Future[Outcome]]] = deque()
        self._wake = asyncio.Event()
        self._closed = True
        self._careful = 0
        self._clerk: asyncio.Task[None] | None = None
        self._relief: asyncio.Task[None] | None = None
        self._listeners: list[Callable[[int], None]] = []
        self.last_taken = 0.0
        """When the last request came, by `time.monotonic`."""

    def on_commit(self, listener: Callable[[int], None]) -> None:
        """Calls `listener(batch size)` after each batch that committed."""
        self._listeners.append(listener)

    @property
    def alive(self) -> bool:
        """Whether the desk takes submissions."""
        return not self._closed and self._clerk is not None and not self._clerk.done()

    @property
    def waiting(self) -> int:
        """How many requests wait for their batch."""
        return len(self._waiting)

    async def start(self) -> None:
        """Opens the desk."""
        self._closed = False
        self._clerk = asyncio.create_task(self._serve(), name="desk")

    async def stop(self) -> None:
        """Takes nothing more, finishes what waits, and returns."""
        self._closed = True
        self._wake.set()
        for task in (self._clerk, self._relief):
            if task is not None:
                await task

    def submit(self, submission: Submission) -> Awaitable[Outcome]:
        """Answers once the submission is durable; raises `StoreUnavailable` where it could not be made so."""
        return self._enqueue(submission)

    async def burn(self, admission: Admission) -> Burnt | SignatureReused:
        """Remembers the signature of a refused request; raises `StoreUnavailable`."""
        outcome = await self._enqueue(Burn(admission))
        return outcome if isinstance(outcome, SignatureReused) else Burnt()

    def _enqueue(self, item: Item) -> asyncio.Future[Outcome]:
        if self._closed:
            raise DeskClosed("the server is shutting down")
        if len(self._waiting) >= WAITING_LIMIT:
            raise DeskFull("too many requests are waiting for the store")
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        if not self._waiting:
            self._wake.set()
        self._waiting.append((item, future))
        self.last_taken = monotonic()
        return future

    async def _serve(self) -> None:
        while True:
            if self._waiting:
                await self._answer_in_time(self._take())
            elif self._closed:
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _answer_in_time(self, batch: list[tuple[Item, asyncio.Future[Outcome]]]) -> None:
        """Answers a batch, and others beside it while it takes long; SQLite has one writer, so not there."""
        if self._store.dialect == "sqlite":
            await self._answer(batch)
            return
        self._watch()
        try:
            await self._answer(batch)
        finally:
            self._alarm.cancel()

    def _watch(self) -> None:
        self._alarm = asyncio.get_running_loop().call_later(RELIEF_SECONDS, self._relieve)

    def _relieve(self) -> None:
        if self._waiting and (self._relief is None or self._relief.done()):
            self._relief = asyncio.create_task(self._help_out(), name="desk-relief")
        self._watch()

    async def _help_out(self) -> None:
        while self._waiting:
            await self._answer(self._take())

    def _take(self) -> list[tuple[Item, asyncio.Future[Outcome]]]:
        batch: list[tuple[Item, asyncio.Future[Outcome]]] = []
        room = BATCH_CHARACTERS
        while self._waiting and len(batch) < BATCH_ROWS and room > 0:
            item, future = self._waiting.popleft()
            if not future.cancelled():
                batch.append((item, future))
                room -= len(item.body) if isinstance(item, Submission) else 0
        return batch

    async def _answer(self, batch: list[tuple[Item, asyncio.Future[Outcome]]]) -> None:
        if not batch:
            return
        try:
            outcomes = await self._commit([item for item, _ in batch])
        except StoreUnavailable as fault:
            _fail(batch, fault)
        except Exception as fault:  # noqa: BLE001 - one bad row must not take its neighbours down
            await self._answer_singly(batch, fault)
        else:
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                if not future.done():
                    future.set_result(outcome)

    async def _answer_singly(self, batch: list[tuple[Item, asyncio.Future[Outcome]]], fault: Exception) -> None:
        if len(batch) == 1:
            _fail(batch, fault)
            return
        for one in batch:
            await self._answer([one])

    async def _commit(self, items: list[Item]) -> list[Outcome]:
        now = self._clock()
        outcomes = await self._try_as_new(items, now)
        for attempt in range(RACES):
            if outcomes is not None:
                break
            work = partial(commit_batch, items=items, now=now, ttl_ms=self._ttl, wary=attempt > 0)
            with suppress(Raced):
                outcomes = await self._store.transact(work, brief=True, adds=True)
        if outcomes is None:
            raise StoreUnavailable("an idempotency key stayed contended")
        for listener in self._listeners:
            listener(len(items))
        return outcomes

    async def _try_as_new(self, items: list[Item], now: int) -> list[Outcome] | None:
        """Files the batch at one go, if nothing in it was known before, which is how it mostly is."""
        if self._careful:
            self._careful -= 1
            return None
        told, calls = as_new(items, now, self._ttl)
        if not calls:
            return None
        if await self._store.all_or_nothing(*calls):
            return told
        self._careful = CAREFUL_BATCHES
        return None


def _fail(batch: list[tuple[Item, asyncio.Future[Outcome]]], fault: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(fault)

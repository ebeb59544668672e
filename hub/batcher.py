"""A batcher: items arrive one by one and are written in batches, so that one commit serves many callers.

There is no artificial delay: the items that arrive while a batch is being written form the next one. Under load batches
grow by themselves, and a lone item is written at once, or nearly: requests whose bytes have arrived by now take a few
turns of the event loop to become items (GATHERING_TURNS), and the batch lets them, since each batch costs a commit.

    callers   submit a | submit b, c, d |              a returns | submit e | b, c, d return
    writer             | write [a] ........................... | write [b, c, d] ..........|

A caller waits for at most WAIT_SECONDS (hub.storage.bounded_wait), whatever the store does. An item whose time is up is
withdrawn if its batch has not begun. If it has, it is unknown whether it will be stored, and its caller learns that.

If several batches can be written at the same time, one that takes long need not hold up those behind it: after
`overflow_seconds` a second writer takes the items that wait, and ends once there are none.

Callers, writers and timers are all on the event loop and change the queue only between awaits, so it needs no lock. An
item leaves the queue when a writer takes it; from then on only that writer sets the item's future.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Generic, TypeVar

import structlog
from attrs import frozen

from hub.deadlines import Deadlines
from hub.fair_queue import FairQueue
from hub.storage import OutcomeUnknown, StoreUnavailable, bounded_wait

T = TypeVar("T")
R = TypeVar("R")

GATHERING_TURNS = 4
"""How many turns of the event loop a batch lets pass before it begins: what a request takes from its bytes to its item.

They are its protocol's, its connection's task's, its handler's, and the batcher's own. A turn without work takes
microseconds; under load the batches are half as large again, and a sixth fewer bytes go to the disk.
"""
RETRY_SECONDS = 0.5
"""How long the writer pauses after it could not write posted items."""

Batch = list[tuple[T, "asyncio.Future[R] | None"]]

log = structlog.get_logger(__name__)


class BatcherClosed(StoreUnavailable):
    """The batcher takes no more items: the server is shutting down."""


class BatcherFull(StoreUnavailable):
    """More items wait than the store can write soon."""


@frozen
class Limits:
    """How large a batch and the queue may become.

    `items` is the most in one batch, and `weight` the sum of their weights at which no further one is added. Above
    `waiting` items in the queue the batcher refuses others at once, so that latency stays bounded.
    """

    items: int
    waiting: int
    weight: int | None = None


class Batcher(Generic[T, R]):
    """Writes items in batches with `write`, which returns one result for each item, in the same order.

    If `write` raises StoreUnavailable, every caller that waits for the batch gets it, and posted items are retried.
    After any other exception the items are written one by one, so that a bad one fails alone.
    """

    def __init__(
        self,
        name: str,
        write: Callable[[list[T]], Awaitable[Sequence[R]]],
        limits: Limits,
        *,
        weigh: Callable[[T], int] = lambda _: 1,
        sender_of: Callable[[T], Hashable] | None = None,
        overflow_seconds: float | None = None,
        linger_seconds: float = 0.0,
        on_lost: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Make a batcher.

        `sender_of` names whose an item is, if it matters: senders take turns, and each may fill half of the queue.
        `overflow_seconds` is how long one batch may hold up the next; None if there can only be one writer at a time.
        `linger_seconds` is how long a batch that is not full waits for more. `on_lost` is called with the number of
        posted items that were given up.
        """
        self._name = name
        self._write = write
        self._limits = limits
        self._most_of_one = limits.waiting // 2
        self._weigh = weigh
        self._overflow_seconds = overflow_seconds
        self._linger_seconds = linger_seconds
        self._on_lost = on_lost
        self._sender_of = sender_of
        self._waiting: FairQueue[tuple[T, asyncio.Future[R] | None]] = FairQueue()
        """Each item with the future of the caller that waits for it, if one does."""
        self._deadlines: Deadlines[R] = Deadlines(lambda: bounded_wait.WAIT_SECONDS, self._give_up)
        self._arrived = asyncio.Event()
        self._full = asyncio.Event()
        self._batch_finished = asyncio.Event()
        self._submitted = self._writing = 0
        self._closed = True
        self._writer: asyncio.Task[None] | None = None
        self._overflow: asyncio.Task[None] | None = None
        self.last_submitted = 0.0
        """When the last item was submitted, by `time.monotonic`."""

    @property
    def alive(self) -> bool:
        """Whether the batcher takes and writes items."""
        return not self._closed and self._writer is not None and not self._writer.done()

    @property
    def waiting(self) -> int:
        """How many items are in the queue."""
        return len(self._waiting)

    async def start(self) -> None:
        """Start to take items."""
        self._closed = False
        self._writer = asyncio.create_task(self._serve(), name=self._name)

    async def stop(self) -> None:
        """Take no more items, write those in the queue, and return."""
        self._closed = True
        self._arrived.set()
        self._full.set()
        for task in (self._writer, self._overflow):
            if task is not None:
                await task

    def submit(self, item: T) -> asyncio.Future[R]:
        """Return a future of the item's result; raise BatcherClosed or BatcherFull.

        The future raises StoreUnavailable or OutcomeUnknown once its caller has waited for WAIT_SECONDS.
        """
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self.post(item, future)
        self.last_submitted = monotonic()
        self._deadlines.watch(future, self.last_submitted)
        return future

    def post(self, item: T, future: asyncio.Future[R] | None = None) -> None:
        """Have the item written, and its result set if anybody waits for it; raise BatcherClosed or BatcherFull."""
        waiting = len(self._waiting)
        sender = None if self._sender_of is None else self._sender_of(item)
        if self._closed or waiting >= self._most_of_one:  # before, nobody can have so many
            self._refuse_excess(waiting, sender)
        self._waiting.append(sender, (item, future))
        self._submitted += 1
        if waiting == 0:
            self._arrived.set()
        if waiting + 1 == self._limits.items:
            self._full.set()

    async def flush(self) -> None:
        """Wait until every item that is in the queue now is written or given up; needs a batcher with one writer."""
        last = self._submitted
        while self._submitted - len(self._waiting) - self._writing < last:
            self._full.set()
            self._batch_finished.clear()
            await self._batch_finished.wait()

    def _give_up(self, late: list[asyncio.Future[R]]) -> None:
        waiting = {future for _, future in self._waiting}
        text = f"The store did not answer within {bounded_wait.WAIT_SECONDS:g} seconds."
        for future in late:
            future.set_exception((StoreUnavailable if future in waiting else OutcomeUnknown)(text))
        self._waiting.keep(lambda entry: entry[1] is None or not entry[1].done())
        self._batch_finished.set()

    def _refuse_excess(self, waiting: int, sender: Hashable) -> None:
        if self._closed:
            raise BatcherClosed("the server is shutting down")
        if waiting >= self._limits.waiting:
            raise BatcherFull("too many requests are waiting for the store")
        if sender is not None and self._waiting.waiting_of(sender) >= self._most_of_one:
            raise BatcherFull("too many requests of this account are waiting for the store")

    async def _serve(self) -> None:
        while True:
            if self._waiting:
                await self._gather()
                if self._overflow_seconds is None:
                    await self._write_next()
                else:
                    await self._write_beside(self._overflow_seconds)
            elif self._closed:
                return
            else:
                self._arrived.clear()
                await self._arrived.wait()

    async def _write_beside(self, overflow_seconds: float) -> None:
        """Write the next batch, and while that takes longer, those behind it by a second writer."""
        loop = asyncio.get_running_loop()
        timer: asyncio.TimerHandle

        def overflow() -> None:
            nonlocal timer
            if self._waiting and (self._overflow is None or self._overflow.done()):
                self._overflow = asyncio.create_task(self._serve_overflow(), name=f"{self._name}-overflow")
            timer = loop.call_later(overflow_seconds, overflow)

        timer = loop.call_later(overflow_seconds, overflow)
        try:
            await self._write_next()
        finally:
            timer.cancel()

    async def _serve_overflow(self) -> None:
        while self._waiting:
            await self._write_next()

    async def _write_next(self) -> None:
        batch = self._take()
        self._writing += len(batch)
        await self._write_batch(batch)
        self._writing -= len(batch)
        self._batch_finished.set()

    async def _gather(self) -> None:
        """Let more items join the next batch."""
        for _ in range(GATHERING_TURNS):
            await asyncio.sleep(0)
        if self._linger_seconds and not self._closed and len(self._waiting) < self._limits.items:
            self._full.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._linger_seconds):
                    await self._full.wait()

    def _take(self) -> Batch[T, R]:
        batch: Batch[T, R] = []
        weight, heaviest = 0, self._limits.weight
        for _ in range(min(len(self._waiting), self._limits.items)):
            entry = self._waiting.popleft()
            if entry[1] is not None and entry[1].done():  # its caller may have been cancelled
                continue
            batch.append(entry)
            if heaviest is not None:
                weight += self._weigh(entry[0])
                if weight >= heaviest:
                    break
        return batch

    async def _write_batch(self, batch: Batch[T, R]) -> None:
        try:
            results = await self._write([item for item, _ in batch]) if batch else ()
        except StoreUnavailable as fault:
            _fail(batch, fault)
            await self._put_back([(item, future) for item, future in batch if future is None])
        except Exception as fault:  # noqa: BLE001 - a bad item must not fail its neighbours
            await self._write_singly(batch, fault)
        else:
            for (_, future), result in zip(batch, results, strict=True):
                if future is not None and not future.done():
                    future.set_result(result)

    async def _write_singly(self, batch: Batch[T, R], fault: Exception) -> None:
        if len(batch) > 1:
            for entry in batch:
                await self._write_batch([entry])
            return
        _fail(batch, fault)
        if batch[0][1] is None:
            log.error("an item was refused and given up", batcher=self._name, exc_info=fault)
            self._on_lost(1)

    async def _put_back(self, posted: Batch[T, R]) -> None:
        """Return posted items to the queue for a later batch; give them up once the batcher is closed."""
        if not posted:
            return
        if self._closed:
            posted += [self._waiting.popleft() for _ in range(len(self._waiting))]
            log.warning("items could not be written before the end", batcher=self._name, items=len(posted))
            self._on_lost(len(posted))
            return
        for item, future in reversed(posted):
            self._waiting.appendleft(None if self._sender_of is None else self._sender_of(item), (item, future))
        await asyncio.sleep(RETRY_SECONDS)


def _fail(batch: Batch[T, R], fault: Exception) -> None:
    for _, future in batch:
        if future is not None and not future.done():
            future.set_exception(fault)

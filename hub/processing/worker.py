"""The worker: takes up accepted events, batch by batch, for as long as the process runs.

One task: wait until woken (a submission was committed) or for `POLL_SECONDS`, claim due events, decide them in one
transaction, report. A batch that fails is taken apart: each of its events is decided in a transaction of its own, and
one that fails alone is tried again with growing pauses, at most `retries.ATTEMPTS` times.

Webhooks take two transactions: the first notes them and gives them out (see handed_out.py), and once the plugin host
has read them, the second decides them. No open transaction waits for a plugin, nor does what needs none.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import monotonic

import orjson
import structlog

from hub.clock import Clock
from hub.ids import new_id
from hub.plugin_host.translation import Plugins
from hub.processing.batch import Recipe, decide_alone, decide_batch
from hub.processing.due_events import BatchSize, Claimed, DueEvents, RepeatedReports
from hub.processing.events import Event, EventFacts, EventResult, read_report
from hub.processing.handed_out import Due, HandedOut, hand_out, still_held, take_back, translated
from hub.processing.other_amounts import compare_repeated_reports
from hub.processing.policy import Policy
from hub.processing.retries import retry_at
from hub.processing.write_decisions import FinishedEvent
from hub.storage import Row, Store, StoreUnavailable, Tx

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
EVENTS_WITH_LONG_BODIES = 16
"""The largest batch on SQLite if one of the next events has a long body, because reading it blocks the event loop."""
OUTAGE_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Worker:
    """Turns accepted events into conversions and commissions.

    `batch` is how many events it decides together, `most_handed` how many batches plugins may have in hand. By
    `jump_ms` the clock has jumped: until it is trusted again, holds end by the time without that, and erasures that
    wait for their time go on waiting.
    """

    def __init__(
        self,
        store: Store,
        plugins: Plugins,
        policy: Policy,
        clock: Clock,
        *,
        batch: int,
        most_handed: int = 2,
        jump_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        self._store = store
        self._plugins = plugins
        self._most_handed = most_handed
        self._policy = policy
        self._clock = clock
        self._jump_ms = jump_ms
        self._batch = batch
        self._wake = asyncio.Event()
        self._woken_at = 0.0
        self._due = DueEvents()
        self._repeated = RepeatedReports()
        self._more = False
        self._stopping = False
        self._task: asyncio.Task[None] | None = None
        self._translating: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[Sequence[EventResult]], None]] = []

    def on_results(self, listener: Callable[[Sequence[EventResult]], None]) -> None:
        """Call `listener(results)` after each batch that committed, with what became of each event."""
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
        if self._store.dialect == "sqlite":  # of which this process is the only server: what another had, it lost
            async with self._store.write() as tx:
                await take_back(tx, self._clock())
        self._task = asyncio.create_task(self._serve(), name="worker")

    async def stop(self) -> None:
        """Finish the batches in hand and return."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task
        await asyncio.gather(*self._translating)

    async def run_once(self) -> int:
        """Work on one batch to its end; return how many events it held. Raise `StoreUnavailable`."""
        count, handed = await self.take()
        if handed:
            await self._decide_handed(handed)
        return count

    async def take(self) -> tuple[int, list[HandedOut]]:
        """Claim a batch and decide its reports; return how many events were taken, and those that plugins must read.

        While as many of these are in hand as may be, only reports are claimed.
        """
        claimed = Claimed([], more=False)
        handed = list[HandedOut]()
        repeats: list[Row] | None = None
        size, webhooks = self._batch_size(), len(self._translating) < self._most_handed

        async def work(tx: Tx) -> list[EventResult]:
            nonlocal claimed, repeats
            now = self._clock()
            claimed = await self._due.claim(tx, size, now, webhooks=webhooks)
            to_read = [event for event in claimed.events if event.type == "webhook"]
            handed[:] = await hand_out(tx, to_read, now) if to_read else []
            reports = [read_report(event) for event in claimed.events if event.type != "webhook"]
            repeats = None if claimed.more else await self._repeated.due(tx, busy=bool(claimed.events))
            return await decide_batch(tx, reports, self._recipe(now)) if reports else []

        alone: list[Event] = []
        try:
            results = await self._store.transact(work)
        except StoreUnavailable:
            raise
        except Exception:
            if not claimed.events:
                raise
            log.exception("a batch failed, its events are decided one by one", events=len(claimed.events))
            results, alone = [], [event for event in claimed.events if event.type != "webhook"]
            handed.clear()
        taken = len(results) + len(alone) + len(handed)
        self._more = claimed.more and taken > 0
        self._due.note(claimed, crowded=claimed.more)
        self._report(results)
        for event in alone:
            await self._decide_alone(event, partial(self._claim_report, event))
        if decided := self._repeated.note(repeats):
            await self._compare(decided)
        return taken, handed

    async def _compare(self, repeats: Sequence[Row]) -> None:
        """Compare reports of orders that were reported before with the orders, once these are decided."""
        async with self._store.write() as tx:
            await compare_repeated_reports(tx, repeats, self._clock())

    async def _decide_handed(self, handed: Sequence[HandedOut]) -> None:
        """Have plugins read events that were given out, then decide those that nobody else has touched."""
        answers = await translated(self._plugins, handed)

        async def work(tx: Tx) -> list[EventResult]:
            now = self._clock()
            held = await still_held(tx, handed)
            steps = [each.next_step(now) for each in answers if (each.handed.due[:2]) in held]
            later = [each for each in steps if isinstance(each, Due)]
            if later:
                await tx.run("postpone_events", events=later)
            return await decide_batch(tx, [each for each in steps if isinstance(each, EventFacts)], self._recipe(now))

        decided: set[tuple[str, str]] = set()
        try:
            results = await self._store.transact(work)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("a batch failed, its events are decided one by one", events=len(handed))
        else:
            decided = {(result.event.account_id, result.event.event_id) for result in results}
            self._report(results)
        for each in answers:
            if each.facts is not None and each.handed.due[:2] not in decided:
                await self._decide_alone(each.handed.event, partial(_held_facts, each.handed, each.facts))

    def _batch_size(self) -> BatchSize:
        """Return how many events the next batch may hold.

        On PostgreSQL it is the size that is set, and more while the worker cannot keep up with what comes in. On SQLite
        a batch runs on the event loop's thread: it is small beside requests, and if it holds long bodies.
        """
        most = self._batch * BACKLOG_BATCHES
        if self._store.dialect != "sqlite":
            return BatchSize(most if self._more else self._batch)
        beside_requests = monotonic() - self._woken_at < BUSY_SECONDS
        return BatchSize(min(most, EVENTS_BESIDE_REQUESTS) if beside_requests else most, EVENTS_WITH_LONG_BODIES)

    def _recipe(self, now: int) -> Recipe:
        jump = self._jump_ms()  # looked for after the time was read: a jump in between does no harm
        return Recipe(self._policy, now - jump, new_id, jump == 0)

    async def _decide_alone(self, event: Event, claim: Callable[[Tx], Awaitable[EventFacts | None]]) -> None:
        """Decide an event in a transaction of its own, so that a bad one fails alone.

        `claim` returns what it states, None if it is another's by now.
        """
        try:
            async with self._store.write() as tx:
                facts = await claim(tx)
                result = None if facts is None else await decide_alone(tx, facts, self._recipe(self._clock()))
        except StoreUnavailable:
            raise
        except Exception as fault:
            log.exception("an event failed", event_id=event.event_id, attempts=event.attempts + 1)
            await self._postpone(event, fault)
        else:
            self._report([] if result is None else [result])

    async def _claim_report(self, event: Event, tx: Tx) -> EventFacts | None:
        key = {"account_id": event.account_id, "event_id": event.event_id}
        claimed = await tx.records(Event, "claim_due_event", **key, now=self._clock())
        return read_report(claimed[0]) if claimed else None

    async def _postpone(self, event: Event, fault: Exception) -> None:
        attempts, now = event.attempts + 1, self._clock()
        again = retry_at(attempts, now)
        async with self._store.write() as tx:
            if again is not None:
                await tx.run("postpone_events", events=[Due(event.account_id, event.event_id, attempts, again)])
                return
            reason = f"internal: {type(fault).__name__}"
            explanation = orjson.dumps({"attribution": None, "commission": None, "skipReason": reason}).decode()
            failed = FinishedEvent(event.account_id, event.event_id, "FAILED", event.external_order_id,
                                   event.conversion_id, now, attempts, explanation)  # fmt: skip
            await tx.run("finish_events", events=[failed])

    def _report(self, results: Sequence[EventResult]) -> None:
        if results:
            for listener in self._listeners:
                listener(results)

    async def _serve(self) -> None:
        while not self._stopping:
            self._wake.clear()
            pause = OUTAGE_SECONDS
            try:
                _, handed = await self.take()
                if handed:
                    self._translate(handed)
                pause = 0.0 if self._more else POLL_SECONDS
            except StoreUnavailable as fault:
                log.warning("the worker cannot reach the store, it tries again", fault=str(fault))
            except Exception:
                log.exception("the worker met a fault outside its events, it tries again")
            if pause:
                await self._rest(pause)
                await asyncio.sleep(GATHER_SECONDS)

    def _translate(self, handed: Sequence[HandedOut]) -> None:
        """Have a task of its own see to events that plugins must read, so that the others need not wait for them."""
        task = asyncio.create_task(self._settle(handed), name="translation")
        self._translating.add(task)
        task.add_done_callback(self._translated)

    def _translated(self, task: asyncio.Task[None]) -> None:
        self._translating.discard(task)
        self._wake.set()

    async def _settle(self, handed: Sequence[HandedOut]) -> None:
        """Decide events that were given out; what cannot be decided now is due again by itself."""
        try:
            await self._decide_handed(handed)
        except StoreUnavailable as fault:
            log.warning("the worker cannot reach the store, webhooks in hand are tried again", fault=str(fault))
        except Exception:
            log.exception("the worker met a fault with webhooks in hand, they are tried again")

    async def _rest(self, seconds: float) -> None:
        if not self._stopping:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()


async def _held_facts(handed: HandedOut, facts: EventFacts, tx: Tx) -> EventFacts | None:
    return facts if await still_held(tx, [handed]) else None

"""Of a backlog on SQLite: the second process decides the next batches while this one writes those before them.

What is decided elsewhere is decided upon what was stored a moment ago, so it is only written if that still holds: if
nothing was changed since the batch was claimed (`Tx.moment`), and if no batch under way is about the same order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import NamedTuple

import structlog
from attrs import define, field

from hub.clock import Clock
from hub.processing.decider_process import DeciderFault, DeciderProcess
from hub.processing.knowledge import Key
from hub.processing.outcome import Outcome, write
from hub.processing.translate import Event
from hub.storage import Moment, Store, StoreUnavailable, Tx

WORTH = 64
"""Fewer events than these are decided here in less time than it takes to hand them over."""
LARGE_BATCHES = 4
"""The process is started when so many batches in a row were worth it."""
BACKLOG = 2_048
"""And at once where more than so many events wait when the worker begins: the process takes a while to be ready."""
IDLE_SECONDS = 60.0
"""It ends when none was for so long."""
DEPTH = 3
"""How many batches are under way: one is written, one decided, and one waits so that nobody else has to."""
SHORT_BODY = 2_048
"""In characters: longer ones are decided here."""
PATIENCE_SECONDS = 10.0
"""A batch is decided in some ten milliseconds."""
FAULT_SECONDS = 5.0
"""The worker goes on without the process for so long when that could not do what it was asked."""
CHANGES_SECONDS = 1.0
"""And for so long when what is stored was changed twice within this time: work would be done in vain again."""

log = structlog.get_logger(__name__)


class Claim(NamedTuple):
    """Events to be decided elsewhere at `now`, and when each came due.

    The next claim goes on with what came due `since`; after one that is the `last` of its run the worker takes over,
    at once where `more` wait.
    """

    events: list[Event]
    due: list[int]
    now: int
    since: int
    last: bool
    more: bool


class Flight(NamedTuple):
    """A claim under way, a moment before it was claimed, and what it will have come to."""

    claim: Claim
    moment: Moment | None
    outcome: asyncio.Future[Outcome]


@define(eq=False)
class Ahead:
    """Works on large batches with a second process, wherever that can be done; else the worker does it by itself."""

    _store: Store
    _clock: Clock
    _process: DeciderProcess
    _flights: deque[Flight] = field(init=False, factory=deque)
    _begun: bool = field(init=False, default=False)
    _more: bool = field(init=False, default=False)
    _large: int = field(init=False, default=0)
    _used_at: float = field(init=False, default=0.0)
    _changed_at: float = field(init=False, default=0.0)
    _rest_until: float = field(init=False, default=0.0)

    @property
    def more(self) -> bool:
        """Whether there is more to do now, after `run_once`."""
        return self._more or bool(self._flights)

    async def follow(self, events: int) -> None:
        """Learns of how many events the worker decided by itself: starts the process, and ends it when it is idle."""
        self._large = self._large + 1 if events >= WORTH else 0
        if self._process.died:
            await self._process.stop()
            self._rest("the process ended by itself")
        elif self._large >= LARGE_BATCHES and not self._process.started and monotonic() >= self._rest_until:
            await self._start()
        elif self._process.ready and monotonic() - self._used_at > IDLE_SECONDS:
            await self._process.stop()

    async def run_once(self, *, limit: int, busy: bool) -> list[str] | None:
        """Writes the oldest batch under way and sends out another; returns what became of its events.

        None where the worker is to decide the next batch itself. Raises `StoreUnavailable`.
        """
        if not self._begun:
            self._begun = True
            await self._begin()
        if not self._process.ready or monotonic() < self._rest_until:
            self._flights.clear()
            return None
        if not self._flights and not self._large:
            return None
        try:
            if not self._flights:
                await self._set_out(limit)
            return await self._land(limit, busy=busy) if self._flights else None
        except BaseException as fault:
            self._flights.clear()
            if not isinstance(fault, Exception) or isinstance(fault, StoreUnavailable):
                raise
            self._rest(str(fault) if isinstance(fault, DeciderFault) else repr(fault))
            return None

    async def stop(self) -> None:
        """Ends the process; what is under way is left as it was."""
        self._flights.clear()
        await self._process.stop()

    async def _begin(self) -> None:
        if await self._store.look_up("due_beyond", now=self._clock(), others=BACKLOG) is not None:
            await self._start()

    async def _start(self) -> None:
        self._used_at = monotonic()
        try:
            await self._process.start()
        except OSError as fault:
            self._rest(f"the process cannot be started: {fault}")

    async def _set_out(self, limit: int) -> None:
        moment = await self._store.transact(_moment, brief=True, adds=True)
        claim = await self._claim(0, limit)
        if len(claim.events) < WORTH:
            self._large = 0
            return
        self._send(claim, moment)
        while claim.events and not claim.last and len(self._flights) < DEPTH:
            claim = await self._claim(claim.since, limit)
            self._send(claim, moment)

    async def _land(self, limit: int, *, busy: bool) -> list[str] | None:
        flight, newest = self._flights[0], self._flights[-1].claim
        outcome = await self._outcome(flight)
        work = partial(_write, flight=flight, outcome=outcome)
        writing = self._store.join(work) if busy else self._store.transact(work, brief=True, adds=True)
        if newest.last:
            written, claim = await writing, None
        else:  # while the commit waits for the disk
            written, claim = await asyncio.gather(writing, self._claim(newest.since, limit))
        self._used_at = monotonic()
        if not written:
            self._note_change()
            return None
        self._flights.popleft()
        if claim is not None:
            self._send(claim, flight.moment)
        return outcome.statuses

    async def _outcome(self, flight: Flight) -> Outcome:
        try:
            return await asyncio.wait_for(flight.outcome, PATIENCE_SECONDS)
        except TimeoutError:
            await self._process.stop()
            raise DeciderFault(f"the process said nothing for {PATIENCE_SECONDS:g} s") from None

    def _send(self, claim: Claim, moment: Moment | None) -> None:
        """Sends out what was claimed at this moment or later."""
        self._more = claim.more
        if claim.events:
            self._flights.append(Flight(claim, moment, self._process.ask(claim.now, claim.events)))

    async def _claim(self, since: int, limit: int) -> Claim:
        now = self._clock()
        flying = [flight.claim for flight in self._flights]
        return await self._store.view(partial(_claim, since=since, now=now, limit=limit, flying=flying))

    def _note_change(self) -> None:
        """What was decided elsewhere no longer holds."""
        self._flights.clear()
        if monotonic() - self._changed_at < CHANGES_SECONDS:
            self._rest_until = monotonic() + CHANGES_SECONDS
        self._changed_at = monotonic()

    def _rest(self, fault: str) -> None:
        log.warning("a backlog is decided without the second process for a while", fault=fault)
        self._rest_until = monotonic() + FAULT_SECONDS


async def _moment(tx: Tx) -> Moment | None:
    return await tx.moment()


async def _write(tx: Tx, flight: Flight, outcome: Outcome) -> bool:
    """Writes what a claim came to, if that still holds."""
    if await tx.moment() != flight.moment:
        return False
    await write(tx, outcome, flight.claim.now)
    return True


async def _claim(tx: Tx, since: int, now: int, limit: int, flying: Sequence[Claim]) -> Claim:
    """The next run of events; those about orders under way come later, and those not to be sent end it."""
    events = {event.event_id for claim in flying for event in claim.events}
    orders = {_order(event) for claim in flying for event in claim.events}
    limit_with_known = limit + sum([due >= since for claim in flying for due in claim.due])
    rows = await tx.all_values("due_events_since", since=since, now=now, limit=limit_with_known, longest=SHORT_BODY)
    run, dues, later, more = list[Event](), list[int](), list[int](), len(rows) == limit_with_known
    last = not more
    for *values, due in rows:
        event = Event(*values)
        if event.event_id in events:
            continue
        if len(run) == limit:
            more = True
            break
        if event.body is None or event.external_order_id is None:
            last = more = True
            break
        if _order(event) in orders:
            later.append(due)
            continue
        run.append(event)
        dues.append(due)
    return Claim(run, dues, now, min([*later[:1], *dues[-1:]], default=since), last, more or bool(later))


def _order(event: Event) -> Key:
    return event.account_id, event.external_order_id or ""

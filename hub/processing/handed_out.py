"""Events that are given out to be translated: noted first, and decided only if they are still the same ones.

An event that goes to the plugin host is due again a while later, with its attempt counted, before anybody looks at its
body. So whatever becomes of this process, the event comes back, and not forever. Who decides it afterwards first asks
whether attempt and time are still as they were noted: if not, another node took it, or an operator replayed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import orjson
from attrs import frozen

from hub.plugin_host.translation import Job, Plugins, Translation
from hub.processing.decision_context import Key, load_merchants
from hub.processing.events import EXPIRED, Event, EventFacts
from hub.processing.ledger_rows import Merchant
from hub.processing.retries import ATTEMPTS, retry_at
from hub.processing.webhooks import Connection, facts_in, job_of
from hub.storage import Row, Tx

LEASE_MS = 30_000
"""When an event that was given out is due again, if nothing was heard of it."""


class Due(NamedTuple):
    """A row of `postpone_events`: an event's attempts and when it is due (ms UTC)."""

    account_id: str
    event_id: str
    attempts: int
    due_at: int


@frozen
class HandedOut:
    """An event that was noted as `due`, with its merchant and, unless it is a v1 webhook, its connection."""

    event: Event
    due: Due
    merchant: Merchant
    connection: Connection | None

    def job(self, body: str) -> Job:
        """Return what the plugin host is asked, given the stored body."""
        return job_of(self.event, body, self.merchant, self.connection)


async def hand_out(tx: Tx, events: Sequence[Event], now: int) -> list[HandedOut]:
    """Note that these events are given out at `now` (ms UTC), and return them with what translating takes."""
    merchants = await load_merchants(tx, {event.account_id for event in events})
    connections = await _load_connections(tx, events)
    handed = [
        HandedOut(
            event,
            Due(event.account_id, event.event_id, event.attempts + 1, now + LEASE_MS),
            merchants[event.account_id],
            None if event.connection_id is None else connections[event.account_id, event.connection_id],
        )
        for event in events
    ]
    await tx.run("postpone_events", events=[each.due for each in handed])
    return handed


async def take_back(tx: Tx, now: int) -> int:
    """Make due at once what a process that is gone was given, and what would be due as soon; return how many events."""
    return await tx.run("take_back_events", now=now, until=now + LEASE_MS)


async def still_held(tx: Tx, handed: Iterable[HandedOut]) -> set[Key]:
    """Return which of these events, by account id and event id, nobody has touched since, and hold them."""
    rows = await tx.all("hold_events", events=[each.due for each in handed])
    return {(row["account_id"], row["event_id"]) for row in rows}


async def _load_connections(tx: Tx, events: Iterable[Event]) -> dict[Key, Connection]:
    keys = sorted({(e.account_id, e.connection_id) for e in events if e.connection_id is not None})
    rows = await tx.all("load_connections", connections=keys) if keys else []
    return {(r["account_id"], r["connection_id"]): _connection(r) for r in rows}


def _connection(row: Row) -> Connection:
    return Connection(row["connector"], orjson.loads(row["options"]), row["mode"] == "live")


@frozen
class Answered:
    """What came of an event that was given out: its `facts`, or why it failed, or in how many seconds it is tried."""

    handed: HandedOut
    facts: EventFacts | None = None
    failure: str | None = None
    wait: float | None = None

    def next_step(self, now: int) -> EventFacts | Due:
        """Return what is to be decided, or when the event is tried again; `now` is ms UTC."""
        event, due = self.handed.event, self.handed.due
        if self.facts is not None:
            return self.facts
        if self.failure is None:
            return due._replace(attempts=event.attempts, due_at=now + round((self.wait or 0) * 1_000))
        again = retry_at(due.attempts, now)
        return EventFacts(event, fault=self.failure) if again is None else due._replace(due_at=again)


async def translated(plugins: Plugins, handed: Sequence[HandedOut]) -> list[Answered]:
    """Return what these events state, as the plugins read them, and which are to be tried again."""
    answers = [_without_asking(each) for each in handed]
    asked = [(index, each) for index, (each, answer) in enumerate(zip(handed, answers, strict=True)) if answer is None]
    found = await plugins.translate([each.job(each.event.body or "") for _, each in asked])
    for (index, each), translation in zip(asked, found, strict=True):
        answers[index] = _answered(each, translation)
    return [answer for answer in answers if answer is not None]


def _without_asking(handed: HandedOut) -> Answered | None:
    event = handed.event
    if event.body is None:
        return Answered(handed, EventFacts(event, fault=EXPIRED))
    if event.attempts >= ATTEMPTS:
        fault = f"internal: the hub ended {event.attempts} times while a plugin was reading this body"
        return Answered(handed, EventFacts(event, fault=fault))
    return None


def _answered(handed: HandedOut, found: Translation) -> Answered:
    if found.wait is not None:
        return Answered(handed, wait=found.wait)
    if found.failure is not None:
        return Answered(handed, failure=f"plugin_failed: {found.failure.sentence}")
    return Answered(handed, facts_in(handed.event, found))

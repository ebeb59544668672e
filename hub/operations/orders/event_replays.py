"""All the events in one status that match a filter, replayed once their cause is mended: in portions, with progress.

A replay goes from the oldest event to those that had arrived when it began. So one that fails again is not met a second
time, and a replay that is broken off goes on behind the last event that it saw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import evolve, frozen

from hub.clock import Clock
from hub.ids import new_id
from hub.operations.lists import FilterValues, Wanted, behind
from hub.operations.orders.event_lists import EVENTS, first_events, values_of
from hub.operations.orders.events import requeue
from hub.storage import Store

TOGETHER: Final = 100
"""At most this many events are replayed in one transaction, so that a server beside it does not wait."""
PORTION: Final = 1_000
"""How many events one request of a page replays: well under a second."""
MOST_COUNTED: Final = 100_000


@frozen
class Replayed:
    """A replay of many: how many events match, how many have no payload any more, and how many were queued again."""

    matched: int
    without_payload: int
    replayed: int = 0


@frozen
class Replay:
    """How far a replay has come: up to which event it goes, the last event that it saw, and how many so far."""

    upto: str
    after: str = ""
    seen: int = 0
    replayed: int = 0
    is_done: bool = False


Watcher = Callable[[Replay], None]


async def count_events(store: Store, wanted: FilterValues) -> Replayed:
    """Return how many events match, at most `MOST_COUNTED`; raise `OperatorFault` for an unknown merchant."""
    values = await values_of(store, wanted)
    async with store.read() as tx:
        row = await tx.one("count_events_in_status", **values, limit=MOST_COUNTED)
    return Replayed(0, 0) if row is None else Replayed(row["matched"], row["without_payload"])


def begin_replay() -> Replay:
    """Return a replay of what has arrived by now."""
    return Replay(new_id("evt"))


async def replay_portion(store: Store, clock: Clock, wanted: FilterValues, replay: Replay, most: int) -> Replay:
    """Queue the next events of a replay again, at most `most`; return how far it has come.

    Raise `OperatorFault` for an unknown merchant.
    """
    end = replay.seen + most
    while not replay.is_done and replay.seen < end:
        limit = min(TOGETHER, end - replay.seen)
        following = Wanted(wanted, limit, oldest_first=True)
        if replay.after:
            following = behind(EVENTS, following, replay.after, "evt")
        found = await first_events(store, following)
        rows = [row for row in found if row["event_id"] <= replay.upto]
        async with store.write() as tx:
            queued = sum([await requeue(tx, clock, row) for row in rows if row["has_payload"]])
        replay = evolve(
            replay,
            after=rows[-1]["event_id"] if rows else replay.after,
            seen=replay.seen + len(rows),
            replayed=replay.replayed + queued,
            is_done=len(rows) < limit,
        )
    return replay


async def replay_events(
    store: Store, clock: Clock, wanted: FilterValues, *, dry_run: bool, watch: Watcher | None = None
) -> Replayed:
    """Queue every event that matches now and has its payload again, the oldest first; count only, if it is a dry run.

    `watch` is called after each portion. Raise `OperatorFault` for an unknown merchant. Broken off, it goes on when it
    is run again: what was queued does not match any more.
    """
    counted, replay = await count_events(store, wanted), begin_replay()
    while not dry_run and not replay.is_done:
        replay = await replay_portion(store, clock, wanted, replay, PORTION)
        if watch is not None:
            watch(replay)
    return evolve(counted, matched=max(counted.matched, replay.seen), replayed=replay.replayed)

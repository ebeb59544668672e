"""Which due events the worker claims next: the oldest of all, or, if more are due than a batch holds, in turns.

A batch that came back full leaves others waiting, maybe a million of one account. From then on accounts share the next
batches: each gives an equal part of what it has, webhooks and reports apart, until a batch is not full. While webhooks
are not wanted, because plugins have enough of them in hand, reports are claimed in the same way past any number of
webhooks: the index begins with the kind.

A batch also ends where its bodies would keep the event loop for long, after one event at the earliest. The next batch
then asks for few events, so that no more bodies are read than are kept, and for twice as many each time that all fit.

The work of a transaction may run twice, so `claim` changes nothing here; `note` does, once it has committed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final

from attrs import define, evolve, field, frozen

from hub.fair_queue import fair_shares
from hub.processing.events import Event
from hub.storage import Row, Tx

MOST_FITTING: Final = 1_000_000
"""More than any batch holds."""
REPORTS: Final = 0
WEBHOOKS: Final = 1
"""The kinds of events as the index has them."""
ACCOUNTS_IN_A_BATCH = 16
"""How many accounts share a batch, each of them by a query of its own; the next ones share the next batch."""
LONG_BODY = 2_048
"""A body of more characters than this is long."""
CHARACTERS_IN_A_BATCH = 262_144
"""A batch ends before the bodies of its reports, or of its webhooks, have more: an order of 1,000 lines takes 10 ms."""
COMPARED_AT_ONCE: Final = 200
"""How many reports of orders that were reported before are compared with them at once (see other_amounts.py)."""
BATCHES_BETWEEN: Final = 10
"""How many batches with events in a row may pass before repeated reports are looked for again."""


@frozen
class BatchSize:
    """How many events of a kind a batch may hold, and how many if one has a long body (None: as many)."""

    events: int
    with_long_bodies: int | None = None


@frozen
class Claimed:
    """Events that are locked for this transaction, whether more may be due, and after which account turns go on.

    It is `cut` if events were left out whose bodies were too long together.
    """

    events: list[Event]
    more: bool
    turns: Mapping[int, str] = field(factory=dict)
    cut: bool = False


@frozen
class Share:
    """How many events an account may give to a batch, and how many it has waiting, counted to one more than a batch."""

    account_id: str
    waiting: int
    events: int


@define
class DueEvents:
    """Claims due events, and remembers whether accounts have to take turns, and whose turn is next."""

    _crowded: bool = False
    _turns: Mapping[int, str] = field(factory=dict)
    _fitting: int = field(init=False, default=MOST_FITTING)
    """How many events are asked for at most, by how many fitted into the batch before."""

    async def claim(self, tx: Tx, size: BatchSize, now: int, *, webhooks: bool) -> Claimed:
        """Return due events at `now` (ms UTC) and lock them; without `webhooks`, reports only."""
        size = evolve(size, events=min(size.events, self._fitting))
        if webhooks and not self._crowded:
            limit = size.events
            long = size.with_long_bodies
            if long is not None and await tx.one("long_body_due", now=now, limit=limit, longest=LONG_BODY):
                limit = min(limit, long)
            events = await tx.records(Event, "claim_due_events", now=now, limit=limit)
            kept = _fitting(events)
            return Claimed(kept, more=len(events) == limit or len(kept) < len(events), cut=len(kept) < len(events))
        found = [await self._claim_in_turns(tx, kind, size, now) for kind in (REPORTS, WEBHOOKS)[: 1 + webhooks]]
        return Claimed(
            [event for each in found for event in each.events],
            more=any(each.more for each in found),
            turns={kind: account for each in found for kind, account in each.turns.items()},
            cut=any(each.cut for each in found),
        )

    def note(self, claimed: Claimed, *, crowded: bool) -> None:
        """Remember after a commit whose turn is next, and whether accounts take turns."""
        self._turns = {**self._turns, **claimed.turns}
        self._crowded = crowded
        self._fitting = 2 * len(claimed.events) if claimed.cut else min(2 * self._fitting, MOST_FITTING)

    async def _claim_in_turns(self, tx: Tx, kind: int, size: BatchSize, now: int) -> Claimed:
        most = min(ACCOUNTS_IN_A_BATCH, size.events)
        waiting = await self._waiting(tx, kind, size.events, most, now)
        shares = _shares(waiting, size.events)
        if size.with_long_bodies is not None and await _has_long_body(tx, kind, shares, now):
            shares = _shares([(each.account_id, each.waiting) for each in shares], size.with_long_bodies)
        events: list[Event] = []
        for each in shares:
            given = {"webhooks": kind, "account_id": each.account_id, "now": now, "limit": each.events}
            events += await tx.records(Event, "claim_due_events_of", **given) if each.events else []
        kept = _fitting(events)
        if len(kept) < len(events):
            return Claimed(kept, more=True, turns={kind: kept[-1].account_id}, cut=True)
        others = len(waiting) == most
        more = others or any(each.waiting > each.events for each in shares)
        return Claimed(events, more, {kind: shares[-1].account_id if others else ""})

    async def _waiting(self, tx: Tx, kind: int, limit: int, most: int, now: int) -> list[tuple[str, int]]:
        """Return the accounts whose turn is next, at most `most`, each with how many of its events are due."""
        found: dict[str, int] = {}
        for after in dict.fromkeys((self._turns.get(kind, ""), "")):
            if len(found) < most:
                given = {"webhooks": kind, "after": after, "now": now, "limit": limit + 1, "most": most}
                for row in await tx.all("accounts_with_due_events", **given):
                    found.setdefault(row["account_id"], row["waiting"])
        return list(found.items())[:most]


@define
class RepeatedReports:
    """Finds the repeated reports that are compared next, a slice of all that wait at a time.

    The work of a transaction may run twice, so `due` changes nothing here; `note` does, once it has ended.
    """

    _batches: int = 0
    _account_id: str = ""
    _repeat_id: str = ""

    async def due(self, tx: Tx, *, busy: bool) -> list[Row] | None:
        """Return the next rows of `repeated_reports_due`; None if, beside a batch with events, it is too early."""
        if busy and self._batches < BATCHES_BETWEEN:
            return None
        after = {"account_id": self._account_id, "repeat_id": self._repeat_id}
        return await tx.all("repeated_reports_due", **after, limit=COMPARED_AT_ONCE)

    def note(self, rows: Sequence[Row] | None) -> list[Row]:
        """Remember where the next slice begins; return the rows whose orders are decided."""
        if rows is None:
            self._batches += 1
            return []
        self._batches = 0
        last = rows[-1] if len(rows) == COMPARED_AT_ONCE else None
        self._account_id, self._repeat_id = ("", "") if last is None else (last["account_id"], last["repeat_id"])
        return [row for row in rows if row["conversion_id"] is not None]


def _fitting(events: list[Event]) -> list[Event]:
    """Return the first events, as many as a batch may hold by the length of their bodies, and one at least."""
    lengths = accumulate(len(event.body or "") for event in events)
    return [event for place, (event, length) in enumerate(zip(events, lengths, strict=True))
            if not place or length <= CHARACTERS_IN_A_BATCH]  # fmt: skip


def _shares(waiting: Sequence[tuple[str, int]], limit: int) -> list[Share]:
    shares = fair_shares([count for _, count in waiting], limit)
    return [Share(account_id, count, share) for (account_id, count), share in zip(waiting, shares, strict=True)]


async def _has_long_body(tx: Tx, kind: int, shares: Sequence[Share], now: int) -> bool:
    for each in shares:
        given = {"webhooks": kind, "account_id": each.account_id, "now": now, "limit": each.events}
        if each.events and await tx.one("long_body_due_of", **given, longest=LONG_BODY):
            return True
    return False

"""The one way in: submissions from every source, committed in batches; no request is answered before the commit.

Requests wait in a queue while a batch commits, and the next batch takes all of them (group commit, see batcher.py).
A batch is first written in the hope that nothing in it is known: one round trip that fails as a whole if something is.
Then it is looked up what is known, and the same rules (`plan_batch`) run again with that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from time import monotonic

from hub.batcher import Batcher, Limits
from hub.clock import Clock
from hub.intake.rules import IntakeState, Item, plan_batch
from hub.intake.submission import (
    IntakeResult,
    RefusedRequest,
    RequestGuards,
    SignatureReused,
    SignatureSpent,
    Submission,
)
from hub.intake.write_batch import KeyContended, write_contended, write_known_batch
from hub.storage import NotAllNew, Store, StoreUnavailable

LIMITS = Limits(items=256, waiting=10_000, weight=4 * 1024 * 1024)
"""The weight of a batch is the number of characters in its bodies."""
OVERFLOW_SECONDS = 0.01
"""On PostgreSQL the next batch starts beside one that takes longer: it waits for another node or the disk."""


class SubmissionBatcher(Batcher[Item, IntakeResult]):
    """Takes submissions and makes them durable in batches."""

    def __init__(
        self, store: Store, clock: Clock, *, idempotency_ttl_ms: int, overflow_seconds: float = OVERFLOW_SECONDS
    ) -> None:
        super().__init__(
            "submissions",
            self._make_durable,
            LIMITS,
            weigh=_characters,
            sender_of=attrgetter("guards.account_id"),
            overflow_seconds=None if store.dialect == "sqlite" else overflow_seconds,
        )
        self._store = store
        self._clock = clock
        self._ttl = idempotency_ttl_ms
        self._failed_at: float | None = None
        self._listeners: list[Callable[[int], None]] = []

    def on_commit(self, listener: Callable[[int], None]) -> None:
        """Call `listener(batch size)` after each batch that committed."""
        self._listeners.append(listener)

    @property
    def failed_seconds(self) -> float | None:
        """How long ago the store refused a batch; None if it has taken one since."""
        return None if self._failed_at is None else monotonic() - self._failed_at

    async def spend_signature(self, guards: RequestGuards) -> SignatureSpent | SignatureReused:
        """Remember the signature of a refused request; raise `StoreUnavailable`."""
        result = await self.submit(RefusedRequest(guards))
        return result if isinstance(result, SignatureReused) else SignatureSpent()

    async def _make_durable(self, items: list[Item]) -> list[IntakeResult]:
        try:
            results = await self._write_as_new(items) or await self._write_as_known(items)
        except KeyContended:
            raise
        except StoreUnavailable:
            self._failed_at = monotonic()
            raise
        self._failed_at = None
        for listener in self._listeners:
            listener(len(items))
        return results

    async def _write_as_new(self, items: list[Item]) -> list[IntakeResult] | None:
        """Write a batch of which nothing is stored yet, as is nearly always the case; return None if some of it is."""
        now = self._clock()
        plan = plan_batch(items, IntakeState(), now)
        try:
            await self._store.transact(plan.rows(now - self._ttl))
        except NotAllNew:
            return None
        return plan.results

    async def _write_as_known(self, items: list[Item]) -> list[IntakeResult]:
        work = partial(write_known_batch, items=items, now=self._clock(), ttl_ms=self._ttl)
        return await write_contended(self._store, work)


def _characters(item: Item) -> int:
    return len(item.body) if isinstance(item, Submission) else 0

"""Writes that answer with their result (catalogue, campaigns): guards, effect and answer in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from time import monotonic
from typing import Any

from hub.clock import Clock
from hub.intake.rules import answer_row, repeated_answer
from hub.intake.submission import (
    Answer,
    AnswerKey,
    InFlight,
    Mismatch,
    Refusal,
    Replayed,
    RequestGuards,
    SignatureReused,
)
from hub.intake.throttle import Pause
from hub.intake.write_batch import load_guards
from hub.storage import InsertAll, NotAllNew, OutcomeUnknown, Store, StoreUnavailable, Tx, bounded

WriteStep = Callable[[Tx], Coroutine[Any, Any, Answer | None]]
"""One step of a write; the last step of a request returns its answer, the earlier ones None.

It is short and awaits nothing but the transaction (see `Store.transact`).
"""

ATTEMPTS = 5


class IdempotentWrites:
    """Runs each request once: its effects, its spent signature and its stored answer commit together.

    A write of several steps (a large import) commits each step alone so that other writers get their turn; the answer
    is stored with the last, and a repeat after a crash in between runs the steps again, which upserts allow.
    """

    def __init__(self, store: Store, clock: Clock, pause: Pause, *, idempotency_ttl_ms: int) -> None:
        self._store = store
        self._pause = pause
        self._clock = clock
        self._ttl = idempotency_ttl_ms
        self._in_flight: dict[AnswerKey, str] = {}

    async def run(self, guards: RequestGuards, *steps: WriteStep) -> Answer | Replayed | Refusal:
        """Return the last step's answer, a replay, or why the request may not run.

        Raises what a step raises, after rolling it back and remembering the signature, and `StoreUnavailable`; it is
        `OutcomeUnknown` for a step that the store did not end in time.
        """
        key, use = guards.answer_key, guards.idempotency
        if key is None or use is None:
            return await self._attempt(guards, steps)
        running = self._in_flight.get(key)
        if running is not None:
            if not await self._spend_signature(guards):
                return SignatureReused()
            return InFlight() if running == use.fingerprint else Mismatch()
        self._in_flight[key] = use.fingerprint
        try:
            return await self._attempt(guards, steps)
        finally:
            del self._in_flight[key]

    async def _spend_signature(self, guards: RequestGuards) -> bool:
        """Remember the signature of a request that was refused; return False if it had been used before."""
        if guards.signature is None:
            return True
        try:
            await bounded(
                self._store.transact(InsertAll([("spend_signatures", {"uses": [guards.signature]})])),
                OutcomeUnknown,
            )
        except NotAllNew:
            return False
        return True

    async def _attempt(self, guards: RequestGuards, steps: tuple[WriteStep, ...]) -> Answer | Replayed | Refusal:
        for _ in range(ATTEMPTS):
            try:
                return await self._run_steps(guards, steps)
            except NotAllNew:
                if len(steps) > 1:  # the first step, and the signature with it, has committed already
                    guards = RequestGuards(guards.account_id, None, guards.idempotency)
        raise StoreUnavailable("an idempotency key stayed contended")

    async def _run_steps(self, guards: RequestGuards, steps: tuple[WriteStep, ...]) -> Answer | Replayed | Refusal:
        first, rest = steps[0], steps[1:]
        began = monotonic()
        try:
            answer = await bounded(self._store.transact(partial(self._enter, guards, first, not rest)), OutcomeUnknown)
        except (StoreUnavailable, NotAllNew):
            raise
        except Exception:
            if not await self._spend_signature(guards):
                return SignatureReused()
            raise
        if answer is not None and not isinstance(answer, Answer):
            return answer
        for position, step in enumerate(rest, start=1):
            await self._pause(monotonic() - began)
            began = monotonic()
            answer = await bounded(
                self._store.transact(partial(self._step, guards, step, position == len(rest))), OutcomeUnknown
            )
        if not isinstance(answer, Answer):
            raise TypeError("the last step of a write returns its answer")
        return answer

    async def _enter(
        self, guards: RequestGuards, step: WriteStep, last: bool, tx: Tx
    ) -> Answer | Replayed | Refusal | None:
        state = await load_guards(tx, [guards], self._clock() - self._ttl)
        if guards.signature is not None:
            if guards.signature in state.signatures:
                return SignatureReused()
            await tx.insert_all(InsertAll([("spend_signatures", {"uses": [guards.signature]})]))
        return repeated_answer(guards, state) or await self._step(guards, step, last, tx)

    async def _step(self, guards: RequestGuards, step: WriteStep, last: bool, tx: Tx) -> Answer | None:
        answer = await step(tx)
        if last and answer is not None and guards.idempotency is not None:
            now = self._clock()
            stored = {"answers": [answer_row(guards, answer, now)], "cutoff": now - self._ttl}
            await tx.insert_all(InsertAll([("store_answers", stored)]))
        return answer

"""Writes that answer with their result (catalogue, campaigns): admission, effect and answer in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from time import monotonic
from typing import Any

from hub.clock import Clock
from hub.intake.admission import Raced, keep_answers, spend_signatures, stored_answer
from hub.intake.pace import GiveWay
from hub.intake.submission import Admission, Answer, InFlight, Mismatch, Refusal, Replayed, SignatureReused
from hub.storage import Store, StoreUnavailable, Tx

Effect = Callable[[Tx], Coroutine[Any, Any, Answer | None]]
"""One step of a write; the last step of a request returns its answer, the earlier ones None.

It is brief and waits for nothing but the transaction (see `Store.transact`).
"""

RACES = 5


class DirectWrites:
    """Runs each request once: its effects, its spent signature and its stored answer commit together.

    A write of several steps (a large import) commits each step alone so that other writers get their turn; the answer
    is kept with the last, and a repeat after a crash in between runs the steps again, which upserts allow.
    """

    def __init__(self, store: Store, clock: Clock, give_way: GiveWay, *, idempotency_ttl_ms: int) -> None:
        self._store = store
        self._give_way = give_way
        self._clock = clock
        self._ttl = idempotency_ttl_ms
        self._in_flight: dict[tuple[str, str, str], str] = {}

    async def run_once(self, admission: Admission, *effects: Effect) -> Answer | Replayed | Refusal:
        """Answers with the last effect's answer, a replay, or why it may not run.

        Raises what an effect raises, after rolling it back and remembering the signature, and `StoreUnavailable`.
        """
        use = admission.idempotency
        if use is None:
            return await self._admit(admission, effects)
        key = (admission.account_id, use.route, use.key)
        running = self._in_flight.get(key)
        if running is not None:
            return await self._refuse_running(admission, same=running == use.fingerprint)
        self._in_flight[key] = use.fingerprint
        try:
            return await self._admit(admission, effects)
        finally:
            del self._in_flight[key]

    async def burn(self, admission: Admission) -> bool:
        """Remembers the signature of a request that was refused; False where it had been used before."""
        try:
            async with self._store.write() as tx:
                return admission.signature is None or bool(await spend_signatures(tx, [admission]))
        except Raced:
            return False

    async def _refuse_running(self, admission: Admission, *, same: bool) -> Refusal:
        if not await self.burn(admission):
            return SignatureReused()
        return InFlight() if same else Mismatch()

    async def _admit(self, admission: Admission, effects: tuple[Effect, ...]) -> Answer | Replayed | Refusal:
        for _ in range(RACES):
            try:
                return await self._run(admission, effects)
            except Raced:
                if len(effects) > 1:  # the first step, and the signature with it, has committed already
                    admission = Admission(admission.account_id, None, admission.idempotency)
        raise StoreUnavailable("an idempotency key stayed contended")

    async def _run(self, admission: Admission, effects: tuple[Effect, ...]) -> Answer | Replayed | Refusal:
        first, rest = effects[0], effects[1:]
        began = monotonic()
        try:
            refusal, answer = await self._store.transact(partial(self._first, admission, first, not rest), brief=True)
        except (StoreUnavailable, Raced):
            raise
        except Exception:
            if not await self.burn(admission):
                return SignatureReused()
            raise
        if refusal is not None:
            return refusal
        for position, effect in enumerate(rest, start=1):
            last = position == len(rest)
            await self._give_way(monotonic() - began)
            began = monotonic()
            answer = await self._store.transact(partial(self._step, admission, effect, last), brief=True)
        if not isinstance(answer, Answer):
            raise TypeError("the last effect of a write returns its answer")
        return answer

    async def _first(
        self, admission: Admission, effect: Effect, last: bool, tx: Tx
    ) -> tuple[Replayed | Refusal | None, Answer | None]:
        refusal = await self._enter(tx, admission)
        return refusal, None if refusal is not None else await self._step(admission, effect, last, tx)

    async def _step(self, admission: Admission, effect: Effect, last: bool, tx: Tx) -> Answer | None:
        answer = await effect(tx)
        if last and answer is not None:
            await keep_answers(tx, [(admission, answer)], self._clock(), self._ttl)
        return answer

    async def _enter(self, tx: Tx, admission: Admission) -> Replayed | Refusal | None:
        if admission.signature is not None and not await spend_signatures(tx, [admission]):
            return SignatureReused()
        return await stored_answer(tx, admission, self._clock() - self._ttl)

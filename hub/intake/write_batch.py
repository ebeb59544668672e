"""A batch at intake of which something is known: what the store holds of it is read in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, TypeVar

from hub.intake.rules import ClaimOwner, IntakeState, Item, StoredAnswer, plan_batch
from hub.intake.submission import IntakeResult, RequestGuards, SignatureUse, Submission
from hub.storage import NotAllNew, Store, StoreUnavailable, Tx, Work

T = TypeVar("T")

ATTEMPTS: Final = 5
"""How often a batch is tried while other nodes take the same keys at the same moment."""


class KeyContended(StoreUnavailable):
    """Other nodes took the same keys at the same moment, again and again; the store itself is well."""


async def write_contended(store: Store, work: Work[T]) -> T:
    """Return the result of work that raises `NotAllNew` when another node was quicker; raise KeyContended at last."""
    for _ in range(ATTEMPTS):
        with suppress(NotAllNew):
            return await store.transact(work)
    raise KeyContended("an idempotency key stayed contended")


async def write_known_batch(tx: Tx, items: Sequence[Item], now: int, ttl_ms: int) -> list[IntakeResult]:
    """Decide and store a batch of which something is stored already; return the results in the order of the items.

    `now` is milliseconds UTC. Raises `NotAllNew` if another node took something of it at the same moment: call again
    (`write_contended`).
    """
    cutoff = now - ttl_ms
    plan = plan_batch(items, await load_state(tx, items, cutoff), now)
    await tx.insert_all(plan.rows(cutoff))
    return plan.results


async def load_state(tx: Tx, items: Iterable[Item], cutoff: int) -> IntakeState:
    """Return what the store holds of a batch; answers are those that were stored after `cutoff` (ms UTC)."""
    items = list(items)
    state = await load_guards(tx, [item.guards for item in items], cutoff)
    claims = sorted({item.claim for item in items if isinstance(item, Submission)})
    if claims:
        for r in await tx.all("claim_owners", keys=claims):
            owner = ClaimOwner(r["event_id"], r["conversion_id"])
            state.claims[r["account_id"], r["scope"], r["claim_key"]] = owner
    return state


async def load_guards(tx: Tx, guards: Sequence[RequestGuards], cutoff: int) -> IntakeState:
    """Return what the store holds of these requests' signatures and idempotency keys."""
    spent = sorted({each.signature for each in guards if each.signature is not None})
    keys = sorted({each.answer_key for each in guards if each.answer_key is not None})
    state = IntakeState()
    if spent:
        rows = await tx.all("spent_signatures", uses=spent)
        state.signatures.update(SignatureUse(r["account_id"], r["signed_at"], r["signature"]) for r in rows)
    if keys:
        for r in await tx.all("stored_answers", keys=keys, cutoff=cutoff):
            answer = StoredAnswer(r["fingerprint"], r["status"], r["body"])
            state.answers[r["account_id"], r["route"], r["idempotency_key"]] = answer
    return state

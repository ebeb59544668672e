"""Signatures spent and idempotency keys claimed, inside the transaction of the effect that they guard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hub.intake.submission import Accepted, Admission, Answer, Mismatch, Replayed
from hub.storage import Row, Tx

AnswerKey = tuple[str, str, str]


class AnswerRaced(Exception):
    """Another process stored an answer under the same idempotency key first; the transaction must roll back."""


async def spend_signatures(tx: Tx, admissions: Iterable[Admission]) -> set[tuple[str, int, str]]:
    """Records the signatures and returns those that were fresh, as (account id, second, signature)."""
    uses = sorted(
        {(a.account_id, a.signature.signed_at, a.signature.signature) for a in admissions if a.signature is not None}
    )
    if not uses:
        return set()
    return {(r["account_id"], r["signed_at"], r["signature"]) for r in await tx.all("claim_signatures", uses=uses)}


async def stored_answers(tx: Tx, admissions: Iterable[Admission], cutoff: int) -> dict[AnswerKey, Row]:
    """The answers stored after `cutoff` (ms UTC) under the admissions' idempotency keys."""
    keys = sorted({_key(a) for a in admissions if a.idempotency is not None})
    if not keys:
        return {}
    rows = await tx.all("stored_answers", keys=keys, cutoff=cutoff)
    return {(r["account_id"], r["route"], r["idempotency_key"]): r for r in rows}


async def stored_answer(tx: Tx, admission: Admission, cutoff: int) -> Replayed | Mismatch | None:
    """What the store says to one admission's idempotency key; None where it is new or there is none."""
    if admission.idempotency is None:
        return None
    row = (await stored_answers(tx, [admission], cutoff)).get(_key(admission))
    return None if row is None else answer_again(admission, row)


def answer_again(admission: Admission, row: Row) -> Replayed | Mismatch:
    """The stored answer, if the request is the same one (API specification, idempotency keys)."""
    use = admission.idempotency
    if use is None or row["fingerprint"] != use.fingerprint:
        return Mismatch()
    return Replayed(row["status"], row["body"].encode())


async def keep_answers(tx: Tx, answered: Sequence[tuple[Admission, Answer | Accepted]], now: int, ttl_ms: int) -> None:
    """Stores answers under their idempotency keys for `ttl_ms` from `now`; raises `AnswerRaced` where one is taken."""
    rows = sorted(
        (*_key(admission), admission.idempotency.fingerprint, _status(answer), answer.body.decode(), now)
        for admission, answer in answered
        if admission.idempotency is not None
    )
    if rows and len(await tx.all("store_answers", answers=rows, cutoff=now - ttl_ms)) != len(rows):
        raise AnswerRaced


def _status(answer: Answer | Accepted) -> int:
    return 202 if isinstance(answer, Accepted) else answer.status


def _key(admission: Admission) -> AnswerKey:
    use = admission.idempotency
    if use is None:
        raise TypeError("the admission has no idempotency key")
    return admission.account_id, use.route, use.key

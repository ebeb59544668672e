"""Signatures spent and idempotency keys claimed, inside the transaction of the effect that they guard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hub.intake.submission import Accepted, Admission, Answer, Mismatch, Replayed
from hub.storage import Row, Tx

AnswerKey = tuple[str, str, str]
"""(account id, route, idempotency key)"""
AnswerRow = tuple[str, str, str, str, int, str, int]
"""An answer's key, the fingerprint of its request, its status and body, and when it was given."""


class Raced(Exception):
    """A signature or an idempotency key was not free; roll back, and look before taking the next time."""


SignatureKey = tuple[str, int, str]
"""(account id, second, signature)"""


def signature_key(admission: Admission) -> SignatureKey | None:
    """What an admission spends; None where it spends nothing."""
    use = admission.signature
    return None if use is None else (admission.account_id, use.signed_at, use.signature)


async def spend_signatures(tx: Tx, admissions: Iterable[Admission], *, wary: bool = True) -> set[SignatureKey]:
    """Records the signatures and returns those that were fresh.

    Unless `wary`, all are taken for fresh, which as good as always they are, and `Raced` is raised where one was not;
    it is also raised where another process spends one of them at the same moment. Only counts come back for fresh
    ones: a row for each would hand the interpreter's lock to and fro between the threads, row by row.
    """
    uses = {key for a in admissions if (key := signature_key(a)) is not None}
    if uses and wary:
        rows = await tx.all("spent_signatures", uses=sorted(uses))
        uses -= {(row["account_id"], row["signed_at"], row["signature"]) for row in rows}
    if uses and await tx.run("spend_signatures", uses=sorted(uses)) != len(uses):
        raise Raced
    return uses


ClaimKey = tuple[str, str, str]
"""(account id, scope, key)"""
Claim = tuple[str, str, str, str, str | None]
"""(account id, scope, key, event id, conversion id)"""


async def claim_once(tx: Tx, claims: Sequence[Claim]) -> dict[ClaimKey, Row]:
    """Claims what may happen once; returns the owners of all the claims if some were taken, else nothing."""
    if await tx.run("claim_keys", claims=sorted(claims)) == len(claims):
        return {}
    rows = await tx.all("claim_owners", keys=sorted({claim[:3] for claim in claims}))
    return {(r["account_id"], r["scope"], r["claim_key"]): r for r in rows}


def holds(claim: Claim, owners: Mapping[ClaimKey, Row]) -> bool:
    """Whether a claim is held by its own event, after `claim_once` returned these owners."""
    owner = owners.get(claim[:3])
    return owner is None or bool(owner["event_id"] == claim[3])


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


async def keep_answers(tx: Tx, answered: Iterable[tuple[Admission, Answer | Accepted]], now: int, ttl_ms: int) -> None:
    """Stores answers under their idempotency keys for `ttl_ms` from `now`; raises `Raced` where one is taken."""
    rows = answer_rows(answered, now)
    if rows and await tx.run("store_answers", answers=rows, cutoff=now - ttl_ms) != len(rows):
        raise Raced


def answer_rows(answered: Iterable[tuple[Admission, Answer | Accepted]], now: int) -> list[AnswerRow]:
    """The answers to be kept, of the admissions that claim an idempotency key; `now` is milliseconds UTC."""
    return sorted(
        (*_key(admission), admission.idempotency.fingerprint, _status(answer), answer.body.decode(), now)
        for admission, answer in answered
        if admission.idempotency is not None
    )


def _status(answer: Answer | Accepted) -> int:
    return 202 if isinstance(answer, Accepted) else answer.status


def _key(admission: Admission) -> AnswerKey:
    use = admission.idempotency
    if use is None:
        raise TypeError("the admission has no idempotency key")
    return admission.account_id, use.route, use.key

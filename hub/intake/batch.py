"""One batch at the desk: signatures, idempotency, deduplication and events, set by set, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

from hub.intake.admission import (
    AnswerKey,
    ClaimKey,
    Raced,
    SignatureKey,
    answer_again,
    claim_once,
    keep_answers,
    signature_key,
    spend_signatures,
    stored_answers,
)
from hub.intake.submission import (
    Accepted,
    Admission,
    Burn,
    Burnt,
    InFlight,
    Mismatch,
    Outcome,
    Refusal,
    Replayed,
    SignatureReused,
    Submission,
)
from hub.storage import Row, Tx


def independent(items: Sequence[Submission | Burn]) -> list[Submission]:
    """The batch for `file_together`, if nothing within it stands in its own way; else nothing."""
    submissions = [item for item in items if isinstance(item, Submission) and item.admission.idempotency is None]
    signatures = {signature_key(s.admission) for s in submissions}
    alone = len(signatures) == len({_claim(s) for s in submissions}) == len(items)
    return submissions if alone and None not in signatures else []


async def file_together(tx: Tx, items: Sequence[Submission]) -> list[Outcome]:
    """Stores an `independent` batch by one statement; raises `Raced` where something in it was not new."""
    uses = [key for s in items if (key := signature_key(s.admission)) is not None]
    spent, claimed, *_ = await tx.run_together(
        ("spend_signatures", {"uses": sorted(uses)}),
        ("claim_keys", {"claims": sorted((*_claim(s), s.event_id, s.conversion_id) for s in items)}),
        ("insert_events", {"events": [_event_row(s) for s in items]}),
        ("insert_payloads", {"payloads": [_payload_row(s) for s in items]}),
    )
    if spent < len(items) or claimed < len(items):
        raise Raced
    return [_accept(s, None) for s in items]


async def commit_batch(
    tx: Tx, items: Sequence[Submission | Burn], now: int, ttl_ms: int, *, wary: bool
) -> list[Outcome]:
    """Decides and stores a batch; the outcomes come in the order of the items.

    Raises `Raced` where a signature or an idempotency key was not free: roll back and call again, `wary` this time.
    """
    turned_away = await _turn_away(tx, [item.admission for item in items], now - ttl_ms, wary=wary)
    entering = [
        item
        for item, refusal in zip(items, turned_away, strict=True)
        if refusal is None and isinstance(item, Submission)
    ]
    accepted = await _file(tx, entering) if entering else []
    await keep_answers(tx, zip([item.admission for item in entering], accepted, strict=True), now, ttl_ms)
    filed = iter(accepted)
    return [
        refusal or (next(filed) if isinstance(item, Submission) else Burnt())
        for item, refusal in zip(items, turned_away, strict=True)
    ]


async def _turn_away(
    tx: Tx, admissions: Sequence[Admission], cutoff: int, *, wary: bool
) -> list[Replayed | Refusal | None]:
    """For each admission why it may not enter: its signature was used, its key was answered or is being answered."""
    fresh = await spend_signatures(tx, admissions, wary=wary)
    if len(fresh) == len(admissions) and not any(admission.idempotency for admission in admissions):
        return [None] * len(admissions)
    answers = await stored_answers(tx, admissions, cutoff)
    in_this_batch: dict[AnswerKey, str] = {}
    verdicts: list[Replayed | Refusal | None] = []
    for admission in admissions:
        if not _spend(admission, fresh):
            verdicts.append(SignatureReused())
        elif admission.idempotency is None:
            verdicts.append(None)
        else:
            verdicts.append(_check_key(admission, answers, in_this_batch))
    return verdicts


def _spend(admission: Admission, fresh: set[SignatureKey]) -> bool:
    """Of several equal signatures in one batch the first is fresh."""
    use = admission.signature
    if use is None:
        return True
    key = (admission.account_id, use.signed_at, use.signature)
    if key not in fresh:
        return False
    fresh.remove(key)
    return True


def _check_key(
    admission: Admission, answers: dict[AnswerKey, Row], in_this_batch: dict[AnswerKey, str]
) -> Replayed | Refusal | None:
    use = admission.idempotency
    if use is None:
        return None
    key = (admission.account_id, use.route, use.key)
    if key in answers:
        return answer_again(admission, answers[key])
    running = in_this_batch.get(key)
    if running is None:
        in_this_batch[key] = use.fingerprint
        return None
    return InFlight() if running == use.fingerprint else Mismatch()


async def _file(tx: Tx, submissions: Sequence[Submission]) -> list[Accepted]:
    """Claims what may happen once and files the winners; a loser learns of the event that holds its claim."""
    owners = await claim_once(tx, [(*_claim(s), s.event_id, s.conversion_id) for s in submissions])
    accepted = [_accept(s, owners.get(_claim(s)) if owners else None) for s in submissions]
    won = (
        [s for s, outcome in zip(submissions, accepted, strict=True) if not outcome.duplicate]
        if owners
        else submissions
    )
    if won:
        await tx.run("insert_events", events=[_event_row(s) for s in won])
        await tx.run("insert_payloads", payloads=[_payload_row(s) for s in won])
    return accepted


def _accept(submission: Submission, owner: Row | None) -> Accepted:
    webhook = submission.type == "webhook"
    if owner is None or owner["event_id"] == submission.event_id:
        return Accepted(submission.event_id, submission.first_status, False, submission.conversion_id, webhook)
    return Accepted(owner["event_id"], "DUPLICATE", True, owner["conversion_id"], webhook)


def _claim(submission: Submission) -> ClaimKey:
    return submission.admission.account_id, submission.claim_scope, submission.claim_key


def _event_row(s: Submission) -> tuple[object, ...]:
    return (s.admission.account_id, s.event_id, s.type, s.kind, s.first_status, s.external_event_id,
            s.external_order_id, s.conversion_id, s.received_at, s.connection_id, s.topic)  # fmt: skip


def _payload_row(s: Submission) -> tuple[object, ...]:
    return s.admission.account_id, s.event_id, s.body, s.received_at, s.headers

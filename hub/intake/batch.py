"""One batch at the desk: signatures, idempotency, deduplication and events, set by set, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

from hub.intake.admission import (
    AnswerKey,
    Claim,
    ClaimKey,
    SignatureKey,
    answer_again,
    answer_rows,
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
    first_status,
)
from hub.storage import NamedCall, Row, Tx

Item = Submission | Burn


def as_new(items: Sequence[Item], now: int, ttl_ms: int) -> tuple[list[Outcome], list[NamedCall]]:
    """What a batch is told if nothing in it was known, and the calls of `Store.all_or_nothing` that file it then.

    There are none of these where an idempotency key comes twice in the batch; the database itself finds what else does.
    """
    submissions = [item for item in items if isinstance(item, Submission)]
    told: list[Outcome] = [_accept(i, None) if isinstance(i, Submission) else Burnt() for i in items]
    uses = sorted([key for item in items if (key := signature_key(item.admission)) is not None])
    calls: list[NamedCall] = [("spend_signatures", {"uses": uses})] if uses else []
    if submissions:
        calls += [("claim_keys", {"claims": sorted([_claim_row(s) for s in submissions])}), *_filing(submissions)]
    answers = answer_rows(
        [
            (item.admission, said)
            for item, said in zip(items, told, strict=True)
            if item.admission.idempotency is not None and isinstance(said, Accepted)
        ],
        now,
    )
    if answers:
        if len({row[:3] for row in answers}) < len(answers):
            return told, []
        calls.append(("store_answers", {"answers": answers, "cutoff": now - ttl_ms}))
    return told, calls


async def commit_batch(tx: Tx, items: Sequence[Item], now: int, ttl_ms: int, *, wary: bool) -> list[Outcome]:
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
    key = signature_key(admission)
    if key is None:
        return True
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
    owners = await claim_once(tx, [_claim_row(s) for s in submissions])
    accepted = [_accept(s, owners.get(_claim(s)) if owners else None) for s in submissions]
    won = (
        [s for s, outcome in zip(submissions, accepted, strict=True) if not outcome.duplicate]
        if owners
        else submissions
    )
    if won:
        await tx.run_together(*_filing(won))
    return accepted


def _accept(submission: Submission, owner: Row | None) -> Accepted:
    webhook = submission.type == "webhook"
    if owner is None or owner["event_id"] == submission.event_id:
        return Accepted(submission.event_id, first_status(submission), False, submission.conversion_id, webhook)
    return Accepted(owner["event_id"], "DUPLICATE", True, owner["conversion_id"], webhook)


def _claim(submission: Submission) -> ClaimKey:
    return submission.admission.account_id, submission.claim_scope, submission.claim_key


def _claim_row(s: Submission) -> Claim:
    return s.admission.account_id, s.claim_scope, s.claim_key, s.event_id, s.conversion_id


def _filing(submissions: Sequence[Submission]) -> list[NamedCall]:
    return [
        ("insert_events", {"events": [_event_row(s) for s in submissions]}),
        ("insert_payloads", {"payloads": [_payload_row(s) for s in submissions]}),
    ]


def _event_row(s: Submission) -> tuple[object, ...]:
    return (s.admission.account_id, s.event_id, s.type, s.kind, first_status(s), s.external_event_id,
            s.external_order_id, s.conversion_id, s.received_at, s.connection_id, s.topic)  # fmt: skip


def _payload_row(s: Submission) -> tuple[object, ...]:
    return s.admission.account_id, s.event_id, s.body, s.received_at, s.headers

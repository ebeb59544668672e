"""The rules of intake, pure: the result of each request of a batch, and the rows that make it durable.

The rules are written once. `plan_batch` takes what the store is known to hold: nothing, in the hope that all of a
batch is new, or what was looked up after that hope failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson
from attrs import define, field

from hub.domain.instants import parse_instant
from hub.intake.submission import (
    Accepted,
    Answer,
    AnswerKey,
    ClaimKey,
    InFlight,
    IntakeResult,
    Mismatch,
    RefusedRequest,
    Replayed,
    RequestGuards,
    SignatureReused,
    SignatureSpent,
    SignatureUse,
    Submission,
)
from hub.storage import InsertAll

Item = Submission | RefusedRequest
REPORTED: Final = (
    "orderAmount", "currency", "clickId", "couponCode", "externalProductId", "orderedAt", "orderStatus"
)  # fmt: skip
"""What is kept of a repeated report: it may be of another order, which then counts with this."""


class ClaimRow(NamedTuple):
    """A row of `claim_keys`."""

    account_id: str
    scope: str
    claim_key: str
    event_id: str
    conversion_id: str | None


class EventRow(NamedTuple):
    """A row of `insert_events`."""

    account_id: str
    event_id: str
    type: str
    kind: str | None
    status: str
    external_event_id: str | None
    external_order_id: str | None
    conversion_id: str | None
    received_at: int
    connection_id: str | None
    topic: str | None


class PayloadRow(NamedTuple):
    """A row of `insert_payloads`."""

    account_id: str
    event_id: str
    body: str
    received_at: int
    headers: str | None


class RepeatRow(NamedTuple):
    """A row of `note_repeated_reports`: an order that was reported before; the amount is decimal text.

    `ordered_at` is ms UTC, None if it is not stated; `report` is JSON of what was reported, without its metadata.
    """

    account_id: str
    repeat_id: str
    external_order_id: str
    amount: str
    currency: str | None
    received_at: int
    click_id: str | None
    ordered_at: int | None
    report: str


class AnswerRow(NamedTuple):
    """A row of `store_answers`; `completed_at` is milliseconds UTC."""

    account_id: str
    route: str
    idempotency_key: str
    fingerprint: str
    status: int
    body: str
    completed_at: int


class StoredAnswer(NamedTuple):
    """An answer that is kept under an idempotency key, and the fingerprint of the request that it answered."""

    fingerprint: str
    status: int
    body: str


class ClaimOwner(NamedTuple):
    """The event that holds a claim, and the conversion that it created, if it is one."""

    event_id: str
    conversion_id: str | None


@define(eq=False)
class IntakeState:
    """What the store holds of a batch's signatures, answers and claims; planning adds what the batch itself brings."""

    signatures: set[SignatureUse] = field(factory=set)
    answers: dict[AnswerKey, StoredAnswer] = field(factory=dict)
    claims: dict[ClaimKey, ClaimOwner | ClaimRow] = field(factory=dict)
    running: dict[AnswerKey, str] = field(factory=dict)
    """The fingerprints of this batch's requests by their idempotency keys."""


class IntakePlan(NamedTuple):
    """What becomes of a batch: a result for each item, in their order, and the rows that make it durable.

    The rows with a key are sorted by it, so that two nodes take their locks in one order.
    """

    results: list[IntakeResult]
    signatures: list[SignatureUse]
    claims: list[ClaimRow]
    events: list[EventRow]
    payloads: list[PayloadRow]
    answers: list[AnswerRow]
    repeats: list[RepeatRow]

    def rows(self, cutoff: int) -> InsertAll:
        """Return the rows, to be inserted if all of them are new; answers older than `cutoff` (ms UTC) are replaced."""
        batches: dict[str, dict[str, Any]] = {
            "spend_signatures": {"uses": self.signatures},
            "claim_keys": {"claims": self.claims},
            "insert_events": {"events": self.events},
            "insert_payloads": {"payloads": self.payloads},
            "note_repeated_reports": {"reports": self.repeats},
            "store_answers": {"answers": self.answers, "cutoff": cutoff} if self.answers else {},
        }
        return InsertAll([(query, values) for query, values in batches.items() if any(values.values())])


def plan_batch(items: Sequence[Item], state: IntakeState, now: int) -> IntakePlan:
    """Decide a batch, given what the store holds of it; `now` is milliseconds UTC."""
    plan = IntakePlan([], [], [], [], [], [], [])
    for item in items:
        plan.results.append(_decide(item, state, plan, now))
    plan.signatures.sort()
    plan.claims.sort()
    plan.answers.sort()
    return plan


def repeated_answer(guards: RequestGuards, state: IntakeState) -> Replayed | Mismatch | InFlight | None:
    """Return the answer to a request whose idempotency key is in use, None if it is free; note that it is in use now.

    A stored answer is given again to the same request (API specification, common rules 1 and 2).
    """
    key, use = guards.answer_key, guards.idempotency
    if key is None or use is None:
        return None
    stored = state.answers.get(key)
    if stored is not None:
        same = stored.fingerprint == use.fingerprint
        return Replayed(stored.status, stored.body.encode()) if same else Mismatch()
    if key in state.running:
        return InFlight() if state.running[key] == use.fingerprint else Mismatch()
    state.running[key] = use.fingerprint
    return None


def answer_row(guards: RequestGuards, answer: Answer, now: int) -> AnswerRow:
    """Return the row of an answer; raises TypeError if the request has no idempotency key."""
    use = guards.idempotency
    if use is None:
        raise TypeError("the request has no idempotency key")
    return AnswerRow(guards.account_id, use.route, use.key, use.fingerprint, answer.status, answer.body.decode(), now)


def _decide(item: Item, state: IntakeState, plan: IntakePlan, now: int) -> IntakeResult:
    guards = item.guards
    spent = guards.signature
    if spent is not None:
        if spent in state.signatures:  # a signature is spent once, ever (decisions, Signing)
            return SignatureReused()
        state.signatures.add(spent)
        plan.signatures.append(spent)
    if guards.idempotency is not None:
        answer = repeated_answer(guards, state)
        if answer is not None:
            return answer
    if isinstance(item, RefusedRequest):
        return SignatureSpent()
    accepted = _claim(item, state, plan)
    if guards.idempotency is not None:
        plan.answers.append(answer_row(guards, Answer(202, accepted.body), now))
    return accepted


def _claim(s: Submission, state: IntakeState, plan: IntakePlan) -> Accepted:
    """Claim what a submission may do once and add its rows, or return the event that it duplicates."""
    account_id, webhook = s.guards.account_id, s.type == "webhook"
    claim = ClaimRow(account_id, s.claim_scope, s.claim_key, s.event_id, s.conversion_id)
    owner = state.claims.setdefault(claim[:3], claim)
    if owner is not claim:
        if s.type == "conversion":
            plan.repeats.append(_repeat(s))
        return Accepted(owner.event_id, "DUPLICATE", True, owner.conversion_id, webhook)
    status = "QUEUED" if webhook else "RECEIVED"  # API specification, Events
    plan.claims.append(claim)
    plan.events.append(
        EventRow(account_id, s.event_id, s.type, s.kind, status, s.external_event_id, s.external_order_id,
                 s.conversion_id, s.received_at, s.connection_id, s.topic)
    )  # fmt: skip
    plan.payloads.append(PayloadRow(account_id, s.event_id, s.body, s.received_at, s.headers))
    return Accepted(s.event_id, status, False, s.conversion_id, webhook)


def _repeat(s: Submission) -> RepeatRow:
    body = orjson.loads(s.body)
    ordered_at = body.get("orderedAt")
    report = {name: body[name] for name in REPORTED if body.get(name) is not None}
    return RepeatRow(
        s.guards.account_id, s.event_id, s.external_order_id or "", str(body["orderAmount"]), body.get("currency"),
        s.received_at, body.get("clickId") or None, None if ordered_at is None else parse_instant(ordered_at),
        orjson.dumps(report).decode(),
    )  # fmt: skip

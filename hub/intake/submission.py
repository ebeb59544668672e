"""What a request submits, what makes it happen once, and the results that intake gives."""

from __future__ import annotations

from typing import NamedTuple

import orjson
from attrs import frozen

from hub.ids import new_id, new_ids
from hub.validation.inputs import ConversionInput, OrderStatusInput

AnswerKey = tuple[str, str, str]
"""(account id, route, idempotency key)"""
ClaimKey = tuple[str, str, str]
"""(account id, scope, key)"""


class SignatureUse(NamedTuple):
    """One use of a request signature, a row of `spend_signatures`.

    `signed_at` is the X-Timestamp in seconds, `signature` 64 hex digits.
    """

    account_id: str
    signed_at: int
    signature: str


class IdempotencyUse(NamedTuple):
    """One use of an idempotency key on a route ("POST /v1/conversions"); `fingerprint` digests query and body."""

    route: str
    key: str
    fingerprint: str


class RequestGuards(NamedTuple):
    """What makes a request happen once: the signature it spends and the idempotency key it claims, if any."""

    account_id: str
    signature: SignatureUse | None = None
    idempotency: IdempotencyUse | None = None

    @property
    def answer_key(self) -> AnswerKey | None:
        """The key under which its answer is stored; None without an idempotency key."""
        use = self.idempotency
        return None if use is None else (self.account_id, use.route, use.key)


class Submission(NamedTuple):
    """A validated conversion, order status or webhook on its way to the events table.

    `type` is "conversion", "order_status" or "webhook" (then `kind` is the webhook kind). `claim_scope` and `claim_key`
    name what must happen once: ("order", order id), ("status", see `status_claim`) or ("webhook", external event id).
    `conversion_id` is set for conversions only, so that a duplicate can name it before the worker has seen the first.
    `received_at` is milliseconds UTC. `body` is the exact text that was signed. A platform's own delivery (a webhook
    without a kind) also has its connection, the topic it named and its headers as a JSON object.
    """

    guards: RequestGuards
    type: str
    kind: str | None
    claim_scope: str
    claim_key: str
    event_id: str
    conversion_id: str | None
    external_order_id: str | None
    external_event_id: str | None
    body: str
    received_at: int
    connection_id: str | None = None
    topic: str | None = None
    headers: str | None = None

    @property
    def claim(self) -> ClaimKey:
        """What may happen once."""
        return self.guards.account_id, self.claim_scope, self.claim_key


class RefusedRequest(NamedTuple):
    """A request that was refused after its signature held: only the signature is remembered."""

    guards: RequestGuards


class Accepted(NamedTuple):
    """The submission is durable, or (`duplicate`) an earlier one like it already was."""

    event_id: str
    status: str
    duplicate: bool
    conversion_id: str | None
    webhook: bool

    @property
    def body(self) -> bytes:
        """The accepted-event response, as JSON bytes."""
        answer: dict[str, object] = {
            "webhookEventId" if self.webhook else "eventId": self.event_id,
            "status": self.status,
            "duplicate": self.duplicate,
        }
        if self.duplicate and self.conversion_id:
            answer["conversionId"] = self.conversion_id
        return orjson.dumps(answer)


class Answer(NamedTuple):
    """A finished response of a write: HTTP status and the exact body bytes."""

    status: int
    body: bytes


class Replayed(NamedTuple):
    """The stored answer of an earlier request with the same idempotency key."""

    status: int
    body: bytes


@frozen
class Mismatch:
    """The idempotency key was used before with another body or query."""


@frozen
class InFlight:
    """Another request with the same idempotency key is being processed right now."""


@frozen
class SignatureReused:
    """The signature was used before."""


@frozen
class SignatureSpent:
    """The signature of a refused request is remembered."""


Refusal = Mismatch | InFlight | SignatureReused
IntakeResult = Accepted | Replayed | SignatureSpent | Refusal


def order_submission(guards: RequestGuards, order: ConversionInput, body: str, received_at: int) -> Submission:
    """Return a reported order's submission; its order id may be claimed once."""
    event_id, conversion_id = new_ids("evt", "cnv")
    return Submission(
        guards=guards,
        type="conversion",
        kind=None,
        claim_scope="order",
        claim_key=order.external_order_id,
        event_id=event_id,
        conversion_id=conversion_id,
        external_order_id=order.external_order_id,
        external_event_id=None,
        body=body,
        received_at=received_at,
    )


def status_submission(guards: RequestGuards, news: OrderStatusInput, body: str, received_at: int) -> Submission:
    """Return an order status's submission; the same status of the same moment may be claimed once."""
    return Submission(
        guards=guards,
        type="order_status",
        kind=None,
        claim_scope="status",
        claim_key=status_claim(news.external_order_id, news.status, news.status_updated_at, news.click_id),
        event_id=new_id("evt"),
        conversion_id=None,
        external_order_id=news.external_order_id,
        external_event_id=None,
        body=body,
        received_at=received_at,
    )


def status_claim(order_id: str, status: str, happened_at: int | None, click_id: str | None) -> str:
    """Return the deduplication key of an order status: (order, status, time, click), no two of which look alike.

    `happened_at` is milliseconds UTC, None if the shop stated none. The click is part of the key so that a status with
    a wrong one, which is skipped, does not make its correction a duplicate.
    """
    claim = f"{len(order_id)}:{order_id}:{status}:{'' if happened_at is None else happened_at}"
    return claim if not click_id else f"{claim}:{click_id}"

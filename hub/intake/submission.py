"""What comes in through any door, and what the desk says to it."""

from __future__ import annotations

from attrs import frozen

from hub.domain.records import record


@record
class SignatureUse:
    """One use of a request signature: `signed_at` is the X-Timestamp in seconds, `signature` 64 hex digits."""

    signed_at: int
    signature: str


@frozen
class IdempotencyUse:
    """One use of an idempotency key on a route ("POST /v1/conversions"); `fingerprint` digests query and body."""

    route: str
    key: str
    fingerprint: str


@record
class Admission:
    """Who is at the door: the account, the signature it spends and the idempotency key it claims, if any."""

    account_id: str
    signature: SignatureUse | None = None
    idempotency: IdempotencyUse | None = None


@record
class Submission:
    """A validated conversion, order status or webhook on its way to the events table.

    `type` is "conversion", "order_status" or "webhook" (then `kind` is the webhook kind). `claim_scope` and `claim_key`
    name what must happen once: ("order", order id), ("status", see `status_claim`) or ("webhook", external event id).
    `conversion_id` is set for conversions only, so that a duplicate can name it before the worker has seen the first.
    `received_at` is milliseconds UTC. `body` is the exact text that was signed. A platform's own delivery (a webhook
    without a kind) also has its connection, the topic it named and its headers as a JSON object.
    """

    admission: Admission
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


@frozen
class Burn:
    """A request that was refused after its signature held: only the signature is remembered."""

    admission: Admission


@record
class Accepted:
    """The submission is durable, or its twin already was (`duplicate`)."""

    event_id: str
    status: str
    duplicate: bool
    conversion_id: str | None
    webhook: bool

    @property
    def body(self) -> bytes:
        """The accepted-event response, as JSON bytes; ids hold no character that needs escaping."""
        name = "webhookEventId" if self.webhook else "eventId"
        tail = f',"conversionId":"{self.conversion_id}"' if self.duplicate and self.conversion_id else ""
        truth = "true" if self.duplicate else "false"
        return f'{{"{name}":"{self.event_id}","status":"{self.status}","duplicate":{truth}{tail}}}'.encode()


@record
class Answer:
    """A finished response of a write: HTTP status and the exact body bytes."""

    status: int
    body: bytes


@frozen
class Replayed:
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
class Burnt:
    """The signature of a refused request is remembered."""


Refusal = Mismatch | InFlight | SignatureReused
Outcome = Accepted | Replayed | Burnt | Refusal


def first_status(submission: Submission) -> str:
    """The status word of an accepted event (API specification, Events)."""
    return "QUEUED" if submission.type == "webhook" else "RECEIVED"


def status_claim(order_id: str, status: str, happened_at: int | None) -> str:
    """The deduplication key of an order status: (order, status[, statusUpdatedAt]), no two of which look alike."""
    return f"{len(order_id)}:{order_id}:{status}:{'' if happened_at is None else happened_at}"

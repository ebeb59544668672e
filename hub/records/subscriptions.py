"""A subscription to webhooks or postbacks, as its owner and the operator see it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Final

from attrs import field, frozen

from hub.domain.words import DeliveryStatus, Mode, SubscriptionKind, SubscriptionStatus
from hub.records.explanations import AFFILIATE
from hub.records.orders import MERCHANT, NOON
from hub.records.record import ABSENT, Note, Pick, Warnings
from hub.records.rows import read_row
from hub.storage import Row
from hub.validation.constraints import Instant
from hub.validation.inputs import SubscriptionTexts, leading

SUBSCRIPTION: Final = "sub_01936f3e8c7a7b3e9d5a4c2b1f0e8d92"
HEAD: Final = ("id", "merchant_id", "mode", "affiliate_id", "kind", "url")


@frozen(kw_only=True, slots=False, field_transformer=leading(*HEAD))
class SubscriptionDocument(SubscriptionTexts):
    """A subscription; `waiting` counts its messages that were not delivered yet, up to 10,000."""

    id: Annotated[str, Note("The hub's id.", SUBSCRIPTION)]
    merchant_id: Annotated[str | None, Note("Whose account it hears of; null for an affiliate's.", MERCHANT)]
    mode: Annotated[Mode | None, Note("The mode of the account.", "test")]
    affiliate_id: Annotated[str | None, Note("Whose it is; null for a merchant's.", AFFILIATE)]
    kind: Annotated[SubscriptionKind, Note("A signed POST, or a GET made of a template.", "WEBHOOK")]
    url: Annotated[str, Note("Where messages are sent.", "https://shop.example/hook")]
    events: Annotated[tuple[str, ...], Note("The types and patterns, as they were given.", ("commission.*",))]
    payload_version: Annotated[str, Note("In which version its messages are sent, as their header says.", "1")]
    status: Annotated[SubscriptionStatus, Note("PAUSED by somebody, or after five days of failures.", "ACTIVE")]
    reason: Annotated[str | None, Note("Why it is paused; null while it is not.")]
    failures: Annotated[int, Note("How often it failed in a row.", 0)]
    failing_since: Annotated[int | None, Instant("Since when it fails; null while it does not.", "")]
    waiting: Annotated[int, Note("Messages that were not delivered yet, up to 10,000.", 0)]
    created_at: Annotated[int, Instant("When it was created.", NOON)]


@frozen(kw_only=True, slots=False, field_transformer=leading(*HEAD))
class SubscriptionRecord(SubscriptionDocument):
    """A subscription of the account to webhooks."""

    merchant_id: Annotated[str | None, Note("The merchant: you.", MERCHANT)]
    affiliate_id: Annotated[str | None, Note("Always null: affiliates have subscriptions of their own.")]
    warnings: Warnings = field(default=None, metadata=ABSENT)


@frozen
class SubscriptionSecret:
    """The secret of a subscription that was just made, or made anew."""

    id: Annotated[str, Note("The hub's id.", SUBSCRIPTION)]
    secret: Annotated[
        str | None, Note("whsec_...: keep it; it is never shown again.", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    ]
    payload_version: Annotated[str, Note("In which version its messages are sent.", "1")]
    warnings: Warnings = field(default=None, metadata=ABSENT)


CREATED_SUBSCRIPTION: Final = Pick(
    SubscriptionSecret,
    "CreatedSubscription",
    "A subscription that was just created, and the secret that signs its messages; null for a postback.",
    without=("warnings",),
)


@frozen(kw_only=True, slots=False)
class DeliveryDocument:
    """A message: what was sent, in which version, and what the receiver last answered."""

    id: Annotated[str, Note("The message's id, the same at each attempt.", "msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90")]
    type: Annotated[str, Note("What happened, such as commission.held.", "commission.held")]
    payload_version: Annotated[str, Note("In which version it is sent.", "1")]
    status: Annotated[DeliveryStatus, Note("How far it is.", "DELIVERED")]
    attempts: Annotated[int, Note("How often it was sent.", 1)]
    created_at: Annotated[int, Instant("When it happened.", NOON)]
    due_at: Annotated[int | None, Instant("When it is sent next; null if it is not.", "")]
    finished_at: Annotated[int | None, Instant("When it arrived or was given up; null until then.", NOON)]
    answer_status: Annotated[int | None, Note("The HTTP status of the last answer; null without one.", 204)]
    answer: Annotated[str | None, Note("The beginning of the last answer's body.")]
    fault: Annotated[str | None, Note("Why the last attempt failed; null if it did not.")]
    data: Annotated[
        dict[str, Any],
        Note(
            "What the message says, as things stood then.",
            {"commissionId": "com_01936f3e8c7a7b3e9d5a4c2b1f0e8d83", "state": "HOLD"},
        ),
    ]


@frozen(kw_only=True, slots=False)
class DeliveryRecord(DeliveryDocument):
    """A message: what was sent, and what the receiver last answered."""


def subscription_document(row: Row) -> SubscriptionDocument:
    """Return the subscription of a row of the list `subscriptions`."""
    events = tuple(json.loads(row["patterns"]))
    return read_row(SubscriptionDocument, row, id=row["subscription_id"], events=events)

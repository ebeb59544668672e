"""The answers about subscriptions to webhooks, and about the messages that were sent."""

from __future__ import annotations

from typing import Annotated, Any

from attrs import field, frozen

from hub.records.record import ABSENT
from hub.records.subscriptions import DeliveryRecord, SubscriptionRecord


@frozen
class SubscriptionList:
    """The subscriptions of the account."""

    data: list[SubscriptionRecord]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class DeliveryList:
    """A page of messages."""

    data: list[DeliveryRecord]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class ReplayedDeliveries:
    """What came of a replay."""

    replayed: int
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class RetriedDeliveries:
    """What is tried now."""

    retried: int
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class SampleMessage:
    """A test message that is on its way."""

    message_id: str
    type: Annotated[str, "MessageType"]
    warnings: list[str] | None = field(default=None, metadata=ABSENT)


@frozen
class EventTypeRecord:
    """A kind of message that subscribers get."""

    type: Annotated[str, "MessageType"]
    about: str
    for_affiliates: bool
    version: str
    schema: dict[str, Any]
    example: Annotated[dict[str, Any], "WebhookMessage"]


@frozen
class EventTypeList:
    """Every kind of message."""

    data: list[EventTypeRecord]
    next_cursor: str | None
    warnings: list[str] | None = field(default=None, metadata=ABSENT)

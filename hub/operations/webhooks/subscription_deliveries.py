"""The messages of a subscription: what became of each, and sending them once more."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from attrs import frozen

from hub.clock import Clock
from hub.notifications.receiver import document_of
from hub.operations.errors import OperatorFault
from hub.operations.lists import List, Page, Wanted, first, first_rows, read
from hub.operations.trail import note_act
from hub.operations.webhooks.subscriptions import require_subscription
from hub.operations.writing import writing
from hub.records.rows import read_row
from hub.records.subscriptions import DeliveryDocument, SubscriptionDocument
from hub.storage import Row, Store, Tx

DELIVERIES: Final = List("deliveries")
MOST_ATTEMPTS: Final = 50


async def deliveries_part(store: Store, subscription_id: str, wanted: Wanted) -> Page[DeliveryDocument]:
    """Return a part of the messages of a subscription; raise `OperatorFault` if it is unknown, and `CursorFault`."""
    async with store.read() as tx:
        subscription = await require_subscription(tx, subscription_id)
        found = await read(tx, DELIVERIES, wanted, {"subscription_id": subscription_id})
    return found.of(partial(_delivery, subscription))


async def first_deliveries(store: Store, subscription_id: str, wanted: Wanted) -> list[DeliveryDocument]:
    """Return as many messages of a subscription as are wanted; raise `OperatorFault` if it is unknown."""
    async with store.read() as tx:
        subscription = await require_subscription(tx, subscription_id)
    rows = await first_rows(store, DELIVERIES, wanted, {"subscription_id": subscription_id})
    return [_delivery(subscription, row) for row in rows]


@frozen
class Attempt:
    """One attempt: when it ended (ms UTC), and the answer, if there was one; `fault` is None if the message arrived."""

    ended_at: int
    status: int | None
    answer: str | None
    fault: str | None


@frozen
class ShownDelivery:
    """A message with what is sent of it, and its attempts, newest first."""

    document: DeliveryDocument
    body: dict[str, Any]
    attempts: list[Attempt]


async def show_delivery(store: Store, subscription_id: str, message_id: str) -> ShownDelivery | None:
    """Return a message of a subscription, None if it has no such; raise `OperatorFault` if it is unknown itself.

    An attempt that failed is kept beside the message, as one is that a replay followed; an arrival is in its row.
    """
    async with store.read() as tx:
        subscription = await require_subscription(tx, subscription_id)
        row = await first(tx, DELIVERIES, subscription_id=subscription_id, message_id=message_id)
        if row is None:
            return None
        kept = await tx.all(
            "attempts_of_message", account_id=row["account_id"], subscription_id=subscription_id,
            message_id=message_id, limit=MOST_ATTEMPTS,
        )  # fmt: skip
    attempts = [Attempt(each["ended_at"], each["answer_status"], each["answer"], each["fault"]) for each in kept]
    if row["status"] == "DELIVERED" and row["finished_at"] is not None:
        attempts.insert(0, Attempt(row["finished_at"], row["answer_status"], row["answer"], None))
    _, body = _written(subscription, row)
    return ShownDelivery(_delivery(subscription, row), body, attempts)


@writing
async def replay_deliveries(
    tx: Tx, clock: Clock, subscription_id: str, *, message_id: str | None = None, since: int = 0
) -> int:
    """Have messages sent again that arrived or were given up: one, or all since a moment (ms UTC); return how many.

    Raise `OperatorFault` if the subscription is unknown, or has no such message.
    """
    await require_subscription(tx, subscription_id)
    now = clock()
    await tx.run("keep_arrivals", subscription_id=subscription_id, message_id=message_id, since=since)
    again = await tx.run(
        "replay_deliveries", subscription_id=subscription_id, message_id=message_id, since=since, now=now
    )
    if message_id is not None and not again:
        raise OperatorFault(f"Message {message_id!r} is unknown or still waits; nothing was done.")
    await note_act(tx, now, "subscription.replayed", subscription_id, after={"messages": again})
    return again


@writing
async def retry_deliveries(tx: Tx, clock: Clock, subscription_id: str, *, message_id: str | None = None) -> int:
    """Have messages that wait for another attempt tried now, one or all; return how many.

    The pause of their receiver ends, and those of an order go on in their order. Raise `OperatorFault` if the
    subscription is unknown or paused, or has no such message that waits.
    """
    found = await require_subscription(tx, subscription_id)
    if found.status == "PAUSED":
        raise OperatorFault("The subscription is paused; resume it first.")
    now = clock()
    waiting = await tx.run("retry_deliveries", subscription_id=subscription_id, message_id=message_id, now=now)
    if message_id is not None and not waiting:
        raise OperatorFault(f"Message {message_id!r} is unknown or does not wait; nothing was done.")
    await tx.run("try_receiver_now", subscription_id=subscription_id)
    await note_act(tx, now, "subscription.retried", subscription_id, after={"messages": waiting})
    return waiting


def _written(subscription: SubscriptionDocument, row: Row) -> tuple[str, dict[str, Any]]:
    """Return in which version a message is sent, and its body."""
    return document_of(row, subscription.payload_version, of_merchant=subscription.affiliate_id is None)


def _delivery(subscription: SubscriptionDocument, row: Row) -> DeliveryDocument:
    version, body = _written(subscription, row)
    given = {"id": row["message_id"], "type": row["event_type"], "payload_version": version, "data": body["data"]}
    return read_row(DeliveryDocument, row, **given)

"""Test messages: a real one, signed and logged like any other, about something that the account has.

It says `sample`, so that a receiver can tell that nothing has happened, and waits for no other message. What the
account does not have is taken from the catalogue's example.
"""

from __future__ import annotations

from typing import Any, Final, TypedDict

import orjson

from hub.clock import Clock
from hub.domain.messages.notifications import EVENT_TYPES, matching_types
from hub.domain.messages.payload_versions import newest_version
from hub.ids import new_id
from hub.operations.errors import OperatorFault
from hub.operations.lists import List, Wanted, first, read
from hub.operations.trail import note_act
from hub.operations.webhooks.subscriptions import SUBSCRIPTIONS, require_subscription
from hub.operations.writing import writing
from hub.processing.ledger_rows import Commission, Conversion
from hub.processing.notifications import commission_data, review_data
from hub.records.messages import MESSAGE_KINDS, CommissionNews, ConnectionNews, PayoutNews, ReviewNews, example_data
from hub.storage import Row, Tx

COMMISSIONS: Final = List("commissions")
CONVERSIONS: Final = List("conversions")
CONNECTIONS: Final = List("connections")
LINKS: Final = List("links")
SOME: Final = 50
"""Among how many of its links an affiliate's account of a mode is looked for."""


class SampleQueued(TypedDict):
    """A test message that is on its way; what became of it is in the subscription's messages."""

    messageId: str
    type: str


@writing
async def send_sample(tx: Tx, clock: Clock, subscription_id: str, event_type: str | None) -> SampleQueued:
    """Queue a test message of a type, the first of the subscription's own without one.

    Raise `OperatorFault` if the subscription is unknown or paused, or for a type that its owner never gets.
    """
    subscription = await require_subscription(tx, subscription_id)
    wanted = event_type or matching_types(subscription.events)[0]
    _check(wanted, is_affiliates=subscription.affiliate_id is not None)
    row = await first(tx, SUBSCRIPTIONS, subscription_id=subscription_id)
    if row is None:
        raise LookupError("a subscription that was just read is gone")
    account_id, data = await _sample(tx, row, wanted)
    message_id, now = new_id("msg"), clock()
    await tx.run(
        "insert_delivery",
        account_id=account_id,
        subscription_id=subscription_id,
        subject=f"sample/{message_id}",
        message_id=message_id,
        event_type=wanted,
        data=orjson.dumps({**data, "sample": True}).decode(),
        version=newest_version(),
        now=now,
    )
    await note_act(tx, now, "subscription.tested", subscription_id, after={"messageId": message_id, "type": wanted})
    return {"messageId": message_id, "type": wanted}


def _check(event_type: str, *, is_affiliates: bool) -> None:
    sent = [each for each in EVENT_TYPES if MESSAGE_KINDS[each].for_affiliates or not is_affiliates]
    if event_type not in sent:
        raise OperatorFault(f"There is no event {event_type!r} for this subscription; there are {', '.join(sent)}.")


async def _sample(tx: Tx, subscription: Row, event_type: str) -> tuple[str, dict[str, Any]]:
    """Return the account that a sample is of, and its `data`."""
    example = example_data(event_type)
    for name in ("merchantId", "mode"):
        del example[name]  # of the account, which whoever sends it adds
    kind = MESSAGE_KINDS[event_type].data
    whose = _owner(subscription)
    if kind is CommissionNews or subscription["affiliate_id"] is not None:
        earned = await first(tx, COMMISSIONS, **whose)
        account_id = await _account(tx, subscription) if earned is None else str(earned["account_id"])
        own = {"affiliateId": subscription["affiliate_id"]} if subscription["affiliate_id"] else {}
        if earned is None or kind is PayoutNews:
            return account_id, {**example, **own}
        return account_id, await _of_commission(tx, earned, example)
    account_id = str(subscription["account_id"])
    if kind is ReviewNews:
        return account_id, await _of_order(tx, account_id, example)
    if issubclass(kind, ConnectionNews):
        connection = await _newest_connection(tx, subscription)
        return account_id, {**example, **connection}
    return account_id, example


def _owner(subscription: Row) -> dict[str, str]:
    """Return the filters of what a subscription's owner has."""
    if subscription["affiliate_id"] is not None:
        return {"affiliate_id": subscription["affiliate_id"], "mode": subscription["mode"]}
    return {"account_id": subscription["account_id"]}


async def _account(tx: Tx, subscription: Row) -> str:
    """Return the account of a subscription; an affiliate's is one that it has a link of."""
    if subscription["account_id"] is not None:
        return str(subscription["account_id"])
    found = await read(tx, LINKS, Wanted(limit=SOME), {"affiliate_id": subscription["affiliate_id"]})
    of_mode = [row["account_id"] for row in found.entries if row["mode"] == subscription["mode"]]
    if not of_mode:
        raise OperatorFault("There is nothing yet that a message could be about: make a tracking link first.")
    return str(of_mode[0])


async def _of_commission(tx: Tx, earned: Row, example: dict[str, Any]) -> dict[str, Any]:
    """Return a commission as a message tells it that is of the example's states."""
    key = [(earned["account_id"], earned["conversion_id"])]
    (conversion,) = await tx.records(Conversion, "conversions_by_id", keys=key)
    (after,) = await tx.records(Commission, "load_commissions", conversions=key)
    data = commission_data(conversion, after, after)
    told: dict[str, Any] = {
        name: example[name] for name in ("state", "previousState", "previousAmount") if name in example
    }
    told["previousAmount"] = None if told["previousAmount"] is None else data["amount"]
    for name in ("holdUntil", "paidAt"):
        told[name] = example[name] and (data[name] or example[name])
    return {**data, **told}


async def _of_order(tx: Tx, account_id: str, example: dict[str, Any]) -> dict[str, Any]:
    """Return the account's newest order as a message tells it, with the example's reason."""
    order = await first(tx, CONVERSIONS, account_id=account_id)
    if order is None:
        return example
    (conversion,) = await tx.records(Conversion, "conversions_by_id", keys=[(account_id, order["conversion_id"])])
    return review_data(conversion, example["reason"])


async def _newest_connection(tx: Tx, subscription: Row) -> dict[str, Any]:
    """Return what names the account's newest connection; nothing without one."""
    found = await read(tx, CONNECTIONS, Wanted(limit=SOME), {"merchant_id": subscription["merchant_id"]})
    own = [row for row in found.entries if row["account_id"] == subscription["account_id"]]
    names = {"connectionId": "connection_id", "connector": "connector", "title": "title"}
    return {wire: own[0][name] for wire, name in names.items()} if own else {}

"""Changing a subscription in place: address, events or version, under the secret and with the messages it has."""

from __future__ import annotations

import json
from collections.abc import Sequence

from attrs import frozen

from hub.clock import Clock
from hub.operations.errors import OperatorFault
from hub.operations.trail import note_act
from hub.operations.webhooks.subscription_checks import checked_kind, checked_types, checked_version
from hub.operations.webhooks.subscriptions import require_subscription, without_url
from hub.outbound.public_addresses import Network
from hub.records.subscriptions import SubscriptionDocument
from hub.storage import Store, Tx


@frozen
class SubscriptionChange:
    """What is to change of a subscription; None leaves it."""

    url: str | None = None
    events: Sequence[str] | None = None
    payload_version: str | None = None


async def update_subscription(
    store: Store, clock: Clock, allowed: Sequence[Network], subscription_id: str, change: SubscriptionChange
) -> SubscriptionDocument:
    """Change a subscription; see `update_subscription_in`."""
    async with store.write() as tx:
        return await update_subscription_in(tx, clock, allowed, subscription_id, change)


async def update_subscription_in(
    tx: Tx, clock: Clock, allowed: Sequence[Network], subscription_id: str, change: SubscriptionChange
) -> SubscriptionDocument:
    """Change a subscription in this transaction; its secret stays, and so does what waits.

    Messages that wait go to the new address and in the new version. Raise `OperatorFault` if it is unknown, for a URL,
    an event or a version that cannot be used, and for a URL of another kind: a postback is not signed, so messages that
    wait for the one cannot become those of the other.
    """
    before = await require_subscription(tx, subscription_id)
    url = before.url if change.url is None else change.url
    events = before.events if change.events is None else change.events
    if change.url is not None and checked_kind(url, allowed) != before.kind:
        raise OperatorFault(
            "A webhook cannot become a postback, nor a postback a webhook: subscribe again, and delete this one."
        )
    types = checked_types(events)
    asked = change.payload_version
    version = before.payload_version if asked is None else checked_version(asked)
    await tx.run(
        "update_subscription",
        subscription_id=subscription_id,
        url=url,
        patterns=json.dumps(list(events)),
        event_types=f",{','.join(types)},",
        version=version,
    )
    after = await require_subscription(tx, subscription_id)
    act = "subscription.updated"
    await note_act(tx, clock(), act, subscription_id, before=without_url(before), after=without_url(after))
    return after

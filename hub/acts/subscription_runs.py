"""The acts on one subscription, of operators and of affiliates alike: an affiliate's token reaches its own alone."""

from __future__ import annotations

from typing import Any, TypedDict

from hub.acts.call import Call, Run, answer, wanted_of, whole
from hub.operations.checks import checked_duration
from hub.operations.errors import OperatorFault, unknown
from hub.operations.webhooks.sample_messages import SampleQueued, send_sample
from hub.operations.webhooks.subscription_deliveries import deliveries_part, replay_deliveries, retry_deliveries
from hub.operations.webhooks.subscriptions import (
    NewSubscription,
    SubscriptionChange,
    create_subscription,
    delete_subscription,
    require_subscription,
    rotate_secret,
    set_subscription_status,
    update_subscription,
)
from hub.records.subscriptions import SubscriptionSecret


class Replayed(TypedDict):
    """How many messages are sent again."""

    replayed: int


class Retried(TypedDict):
    """How many messages are tried now."""

    retried: int


async def _own(c: Call) -> str:
    """Return the id of the subscription; raise `UnknownReference` if it is not of the token's affiliate."""
    subscription_id = c.path["subscription"]
    if c.affiliate_id is not None:
        async with c.store.read() as tx:
            found = await require_subscription(tx, subscription_id)
        if found.affiliate_id != c.affiliate_id:
            raise unknown("subscription", subscription_id, "The list of subscriptions shows them all.")
    return subscription_id


async def event_types(c: Call) -> Any:
    """Return the kinds of messages that a subscription may get."""
    from hub.merchant_api.openapi.message_bodies import catalogue_of  # dear, and asked for by few

    return whole(catalogue_of(affiliate=c.affiliate_id is not None))


async def subscribe(c: Call, wanted: NewSubscription) -> SubscriptionSecret:
    """Subscribe; the answer alone has the secret."""
    allowed = c.services.settings.outbound.allowed_networks
    return await create_subscription(c.store, c.services.sealer, c.clock, allowed, wanted)


async def change(c: Call) -> Any:
    """Change the address, the events or the version of a subscription."""
    wanted = SubscriptionChange(**c.body)
    allowed = c.services.settings.outbound.allowed_networks
    return await update_subscription(c.store, c.clock, allowed, await _own(c), wanted)


async def sample(c: Call) -> SampleQueued:
    """Send a test message."""
    return await send_sample(c.store, c.clock, await _own(c), c.body.get("type"))


async def retry(c: Call) -> Retried:
    """Retry now what waits."""
    subscription_id = await _own(c)
    return {"retried": await retry_deliveries(c.store, c.clock, subscription_id, message_id=c.body.get("message_id"))}


def switch(status: str) -> Run:
    """Return the act that makes a subscription ACTIVE or PAUSED."""

    async def run(c: Call) -> Any:
        return await set_subscription_status(c.store, c.clock, await _own(c), status)

    return run


async def rotate(c: Call) -> Any:
    """Make a new secret, which the answer shows this once."""
    overlap = checked_duration(c.body.get("overlap", "24h"), "an overlap")
    return await rotate_secret(c.store, c.services.sealer, c.clock, await _own(c), overlap)


async def remove(c: Call) -> Any:
    """Delete a subscription."""
    return await delete_subscription(c.store, c.clock, await _own(c))


async def deliveries(c: Call) -> Any:
    """Return a page of the messages of a subscription."""
    subscription_id = await _own(c)
    return answer(await deliveries_part(c.store, subscription_id, wanted_of(c)))


async def replay(c: Call) -> Replayed:
    """Send messages again."""
    subscription_id = await _own(c)
    message, since = c.body.get("message_id"), c.body.get("since")
    if (message is None) == (since is None):
        raise OperatorFault("Give either messageId or since.")
    begins = 0 if since is None else c.clock() - checked_duration(since, "a time")
    again = await replay_deliveries(c.store, c.clock, subscription_id, message_id=message, since=begins)
    return {"replayed": again}

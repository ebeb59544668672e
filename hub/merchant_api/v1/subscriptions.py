"""Subscriptions of the account to webhooks: made, paused, rotated and replayed by key, as by command and page."""

from __future__ import annotations

from typing import Annotated, Any, Final

from attrs import frozen

from hub.domain.messages.notifications import EVENT_TYPES
from hub.http.errors import invalid, not_found
from hub.http.response import Reply
from hub.intake.submission import Answer, Replayed
from hub.merchant_api.endpoint import Call
from hub.merchant_api.v1.acts import act_once
from hub.merchant_api.v1.list_queries import Limit, MessageCursor
from hub.merchant_api.v1.reading import answered, whole
from hub.operations.checks import checked_duration
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.webhooks import subscriptions
from hub.operations.webhooks.sample_messages import send_sample
from hub.operations.webhooks.subscription_deliveries import (
    deliveries_part,
    replay_deliveries,
    retry_deliveries,
)
from hub.records.rows import shared_values
from hub.storage import Tx
from hub.validation.constraints import Choice, Flag, Text, Url
from hub.validation.container_constraints import ListOf
from hub.validation.inputs import SubscriptionTexts, leading

USUAL_OVERLAP: Final = "24h"

ReceiverUrl = Annotated[str, Url(description="Where messages are sent.", example="https://shop.example/hook")]
Events = Annotated[
    tuple[str, ...],
    ListOf(Text(64, min=1), 50, description="Types or patterns.", example=("commission.*", "conversion.review")),
]
PayloadVersion = Annotated[
    str,
    Text(8, min=1, description="In which version messages are sent; the newest, if none is named.", example="1"),
]
OtherVersion = Annotated[
    str, Text(8, min=1, description="In which version messages are sent from now on.", example="1")
]
Paused = Annotated[bool, Flag(description="Whether messages are kept at first, until it is resumed.", example=False)]
EventType = Annotated[
    str, Choice(EVENT_TYPES, description="Of what kind; the first of its own without it.", example="commission.payable")
]
Overlap = Annotated[str, Text(20, min=1, description="How long the old secret signs too, like 24h.", example="24h")]
MessageId = Annotated[
    str, Text(64, min=1, description="This message alone.", example="msg_01936f3e8c7a7b3e9d5a4c2b1f0e8d90")
]
Since = Annotated[str, Text(20, min=1, description="Everything since this long ago, like 2d.", example="2d")]


@frozen(kw_only=True, slots=False, field_transformer=leading("url"))
class SubscriptionInput(SubscriptionTexts):
    """The body of POST /v1/subscriptions."""

    url: ReceiverUrl
    events: Events
    paused: Paused = False
    payload_version: PayloadVersion | None = None


@frozen(kw_only=True, slots=False, field_transformer=leading("url"))
class SubscriptionPatch(SubscriptionTexts):
    """The body of PATCH /v1/subscriptions/{id}: what is given is changed."""

    url: ReceiverUrl | None = None
    events: Events | None = None
    payload_version: OtherVersion | None = None


@frozen(kw_only=True, slots=False)
class SampleInput:
    """The body of POST /v1/subscriptions/{id}/test."""

    type: EventType | None = None


@frozen(kw_only=True, slots=False)
class RetryInput:
    """The body of POST /v1/subscriptions/{id}/retry."""

    message_id: MessageId | None = None


@frozen(kw_only=True, slots=False)
class RotationInput:
    """The body of POST /v1/subscriptions/{id}/rotate."""

    overlap: Overlap = USUAL_OVERLAP


@frozen(kw_only=True, slots=False)
class ReplayInput:
    """The body of POST /v1/subscriptions/{id}/replay: a message, all of the last while, or one if it is of it."""

    message_id: MessageId | None = None
    since: Since | None = None


@frozen(kw_only=True, slots=False)
class DeliveryQuery:
    """The query of GET /v1/subscriptions/{id}/deliveries."""

    limit: Limit = 50
    cursor: MessageCursor | None = None


async def event_types(call: Call) -> Reply:
    """Return every kind of message that a subscription of the account may get."""
    from hub.merchant_api.openapi.message_bodies import catalogue_of  # which describes this module's endpoints

    return whole(call, catalogue_of(affiliate=False))


async def list_own(call: Call) -> Reply:
    """Return the subscriptions of the account, oldest first."""
    found = await subscriptions.list_subscriptions(call.services.store, merchant=call.caller.merchant_id)
    return whole(call, [each for each in found if each.mode == call.caller.mode])


async def create(call: Call) -> Answer | Replayed:
    """Subscribe; the secret is in this answer alone."""
    body: SubscriptionInput = call.body
    caller, services = call.caller, call.services
    asked = shared_values(subscriptions.NewSubscription, body)
    wanted = subscriptions.NewSubscription(**asked, merchant_id=caller.merchant_id, mode=caller.mode)
    allowed = services.allowed_networks
    return await act_once(
        call, 201, lambda tx: subscriptions.create_subscription(tx, services.sealer, services.clock, allowed, wanted)
    )


async def change(call: Call) -> Answer | Replayed:
    """Change where messages go, which, or their version; the secret and what waits stay."""
    body: SubscriptionPatch = call.body
    asked = shared_values(subscriptions.SubscriptionChange, body)
    services, change = call.services, subscriptions.SubscriptionChange(**asked)

    async def act(tx: Tx) -> Any:
        own = await _own(tx, call)
        return await subscriptions.update_subscription(tx, services.clock, services.allowed_networks, own, change)

    return await act_once(call, 200, act)


async def test(call: Call) -> Answer | Replayed:
    """Send a test message of a kind."""
    body: SampleInput = call.body

    async def act(tx: Tx) -> Any:
        return await send_sample(tx, call.services.clock, await _own(tx, call), body.type)

    return await act_once(call, 202, act)


async def retry(call: Call) -> Answer | Replayed:
    """Retry now what waits for another attempt."""
    body: RetryInput = call.body

    async def act(tx: Tx) -> Any:
        own = await _own(tx, call)
        return {"retried": await retry_deliveries(tx, call.services.clock, own, message_id=body.message_id)}

    return await act_once(call, 200, act)


async def pause(call: Call) -> Answer | Replayed:
    """Pause: send nothing for now; messages are kept."""
    return await _set_status(call, "PAUSED")


async def resume(call: Call) -> Answer | Replayed:
    """Resume, beginning with what was kept."""
    return await _set_status(call, "ACTIVE")


async def rotate(call: Call) -> Answer | Replayed:
    """Make a new secret; the old one signs beside it for a while."""
    body: RotationInput = call.body
    overlap = _duration(body.overlap, "overlap")
    services = call.services

    async def act(tx: Tx) -> Any:
        return await subscriptions.rotate_secret(tx, services.sealer, services.clock, await _own(tx, call), overlap)

    return await act_once(call, 200, act)


async def delete(call: Call) -> Answer | Replayed:
    """Delete a subscription and what waits for it."""

    async def act(tx: Tx) -> Any:
        return await subscriptions.delete_subscription(tx, call.services.clock, await _own(tx, call))

    return await act_once(call, 200, act)


async def deliveries(call: Call) -> Reply:
    """Return a page of the messages of a subscription, newest first, with the receiver's answers."""
    query: DeliveryQuery = call.query
    store = call.services.store
    async with store.read() as tx:
        subscription_id = await _own(tx, call)
    return await answered(call, deliveries_part(store, subscription_id, Wanted({}, query.limit, query.cursor)))


async def replay(call: Call) -> Answer | Replayed:
    """Send messages again that arrived or were given up."""
    body: ReplayInput = call.body
    if body.message_id is None and body.since is None:
        raise invalid(["`messageId` or `since` must be given"])
    clock = call.services.clock
    begins = 0 if body.since is None else clock() - _duration(body.since, "since")

    async def act(tx: Tx) -> Any:
        own = await _own(tx, call)
        return {"replayed": await replay_deliveries(tx, clock, own, message_id=body.message_id, since=begins)}

    return await act_once(call, 200, act)


async def _set_status(call: Call, status: str) -> Answer | Replayed:
    async def act(tx: Tx) -> Any:
        return await subscriptions.set_subscription_status(tx, call.services.clock, await _own(tx, call), status)

    return await act_once(call, 200, act)


async def _own(tx: Tx, call: Call) -> str:
    """Return the id of the subscription; raise the 404 of one that is not the account's."""
    subscription_id = call.reference("id", "subscription")
    try:
        found = await subscriptions.require_subscription(tx, subscription_id)
    except OperatorFault:
        raise not_found("subscription") from None
    if (found.merchant_id, found.mode) != (call.caller.merchant_id, call.caller.mode):
        raise not_found("subscription")
    return subscription_id


def _duration(text: str, name: str) -> int:
    try:
        return checked_duration(text, "a time")
    except OperatorFault:
        raise invalid([f"`{name}` must be a duration like 24h"]) from None

"""A subscription is tried and moved without an order and without a new secret; the catalogue says what is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from ipaddress import ip_network
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from hub.app import Hub
from hub.domain.messages.notifications import EVENT_TYPES, HOUR
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.webhooks.sample_messages import send_sample
from hub.operations.webhooks.subscription_deliveries import first_deliveries, retry_deliveries
from hub.operations.webhooks.subscriptions import (
    NewSubscription,
    SubscriptionChange,
    create_subscription,
    list_subscriptions,
    set_subscription_status,
    update_subscription,
)
from hub.records.messages import MESSAGE_KINDS, example_message
from hub.records.subscriptions import SubscriptionDocument, SubscriptionSecret
from hub.testing.clock import FakeClock
from tests.notifications.receiver import Receiver, receiving
from tests.pages.world import World, world_of
from tests.polling import until
from tests.served_hub import new_merchant, served
from tests.shared_hub import clock, clock_of_the_file, file_of_the_hub

__all__ = ["clock", "clock_of_the_file", "file_of_the_hub"]

TYPED = (ip_network("127.0.0.0/8"),)


@pytest.fixture(scope="module")
async def hub(file_of_the_hub: str, clock_of_the_file: FakeClock) -> AsyncIterator[Hub]:
    """A hub that may ask receivers on this machine."""
    async with served(file_of_the_hub, clock_of_the_file, HUB_OUTBOUND_ALLOWED_NETWORKS="127.0.0.0/8") as hub:
        yield hub


@pytest.fixture(scope="module")
async def world(hub: Hub, clock_of_the_file: FakeClock) -> World:
    """A merchant with an affiliate, an order with a commission and one under review."""
    return await world_of(hub, clock_of_the_file, "Ann", subscribed=False)


async def subscribed(hub: Hub, clock: FakeClock, url: str, **whose: Any) -> SubscriptionSecret:
    events = whose.pop("events", ("*",))
    wanted = NewSubscription(url, events, **whose)
    return await create_subscription(hub.parts.store, hub.parts.sealer, clock, TYPED, wanted)


async def shown(hub: Hub, subscription_id: str) -> SubscriptionDocument:
    return next(each for each in await list_subscriptions(hub.parts.store) if each.id == subscription_id)


async def _has(receiver: Receiver, messages: int) -> bool:
    return len(receiver.requests) >= messages


class TestSamples:
    async def test_each_kind_is_sent_signed_about_what_the_account_has(
        self, hub: Hub, clock: FakeClock, world: World
    ) -> None:
        async with receiving() as receiver:
            made = await subscribed(hub, clock, receiver.url, merchant_id=world.merchant_id, mode="test")
            for each in EVENT_TYPES:
                assert (await send_sample(hub.parts.store, clock, made.id, each))["type"] == each
            await until(partial(_has, receiver, len(EVENT_TYPES)))
        assert sorted(receiver.types) == sorted(EVENT_TYPES)
        headers, body, _ = receiver.requests[0]
        moment = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
        signed = Webhook(made.secret or "").sign(headers["webhook-id"], moment, body.decode())
        assert headers["webhook-signature"] == signed
        told = {each["type"]: each["data"] for each in receiver.messages}
        assert {each["sample"] for each in told.values()} == {True}
        assert {(each["merchantId"], each["mode"]) for each in told.values()} == {(world.merchant_id, "test")}
        for kind in ("created", "payable", "paid"):
            assert told[f"commission.{kind}"]["commissionId"] == world.ids["commission"], "its own, not the example's"
        assert (told["commission.paid"]["state"], told["commission.created"]["previousState"]) == ("PAID", None)
        assert told["conversion.review"]["conversionId"] != example_message("conversion.review")["data"]["conversionId"]
        assert told["connection.silent"]["connectionId"] == world.ids["connection"]

    async def test_one_who_has_nothing_gets_the_example(self, hub: Hub, clock: FakeClock) -> None:
        merchant = await new_merchant(hub, clock, "New", approve=True)
        async with receiving() as receiver:
            made = await subscribed(hub, clock, receiver.url, merchant_id=merchant, mode="test")
            for each in EVENT_TYPES:
                await send_sample(hub.parts.store, clock, made.id, each)
            await until(partial(_has, receiver, len(EVENT_TYPES)))
        for message in receiver.messages:
            example = example_message(message["type"])["data"]
            assert message["data"] == {**example, "merchantId": merchant, "mode": "test", "sample": True}

    async def test_an_affiliate_tries_its_postback_with_what_it_may_be_told(
        self, hub: Hub, clock: FakeClock, world: World
    ) -> None:
        async with receiving() as receiver:
            url = receiver.url + "?of={event}&id={commissionId}&as={state}"
            made = await subscribed(hub, clock, url, affiliate_id=world.affiliate_id, mode="test")
            await send_sample(hub.parts.store, clock, made.id, "commission.paid")
            await until(partial(_has, receiver, 1))
            assert receiver.requests[0][2] == f"/hook?of=commission.paid&id={world.ids['commission']}&as=PAID"
        for each in EVENT_TYPES:
            if not MESSAGE_KINDS[each].for_affiliates:
                with pytest.raises(OperatorFault, match="There is no event"):
                    await send_sample(hub.parts.store, clock, made.id, each)
        live = await subscribed(hub, clock, "https://blog.example/", affiliate_id=world.affiliate_id)
        with pytest.raises(OperatorFault, match="make a tracking link first"):
            await send_sample(hub.parts.store, clock, live.id, None)

    async def test_one_waits_for_no_order_that_fails(self, hub: Hub, clock: FakeClock, world: World) -> None:
        """A sample is of no order, so it does not stand behind messages of one; and it is given up like any."""
        async with receiving() as receiver:
            made = await subscribed(hub, clock, receiver.url, merchant_id=world.merchant_id, mode="test")
            for _ in range(2):
                await send_sample(hub.parts.store, clock, made.id, "commission.paid")
            found = await first_deliveries(hub.parts.store, made.id, Wanted(limit=5))
            assert len({each.id for each in found}) == 2
            await until(partial(_has, receiver, 2))


class TestChanging:
    async def test_the_secret_and_what_waits_go_to_the_new_address(
        self, hub: Hub, clock: FakeClock, world: World
    ) -> None:
        store = hub.parts.store
        async with receiving(500) as broken, receiving() as mended:
            made = await subscribed(hub, clock, broken.url, merchant_id=world.merchant_id, mode="test")
            sent = await send_sample(store, clock, made.id, "commission.held")
            await until(partial(_failed, hub, made.id, 1))
            assert mended.requests == []
            change = SubscriptionChange(mended.url, ["commission.*"])
            changed = await update_subscription(store, clock, TYPED, made.id, change)
            assert (changed.url, changed.events, changed.failures) == (mended.url, ("commission.*",), 0)
            assert await retry_deliveries(store, clock, made.id) == 1
            await until(partial(_has, mended, 1))
            headers, body, _ = mended.requests[0]
            assert headers["webhook-id"] == sent["messageId"], "it waited, and is the same"
            moment = datetime.fromtimestamp(int(headers["webhook-timestamp"]), UTC)
            signed = Webhook(made.secret or "").sign(headers["webhook-id"], moment, body.decode())
            assert headers["webhook-signature"] == signed, "the secret stays"

    async def test_other_events_alone_leave_the_address_and_its_failures(
        self, hub: Hub, clock: FakeClock, world: World
    ) -> None:
        store = hub.parts.store
        async with receiving(500) as broken:
            made = await subscribed(hub, clock, broken.url, merchant_id=world.merchant_id, mode="test")
            await send_sample(store, clock, made.id, "commission.held")
            await until(partial(_failed, hub, made.id, 1))
            change = SubscriptionChange(events=["deposit.short"])
            changed = await update_subscription(store, clock, TYPED, made.id, change)
            assert (changed.url, changed.events) == (broken.url, ("deposit.short",))
            assert changed.failures >= 1

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (SubscriptionChange("https://shop.example/{event}"), "cannot become a postback"),
            (SubscriptionChange("http://192.168.1.4/"), "192.168.1.4 is not a public address"),
            (SubscriptionChange("ftp://shop.example/"), "must be an http"),
            (SubscriptionChange(events=["commission.none"]), "no event"),
            (SubscriptionChange(events=[]), "Name the events"),
        ],
    )
    async def test_what_cannot_be_used_changes_nothing(
        self, hub: Hub, clock: FakeClock, world: World, change: SubscriptionChange, words: str
    ) -> None:
        made = await subscribed(hub, clock, "https://shop.example/", merchant_id=world.merchant_id, mode="test")
        before = await shown(hub, made.id)
        with pytest.raises(OperatorFault, match=words):
            await update_subscription(hub.parts.store, clock, TYPED, made.id, change)
        assert await shown(hub, made.id) == before


class TestRetrying:
    async def test_what_waits_for_hours_is_tried_now(self, hub: Hub, clock: FakeClock, world: World) -> None:
        """The control is that nothing comes of itself: the receiver works again, and the message goes on waiting."""
        store = hub.parts.store
        async with receiving(500) as receiver:
            made = await subscribed(hub, clock, receiver.url, merchant_id=world.merchant_id, mode="test")
            sent = await send_sample(store, clock, made.id, None)
            await until(partial(_failed, hub, made.id, 1))
            clock.now += HOUR
            await until(partial(_failed, hub, made.id, 2))
            receiver.answer = 200
            receiver.requests.clear()
            (waiting,) = await first_deliveries(store, made.id, Wanted(limit=2))
            assert waiting.due_at is not None
            assert waiting.due_at > clock.now + 4 * 60_000
            assert receiver.requests == []
            assert await retry_deliveries(store, clock, made.id, message_id=sent["messageId"]) == 1
            await until(partial(_has, receiver, 1))
            with pytest.raises(OperatorFault, match="unknown or does not wait"):
                await retry_deliveries(store, clock, made.id, message_id="msg_none")

    async def test_a_paused_one_is_resumed_first(self, hub: Hub, clock: FakeClock, world: World) -> None:
        url = "https://shop.example/"
        made = await subscribed(hub, clock, url, merchant_id=world.merchant_id, mode="test", paused=True)
        found = await shown(hub, made.id)
        assert (found.status, found.reason) == ("PAUSED", "It was made paused.")
        await send_sample(hub.parts.store, clock, made.id, None)
        with pytest.raises(OperatorFault, match="resume it first"):
            await retry_deliveries(hub.parts.store, clock, made.id)
        assert (await set_subscription_status(hub.parts.store, clock, made.id, "ACTIVE")).waiting == 1


async def _failed(hub: Hub, subscription_id: str, failures: int) -> bool:
    return bool((await shown(hub, subscription_id)).failures >= failures)

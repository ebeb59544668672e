"""Webhooks: what changes is told to those who subscribed, signed, in order, at least once, whatever receivers do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

from hub.app import Hub
from hub.clock import Clock
from hub.domain.messages.notifications import FAILURES_TOLD, HOUR, PAUSED_AFTER
from hub.notifications.deliverer import Deliverer, Standing
from hub.notifications.receiver import Attempt
from hub.operations.affiliates.links import NewLink, create_link
from hub.operations.errors import OperatorFault
from hub.operations.lists import Wanted
from hub.operations.notices import notices_part
from hub.operations.users.users import NewUser, create_user
from hub.operations.webhooks.subscription_deliveries import first_deliveries, replay_deliveries
from hub.operations.webhooks.subscriptions import (
    NewSubscription,
    create_subscription,
    delete_subscription,
    list_subscriptions,
    rotate_secret,
    set_subscription_status,
)
from hub.records.subscriptions import SubscriptionSecret
from hub.storage import Row, StoreUnavailable
from hub.testing.clock import FakeClock
from tests.notifications.receiver import Receiver, receiving
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.world import World
from tests.polling import until
from tests.served_hub import Api, api_of, new_merchant, served
from tests.sqlite_first import database_url

__all__ = ["database_url", "keeper"]

ALLOWED = {"HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8"}
DAYS = 86_400_000
TYPED = (ip_network("127.0.0.0/8"),)
"""What may be typed here: what is not public is refused once more where the connection is made."""


@pytest.fixture
async def hub(database_url: str, clock: FakeClock) -> AsyncIterator[Hub]:
    """A hub that may ask receivers on this machine."""
    async with served(database_url, clock, **ALLOWED) as hub:
        yield hub


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A receiver that answers 200."""
    async with receiving() as receiver:
        yield receiver


async def subscribe(
    hub: Hub, clock: Clock, url: str, merchant: str | None = None, *events: str, affiliate: str | None = None,
    mode: str | None = "test",
) -> SubscriptionSecret:  # fmt: skip
    wanted = NewSubscription(url, events or ("*",), merchant, mode, affiliate)
    return await create_subscription(hub.parts.store, hub.parts.sealer, clock, TYPED, wanted)


async def arrived(receiver: Receiver, *types: str) -> None:
    """Wait until messages of these types, in this order, are all that arrived."""

    async def told() -> bool:
        return len(receiver.requests) >= len(types)

    await until(told)
    assert receiver.types == list(types)


async def report(api: Api, order: str, **fields: Any) -> None:
    reply = await api("POST", "/v1/conversions", {"externalOrderId": order, "orderAmount": "60.00", **fields})
    assert reply.status == 202, reply.raw


async def click_of(hub: Hub, api: Api, clock: FakeClock, world: World, query: str = "") -> str:
    link = await create_link(hub.parts.store, clock, hub.url, NewLink(world.merchant_id, "test", world.affiliate_id))
    async with api.session.get(f"/t/{link.code}{query}", allow_redirects=False, headers={"User-Agent": "A"}) as reply:
        return str(reply.headers["Location"]).partition("affiliate_click_id=")[2].partition("&")[0]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Ann", subscribed=False).copied(tmp_path, clock)


@pytest.fixture
async def world(hub: Hub, clock: FakeClock, keeper: Keeper) -> World:
    """A merchant with an affiliate."""
    return await keeper.world_in(hub, clock, "Ann", subscribed=False)


@pytest.fixture
async def api(hub: Hub, clock: FakeClock, world: World) -> AsyncIterator[Api]:
    """The merchant's client."""
    async with api_of(hub, clock) as api:
        yield api.with_key(world.key)


class TestMessages:
    async def test_a_commission_is_told_from_its_creation_to_its_release(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        made = await subscribe(hub, clock, receiver.url, world.merchant_id)
        await report(api, "B-1", clickId=await click_of(hub, api, clock, world), orderStatus="confirmed")
        await arrived(receiver, "commission.created", "commission.held")
        clock.now += 40 * DAYS
        await hub.parts.jobs.release_holds()

        async def payable() -> bool:
            return receiver.types.count("commission.payable") == 2  # the world's own order is held, too

        await until(payable)
        created, held, *rest = receiver.messages
        assert created["data"] == held["data"]
        data = next(each["data"] for each in rest if each["data"]["externalOrderId"] == "B-1")
        assert (data["state"], data["previousState"]) == ("PAYABLE", "HOLD")
        assert data["amount"] == held["data"]["amount"]
        assert (data["merchantId"], data["mode"], data["affiliateId"]) == (
            world.merchant_id,
            "test",
            world.affiliate_id,
        )
        deliveries = await first_deliveries(hub.parts.store, made.id, Wanted(limit=10))
        assert [each.type for each in reversed(deliveries)][:2] == ["commission.created", "commission.held"]
        assert {each.id for each in deliveries} == {headers["webhook-id"] for headers, _, _ in receiver.requests}

    async def test_a_judge_that_is_not_ours_believes_the_signature(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        made = await subscribe(hub, clock, receiver.url, world.merchant_id, "conversion.review")
        await report(api, "B-1")
        await arrived(receiver, "conversion.review")
        headers, body, _ = receiver.requests[0]
        assert made.secret is not None
        judge = Webhook(made.secret)
        stamp = headers["webhook-timestamp"]
        signed = judge.sign(headers["webhook-id"], _moment(stamp), body.decode())
        assert headers["webhook-signature"] == signed
        assert judge.sign(headers["webhook-id"], _moment(stamp), body.decode() + " ") != signed

    async def test_both_secrets_sign_while_one_rotates(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        old = await subscribe(hub, clock, receiver.url, world.merchant_id, "conversion.review")
        new = await rotate_secret(hub.parts.store, hub.parts.sealer, clock, old.id)
        await report(api, "B-1")
        await arrived(receiver, "conversion.review")
        clock.now += 2 * DAYS
        await report(api, "B-2")
        await arrived(receiver, "conversion.review", "conversion.review")
        for (headers, body, _), secrets in zip(receiver.requests, ([new, old], [new]), strict=True):
            signed = [
                Webhook(each.secret or "").sign(
                    headers["webhook-id"], _moment(headers["webhook-timestamp"]), body.decode()
                )
                for each in secrets
            ]
            assert headers["webhook-signature"] == " ".join(signed)

    async def test_an_affiliate_gets_a_postback_with_its_sub_ids_and_no_order_number(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        url = receiver.url + "?place={sub1}&earned={commission}&of={event}&order={conversionId}"
        made = await subscribe(hub, clock, url, None, "commission.created", affiliate=world.affiliate_id)
        assert made.secret is None
        click = await click_of(hub, api, clock, world, "?sub1=blog%20%26%20mail")
        await report(api, "B-1", clickId=click)

        async def called() -> bool:
            return bool(receiver.requests)

        await until(called)
        headers, body, path = receiver.requests[0]
        assert path.startswith("/hook?place=blog%20%26%20mail&earned=")
        assert "&of=commission.created&order=cnv_" in path
        assert (body, "webhook-signature" in headers) == (b"", False)
        other = await subscribe(hub, clock, receiver.url, None, "commission.*", affiliate=world.affiliate_id)
        await report(api, "B-2", clickId=click)

        async def told() -> bool:
            return any(body for _, body, _ in receiver.requests)

        await until(told)
        message = next(body for _, body, _ in receiver.requests if body)
        assert b"B-2" in message, "the number by which it asks the shop"
        assert b'"subIds":{"sub1":"blog & mail"}' in message
        assert other.secret is not None

    async def test_test_orders_reach_no_tracker_that_did_not_ask_for_them(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        """Anybody may open a test account and make up commissions there; the one that asked is the control."""
        live = await subscribe(hub, clock, receiver.url, affiliate=world.affiliate_id, mode=None)
        test = await subscribe(hub, clock, receiver.url, affiliate=world.affiliate_id, mode="test")
        await report(api, "B-1", clickId=await click_of(hub, api, clock, world))
        await arrived(receiver, "commission.created")
        assert await first_deliveries(hub.parts.store, live.id, Wanted(limit=10)) == []
        assert len(await first_deliveries(hub.parts.store, test.id, Wanted(limit=10))) == 1
        modes = {each.id: each.mode for each in await list_subscriptions(hub.parts.store)}
        assert modes == {live.id: "live", test.id: "test"}

    async def test_nothing_is_written_where_nobody_subscribed(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        """Another merchant's subscription, and one for other events, write nothing here."""
        stranger = await new_merchant(hub, clock, "Other", approve=True)
        await subscribe(hub, clock, receiver.url, stranger)
        await subscribe(hub, clock, receiver.url, world.merchant_id, "payout.released")
        await report(api, "B-1")
        await settled_order(api, "B-1")
        assert [each.waiting for each in await list_subscriptions(hub.parts.store)] == [0, 0]
        assert receiver.requests == []


class TestReceivers:
    @pytest.mark.parametrize("answer", ["redirect", 500, 404])
    async def test_a_failure_is_tried_again_in_order(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver, answer: int | str
    ) -> None:
        receiver.answer = answer
        made = await subscribe(hub, clock, receiver.url, world.merchant_id, "commission.*")
        await report(api, "B-1", clickId=await click_of(hub, api, clock, world), orderStatus="confirmed")
        await failing(hub, made.id, 1)
        assert set(receiver.types) == {"commission.created"}
        receiver.requests.clear()
        receiver.answer = 200
        clock.now += HOUR
        await arrived(receiver, "commission.created", "commission.held")

        async def mended() -> bool:
            (found,) = await list_subscriptions(hub.parts.store)
            return (found.failures, found.failing_since) == (0, None)

        await until(mended)

    @pytest.mark.parametrize("answer", [pytest.param("hang", marks=pytest.mark.prove), "endless"])
    async def test_others_are_served_beside_a_receiver_that_hangs_or_streams_for_ever(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver, answer: str
    ) -> None:
        async with receiving(answer) as bad:
            await subscribe(hub, clock, bad.url, world.merchant_id)
            await subscribe(hub, clock, receiver.url, world.merchant_id)
            for number in range(3):
                await report(api, f"B-{number}")

            async def both() -> bool:
                return len(receiver.requests) == 3 and bool(bad.requests)

            await until(both)
            assert receiver.types == ["conversion.review"] * 3

    async def test_a_private_address_is_not_asked(
        self, database_url: str, clock: FakeClock, receiver: Receiver
    ) -> None:
        """The control: the same hub without the allowed network."""
        async with served(database_url, clock) as hub, api_of(hub, clock) as api:
            made = await subscribe(hub, clock, receiver.url, api.key.merchant_id)
            await report(api, "B-1")
            await failing(hub, made.id, 1)
            (delivery,) = await first_deliveries(hub.parts.store, made.id, Wanted(limit=5))
            assert "is not a public address" in str(delivery.fault)
            assert receiver.requests == []

    async def test_no_attempt_outlives_the_deliverer(
        self, sqlite_url: str, clock: FakeClock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of two messages that are sent at once, one ends its turn by a fault of the store."""
        begun, ended = list[str](), list[str]()

        async def attempt(*given: Any) -> Attempt:
            begun.append(given[2]["message_id"])
            if len(begun) == 1:
                raise StoreUnavailable("away")
            try:
                return await asyncio.Future[Attempt]()
            finally:
                ended.append(given[2]["message_id"])

        async with served(sqlite_url, clock, **ALLOWED) as hub, api_of(hub, clock) as api:
            deliverer = hub.parts.deliverer
            assert deliverer is not None
            await deliverer.stop()
            monkeypatch.setattr("hub.notifications.deliverer.deliver", attempt)
            made = await subscribe(hub, clock, receiver.url, api.key.merchant_id)
            for number in range(2):
                await report(api, f"B-{number}")

            async def both() -> bool:
                return len(await first_deliveries(hub.parts.store, made.id, Wanted(limit=5))) == 2

            await until(both)
            await deliverer.start()
            await until(lambda: len(begun) == 2)
            await deliverer.stop()
            assert ended == begun[1:]

    async def test_long_failure_pauses_and_nothing_is_lost(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        receiver.answer = 503
        made = await subscribe(hub, clock, receiver.url, world.merchant_id, "conversion.review")
        await report(api, "B-1")
        await failing(hub, made.id, 1)
        await report(api, "B-2")
        clock.now += PAUSED_AFTER

        async def paused() -> bool:
            (found,) = await list_subscriptions(hub.parts.store)
            return found.status == "PAUSED" and "five days" in str(found.reason)

        await until(paused)
        receiver.answer = 200
        receiver.requests.clear()
        clock.now += 2 * DAYS
        await set_subscription_status(hub.parts.store, clock, made.id, "ACTIVE")
        await arrived(receiver, "conversion.review", "conversion.review")

    async def test_a_turn_whose_end_was_not_noted_does_not_make_a_failure_last_for_days(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A failure, an arrival after which the store was away, six quiet days, and one more failure."""
        receiver.answer = 503
        made = await subscribe(hub, clock, receiver.url, world.merchant_id, "conversion.review")
        await report(api, "B-1")
        await failing(hub, made.id, 1)
        honest, lost = Deliverer._end, list[Standing]()

        async def forgotten(self: Deliverer, subscription: Row, standing: Standing, reason: str | None) -> None:
            if not standing.failures and not lost:
                lost.append(standing)
                raise StoreUnavailable("away")
            await honest(self, subscription, standing, reason)

        monkeypatch.setattr(Deliverer, "_end", forgotten)
        receiver.answer = 200
        clock.now += HOUR
        await until(lambda: bool(lost))
        receiver.answer = 503
        clock.now += PAUSED_AFTER + HOUR
        await report(api, "B-2")
        await failing(hub, made.id, 2)
        (found,) = await list_subscriptions(hub.parts.store)
        assert found.status == "ACTIVE"

    async def test_a_merchant_is_told_once_of_an_outage_and_once_of_its_pause(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        store, receiver.answer = hub.parts.store, 503
        person = await create_user(
            store, clock, NewUser("ann@shop.example", "merchant", world.merchant_id, name="Ann", level="owner")
        )
        made = await subscribe(hub, clock, receiver.url, world.merchant_id, "conversion.review")
        await report(api, "B-1")

        async def told() -> list[str]:
            return [each["kind"] for each in (await notices_part(store, person["id"], Wanted())).entries]

        for failures in range(1, FAILURES_TOLD + 2):
            await failing(hub, made.id, failures)
            assert await told() == (["messages-failing"] if failures >= FAILURES_TOLD else [])
            clock.now += 20 * HOUR
        clock.now += PAUSED_AFTER

        async def both() -> bool:
            return await told() == ["messages-paused", "messages-failing"]

        await until(both)

    async def test_what_arrived_can_be_sent_again_under_the_same_id(
        self, hub: Hub, api: Api, world: World, clock: FakeClock, receiver: Receiver
    ) -> None:
        made = await subscribe(hub, clock, receiver.url, world.merchant_id)
        await report(api, "B-1")
        await arrived(receiver, "conversion.review")
        store = hub.parts.store

        async def noted() -> bool:
            return (await first_deliveries(store, made.id, Wanted(limit=1)))[0].status == "DELIVERED"

        await until(noted)
        (delivery,) = await first_deliveries(store, made.id, Wanted(limit=5))
        assert (delivery.answer_status, delivery.answer) == (200, "noted")
        assert await replay_deliveries(store, clock, made.id, message_id=delivery.id) == 1
        await arrived(receiver, "conversion.review", "conversion.review")
        first, again = receiver.requests
        assert (first[0]["webhook-id"], first[1]) == (again[0]["webhook-id"], again[1])
        await delete_subscription(store, clock, made.id)
        assert await list_subscriptions(store) == []


@pytest.mark.parametrize(
    ("url", "event", "words"),
    [
        ("ftp://shop.example/", "*", "http"),
        ("https://ann@shop.example/", "*", "http"),
        ("https://shop.example/{unknown}", "*", "stands for nothing"),
        ("https://{sub1}.example/", "*", "host"),
        ("https://shop.example/", "commission.none", "no event"),
        ("https://shop.example/", "comm*", "no event"),
    ],
)
async def test_what_cannot_be_used_is_refused(hub: Hub, clock: FakeClock, url: str, event: str, words: str) -> None:
    merchant = await new_merchant(hub, clock, approve=True)
    with pytest.raises(OperatorFault, match=words):
        await subscribe(hub, clock, url, merchant, event)


async def failing(hub: Hub, subscription_id: str, failures: int) -> None:
    """Wait until a subscription has failed so often."""

    async def failed() -> bool:
        found = await list_subscriptions(hub.parts.store)
        return any(each.id == subscription_id and each.failures >= failures for each in found)

    await until(failed)


async def settled_order(api: Api, order: str) -> None:
    async def decided() -> bool:
        return bool((await api("GET", f"/v1/conversions?externalOrderId={order}")).json["data"])

    await until(decided)


def _moment(stamp: str) -> Any:
    return datetime.fromtimestamp(int(stamp), UTC)

"""Versions of messages: an older one is made of a newer step by step, and every version's examples are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import orjson
import pytest

from hub.app import Hub
from hub.domain.messages import payload_versions
from hub.domain.messages.payload_versions import in_version, newest_version, versions
from hub.operations.webhooks.sample_messages import send_sample
from hub.testing.clock import FakeClock
from tests.notifications.kept_messages import changed, kept, now, written
from tests.notifications.receiver import receiving
from tests.notifications.test_trying import (
    _has,
    clock,
    clock_of_the_file,
    file_of_the_hub,
    hub,
    shown,
    subscribed,
    world,
)
from tests.pages.visitor import browser
from tests.pages.world import World
from tests.polling import until
from tests.served_hub import api_of

__all__ = ["clock", "clock_of_the_file", "file_of_the_hub", "hub", "world"]


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 2 nests the money, and version 3 calls it `earned`."""

    def to_2(document: dict[str, Any]) -> dict[str, Any]:
        data = dict(document["data"])
        return {**document, "data": {"money": data.pop("earned"), **data}}

    def to_1(document: dict[str, Any]) -> dict[str, Any]:
        data = dict(document["data"])
        return {**document, "data": {**data.pop("money"), **data}}

    monkeypatch.setitem(payload_versions.OLDER, "1", to_1)
    monkeypatch.setitem(payload_versions.OLDER, "2", to_2)


MONEY = {"amount": "3.99", "currency": "USD"}
OF_3 = {"type": "commission.paid", "data": {"earned": MONEY, "id": "com_1"}}
OF_2 = {"type": "commission.paid", "data": {"money": MONEY, "id": "com_1"}}
OF_1 = {"type": "commission.paid", "data": {**MONEY, "id": "com_1"}}


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("document", "written", "wanted", "sent"),
    [
        (OF_3, "3", "3", ("3", OF_3)),
        (OF_3, "3", "2", ("2", OF_2)),
        (OF_3, "3", "1", ("1", OF_1)),
        (OF_2, "2", "1", ("1", OF_1)),
        (OF_2, "2", "3", ("2", OF_2)),
        (OF_1, "1", "3", ("1", OF_1)),
    ],
)
def test_a_message_is_sent_in_its_subscriptions_version_or_in_its_own_if_that_is_older(
    document: dict[str, Any], written: str, wanted: str, sent: tuple[str, dict[str, Any]]
) -> None:
    before = orjson.dumps(document)
    assert in_version(document, written, wanted) == sent
    assert orjson.dumps(document) == before, "what is stored is not touched"


@pytest.mark.usefixtures("three")
def test_versions_are_named_from_the_oldest_to_the_newest() -> None:
    assert (versions(), newest_version()) == (("1", "2", "3"), "3")


def test_what_is_sent_today_is_the_newest_version() -> None:
    """The control: nothing is planted."""
    assert in_version(OF_1, newest_version(), newest_version()) == (newest_version(), OF_1)
    assert versions()[-1] == newest_version()


def test_the_examples_of_every_version_are_kept_byte_for_byte() -> None:
    """`make generate` writes those of what is new; a kept line that changes is a break, or a new version."""
    assert changed(kept(), now()) == []
    assert sorted(now().keys() - kept().keys()) == []


def test_a_member_that_goes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a version 2 that calls `state` otherwise, and a way back that forgets it."""
    before = now()

    def forget(document: dict[str, Any]) -> dict[str, Any]:
        return {**document, "data": {name: value for name, value in document["data"].items() if name != "state"}}

    monkeypatch.setitem(payload_versions.OLDER, "1", forget)
    assert changed(before, now()) == [key for key in before if key.startswith("1 commission.")]
    monkeypatch.setitem(payload_versions.OLDER, "1", lambda document: document)
    assert changed(before, now()) == []
    assert {key.split()[0] for key in now()} == {"1", "2"}


def test_members_are_added_to_what_is_kept_of_the_newest_alone() -> None:
    body = '{"type":"a","data":{"x":1}}'
    more = '{"type":"a","data":{"x":1,"y":2}}'
    other = '{"type":"a","data":{"x":2}}'
    before = {"1 a": body, "2 a": body, "2 b": body}
    after = {"1 a": more, "2 a": more, "2 b": other, "2 c": body}
    assert written(before, after, "2") == {"1 a": body, "2 a": more, "2 b": body, "2 c": body}


class TestSubscriptions:
    """A version 2 is planted: what the hub writes is it, and version 1 has the currency behind the amount."""

    @pytest.fixture
    def version_2(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
        def older(document: dict[str, Any]) -> dict[str, Any]:
            data = document["data"]
            return {**document, "data": {**data, "amount": f"{data['amount']} {data['currency']}"}}

        return lambda: monkeypatch.setitem(payload_versions.OLDER, "1", older)

    async def test_one_stays_with_the_version_that_it_was_made_with_until_it_is_moved(
        self, hub: Hub, clock: FakeClock, world: World, version_2: Callable[[], None]
    ) -> None:
        store = hub.parts.store
        async with receiving() as old, receiving() as new, api_of(hub, clock) as client:
            api = client.with_key(world.key)
            made = (await api("POST", "/v1/subscriptions", {"url": old.url, "events": ["*"]})).json
            assert made["payloadVersion"] == "1"
            await send_sample(store, clock, made["id"], "commission.paid")
            await until(partial(_has, old, 1))
            version_2()
            later = (await api("POST", "/v1/subscriptions", {"url": new.url, "events": ["*"]})).json
            assert later["payloadVersion"] == "2"
            for each in (made, later):
                await send_sample(store, clock, each["id"], "commission.paid")
            await until(partial(_has, old, 2))
            await until(partial(_has, new, 1))
            assert [said(each) for each in old.requests] == [("1", "3.00"), ("1", "3.00 USD")]
            assert [said(each) for each in new.requests] == [("2", "3.00")]
            listed = {each["id"]: each for each in (await api("GET", "/v1/subscriptions")).json["data"]}
            assert (listed[made["id"]]["payloadVersion"], listed[later["id"]]["payloadVersion"]) == ("1", "2")

            one = f"/v1/subscriptions/{made['id']}"
            refused = await api("PATCH", one, {"payloadVersion": "3"})
            assert (refused.status, "the hub sends 1, 2" in str(refused.json["message"])) == (400, True)
            moved = await api("PATCH", one, {"payloadVersion": "2"})
            assert (moved.json["payloadVersion"], moved.json["url"]) == ("2", old.url)
            await api("POST", f"{one}/replay", {"since": "1d"})
            await until(partial(_has, old, 4))
            assert sorted(said(each) for each in old.requests[2:]) == [("1", "3.00"), ("2", "3.00")]
            told = (await api("GET", f"{one}/deliveries")).json["data"]
            assert [each["payloadVersion"] for each in told] == ["2", "1"], "one was written before there was a second"

    async def test_it_is_moved_on_its_page_and_can_go_back(
        self, hub: Hub, clock: FakeClock, world: World, version_2: Callable[[], None]
    ) -> None:
        made = await subscribed(hub, clock, "https://shop.example/hook", merchant_id=world.merchant_id, mode="test")
        place = f"/merchant/webhooks/{made.id}"
        of_test = f"{place}?mode=test"
        async with browser(hub) as visitor:
            await world.person(visitor, "merchant")
            page = await visitor.get(of_test)
            assert "Payload version 1" in page.words
            assert 'name="version"' not in page.text, "there is nothing to choose"
            version_2()
            for version in ("2", "1"):
                done = await visitor.send(of_test, f"{place}/change", account=world.account_id, version=version)
                assert (done.status, done.location) == (303, f"{place}?done=changed")
                assert (await shown(hub, made.id)).payload_version == version
            assert "Payload version 1; the newest is 2" in (await visitor.get(of_test)).words
            refused = await visitor.send(of_test, f"{place}/change", account=world.account_id, version="9")
            assert (refused.status, "the hub sends 1, 2" in refused.words) == (422, True)


def said(request: tuple[Mapping[str, str], bytes, str]) -> tuple[str, str]:
    """The version that a message names, and what it says of the money."""
    headers, body, _ = request
    return headers["webhook-payload-version"], orjson.loads(body)["data"]["amount"]

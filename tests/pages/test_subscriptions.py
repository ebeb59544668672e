"""Webhooks on the pages: made by whose they are, shown with what the receiver answered, reached by nobody else."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from hub.app import Hub
from hub.operations.lists import Wanted, first_rows
from hub.operations.users.users import NewUser, create_user
from hub.operations.webhooks.subscription_deliveries import DELIVERIES
from hub.operations.webhooks.subscriptions import list_subscriptions
from hub.storage import Row
from hub.testing.clock import FakeClock
from tests.notifications.conftest import often
from tests.notifications.receiver import Receiver, receiving
from tests.pages.visitor import Seen, browser, enter
from tests.pages.world import world_of
from tests.polling import until
from tests.served_hub import served

__all__ = ["often"]

LOOPBACK = {"HUB_OUTBOUND_ALLOWED_NETWORKS": "127.0.0.0/8"}
MINUTES = 60_000


@pytest.mark.parametrize(("role", "base"), [("merchant", "/merchant/webhooks"), ("affiliate", "/affiliate/webhooks")])
async def test_a_webhook_is_made_watched_and_ended(sqlite_url: str, clock: FakeClock, role: str, base: str) -> None:
    async with served(sqlite_url, clock, **LOOPBACK) as hub, receiving() as receiver, browser(hub) as ann:
        world, store = await world_of(hub, clock, "Ann"), hub.parts.store
        await world.person(ann, role, "owner" if role == "merchant" else None)
        mode = "?mode=test" if role == "merchant" else ""
        form = {"url": receiver.url, "events": "conversion.*, commission.*", "mode": "test"}
        clock.now += 11 * MINUTES
        asked = await ann.send(base + mode, base, **form)
        assert (asked.location or "").startswith("/login/confirm?then=")
        clock.now -= 11 * MINUTES
        page = (await ann.send(base + mode, base, **form)).location or ""
        made = await ann.get(page)
        secret = re.search(r"whsec_[A-Za-z0-9+/=]+", made.words)
        assert secret, made.words
        own = [each for each in await list_subscriptions(store) if each.url == receiver.url]
        one = f"{base}/{own[0].id}"
        assert secret[0] not in (await ann.get(one + mode)).text
        assert secret[0] in (await ann.get(page)).text
        assert (await ann.send(page)).location == f"{one}?done=stored"
        assert (await ann.get(page)).status == 404
        if role == "merchant":
            done = await ann.post(
                f"/merchant/reviews?{mode[1:]}",
                {"csrf": (await ann.get(f"/merchant/reviews{mode}")).csrf, "account": world.account_id,
                 "verdict": "attribute", "affiliate": world.affiliate_id, f"tick.{world.ids['review']}": "1"},
            )  # fmt: skip
            assert done.status in (200, 303), done.words
            await until(lambda: _arrived(hub, own[0].id))
            shown = await ann.get(one + mode)
            assert "commission.created" in shown.words
            assert "Send again" in shown.words
            again = await ann.send(one + mode, f"{one}/replay", since="1d")
            assert (again.location or "").endswith("done=replayed")
        assert (await ann.send(one + mode, f"{one}/test", type="commission.paid")).location == f"{one}?done=tested"
        await until(lambda: _told(receiver, "commission.paid"))
        assert [each["data"]["sample"] for each in receiver.messages if each["type"] == "commission.paid"] == [True]
        moved = await ann.send(one + mode, f"{one}/change", url=f"{receiver.url}/moved", events="commission.*")
        assert moved.location == f"{one}?done=changed"
        assert f"{receiver.url}/moved" in (await ann.get(one + mode)).text
        wrong = await ann.send(one + mode, f"{one}/change", url="http://10.0.0.1/", events="commission.*")
        assert (wrong.status, "10.0.0.1 is not a public address" in wrong.words) == (422, True)
        assert (await ann.send(one + mode, f"{one}/retry")).status == 303
        assert (await ann.send(one + mode, f"{one}/pause")).location == f"{one}?done=paused"
        assert "Paused" in (await ann.get(one + mode)).words
        assert (await ann.send(one + mode, f"{one}/resume")).status == 303
        rotated = (await ann.send(one + mode, f"{one}/rotate", overlap="1h")).location or ""
        renewed = re.search(r"whsec_[A-Za-z0-9+/=]+", (await ann.get(rotated)).words)
        assert renewed
        assert renewed[0] != secret[0]
        refused = await ann.send(base + mode, base, url="ftp://x", events="*")
        assert (refused.status, "must be an http or https" in refused.words) == (422, True)
        assert (await ann.send(one + mode, f"{one}/delete")).location == f"{base}?done=deleted"
        assert (await ann.get(one + ("?mode=test" if role == "merchant" else ""))).status == 404


async def _told(receiver: Receiver, event_type: str) -> bool:
    return event_type in receiver.types


async def _arrived(hub: Hub, subscription_id: str) -> bool:
    found = [each for each in await list_subscriptions(hub.parts.store) if each.id == subscription_id]
    rows = await first_rows(hub.parts.store, DELIVERIES, Wanted(limit=9), {"subscription_id": subscription_id})
    return bool(found) and any(row["status"] == "DELIVERED" for row in rows)


async def test_an_operator_reaches_all_of_them(hub: Hub, clock: FakeClock) -> None:
    world = await world_of(hub, clock, "Ann")
    async with browser(hub) as zoe:
        await enter(zoe, hub, clock, await operator(hub, clock))
        listed = (await zoe.get("/operator/webhooks")).text
        assert world.ids["webhook"] in listed
        assert world.ids["subscription"] in listed
        one = f"/operator/webhooks/{world.ids['webhook']}"
        assert (await zoe.send(one, f"{one}/pause")).location == f"{one}?done=paused"
        made = await zoe.send(
            "/operator/webhooks", None, url="https://a.example/h", events="*", owner=world.affiliate_id
        )
        assert "whsec_" in (await zoe.get(made.location or "")).words
        assert (await zoe.get("/operator/webhooks/sub_none")).status == 404


async def operator(hub: Hub, clock: FakeClock) -> str:
    await create_user(hub.parts.store, clock, NewUser("zoe@hub.example", "operator-admin"))
    return "zoe@hub.example"


async def test_a_message_has_a_page_with_each_attempt(sqlite_url: str, clock: FakeClock) -> None:
    """It says what is sent and what came back, of the failures before an arrival, too; no one else has it."""
    async with served(sqlite_url, clock, **LOOPBACK) as hub, receiving(500) as receiver, browser(hub) as ann:
        world, store = await world_of(hub, clock, "Ann", subscribed=False), hub.parts.store
        await world.person(ann, "merchant", "owner")
        await ann.send("/merchant/webhooks?mode=test", "/merchant/webhooks", url=receiver.url, events="commission.*")
        (own,) = await list_subscriptions(store)
        one = f"/merchant/webhooks/{own.id}"
        await ann.send(f"{one}?mode=test", f"{one}/test", type="commission.paid")
        found = await until_ended(hub, own.id, attempts=1)
        page = f"{one}/messages/{found['message_id']}"
        assert page in (await ann.get(one)).text
        failed = await ann.get(page)
        assert "It answered with status 500. The hub tries again" in failed.words
        assert "webhook-id: " + found["message_id"] in failed.text
        assert "whsec_" not in failed.text
        receiver.answer = 200
        tried = await ann.send(page, f"{one}/retry", message=found["message_id"], back="message")
        assert tried.location == f"{page}?done=retried"
        clock.advance(10 * MINUTES)
        await until_ended(hub, own.id, status="DELIVERED")
        assert re.findall(r"brick|fern", table_of(await ann.get(page))) == ["fern", "brick"]
        again = await ann.send(page, f"{one}/replay", message=found["message_id"], back="message")
        assert again.location == f"{page}?done=replayed"
        await until_ended(hub, own.id, status="DELIVERED")
        shown = await ann.get(page)
        assert re.findall(r"brick|fern", table_of(shown)) == ["fern", "fern", "brick"]
        body = receiver.requests[-1][1].decode()
        assert json.loads(unescape(re.findall(r'<pre id="sent"[^>]*>(.*?)</pre>', shown.text, re.DOTALL)[0])) == (
            json.loads(body)
        )
        assert (await ann.get(f"{one}/messages/msg_none?mode=test")).status == 404
        async with browser(hub) as bea:
            other = await world_of(hub, clock, "Bea", subscribed=False)
            await other.person(bea, "merchant", "owner")
            assert (await bea.get(f"{page}?mode=test")).status == 404


def table_of(seen: Seen) -> str:
    return " ".join(re.findall(r'class="chip (\w+)"', seen.text.partition("<h2>Attempts</h2>")[2]))


async def until_ended(hub: Hub, subscription_id: str, *, attempts: int = 0, status: str | None = None) -> Row:
    """Wait until the one message of a subscription had an attempt, and is in a status."""
    found: list[Row] = []

    async def ended() -> bool:
        found[:] = await first_rows(hub.parts.store, DELIVERIES, Wanted(), {"subscription_id": subscription_id})
        return bool(found) and found[0]["attempts"] >= max(attempts, 1) and status in (None, found[0]["status"])

    await until(ended)
    return found[0]

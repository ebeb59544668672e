"""Messages and requests as a merchant reads them; replay, and the signature doctor."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import aiohttp
import pytest

from hub.app import Hub
from hub.domain.signing import sign
from hub.operations.lists import Wanted
from hub.operations.trail_lists import list_acts
from hub.testing.clock import FakeClock
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.visitor import Seen, Visitor, browser
from tests.pages.world import World, world_of
from tests.polling import until
from tests.served_hub import Api

__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


async def test_messages_are_listed_by_outcome_and_replayed(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Parked news waits for its order; one that was processed is not replayed, and says why."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        every = await owner.get("/merchant/messages?mode=test")
        assert every.words.count("Order reported") >= 2
        assert "Parked" in every.words
        parked = await owner.get("/merchant/messages?status=PARKED")
        assert "Aurora order none" in parked.words
        assert "Aurora order low" not in parked.words
        assert "No message matches" in (await owner.get("/merchant/messages?status=FAILED")).words
        assert "Aurora order low" in (await owner.get("/merchant/messages?type=conversion&q=order+low")).words
        fields = {f"tick.{world.ids['parked']}": "1", f"tick.{world.ids['event']}": "1", "account": world.account_id}
        sent = await owner.send("/merchant/messages?status=PARKED", "/merchant/messages", **fields)
        assert sent.location is not None
        assert "1 queued again. 1 not done" in (await owner.get(sent.location)).words
        one = await owner.get(f"/merchant/messages/{world.ids['event']}")
        assert ("Aurora metadata" in one.words, "The order and its explanation" in one.words) == (True, True)
        refused = await owner.send(
            "/account", f"/merchant/messages/{world.ids['event']}/replay", account=world.account_id
        )
        assert (refused.status, "it was processed" in refused.words) == (422, True)
    acts = (await list_acts(either_hub.parts.store, Wanted({"subject": world.ids["parked"]}, limit=9))).entries
    assert [act["act"] for act in acts] == ["event.replayed"]


async def test_all_that_match_are_replayed_in_portions(
    either_hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, keeper: Keeper
) -> None:
    """Each portion leads on to the next, without JavaScript by a button; what is parked again is not met twice."""
    monkeypatch.setattr("hub.pages.replays.PORTION", 2)
    world, other = await keeper.world_in(either_hub, clock, "Aurora"), await world_of(either_hub, clock, "Borealis")
    here = "/merchant/messages"
    async with aiohttp.ClientSession(either_hub.url) as session:
        api = Api(session, world.key, clock)
        for number in range(4):
            body = {"externalOrderId": f"Aurora order none {number}", "status": "delivered"}
            assert (await api("POST", "/v1/order-status", body)).status == 202
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")

        async def all_parked() -> bool:
            return (await owner.get(f"{here}?mode=test&status=PARKED")).text.count('name="tick.') == 5

        await until(all_parked)
        page = "/merchant/messages/replay?status=PARKED&q=none"
        assert page.replace("&", "&amp;") in (await owner.get(f"{here}?status=PARKED&q=none")).text
        shown = await owner.get(page)
        assert "Replay 5 messages?" in shown.words
        seen = []
        while True:
            fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.text))
            answer = await owner.post(f"{here}/replay", fields)
            shown = await owner.get(answer.location or "")
            if (answer.location or "").startswith(f"{here}?"):
                break
            seen.append(re.search(r"(\d) of (\d) messages searched, (\d) queued again", shown.words))
        assert [found and found.groups() for found in seen] == [("2", "5", "2"), ("4", "5", "4")]
        assert "5 messages are queued again." in shown.words
        hostile = await owner.get(f"{page}&upto=evt_x&seen=9&total=1e9&replayed=-1")
        assert (hostile.status, "searched" in hostile.words) == (200, False)
    acts = (await list_acts(either_hub.parts.store, Wanted({"act": "event.replayed"}, limit=99))).entries
    assert len({act["subject"] for act in acts}) == len(acts) == 5
    assert other.ids["parked"] not in {act["subject"] for act in acts}


async def test_a_refused_request_is_in_the_log_and_the_doctor_says_why(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    world = await keeper.world_in(either_hub, clock, "Aurora")
    stamp, body = str(clock() // 1000), b'{"externalOrderId":"A-1"}'
    wrong = sign(world.key.secret.encode(), stamp, body + b"\n")
    async with aiohttp.ClientSession(either_hub.url) as session:
        api = Api(session, world.key, clock)
        headers = {"X-API-Key": world.key.key_id, "X-Timestamp": stamp, "X-Signature": wrong}
        assert (await api.send("POST", "/v1/conversions", body, headers)).status == 401
    await either_hub.parts.services.request_log.flush()
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        log = await owner.get("/merchant/logs?mode=test&errors=1")
        assert "bad_signature" in log.words
        assert "The signature is not that of this request." in log.words
        lines = f"X-API-Key: {world.key.key_id}\nX-Timestamp: {stamp}\nX-Signature: {wrong}\nHost: shop"
        sent = {"headers": lines, "body": body.decode(), "account": world.account_id}
        found = await owner.send("/merchant/logs/signature", signed=f"{stamp}.{body.decode()}x", **sent)
        assert "The body was signed with a line's end that was not sent." in found.words
        assert f"differs from byte {len(stamp) + 1 + len(body) + 1} on" in found.words
        assert world.key.secret not in found.text
        assert sign(world.key.secret.encode(), stamp, body) not in found.text
        right = sent | {"headers": lines.replace(wrong, sign(world.key.secret.encode(), stamp, body))}
        assert "The signature is right" in (await owner.send("/merchant/logs/signature", **right)).words
        begins = sign(world.key.secret.encode(), stamp, body)[:8]
        assert f"begins with {begins} ; the request's begins with {wrong[:8]}" in found.words
        empty = await owner.send("/merchant/logs/signature", account=world.account_id)
        assert (empty.status, "Paste the request's key" in empty.words) == (422, True)


async def newest_refused(owner: Visitor) -> Seen:
    """The page of the newest request that was refused."""
    listed = await owner.get("/merchant/logs?mode=test&errors=1")
    one = re.search(r'href="(/merchant/logs/requests/[^"]*)"', listed.text)
    assert one is not None, listed.words
    return await owner.get(unescape(one[1]))


async def test_the_log_and_the_doctor_say_what_a_replay_repeats(
    either_hub: Hub, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, keeper: Keeper
) -> None:
    """By its id, and the doctor's form is filled in with what the log has; the control is a signature of its own."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    stamp, body = str(clock() // 1000 + 7), b'{"externalOrderId":"A-1","orderAmount":"9"}'
    signature = sign(world.key.secret.encode(), stamp, body)
    headers = {"X-API-Key": world.key.key_id, "X-Timestamp": stamp, "X-Signature": signature,
               "Content-Type": "application/json"}  # fmt: skip
    async with aiohttp.ClientSession(either_hub.url) as session:
        api = Api(session, world.key, clock)
        first = await api.send("POST", "/v1/conversions", body, headers)
        clock.now += 5_000
        repeated = await api.send("POST", "/v1/conversions", body, headers)
        assert (first.status, repeated.status) == (202, 401)
        assert json.loads(repeated.raw)["message"] == "Authentication failed."
    await either_hub.parts.services.request_log.flush()
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        log = await newest_refused(owner)
        assert f"answered 202: {first.headers['X-Request-ID']}" in log.words
        key = world.key.key_id
        for query, found in (
            ("code=signature_replayed", 1), ("code=bad_signature", 0), ("q=%2Fconversions&errors=1", 1),
            ("q=CONVERSIONS", 4), (f"q={first.headers['X-Request-ID']}", 1), ("q=ak", 0), (f"key={key}&errors=1", 1),
            ("key=ak_test_other", 0),
        ):  # fmt: skip
            seen = await owner.get(f"/merchant/logs?{query}")
            assert seen.text.count('<th scope="row">') == found, query
        with monkeypatch.context() as bounded:
            bounded.setattr("hub.operations.lists.DEPTH", 3)
            none = await owner.get("/merchant/logs?q=nothing")
            assert "None of these 3 requests match." in none.words
            assert "/merchant/logs?q=nothing&amp;cursor=" in none.text
        doctor = re.search(r'href="(/merchant/logs/signature\?[^"]*)"', log.text)
        assert doctor is not None
        form = await owner.get(unescape(doctor[1]))
        assert f'value="{world.key.key_id}"' in form.text
        asked = {"headers": "\n".join(f"{name}: {value}" for name, value in headers.items()), "body": body.decode(),
                 "account": world.account_id}  # fmt: skip
        said = await owner.send("/merchant/logs/signature", **asked)
        assert "It has already been used: POST /api/v1/conversions" in said.words
        assert first.headers["X-Request-ID"] in said.words
        assert "The sender's clock is 2 seconds ahead of the hub's" in said.words
        other = sign(world.key.secret.encode(), str(int(stamp) + 1), body)
        fresh = {**asked, "headers": asked["headers"].replace(stamp, str(int(stamp) + 1)).replace(signature, other)}
        assert "The hub accepts this request, once." in (await owner.send("/merchant/logs/signature", **fresh)).words


async def failed_message(world: World, clock: FakeClock) -> str:
    """Have the hub take a webhook that it cannot read, and return its id."""
    async with aiohttp.ClientSession(world.hub.url) as session:
        api = Api(session, world.key, clock)
        headers = {"X-External-Event-Id": "e-1"}
        answer = await api("POST", "/v1/webhooks/order-created", {"total": "1.00"}, headers=headers)
        assert answer.status == 202, answer.json
    event_id = str(answer.json["webhookEventId"])

    async def has_failed() -> bool:
        async with world.hub.parts.store.read() as tx:
            row = await tx.one("event_anywhere", event_id=event_id)
        return row is not None and row["status"] == "FAILED"

    await until(has_failed)
    return event_id


async def test_a_failed_message_is_set_aside_until_it_fails_anew(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """It says why, is not counted on the overview, and counts again once a replay of it has failed."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    event_id = await failed_message(world, clock)
    async with browser(either_hub) as owner:
        await world.person(owner, "merchant", "owner")
        one, tick = f"/merchant/messages/{event_id}", {f"tick.{event_id}": "1", "account": world.account_id}
        assert "1 message failed" in (await owner.get("/merchant?mode=test")).words
        assert "The hub cannot read it" in (await owner.get(one)).words
        unsaid = await owner.send("/merchant/messages?status=FAILED", "/merchant/messages/aside", **tick)
        assert (unsaid.status, "Say why you set them aside" in unsaid.words) == (422, True)
        done = await owner.send(one, "/merchant/messages/aside", **tick, reason="An order of a test")
        assert done.location is not None
        assert "1 set aside." in (await owner.get(done.location)).words
        assert "An order of a test" in (await owner.get(one)).words
        assert "An order of a test" in (await owner.get("/merchant/messages?status=FAILED")).words
        assert "1 message failed" not in (await owner.get("/merchant?mode=test")).words
        other = {f"tick.{world.ids['event']}": "1", "account": world.account_id, "reason": "No"}
        refused = await owner.send(one, "/merchant/messages/aside", **other)
        assert "0 set aside. 1 not done" in (await owner.get(refused.location or "")).words
        clock.advance(1)
        await owner.send(one, f"{one}/replay", account=world.account_id)

        async def counts_again() -> bool:
            return "1 message failed" in (await owner.get("/merchant?mode=test")).words

        await until(counts_again)
        await owner.send(one, "/merchant/messages/aside", **tick, reason="Again")
        await owner.send(one, "/merchant/messages/back", **tick)
        assert await counts_again()


async def test_a_matter_is_set_aside_until_it_changes(either_hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """A viewer sees it and does not act; what was shown is what is set aside, not what came since."""
    world = await keeper.world_in(either_hub, clock, "Aurora")
    async with browser(either_hub) as owner, browser(either_hub) as viewer:
        await world.person(owner, "merchant", "owner")
        await world.person(viewer, "merchant", "viewer")
        here = "/merchant?mode=test"
        seen = await owner.get(here)
        assert "1 order waits for a review" in seen.words
        assert "Set it aside" not in (await viewer.get(here)).text
        found = re.search(r'name="matter" value="reviews"><input type="hidden" name="mark" value="([^"]+)"', seen.text)
        assert found is not None
        fields = {"matter": "reviews", "account": world.account_id, "reason": "Ann looks on Monday"}
        stale = await owner.send(here, "/merchant/attention/aside", **fields, mark="something else")
        assert (stale.status, "has changed since" in stale.words) == (422, True)
        assert (await owner.send(here, "/merchant/attention/aside", **fields, mark=found[1])).status == 303
        aside = await owner.get(here)
        assert ("Set aside: 1" in aside.words, "Ann looks on Monday" in aside.words) == (True, True)
        assert aside.words.index("Set aside: 1") < aside.words.index("1 order waits for a review")
        async with aiohttp.ClientSession(either_hub.url) as session:
            body = {"externalOrderId": "Aurora new", "externalProductId": "x", "orderAmount": "5.00"}
            assert (await Api(session, world.key, clock)("POST", "/v1/conversions", body)).status == 202

        async def is_open_again() -> bool:
            return "2 orders wait for a review" in (await owner.get(here)).words

        await until(is_open_again)
        again = await owner.get(here)
        assert "Set aside: 1" not in again.words
        await owner.send(here, "/merchant/attention/back", matter="reviews", account=world.account_id)
    acts = (await list_acts(either_hub.parts.store, Wanted({"subject": world.account_id}, limit=9))).entries
    assert [act["act"] for act in acts][:2] == ["matter.taken-up", "matter.set-aside"]


async def test_each_fault_of_a_refused_request_is_a_line(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """In words, not as the list that a program would print."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with aiohttp.ClientSession(hub.url) as session, browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        body = {"externalOrderId": "", "orderAmount": "five"}
        assert (await Api(session, world.key, clock)("POST", "/v1/conversions", body)).status == 400

        async def is_logged() -> bool:
            return (
                "validation_failed"
                in (await owner.get("/merchant/logs?mode=test&errors=1")).text.split("<table", 1)[-1]
            )

        await until(is_logged)
        seen = await newest_refused(owner)
        assert "<code>orderAmount</code> must be" in seen.text
        assert ("[&#39;" in seen.text, "['" in seen.words) == (False, False)

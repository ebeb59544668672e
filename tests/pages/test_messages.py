"""Messages and requests as a merchant reads them; replay, and the signature doctor."""

from __future__ import annotations

import aiohttp

from hub.app import Hub
from hub.domain.signing import sign
from hub.operations.trail import TrailFilter, list_acts
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser
from tests.pages.world import world_of
from tests.served_hub import Api


async def test_messages_are_listed_by_outcome_and_replayed(either_hub: Hub, clock: FakeClock) -> None:
    """Parked news waits for its order; one that was processed is not replayed, and says why."""
    world = await world_of(either_hub, clock, "Aurora")
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
        done = await owner.send("/merchant/messages?status=PARKED", "/merchant/messages", **fields)
        assert "1 queued again. 1 not done" in done.words
        one = await owner.get(f"/merchant/messages/{world.ids['event']}")
        assert ("Aurora metadata" in one.words, "The order and its explanation" in one.words) == (True, True)
        refused = await owner.send(
            "/account", f"/merchant/messages/{world.ids['event']}/replay", account=world.account_id
        )
        assert (refused.status, "it was processed" in refused.words) == (422, True)
    acts = await list_acts(either_hub.parts.store, TrailFilter(subject=world.ids["parked"]), limit=9)
    assert [act["act"] for act in acts] == ["event.replayed"]


async def test_a_refused_request_is_in_the_log_and_the_doctor_says_why(either_hub: Hub, clock: FakeClock) -> None:
    world = await world_of(either_hub, clock, "Aurora")
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
        empty = await owner.send("/merchant/logs/signature", account=world.account_id)
        assert (empty.status, "Paste the request's key" in empty.words) == (422, True)

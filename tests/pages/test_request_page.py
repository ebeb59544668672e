"""The page of one request: what was sent, what the hub answered, and what to do, with no secret in it."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path

import aiohttp
import pytest

from hub.app import Hub
from hub.clock import system_clock
from hub.operations.lists import Wanted
from hub.operations.orders.request_log import account_requests
from hub.testing.clock import FakeClock
from tests.docs_site.programs import needs, run_code
from tests.pages.kept_worlds import Keeper, keeper
from tests.pages.visitor import browser
from tests.pages.world import World, world_of
from tests.served_hub import Api, new_key

SECRET = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc" * 2


__all__ = ["keeper"]


@pytest.fixture
def sqlite_url(keeper: Keeper, tmp_path: Path, clock: FakeClock) -> str:
    """A database with the world of these tests."""
    return keeper.of("Aurora").copied(tmp_path, clock)


async def newest(world: World) -> str:
    """The address of the newest request's page."""
    await world.hub.parts.services.request_log.flush()
    page = await account_requests(world.hub.parts.store, world.account_id, Wanted())
    return f"/merchant/logs/requests/{page.entries[0].id}"


async def test_a_refused_request_shows_its_body_and_its_answer_without_secrets(
    either_hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """A fault of one field is there in full; what looks like a secret is masked, and nobody else finds the page."""
    hub = either_hub
    world, other = await keeper.world_in(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    async with browser(hub) as ann, browser(hub) as eve, aiohttp.ClientSession(hub.url) as session:
        await world.person(ann, "merchant", "owner")
        await other.person(eve, "merchant", "owner")
        api = Api(session, world.key, clock)
        assert (await api("POST", "/v1/conversions", {"externalOrderId": "R-1", "orderAmount": "ten"})).status == 400
        address = await newest(world)
        seen = await ann.get(f"{address}?mode=test")
        assert "POST /api/v1/conversions" in seen.words
        assert '"orderAmount": "ten"' in unescape(seen.text) or '"orderAmount":"ten"' in unescape(seen.text)
        assert "validation_failed" in seen.words
        assert "Send it again" in seen.words
        assert re.search(r"X-Signature: [0-9a-f]{8}", seen.text) is None
        assert (await eve.get(f"{address}?mode=test")).status == 404
        await api("POST", "/v1/conversions", {"externalOrderId": "R-2", "orderAmount": "ten", "apiKey": SECRET})
        masked = await ann.get(f"{await newest(world)}?mode=test")
        assert SECRET not in masked.text
        assert "Send it again" not in masked.words


async def test_a_refused_request_is_sent_again_by_the_command_of_its_page(
    hub: Hub, clock: FakeClock, tmp_path: Path, keeper: Keeper
) -> None:
    """The command signs so that every key takes it: its answer is about the body once more, not about the signature."""
    needs("curl")
    clock.now = system_clock()
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as ann, aiohttp.ClientSession(hub.url) as session:
        await world.person(ann, "merchant", "owner")
        body = {"externalOrderId": "R-1's", "orderAmount": "ten"}
        assert (await Api(session, world.key, clock)("POST", "/v1/conversions", body)).status == 400
        seen = await ann.get(f"{await newest(world)}?mode=test")
        pasted = re.search(r'<pre id="again"[^>]*>(.*?)</pre>', seen.text, re.DOTALL)
        assert pasted, seen.words
        strict = await new_key(hub, clock, world.key.merchant_id, signature_version=2)
        known = {"HUB_KEY": strict.key_id, "HUB_SECRET": strict.secret}
        answer = await run_code(unescape(pasted[1]), "curl", tmp_path, known)
        assert '"code":"validation_failed"' in answer


async def test_headers_that_are_no_text_are_refused_as_any_others_and_shown(
    hub: Hub, clock: FakeClock, keeper: Keeper
) -> None:
    """A header may have any byte: it is a 400 or 401, never a fault of the hub, and the page shows what can be read."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as ann, aiohttp.ClientSession(hub.url) as session:
        await world.person(ann, "merchant", "owner")
        signed = Api(session, world.key, clock).headers(b"a,b\n")
        fields = [f"{name}: {value}".encode() for name, value in {**signed, "Content-Length": "4"}.items()]
        odd = [b"X-Idempotency-Key: caf\xe9 \xff", b"User-Agent: caf\xe9 \xff", b"Host: hub", b"Connection: close"]
        head = b"\r\n".join([b"POST /api/v1/uploads/orders HTTP/1.1", *fields, *odd])
        reader, writer = await asyncio.open_connection("127.0.0.1", hub.server.port)
        writer.write(head + b"\r\n\r\na,b\n")
        status = (await reader.readline()).split()[1]
        writer.close()
        await writer.wait_closed()
        assert status in {b"400", b"401", b"415"}
        seen = await ann.get(f"{await newest(world)}?mode=test")
        assert "User-Agent: caf" in unescape(seen.text)


async def test_a_request_that_was_taken_leads_to_what_it_became(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Its body is the message's: the log keeps none, and there is nothing to send again."""
    world = await keeper.world_in(hub, clock, "Aurora")
    clock.now = system_clock()  # ids have real time
    async with browser(hub) as ann, aiohttp.ClientSession(hub.url) as session:
        await world.person(ann, "merchant", "owner")
        body = {"externalOrderId": "T-1", "orderAmount": "10.00"}
        taken = await Api(session, world.key, clock)("POST", "/v1/conversions", body)
        assert taken.status == 202
        seen = await ann.get(f"{await newest(world)}?mode=test")
        assert (f"/merchant/messages/{taken.json['eventId']}" in seen.text, "Send it again" in seen.words) == (
            True,
            False,
        )


async def test_the_doctor_is_filled_in_from_the_request(hub: Hub, clock: FakeClock, keeper: Keeper) -> None:
    """Key, time, the wrong signature and the body are there; the doctor's first answer needs no paste."""
    world = await keeper.world_in(hub, clock, "Aurora")
    async with browser(hub) as ann, aiohttp.ClientSession(hub.url) as session:
        await world.person(ann, "merchant", "owner")
        clock.now += 10_000
        headers = {
            "X-API-Key": world.key.key_id, "X-Timestamp": str(clock.now // 1000), "X-Signature": "0" * 64,
            "Content-Type": "application/json",
        }  # fmt: skip
        body = '{"externalOrderId":"D-1","orderAmount":"1.00"}'
        async with session.post("/api/v1/conversions", data=body, headers=headers) as answer:
            assert answer.status == 401
        seen = await ann.get(f"{await newest(world)}?mode=test")
        found = re.search(r'href="(/merchant/logs/signature\?request=[^"]+)"', seen.text)
        assert found, seen.words
        form = unescape((await ann.get(f"{unescape(found[1])}&mode=test")).text)
        assert (world.key.key_id in form, f'value="{"0" * 64}"' in form, body in form) == (True, True, True)

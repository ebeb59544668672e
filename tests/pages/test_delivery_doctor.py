"""The signature doctor for deliveries, as an owner meets it: from the refused row of the log to what is to blame."""

from __future__ import annotations

import base64
import hmac
import json
import re
from html import unescape

import aiohttp

from hub.app import Hub
from hub.domain.connectors.deliveries import secret_identity
from hub.testing.clock import FakeClock
from tests.pages.visitor import browser
from tests.pages.world import World, world_of

HEADER = "X-WC-Webhook-Signature"
BODY = b'{\n  "id": 4711,\n  "total": "49.90"\n}'


async def secret_of(world: World) -> bytes:
    """Return the secret of the connection, which its owner has in the shop."""
    parts, connection = world.hub.parts, world.ids["connection"]
    row = await parts.store.fetch_one("connection_at_door", connection_id=connection)
    assert row is not None
    (stored,) = json.loads(row["secrets"])
    return parts.sealer.open(stored["sealed"], secret_identity(connection, stored["id"]))


def signed(secret: bytes, body: bytes = BODY) -> str:
    return base64.b64encode(hmac.new(secret, body, "sha256").digest()).decode()


async def refused(world: World, proof: str, body: bytes = BODY) -> None:
    """Deliver what the hub refuses."""
    headers = {HEADER: proof, "Content-Type": "application/json"}
    address = f"{world.hub.url}/connect/{world.ids['connection']}"
    async with (
        aiohttp.ClientSession() as session,
        session.post(address, data=body, headers=headers) as answer,
    ):
        assert (answer.status, (await answer.json())["message"]) == (401, "Authentication failed.")
    await world.hub.parts.services.request_log.flush()


async def test_a_refused_delivery_leads_to_what_is_to_blame(hub: Hub, clock: FakeClock) -> None:
    """The log knows what arrived, so the body and the secret are told apart; neither a secret nor a proof is shown."""
    world = await world_of(hub, clock, "Aurora")
    secret, connection = await secret_of(world), world.ids["connection"]
    await refused(world, signed(b"another secret"))
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "viewer")
        listed = await owner.get("/merchant/logs?mode=test&q=connect")
        one = re.search(r'href="(/merchant/logs/requests/[^"]*)"', listed.text)
        assert one is not None
        log = await owner.get(unescape(one[1]))
        assert "It was not made with a live secret of the connection" in log.words
        assert f"The hub computes {signed(secret)[:8]} The delivery has {signed(b'another secret')[:8]}" in log.words
        assert 'href="/docs/errors#bad_signature"' in log.text
        assert f'href="/merchant/connections/{connection}"' in log.text
        doctor = re.search(r'href="(/merchant/logs/delivery\?[^"]*)"', log.text)
        assert doctor is not None
        form = await owner.get(unescape(doctor[1]))
        assert f"The refused delivery had {len(BODY)} bytes" in form.words
        hidden = re.search(r'name="request" value="(req_\w+)"', form.text)
        assert hidden is not None
        sent = {"account": world.account_id, "connection": connection, "request": hidden[1]}
        as_a_form = BODY.decode().replace("\n", "\r\n")  # so do browsers send what is pasted

        async def asked(proof: str, body: str = as_a_form) -> str:
            answer = await owner.send(
                "/merchant/logs/delivery", headers=f"Host: hub\n{HEADER.lower()}: {proof}", body=body, **sent
            )
            assert answer.status == 200
            assert secret.decode() not in answer.text
            assert proof == signed(secret) or signed(secret) not in answer.text
            return answer.words

        words = await asked(signed(b"another secret"))
        assert "The problem is the secret" in words, words
        assert "The body is the one that arrived." in words
        assert f"begins with {signed(secret)[:8]} ; the delivery's begins with {signed(b'another secret')[:8]}" in words
        assert "is not byte for byte what arrived" in await asked(signed(b"another secret"), "{}")
        assert "another one arrived" in await asked(signed(secret, b"{}"), "{}")
        assert "The delivery is genuine" in await asked(signed(secret))
        assert "written in another way" in await asked(base64.b64decode(signed(secret)).hex())


async def test_the_doctor_knows_no_connection_of_another_account(hub: Hub, clock: FakeClock) -> None:
    """The control is the same form for one's own."""
    world, other = await world_of(hub, clock, "Aurora"), await world_of(hub, clock, "Borealis")
    async with browser(hub) as owner:
        await world.person(owner, "merchant", "owner")
        sent = {"account": world.account_id, "headers": f"{HEADER}: AAAA", "body": "{}"}
        here = "/merchant/logs/delivery"
        assert (await owner.send("/account", here, connection=world.ids["connection"], **sent)).status == 200
        assert (await owner.send("/account", here, connection=other.ids["connection"], **sent)).status == 404
        assert (await owner.get(f"{here}?mode=test&connection={other.ids['connection']}")).status == 404
        empty = await owner.send("/account", here, connection=world.ids["connection"], account=world.account_id)
        assert (empty.status, "Paste the lines of the headers" in empty.words) == (422, True)

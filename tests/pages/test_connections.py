"""A store, connected in the pages by its owner: steps, secret, deliveries and their replay."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

import aiohttp
from yarl import URL

from hub.app import Hub
from hub.domain.connectors.jwt_body import JwtBody
from hub.testing.clock import FakeClock
from hub.testing.signed_tokens import public_pem
from tests.pages.test_keys import owner
from tests.pages.visitor import Visitor, browser, enter
from tests.polling import until

HERE = "/merchant/connections"


async def connected(ann: Visitor, **fields: str) -> tuple[str, str]:
    """Connect a WooCommerce store; return the address of its page and the secret shown there."""
    made = await ann.send(f"{HERE}?connector=woocommerce", HERE, connector="woocommerce", **fields)
    address = URL(made.location or "").path
    seen = await ann.get(address)
    secret = re.search(r'id="secret-shown">(\w{32})<', seen.text)
    assert secret, seen.words
    return address, secret[1]


async def deliver(hub: Hub, address: str, secret: str, body: bytes) -> int:
    """Send what WooCommerce sends."""
    signature = base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode()
    headers = {
        "X-WC-Webhook-Signature": signature,
        "X-WC-Webhook-Topic": "order.created",
        "X-WC-Webhook-Delivery-ID": hashlib.md5(body).hexdigest(),
        "X-WC-Webhook-Source": "https://shop.example/",
        "Content-Type": "application/json",
    }
    url = f"{hub.url}/connect/{address.rpartition('/')[2]}"
    async with aiohttp.ClientSession() as session, session.post(url, data=body, headers=headers) as response:
        return response.status


async def test_a_store_is_connected_with_its_steps_and_secret(either_hub: Hub, clock: FakeClock) -> None:
    """The secret is in the steps for this session and this while; the file to install holds it, too."""
    hub = either_hub
    async with browser(hub) as ann, browser(hub) as elsewhere:
        await owner(hub, clock, ann)
        await enter(elsewhere, hub, clock, "ann@shop.example")
        address, secret = await connected(ann, title="Main store")
        seen = await ann.get(address)
        assert (
            f"Paste {hub.url}/connect/{address.rpartition('/')[2]} into Delivery URL and {secret} into Secret."
            in seen.words
        )
        assert secret not in (await elsewhere.get(address)).text
        assert "Nothing has arrived yet." in seen.words
        assert "Nothing has arrived yet." in (await ann.get("/merchant/connections")).words, "ACTIVE alone misleads"
        assert "Main store" in (await ann.get(HERE)).words
        page = {"csrf": seen.csrf}
        async with ann.session.post(f"{address}/package", data=page) as file:
            assert (file.status, (await file.read())[:2]) == (200, b"PK")
        clock.now += 11 * 60_000
        assert secret not in (await ann.get(address)).text
        assert (await ann.post(f"{address}/package", page)).location == f"/login/confirm?then={address}"


async def test_each_platforms_page_speaks_of_no_other_platform(hub: Hub, clock: FakeClock) -> None:
    """Its steps, its health and its forms, beside what the hub's own address lacks for it."""
    declared = [each for each in (await hub.parts.plugins.catalog()).connectors if each.auth is not None]
    words = {each.name: {each.title.split()[0]} for each in declared}
    words["woocommerce"].add("WordPress")
    assert len(declared) >= 6
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        for each in declared:
            shown = public_pem().decode() if isinstance(each.auth, JwtBody) else "s3cret-of-the-store"
            secret = {} if each.issues_secret or each.tells_secrets else {"secret": shown}
            asked = (await ann.get(f"{HERE}?connector={each.name}")).text
            assert ('name="secret"' in asked) == bool(secret), each.name
            made = await ann.send(f"{HERE}?connector={each.name}", HERE, connector=each.name, **secret)
            seen = (await ann.get(URL(made.location or "").path)).words
            assert (f"{each.title} cannot reach 127.0.0.1" in seen) != each.is_asked_anyway
            others = set().union(*(found for name, found in words.items() if name != each.name))
            assert [other for other in sorted(others) if other in seen] == [], each.name


async def test_deliveries_are_seen_and_replayed(hub: Hub, clock: FakeClock) -> None:
    """With the body as it came and why it failed; what was decided well is not replayed."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        address, secret = await connected(ann)
        assert await deliver(hub, address, secret, b'{"id": "<b>no order</b>"}') == 200

        async def failed() -> str | None:
            seen = await ann.get(address)
            return seen.text if "Failed" in seen.words else None

        text = await until(failed)
        assert "&lt;b&gt;no order&lt;/b&gt;" in text
        assert "unmappable" in text
        event = re.search(r'name="event" value="(evt_\w+)"', text)
        assert event
        replayed = await ann.send(address, f"{address}/replay", event=event[1])
        assert replayed.location == f"{address}?done=replayed#deliveries"
        assert (await ann.send(address, f"{address}/replay", event="evt_1")).status == 404


async def test_secrets_overlap_and_a_connection_is_closed(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        address, secret = await connected(ann)
        old = re.search(r'name="secretId" value="(sec_\w+)"', (await ann.get(address)).text)
        assert old
        last = await ann.send(address, f"{address}/secrets/end", secretId=old[1], after="24h")
        assert (last.status, "the last secret without an end" in last.words) == (422, True)
        assert (await ann.send(address, f"{address}/secrets")).location == f"{address}?done=secret"
        ended = await ann.send(address, f"{address}/secrets/end", secretId=old[1], after="24h")
        assert ended.location == f"{address}?done=ended"
        assert await deliver(hub, address, secret, b"{}") == 200
        assert (await ann.send(f"{address}/close")).location == f"{HERE}?done=closed"
        clock.now += 5_000
        assert await deliver(hub, address, secret, b"{}") == 401


async def test_keys_that_did_not_work_are_told_with_what_to_look_at(hub: Hub, clock: FakeClock) -> None:
    """The store's own page says only that something went wrong."""
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        address, _ = await connected(ann)
        connection_id = address.rpartition("/")[2]
        said = "The credentials were not stored. If a proxy ends TLS, tell WordPress so."
        assert said not in (await ann.get(address)).words
        async with hub.parts.store.write() as tx:
            row = await tx.one("connection_anywhere", connection_id=connection_id)
            assert row is not None
            where = {"account_id": row["account_id"], "connection_id": connection_id}
            await tx.run("note_consent_fault", **where, fault=said, at=clock())
        assert f"the keys that the store sent do not work. {said}" in (await ann.get(address)).words


async def test_a_platform_that_sends_nothing_is_connected_by_its_credentials(hub: Hub, clock: FakeClock) -> None:
    async with browser(hub) as ann:
        await owner(hub, clock, ann)
        made = await ann.send(f"{HERE}?connector=magento", HERE, connector="magento")
        words = (await ann.get(URL(made.location or "").path)).words
        assert "The hub has no orders of this store yet." in words
        assert "Access token of the integration" in words
        assert "the hub only listens" not in words

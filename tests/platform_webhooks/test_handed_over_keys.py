"""Keys to its API that a shop posts at the end of its registration: kept as credentials, and nowhere else."""

from __future__ import annotations

import json
from hashlib import sha256
from hmac import digest
from typing import Any

import pytest

from hub.operations.connections.platform_view import show_platform
from hub.platform_webhooks import endpoint
from tests.platform_webhooks.test_endpoint import Store, connected
from tests.served_hub import Reply

KEYS = {
    "apiKey": "SWIAEXAMPLEEXAMPLEEXAMPLEE", "secretKey": "c2VjcmV0b2Z0aGVpbnRlZ3JhdGlvbg", "timestamp": "1772359200",
    "shopUrl": "http://127.0.0.1:9", "shopId": "Yt3NfQ8sWq0bR5mD",
}  # fmt: skip


@pytest.fixture
async def shop(one: Store) -> Store:
    """A Shopware shop that was just connected."""
    return await connected(one.hub, one.clock, one.session, connector="shopware")


async def post(shop: Store, body: dict[str, Any], secret: str = "") -> Reply:
    """Post a body as the shop does, signed with the connection's secret unless another is given."""
    raw = json.dumps(body).encode()
    given = digest((secret or shop.secret).encode(), raw, sha256).hex()
    headers = {"shopware-shop-signature": given, "Content-Type": "application/json"}
    async with shop.session.post(f"/connect/{shop.connection_id}", data=raw, headers=headers) as answer:
        return Reply(answer.status, answer.headers.copy(), await answer.read())


async def access(shop: Store) -> dict[str, Any]:
    return dict(await show_platform(shop.hub.parts.pages.platforms, shop.connection_id))


async def test_they_become_the_connections_credentials_and_no_event(shop: Store) -> None:
    """Sealed like every secret; what was before the connection is read with them."""
    assert (await post(shop, KEYS)).status == 200
    shown = await access(shop)
    assert shown["hasCredentials"]
    assert [each["kind"] for each in shown["reads"]] == ["BACKFILL"]
    assert KEYS["secretKey"] not in json.dumps(shown)
    assert await shop.kept() == []


async def test_a_registration_that_is_repeated_keeps_the_newer_ones(shop: Store) -> None:
    for key in ("SWIAFIRSTFIRSTFIRST", "SWIASECONDSECOND"):
        assert (await post(shop, {**KEYS, "apiKey": key})).status == 200
    platforms = shop.hub.parts.pages.platforms
    async with platforms.store.read() as tx:
        row = await tx.one("connection_anywhere", connection_id=shop.connection_id)
    assert row is not None
    loaded = await platforms.load(row["account_id"], shop.connection_id)
    assert loaded.values["key"] == "SWIASECONDSECOND"


async def test_nobody_else_hands_over_keys(shop: Store) -> None:
    """The control of the signature: else a stranger would say where the hub asks for orders."""
    assert (await post(shop, KEYS, secret="another")).status == 401
    assert not (await access(shop))["hasCredentials"]


async def test_what_cannot_be_keys_is_refused_with_the_reason(shop: Store) -> None:
    answer = await post(shop, {**KEYS, "shopUrl": "the shop of ours"})
    assert (answer.status, "shop's address" in json.dumps(answer.json)) == (400, True)
    assert not (await access(shop))["hasCredentials"]


async def test_a_delivery_is_kept_as_ever(shop: Store) -> None:
    """The control of the shape: only a body with every key is none."""
    reply = await post(shop, {name: value for name, value in KEYS.items() if name != "secretKey"})
    assert (reply.status, endpoint.PROOF_HEADER in reply.headers) == (200, True)
    assert len(await shop.kept()) == 1

"""Deliveries that are tokens from end to end: Wix's, signed with a key of its own, whose claims become the body."""

from __future__ import annotations

import json

import pytest

from hub.operations.connections.connections import NewConnection, create_connection
from hub.operations.errors import OperatorFault
from hub.testing.signed_tokens import public_pem, token
from tests.platform_webhooks.test_endpoint import Store, connected
from tests.served_hub import Reply
from tests.standins.wix import INSTANCE, claims

CREATED, ORDER = "wix.ecom.v1.order_created", "6f759095-0701-4075-9908-c9c31ff013e1"
ANOTHER = "11111111-3a6f-4dd2-9973-028705762b2c"


@pytest.fixture
async def site(one: Store) -> Store:
    """A Wix site that was just connected, with its app's public key."""
    return await connected(one.hub, one.clock, one.session, connector="wix", secrets=(public_pem().decode(),))


async def post(site: Store, body: bytes) -> Reply:
    url = f"/connect/{site.connection_id}"
    async with site.session.post(url, data=body, headers={"Content-Type": "text/plain"}) as answer:
        return Reply(answer.status, answer.headers.copy(), await answer.read())


def event(site: Store, instance: str = INSTANCE, seconds: int = 300) -> bytes:
    """The claims of an event, which end so many seconds from now."""
    return claims(CREATED, ORDER, instance, site.clock() // 1000 + seconds)


async def test_its_claims_are_kept_under_the_topic_that_they_name(site: Store) -> None:
    said = event(site)
    assert (await post(site, token(said))).status == 200
    ((event_id, kept),) = await site.kept()
    assert kept == said
    async with site.hub.parts.store.read() as tx:
        row = await tx.one("event_anywhere", event_id=event_id)
    assert row is not None
    assert (row["topic"], row["connection_id"]) == (CREATED, site.connection_id)


async def test_what_its_key_did_not_sign_is_refused_and_kept_nowhere(site: Store) -> None:
    said = event(site)
    forged = [token(said, "another"), token(said, head={"alg": "none"}), said, token(event(site, seconds=-3_600))]
    assert [(await post(site, each)).status for each in forged] == [401] * 4
    assert await site.kept() == []
    assert await site.codes() == ["bad_signature"] * 4


async def test_another_site_with_the_same_app_is_refused(site: Store) -> None:
    """The app has one address for all sites on which it is installed, and signs for all of them with one key."""
    assert (await post(site, token(event(site)))).status == 200
    assert (await post(site, token(event(site, ANOTHER)))).status == 403
    assert len(await site.kept()) == 1


async def test_a_secret_that_is_no_key_is_refused_when_it_is_typed(one: Store) -> None:
    wanted = NewConnection(one.merchant_id, "test", "wix", secrets=("s3cret",))
    with pytest.raises(OperatorFault, match="must be an RSA public key"):
        await create_connection(one.admin, wanted)


def test_control_the_claims_name_their_order_three_texts_deep() -> None:
    outer = json.loads(json.loads(claims(CREATED, ORDER))["data"])
    assert (outer["eventType"], json.loads(outer["data"])["entityId"]) == (CREATED, ORDER)
